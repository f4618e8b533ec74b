// `SETTING`, as an extension of pi. Written by ptc-eval apply.
//
// Save this file as ~/.pi/agent/extensions/shorter.ts (create the folder if it is missing), and restart pi.
//
// Before each request, old tool results are replaced by a line each; the newest stay whole. The session file keeps all.
// If anything fails, pi sends the whole history. Other extensions stay as they are.
//
// LOSS
//
// NEXT

type Own = { role: string; content: unknown; toolCallId?: string };
type Piece = Message & { own: Own; was: string };
type OwnPart = { type: string; text?: string; id?: string; name?: string; arguments?: unknown };

export default function (pi: any) {
  pi.on("context", async (event: { messages: Own[] }) => {
    try {
      return { messages: shorter(event.messages.map(piece)).map(ownMessage) };
    } catch {
      return undefined;
    }
  });
}

/** A message of pi as the OpenAI API has it. */
function piece(own: Own): Piece {
  const parts: OwnPart[] = Array.isArray(own.content) ? own.content : [{ type: "text", text: String(own.content ?? "") }];
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n");
  if (own.role === "toolResult") return { role: "tool", tool_call_id: own.toolCallId, content: text, own, was: text };
  const calls = parts.flatMap(({ type, id, name, arguments: input }) => {
    if (type !== "toolCall") return [];
    return [{ id, function: { name, arguments: JSON.stringify(input ?? {}) } }];
  });
  return { role: own.role, content: text, tool_calls: calls, own, was: text };
}

/** The message of pi with the text that is left of its result. */
function ownMessage({ own, content, was }: Piece): Own {
  return content === was ? own : { ...own, content: [{ type: "text", text: String(content) }] };
}
