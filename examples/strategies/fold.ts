// Observation masking that pays for itself: `fold` for agents in TypeScript. Copy this file; it needs nothing else.
//
// Old tool results stay until carrying them has cost as much as leaving them out will. Then all of them are left out at
// once, and the provider's cache holds until the next time. After a pause in which the cache expired everything is sent
// afresh anyway, so then they go at no cost. Call `fold` on the whole history before each request and send what it
// returns; keep the whole history.
//
//     const request = fold(history, history.map(countTokens), { pauses });
//
// Messages are those of the OpenAI API or of the Anthropic API. The answer of the model begins a turn. Equal histories
// give equal requests, so nothing is kept between calls.

export type Message = { role: string; content?: unknown; tool_calls?: unknown; tool_call_id?: unknown; call?: unknown };
type Part = { type?: string; text?: string; content?: unknown };

export type FoldOptions = {
  /** The newest turns, which are kept whole: 5. */
  keep_recent_turns?: number;
  /** The price of an input token that is read from the cache, as a share of a fresh one: 0.1. */
  read?: number;
  /** The price of an input token that is written to the cache, as a share of a fresh one: 1.25. */
  write?: number;
  /** The seconds for which the provider keeps what was sent last: 300. 0: for ever. */
  ttl?: number;
  /** The seconds from each answer to the request after it, the one that is made now included. Default: none. */
  pauses?: readonly number[];
  /** Indexes of the messages that may be left out. Default: all that hold nothing but tool results. */
  observations?: Set<number>;
};

/** The size of a result that was left out. */
const MASKED_TOKENS = 16;

/**
 * The messages with old results left out.
 *
 * `tokens` is the size of each message, by any tokenizer or estimate.
 */
export function fold<M extends Message>(
  messages: readonly M[],
  tokens: readonly number[],
  options: FoldOptions = {},
): M[] {
  const { keep_recent_turns = 5, read = 0.1, write = 1.25, ttl = 300, pauses = [] } = options;
  const { observations = toolResults(messages) } = options;
  const turns = turnsOf(messages);
  // What leaving out each message removes; small ones stay.
  const removedOf = messages.map((message, index) =>
    observations.has(index) ? Math.max(0, tokens[index]! - maskedTokens(message)) : 0,
  );
  const whole = turns.map(([start, end]) => sum(tokens.slice(start, end)));
  const removed = turns.map(([start, end]) => sum(removedOf.slice(start, end)));

  let [border, rent] = [0, 0];
  for (let completed = 1; completed <= turns.length; completed++) {
    const old = completed - keep_recent_turns;
    const first = removed.findIndex((tokens, turn) => turn >= border && turn < old && tokens > 0);
    if (first < 0) continue;
    const saved = sum(removed.slice(border, old));
    rent += read * saved;
    // What is sent again and has changed: all after the first result that goes, but not what is new anyway.
    const [start, end] = turns[first]!;
    const goes = removedOf.findIndex((tokens, index) => index >= start && index < end && tokens > 0);
    const unchanged = sum(tokens.slice(start, goes));
    const after = sum(whole.slice(first, completed)) - saved - unchanged;
    const sentAgain = Math.max(0, after - whole[completed - 1]!);
    const isExpired = ttl > 0 && (pauses[completed - 1] ?? 0) > ttl;
    if (isExpired || rent >= (write - read) * sentAgain) [border, rent] = [old, 0];
  }

  const folded = [...messages];
  turns.slice(0, border).forEach(([start, end], turn) => {
    for (let index = start; index < end; index++) {
      if (removedOf[index]! > 0) folded[index] = masked(messages[index]!, turn + 1);
    }
  });
  return folded;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The size of a message whose results were left out. */
function maskedTokens({ role, content }: Message): number {
  return MASKED_TOKENS * (role === "user" && Array.isArray(content) ? content.length : 1);
}

/** The start and end of each turn: an answer, and what follows it. */
function turnsOf(messages: readonly Message[]): [number, number][] {
  const answers = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  return answers.map((start, turn) => [start, answers[turn + 1] ?? messages.length]);
}

/** The indexes of messages that hold nothing but results of tools. */
function toolResults(messages: readonly Message[]): Set<number> {
  const isResult = ({ role, content }: Message) =>
    role === "tool" ||
    (Array.isArray(content) && content.length > 0 && content.every((part) => part.type === "tool_result"));
  return new Set(messages.flatMap((message, index) => (isResult(message) ? [index] : [])));
}

/** The message with a line in place of its content, or of the content of each of its results. */
function masked<M extends Message>(message: M, turn: number): M {
  const { role, content } = message;
  if (role === "tool" || !Array.isArray(content)) return { ...message, content: omitted(content, turn) };
  const parts = content.map((part: Part) => ({ ...part, content: omitted(part.content, turn) }));
  return { ...message, content: parts };
}

function omitted(content: unknown, turn: number): string {
  const parts: Part[] = Array.isArray(content) ? content : [];
  const text = typeof content === "string" ? content : parts.map((part) => part.text ?? "").join("\n");
  return `[output of turn ${turn} omitted: ${[...text].length} characters]`;
}

/** Answers ptc-eval, which sends a line of JSON for each request. */
async function main(): Promise<void> {
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    const observations = new Set<number>(request.turns.flatMap((turn: any) => turn.observations));
    const tokens = request.messages.map((message: any) => message.tokens);
    const pauses = request.turns.map((turn: any) => turn.pause ?? 0);
    const messages = fold(request.messages as Message[], tokens, { ...request.options, observations, pauses });
    process.stdout.write(JSON.stringify({ id: request.id, messages }) + "\n");
  }
}

if (process.argv[1]?.match(/fold\.[jt]s$/)) await main();
