// `SETTING`, as Anthropic's API does it itself, with Vercel's AI SDK 6. Written by ptc-eval apply.
//
//     npm install ai @ai-sdk/anthropic
//
//     await generateText({ model: anthropic("..."), messages, tools, stopWhen, providerOptions: summarizing });
//
// The provider writes a summary into the answer. Of a history that has one it reads only what follows, so no turn is kept beside
// it: keep `response.messages` as they are.

import type { AnthropicLanguageModelOptions } from "@ai-sdk/anthropic";

export const summarizing = {
  anthropic: {
    contextManagement: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: TOKENS } }] },
  } satisfies AnthropicLanguageModelOptions,
};
