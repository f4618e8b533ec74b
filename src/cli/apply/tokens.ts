import { Tiktoken } from "js-tiktoken/lite";
import o200k_base from "js-tiktoken/ranks/o200k_base";

type Function = { name: string; arguments: string };

/** The tokens of a message, about as ptc-eval counts them. A quarter of its characters does nearly as well. */
function countTokens(message: Message): number {
  const calls = (message.tool_calls as { function: Function }[] | null | undefined) ?? [];
  const ofCalls = calls.map((call) => 8 + tokensOf(call.function.name) + tokensOf(call.function.arguments));
  const { content } = message;
  const parts: { text?: string }[] = Array.isArray(content) ? content : [];
  const text = typeof content === "string" ? content : parts.map((part) => part.text ?? "").join("\n");
  return ofCalls.reduce((sum, tokens) => sum + tokens, 4 + tokensOf(text));
}

const encoding = new Tiktoken(o200k_base);
const counted = new Map<string, number>();

function tokensOf(text: string): number {
  const tokens = counted.get(text) ?? encoding.encode(text, [], []).length;
  if (counted.size >= 10_000) counted.clear();
  counted.set(text, tokens);
  return tokens;
}
