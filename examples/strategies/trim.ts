// Trimming: old turns left out, for agents in TypeScript. Copy this file; it needs nothing else.
//
// Call `trim` on the whole history before each request and send what it returns; keep the whole history.
//
//     const request = trim(history, { keep_recent_turns: 10, step: 10 });
//
// Messages are those of the OpenAI API or of the Anthropic API. The answer of the model begins a turn. With a `step`, so
// many turns are left out at a time, and the provider's cache holds in between. What a person said in old turns, and
// answers to that without a call, stand below the first message.

export type Message = { role: string; content?: unknown; tool_calls?: unknown; tool_call_id?: unknown; call?: unknown };
type Part = { type?: string; text?: string };

export type TrimOptions = {
  /** The newest turns, which are kept: 3. */
  keep_recent_turns?: number;
  /** Turns that are left out at a time: 1. */
  step?: number;
  /** Indexes of messages of the role `user` that hold the output of tools. */
  observations?: Set<number>;
};

const HEADING = ";; === conversation ===";

/** The messages without old turns. */
export function trim<M extends Message>(messages: readonly M[], options: TrimOptions = {}): M[] {
  const { keep_recent_turns = 3, step = 1, observations = new Set() } = options;
  const turns = turnsOf(messages);
  const recent = Math.max(0, turns.length - keep_recent_turns);
  const old = recent - (recent % step);
  if (old === 0) return [...messages];
  const opening = messages.slice(0, turns[0]![0]);
  if (opening.at(-1)?.role !== "user") opening.push({ role: "user", content: "[conversation starts]" } as M);
  const said = turns.slice(0, old).flatMap((turn) => saidIn(messages, turn, observations));
  if (said.length > 0) opening.push(withMore(opening.pop()!, "\n\n" + [HEADING, ...said].join("\n")));
  return [...opening, ...messages.slice(turns[old]![0])];
}

/** The start and end of each turn: an answer, and what follows it. */
function turnsOf(messages: readonly Message[]): [number, number][] {
  const answers = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  return answers.map((start, turn) => [start, answers[turn + 1] ?? messages.length]);
}

/** A line for each text of a person, and before them one for the answer, if it made no call. */
function saidIn(messages: readonly Message[], [start, end]: [number, number], observations: Set<number>): string[] {
  const answer = messages[start]!;
  const told = messages.slice(start + 1, end);
  const isOutput = (index: number) => observations.has(start + 1 + index);
  const isSpoken = !hasCalls(answer) && !told.some((message, index) => isResult(message) || isOutput(index));
  const words = told.filter((message, index) => message.role === "user" && !isOutput(index) && textOf(message));
  const spoken = isSpoken ? [`Assistant: ${textOf(answer)}`] : [];
  return [...spoken, ...words.map((message) => `User: ${textOf(message)}`)];
}

function hasCalls(message: Message): boolean {
  return (message.tool_calls as unknown[] | undefined)?.length! > 0 || hasPart(message, "tool_use");
}

function isResult(message: Message): boolean {
  return message.role === "tool" || hasPart(message, "tool_result");
}

function hasPart({ content }: Message, type: string): boolean {
  return Array.isArray(content) && content.some((part: Part) => part.type === type);
}

function textOf({ content }: Message): string {
  if (!Array.isArray(content)) return (content as string | null | undefined) ?? "";
  return content.flatMap((part: Part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** The message with a text behind its own. */
function withMore<M extends Message>(message: M, text: string): M {
  const { content } = message;
  if (!Array.isArray(content)) return { ...message, content: content + text };
  const last: Part | undefined = content.at(-1);
  if (last?.type !== "text") return { ...message, content: [...content, { type: "text", text: text.trimStart() }] };
  return { ...message, content: [...content.slice(0, -1), { ...last, text: last.text + text }] };
}

/** Answers ptc-eval, which sends a line of JSON for each request. */
async function main(): Promise<void> {
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    const observations = new Set<number>(request.turns.flatMap((turn: any) => turn.observations));
    const messages = trim(request.messages as Message[], { ...request.options, observations });
    process.stdout.write(JSON.stringify({ id: request.id, messages }) + "\n");
  }
}

if (process.argv[1]?.match(/trim\.[jt]s$/)) await main();
