type Function = { name: string; arguments: string };
/** A call of a custom tool has one text in place of arguments. */
type AnyCall = { function?: Function; custom?: { name: string; input: string } };

/** The tokens of a message, about as ptc-eval counts them. A quarter of its characters does nearly as well. */
function countTokens(message: Message): number {
  const calls = (message.tool_calls as AnyCall[] | null | undefined) ?? [];
  const ofCalls = calls.map(({ function: own, custom }) => {
    return 8 + tokensOf(own?.name ?? custom?.name ?? "") + tokensOf(own?.arguments ?? custom?.input ?? "");
  });
  const { content } = message;
  const parts: { text?: string }[] = Array.isArray(content) ? content : [];
  const text = typeof content === "string" ? content : parts.map((part) => part.text ?? "").join("\n");
  return ofCalls.reduce((sum, tokens) => sum + tokens, 4 + tokensOf(text));
}

type Encoding = { encode(text: string, allowed: string[], disallowed: string[]): number[] };
type Process = { argv: string[]; getBuiltinModule?: (name: string) => any };

/** The encoding o200k_base if js-tiktoken is installed. An agent must not end for lack of it. */
function loadEncoding(): Encoding | null {
  try {
    // Not an import: without the package it would end the program.
    const { process } = globalThis as unknown as { process: Process };
    const require = process.getBuiltinModule?.("module").createRequire(process.argv[1]);
    const { Tiktoken } = require("js-tiktoken/lite");
    const ranks = require("js-tiktoken/ranks/o200k_base");
    return new Tiktoken(ranks.default ?? ranks);
  } catch {
    return null;
  }
}

const encoding = loadEncoding();
const counted = new Map<string, number>();

function tokensOf(text: string): number {
  const tokens = counted.get(text) ?? encoding?.encode(text, [], []).length ?? Math.floor(text.length / 4);
  if (counted.size >= 10_000) counted.clear();
  counted.set(text, tokens);
  return tokens;
}
