// `SETTING`, as a mod of Claude Code 2.1.287 or later. Written by ptc-eval apply.
//
// Needs mods enabled: an organization may refuse them. It runs when Claude Code is about to compact.
// SIZE
// Save this file as DIR/hooks/clear.ts, with these two beside it, and start `claude --plugin-dir DIR`:
//
//     DIR/.claude-plugin/plugin.json   {"name": "clear-old-results", "version": "1.0.0", "description": "Clears old tool results"}
//     DIR/hooks/hooks.json             {"modules": ["./clear.ts"]}
//
// Instead of a compaction, it keeps every message and only clears old tool results, without a summary.
// Where that frees less than a third, and where anything fails, the usual compaction runs.
//
// LOSS
//
// NEXT

const KEEP = KEPT;
const LEAST_SHARE = 1 / 3;

type Result = { tool_use_id: string; text: string; isError?: boolean };
type Entry = { role: string; text: string; toolResults?: Result[] };
type Compaction = { messages: Entry[] };

export function register(on: any) {
  on("session.compact", async (_: unknown, compaction: Compaction, next: (compaction: Compaction) => unknown) => {
    try {
      return cleared(compaction.messages) ?? next(compaction);
    } catch {
      return next(compaction);
    }
  });
}

/** The messages without their old results; nothing if that frees too little. */
function cleared(messages: Entry[]): { messages: Entry[] } | undefined {
  const results = messages.flatMap((entry) => entry.toolResults ?? []);
  const old = new Set(results.slice(0, Math.max(0, results.length - KEEP)));
  let [all, freed] = [0, 0];
  const shorter = messages.map((entry) => {
    all += entry.text.length;
    if (!entry.toolResults) return entry;
    const toolResults = entry.toolResults.map((result) => {
      all += result.text.length;
      const line = `[output omitted: ${[...result.text].length} characters]`;
      const isCleared = result.text.startsWith("[output omitted: ");
      if (!old.has(result) || isCleared || result.text.length <= line.length) return result;
      freed += result.text.length - line.length;
      return { ...result, text: line };
    });
    return { ...entry, toolResults };
  });
  return freed < all * LEAST_SHARE ? undefined : { messages: shorter };
}
