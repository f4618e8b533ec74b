// Clearing of old tool results once a request is large, for agents in TypeScript. Copy this file; it needs nothing else.
//
// It is what the context editing of Anthropic's API does, for any provider. Call `clear` on the whole history before each
// request and send what it returns; keep the whole history.
//
//     const request = clear(history, history.map(countTokens), { trigger: 50_000 });
//
// Messages are those of the OpenAI API. The answer of the model begins a turn. Equal histories give equal requests, so
// nothing is kept between calls.

export type Message = { role: string; content?: unknown; tool_calls?: unknown; tool_call_id?: unknown; call?: unknown };
type Part = { text?: string };
type Call = { id: string; name?: string; function?: { name: string }; custom?: { name: string } };

export type ClearOptions = {
  /** Tokens of a request above which results are left out: 100,000. */
  trigger?: number;
  /** The newest results, which stay: 3. */
  keep?: number;
  /** The fewest tokens that are left out at a time: 0. */
  clear_at_least?: number;
  /** Names of tools whose results stay. */
  exclude_tools?: readonly string[];
  /** The size of what every request has beside these messages: 0. */
  fixed?: number;
  /** Indexes of the messages that may be left out. Default: those of the role `tool`. */
  observations?: Set<number>;
};

/** The size of a result that was left out. */
const MASKED_TOKENS = 16;

/**
 * The messages without the oldest results, once there are more tokens than `trigger`.
 *
 * `tokens` is the size of each message, by any tokenizer or estimate.
 */
export function clear<M extends Message>(
  messages: readonly M[],
  tokens: readonly number[],
  options: ClearOptions = {},
): M[] {
  const { trigger = 100_000, keep = 3, clear_at_least = 0, exclude_tools = [], fixed = 0 } = options;
  const observations = options.observations ?? toolResults(messages);
  const turns = turnsOf(messages);
  const calls = messages.flatMap((message) => (message.tool_calls as Call[] | null | undefined) ?? []);
  const isExcluded = (call: Call) => exclude_tools.includes((call.function ?? call.custom ?? call).name ?? "");
  const excluded = new Set<unknown>(calls.filter(isExcluded).map((call) => call.id));
  // Of each result its turn, its index, and what leaving it out removes: nothing of small ones.
  const results = turns.flatMap(([start, end], turn) =>
    messages.slice(start, end).flatMap((message, place) => {
      const index = start + place;
      if (!observations.has(index)) return [];
      const stays = excluded.has(message.tool_call_id ?? message.call);
      return [{ turn, index, removed: stays ? 0 : Math.max(0, tokens[index]! - MASKED_TOKENS) }];
    }),
  );

  let size = fixed + sum(tokens.slice(0, turns[0]?.[0]));
  let [made, border, removed, cleared] = [0, 0, 0, 0];
  turns.forEach(([start, end], turn) => {
    size += sum(tokens.slice(start, end));
    while (results[made]?.turn === turn) made++;
    const old = Math.max(border, made - keep);
    removed += sum(results.slice(border, old).map((result) => result.removed));
    border = old;
    if (size > trigger && removed >= Math.max(1, clear_at_least)) {
      [cleared, size, removed] = [border, size - removed, 0];
    }
  });

  const shorter = [...messages];
  for (const { turn, index, removed } of results.slice(0, cleared)) {
    if (removed > 0) shorter[index] = masked(messages[index]!, turn + 1);
  }
  return shorter;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The start and end of each turn: an answer, and what follows it. */
function turnsOf(messages: readonly Message[]): [number, number][] {
  const answers = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  return answers.map((start, turn) => [start, answers[turn + 1] ?? messages.length]);
}

function toolResults(messages: readonly Message[]): Set<number> {
  return new Set(messages.flatMap((message, index) => (message.role === "tool" ? [index] : [])));
}

/** The message with a line in place of its content. */
function masked<M extends Message>(message: M, turn: number): M {
  const { content } = message;
  const parts: Part[] = Array.isArray(content) ? content : [];
  const text = typeof content === "string" ? content : parts.map((part) => part.text ?? "").join("\n");
  return { ...message, content: `[output of turn ${turn} omitted: ${[...text].length} characters]` };
}

/** Answers ptc-eval, which sends a line of JSON for each request. */
async function main(): Promise<void> {
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    const observations = new Set<number>(request.turns.flatMap((turn: any) => turn.observations));
    const tokens = request.messages.map((message: any) => message.tokens);
    // A variant has a `trigger` of its own, which is not passed on.
    const options = { ...request.options, trigger: request.options.trigger_tokens, observations };
    const messages = clear(request.messages as Message[], tokens, options);
    process.stdout.write(JSON.stringify({ id: request.id, messages }) + "\n");
  }
}

if (process.argv[1]?.match(/clear\.[jt]s$/)) await main();
