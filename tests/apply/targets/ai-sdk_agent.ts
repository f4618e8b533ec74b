// An agent of Vercel's AI SDK. Arguments: the server, the script, "on_anthropic" for a model of Anthropic or nothing, and the file
// that is tested.

import { readFileSync } from "node:fs";

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, tool, wrapLanguageModel, type ModelMessage } from "ai";
import { z } from "zod";

const [url, file, form, applied] = process.argv.slice(2);
const script = JSON.parse(readFileSync(file!, "utf8"));

function result(name: string, lines: number): string {
  const given = Array.from({ length: lines }, (_, line) => `${name} ${line}: naïve 🛫 ${(line * 37) % 101}`);
  return given.join("\n") || "nothing";
}

const inputSchema = z.object({ name: z.string(), lines: z.number().int() });
const execute = async ({ name, lines }: { name: string; lines: number }) => result(name, lines);
const tools = {
  look: tool({ description: "Looks at something.", inputSchema, execute }),
  read: tool({ description: "Reads something.", inputSchema, execute }),
};

const baseURL = `${url}/v1`;
const plain = form
  ? createAnthropic({ baseURL, apiKey: "none" })("claude-fake")
  : createOpenAICompatible({ name: "fake", baseURL })("fake");
const { shorterHistory, summarizing } = applied ? await import(applied) : {};
const model = shorterHistory ? wrapLanguageModel({ model: plain, middleware: shorterHistory }) : plain;

const messages: ModelMessage[] = [];
for (const content of script.people) {
  messages.push({ role: "user", content });
  const settings = { model, system: script.system, messages, tools, maxRetries: 0, providerOptions: summarizing };
  const { response } = await generateText({ ...settings, stopWhen: stepCountIs(50) });
  messages.push(...response.messages);
}
