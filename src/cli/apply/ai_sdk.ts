// `SETTING`, as a middleware of Vercel's AI SDK 6. Written by ptc-eval apply.
//
// INSTALL
//
//     const shorterModel = wrapLanguageModel({ model, middleware: shorterHistory });
//     await generateText({ model: shorterModel, messages, tools, stopWhen });
//
// The calls of the AI SDK keep the whole history; only what the model is sent is shorter. With a model of Anthropic the messages
// have marks for the cache of the provider.

import type { LanguageModelMiddleware } from "ai";

type CallOptions = Parameters<NonNullable<LanguageModelMiddleware["transformParams"]>>[0]["params"];
type Prompt = CallOptions["prompt"];
type PromptMessage = Prompt[number];
type ToolPart = Extract<Extract<PromptMessage, { role: "tool" }>["content"][number], { type: "tool-result" }>;
type Piece = Message & { place?: number; own?: unknown; was?: unknown; mark?: boolean };

const MARK = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };

/** Sends the model a shorter history. */
export const shorterHistory: LanguageModelMiddleware = {
  specificationVersion: "v3",
  transformParams: async ({ params, model }) => ({ ...params, prompt: sentOrWhole(params.prompt, model.provider) }),
};

/** The same as `sent`, or the messages as they are if it fails: it must not end the agent. */
function sentOrWhole(prompt: Prompt, provider: string): Prompt {
  try {
    return sent(prompt, provider);
  } catch (error) {
    console.error("the history could not be shortened and is sent whole", error);
    return prompt;
  }
}

/** The messages of the AI SDK that are sent in place of these. */
function sent(prompt: Prompt, provider: string): Prompt {
  const kept = new Map<number, Piece[]>();
  const history = prompt.flatMap((message, place) => pieces(message, place));
  for (const piece of provider.includes("anthropic") ? withMarks(history) : shorter(history)) {
    const place = piece.place ?? -1;
    kept.set(place, [...(kept.get(place) ?? []), piece]);
  }
  return [...kept].map(([place, chosen]) => ownMessage(prompt[place], chosen));
}

/** The message as the OpenAI API has it; each result as one. */
function pieces(message: PromptMessage, place: number): Piece[] {
  const { role, content } = message;
  if (role === "tool") {
    return content.map((own) => {
      const text = own.type === "tool-result" ? resultText(own) : "";
      const call = own.type === "tool-result" ? own.toolCallId : undefined;
      return { role, tool_call_id: call, content: text, was: text, own, place };
    });
  }
  if (role !== "assistant") return [{ role, content, place }];
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const calls = content.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    return [{ id: part.toolCallId, function: { name: part.toolName, arguments: JSON.stringify(part.input) } }];
  });
  return [{ role, content: text, tool_calls: calls, place }];
}

function resultText({ output }: ToolPart): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  return JSON.stringify("value" in output ? output.value : output);
}

/** The message of the AI SDK with what is left of its pieces. */
function ownMessage(own: PromptMessage | undefined, chosen: Piece[]): PromptMessage {
  if (own?.role === "assistant") return own;
  if (own?.role === "tool") {
    const parts = chosen.map((piece) => {
      const part = piece.own as ToolPart;
      const chosen = piece.content === piece.was ? part : { ...part, output: { type: "text", value: piece.content } };
      return piece.mark ? { ...chosen, ...MARK } : chosen;
    });
    return { ...own, content: parts } as PromptMessage;
  }
  const { role, content, mark } = chosen[0]!;
  const parts = typeof content === "string" && role !== "system" ? [{ type: "text", text: content }] : content;
  return { ...own, role, content: parts, ...(mark ? MARK : {}) } as PromptMessage;
}
