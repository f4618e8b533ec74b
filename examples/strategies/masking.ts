// Observation masking: old tool results left out, for agents in TypeScript. Copy this file; it needs nothing else.
//
// Call `mask` on the whole history before each request and send what it returns; keep the whole history.
//
//     const request = mask(history, { keep_recent_turns: 5, step: 10 });
//
// Messages are those of the OpenAI API or of the Anthropic API. The answer of the model begins a turn. With a `step`,
// results are left out for so many turns at a time, and the provider's cache holds in between.

export type Message = { role: string; content?: unknown; tool_calls?: unknown; tool_call_id?: unknown; call?: unknown };
type Part = { type?: string; text?: string; content?: unknown };

export type MaskOptions = {
  /** The newest turns, which are kept whole: 3. */
  keep_recent_turns?: number;
  /** Turns by which the border between old and recent turns moves at a time: 1. */
  step?: number;
  /** Indexes of the messages that may be left out. Default: all that hold nothing but tool results. */
  observations?: Set<number>;
};

/** The messages with the results of old turns left out. */
export function mask<M extends Message>(messages: readonly M[], options: MaskOptions = {}): M[] {
  const { keep_recent_turns = 3, step = 1, observations = toolResults(messages) } = options;
  const turns = turnsOf(messages);
  const recent = Math.max(0, turns.length - keep_recent_turns);
  const old = recent - (recent % step);
  const shorter = [...messages];
  turns.slice(0, old).forEach(([start, end], turn) => {
    for (let index = start; index < end; index++) {
      if (observations.has(index)) shorter[index] = masked(messages[index]!, turn + 1);
    }
  });
  return shorter;
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
    const messages = mask(request.messages as Message[], { ...request.options, observations });
    process.stdout.write(JSON.stringify({ id: request.id, messages }) + "\n");
  }
}

if (process.argv[1]?.match(/masking\.[jt]s$/)) await main();
