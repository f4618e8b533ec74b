// `pruneMessages` of Vercel's AI SDK as a strategy of ptc-eval: calls and results of older messages are left out.
//
//     npm ci
//
//     variants:
//       ai-sdk: {command: [node, strategies/trim.mjs], options: {keep: 6}}
//
// `keep` is the number of messages at the end whose calls stay.

import { createInterface } from "node:readline";
import { pruneMessages } from "ai";

/** The message as the AI SDK has it, with its place in the request. */
function converted(message, index, names) {
  const { role, content } = message;
  if (role === "tool") {
    const output = { type: "text", value: content };
    const result = { type: "tool-result", toolCallId: message.call, toolName: names.get(message.call), output };
    return { index, role, content: [result] };
  }
  if (role !== "assistant") return { index, role, content };
  const text = content === "" ? [] : [{ type: "text", text: content }];
  const calls = (message.tool_calls ?? []).map((call) => {
    return { type: "tool-call", toolCallId: call.id, toolName: call.name, input: JSON.parse(call.arguments) };
  });
  return { index, role, content: [...text, ...calls] };
}

/** The message of the request, with the calls that are left. */
function original({ index, content }, messages) {
  const { tool_calls, ...message } = messages[index];
  if (!tool_calls || typeof content === "string") return message;
  const kept = new Set(content.map((part) => part.toolCallId));
  const calls = tool_calls.filter((call) => kept.has(call.id));
  return calls.length > 0 ? { ...message, tool_calls: calls } : message;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, messages, options } = JSON.parse(line);
  const names = new Map(messages.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.name]));
  const pruned = pruneMessages({
    messages: messages.map((message, index) => converted(message, index, names)),
    toolCalls: `before-last-${options.keep ?? 6}-messages`,
  });
  const kept = pruned.map((message) => original(message, messages));
  process.stdout.write(JSON.stringify({ id, messages: kept }) + "\n");
}
