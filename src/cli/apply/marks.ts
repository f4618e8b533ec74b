/** A turn that may come next. */
const NEXT: Piece[] = [
  { role: "assistant", content: "", tool_calls: [{ id: "next", function: { name: "next", arguments: "{}" } }] },
  { role: "tool", tool_call_id: "next", content: "" },
];

/**
 * The messages that are sent, with `mark` where they stop being those before, and where the next ones will stop being these.
 * The provider caches what stands before a mark.
 */
function withMarks(history: Piece[]): Piece[] {
  const answers = history.flatMap(({ role }, place) => (role === "assistant" ? [place] : []));
  const before = answers.length > 0 ? shorter(history.slice(0, answers.at(-1))) : [];
  const messages = shorter(history);
  const ends = [before, shorter([...history, ...NEXT])].map((others) => endOfMark(messages, others));
  return messages.map((message, place) => (ends.includes(place + 1) ? { ...message, mark: true } : message));
}

/** The number of messages that both begin with, up to one that a mark can stand behind. */
function endOfMark(messages: Piece[], others: Piece[]): number {
  const text = (message?: Piece) => JSON.stringify([message?.role, message?.content]);
  const differs = messages.findIndex((message, place) => text(message) !== text(others[place]));
  let end = differs < 0 ? messages.length : differs;
  while (end > 0 && !canBeMarked(messages[end - 1]!)) end -= 1;
  return end;
}

function canBeMarked({ role, content }: Piece): boolean {
  return role !== "assistant" && role !== "system" && Boolean(content);
}
