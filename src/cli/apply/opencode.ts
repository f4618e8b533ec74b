// `SETTING`, as a plugin of opencode. Written by ptc-eval apply.
//
// Save this file as ~/.config/opencode/plugins/shorter.ts (create the folder if it is missing), and restart opencode.
//
// Before each request, old tool results are replaced by a line each; the newest stay whole. The session keeps all.
// If anything fails, opencode sends the whole history. Other plugins stay as they are.
//
// LOSS
//
// NEXT

type State = { status: string; input?: unknown; output?: string };
type OwnPart = { type: string; text?: string; tool?: string; callID?: string; state?: State };
type Own = { info: { role: string }; parts: OwnPart[] };
type Piece = Message & { part?: OwnPart; was?: string };

export const Shorter = async () => ({
  "experimental.chat.messages.transform": async (_input: unknown, output: { messages: Own[] }) => {
    try {
      // opencode ignores what the hook returns, so the parts are changed in place.
      for (const { part, content, was } of shorter(output.messages.flatMap(pieces))) {
        if (part?.state && content !== was) part.state = { ...part.state, output: String(content) };
      }
    } catch {
      return;
    }
  },
});

/** A message of opencode as the OpenAI API has it: each step of an answer and each result as one. */
function pieces({ info, parts }: Own): Piece[] {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n");
  if (info.role !== "assistant") return [{ role: info.role, content: texts }];
  const all: Piece[] = [];
  for (const step of stepsOf(parts)) {
    const tools = step.filter((part) => part.type === "tool");
    const calls = tools.map(({ callID, tool, state }) => {
      return { id: callID, function: { name: tool ?? "", arguments: JSON.stringify(state?.input ?? {}) } };
    });
    const text = step.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n");
    all.push({ role: "assistant", content: text, tool_calls: calls });
    for (const part of tools.filter((tool) => tool.state?.status === "completed")) {
      const was = part.state?.output ?? "";
      all.push({ role: "tool", tool_call_id: part.callID, content: was, part, was });
    }
  }
  return all;
}

/** The parts of an answer by the call of the model that gave them. */
function stepsOf(parts: OwnPart[]): OwnPart[][] {
  const steps: OwnPart[][] = [];
  for (const part of parts) {
    if (part.type === "step-start" || steps.length === 0) steps.push([]);
    steps[steps.length - 1]!.push(part);
  }
  return steps;
}
