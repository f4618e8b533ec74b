type AnyCall = { function?: { name: string; arguments: string } };

/** The tokens of a message, estimated as a quarter of its characters. */
function countTokens(message: Message): number {
  const calls = (message.tool_calls as AnyCall[] | null | undefined) ?? [];
  const ofCalls = calls.reduce((sum, call) => sum + (call.function?.name.length ?? 0) + (call.function?.arguments.length ?? 0), 0);
  return 4 + 8 * calls.length + Math.ceil((String(message.content ?? "").length + ofCalls) / 4);
}
