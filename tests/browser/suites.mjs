// The suites that the page is tested with: a hostile one, and a large one that is written by a rule.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STRATEGIES = ["full-history", "single-user-coalesced", "per-turn-summary", "rolling-window", "aggressive", "turn-log", "trim", "observation-masking"];

const HOSTILE = `</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">"'&amp;<!-- ]]> \u2028 \${1} {totals}`;

function write(folder, scenarios, more) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "suite.yaml"), JSON.stringify({ strategies: STRATEGIES, models: ["gpt-5", "claude-sonnet-4-5"], ...more }));
  writeFileSync(join(folder, "all.jsonl"), scenarios.map((scenario) => `${JSON.stringify(scenario)}\n`).join(""));
  return folder;
}

// Three scenarios whose every text tries to be markup; the second fails an expectation.
export function hostileSuite(folder) {
  const scenario = (name, value) => ({
    name, description: `Try ${HOSTILE}`, tags: [HOSTILE.slice(0, 30), "hostile"], mission: `Say ${HOSTILE}`, max_turns: 3,
    data: { text: HOSTILE },
    responses: [{ response: `Prose ${HOSTILE}\n\n\`\`\`clojure\n(println data/text)\n\`\`\`` }, { program: "(return data/text)" }],
    expect: { value },
  });
  return write(folder, [scenario("hostile/first", HOSTILE), scenario("hostile/fails", `${HOSTILE} not`), scenario("hostile/plain", HOSTILE)],
    { thresholds: [{ strategy: "trim", metric: "requests", max: 1 }, { strategy: "trim", metric: "answers_short", min: 0 }] });
}

// Each turn defines two names, calls a tool and prints, and the last needs what an early one printed.
export function largeSuite(folder, scenarios, turns, more) {
  const rows = (seed) => Array.from({ length: 12 }, (_, row) => ({ id: `row-${seed}-${row}`, name: `Item ${(seed * 7 + row * 13) % 97}`, price: ((seed * 31 + row * 17) % 900) + 10 }));
  const turn = (seed, number) => ({
    program: [
      `(def part-${number} (filterv #(> (:price %) ${(seed + number * 53) % 700}) data/rows))`,
      `(def sum-${number} (reduce + (map :price part-${number})))`,
      `(def found-${number} (tool/look {:key "k-${seed}-${number}"}))`,
      `(println "turn ${number} of scenario ${seed}:" (count part-${number}) "rows," sum-${number} "in all, code-${seed * 100 + number}")`,
      `(println "first" (first part-${number}))`,
    ].join("\n"),
  });
  const scenario = (seed) => ({
    name: `generated/group-${seed % 20}/case-${String(seed).padStart(4, "0")}`, description: `Case ${seed} of a suite that is written by a rule`, tags: ["generated", `group-${seed % 5}`],
    mission: `Look at the rows of case ${seed} from all sides and return the code of the first turn.`, max_turns: turns,
    data: { rows: rows(seed) },
    tools: { look: { signature: "(key :string) -> :any", returns: { hits: seed % 10, note: `seen ${seed}` } } },
    responses: [
      ...Array.from({ length: turns - 1 }, (_, index) => turn(seed, index + 1)),
      { program: `(return "code-${seed * 100 + 1}")` },
    ],
    expect: seed % 50 === 7 ? { value: "other" } : {},
  });
  return write(folder, Array.from({ length: scenarios }, (_, index) => scenario(index + 1)), more);
}

// Logs of two agents: a clerk, whose provider billed each request and whose cache expired, and a poet.
export function agentLogs(folder) {
  mkdirSync(folder, { recursive: true });
  const clerk = (run) => {
    const messages = [{ role: "user", content: `Find what order ${run} lacks.` }];
    for (let turn = 0; turn < 14; turn += 1) {
      const input = 600 + 600 * turn;
      const usage = { model: "claude-opus-4-5", input_tokens: input, cached_tokens: turn && turn !== 9 ? input - 600 : 0, cache_write_tokens: turn && turn !== 9 ? 600 : input, output_tokens: 20 };
      const time = `2026-10-0${run}T${String(8 + (turn > 8)).padStart(2, "0")}:${String(turn).padStart(2, "0")}:00Z`;
      messages.push({ role: "assistant", content: "", time, usage, tool_calls: [{ id: `c${turn}`, name: "look", arguments: { page: `part_${run}_${Math.max(0, turn - 5)}x`, shelf: turn } }] });
      messages.push({ role: "tool", call: `c${turn}`, content: `next is part_${run}_${turn + 1}x. ${"nails and screws ".repeat(160)}` });
    }
    messages.push({ role: "assistant", content: "It lacks nothing.", time: `2026-10-0${run}T10:00:00Z` });
    return { source: { format: "openai-chat" }, system: "You are an order clerk.", messages };
  };
  const poet = { source: { format: "openai-chat" }, system: "You are a poet.", messages: [{ role: "user", content: "On <b>rain</b>." }, { role: "assistant", content: "O rain!" }] };
  const lines = (all) => all.map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(join(folder, "clerk.jsonl"), lines([1, 2, 3, 4].map(clerk)));
  writeFileSync(join(folder, "poet.jsonl"), lines([poet]));
  return folder;
}

// A conversation of eight turns whose agent shortens its history before the fourth: what the summary drops is used in the fifth, and
// a file is read again in the sixth, after a pause.
export function compactedSuite(folder) {
  const time = (minutes) => new Date(Date.UTC(2026, 9, 1, 8, minutes)).toISOString();
  const messages = [{ role: "user", content: "Look at the regions.", time: time(0) }];
  const read = (path, content, minutes) => {
    const id = `c${messages.length}`;
    messages.push({ role: "assistant", content: "", tool_calls: [{ id, name: "Read", arguments: { file_path: path } }], time: time(minutes) });
    messages.push({ role: "tool", call: id, content, time: time(minutes) });
  };
  read("/p/regions.toml", `region = "stg-eu-west-7"\n${"# and more of it\n".repeat(40)}`, 0);
  read("/p/b.toml", "nothing <b>here</b>", 0);
  read("/p/c.toml", "nothing", 0);
  const before = messages.length;
  read("/p/d.toml", "nothing", 1);
  read("stg-eu-west-7", "nothing", 1);
  read("/p/regions.toml", `region = "stg-eu-west-7"\n${"# and more of it\n".repeat(40)}`, 31);
  read("/p/e.toml", "nothing", 31);
  messages.push({ role: "assistant", content: "Done.", time: time(31) });
  const compactions = [{ before, kind: "summary", removed: [[1, before - 1]], text: "Three files were read. <i>All</i> is well." }];
  return write(folder, [{ name: "compacted/regions", messages, compactions }, { name: "compacted/whole", messages }], { strategies: ["as-recorded", "full-history", "trim"], baseline: "as-recorded" });
}
