// Starts what the tests need: reports of several suites, and Chromium with an empty profile.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { agentLogs, compactedSuite, hostileSuite, largeSuite } from "./suites.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = process.env.PTC_EVAL || join(ROOT, "target/release/ptc-eval");
const BROWSER = process.env.CHROMIUM || "/usr/bin/chromium";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const scratch = mkdtempSync(join(tmpdir(), "ptc-eval-browser-"));

export const scale = { scenarios: 1000, turns: 10 };

// Some scenarios fail on purpose and few snapshots are accepted, so the exit code says nothing here.
function report(name, scenarios, ...more) {
  const folder = join(scratch, name, "reports");
  const options = { cwd: ROOT, stdio: "ignore", env: { ...process.env, CI: more.includes("--accept") ? "" : "true" } };
  try {
    execFileSync(PROGRAM, ["run", scenarios, "--report-dir", folder, "--snapshot-dir", join(scratch, name, "snapshots"), "--quiet", ...more], options);
  } catch (error) {
    if (error.status === null || error.status === undefined) throw error;
  }
  // Full records of the scenarios, with requests as objects.
  return { ...reportIn(folder), records: () => records(scenarios) };
}

// What advise says of logs of several agents, the largest of which has bills.
function advice(name, ...more) {
  const folder = join(scratch, name, "reports");
  execFileSync(PROGRAM, ["advise", agentLogs(join(scratch, name, "logs")), "--report-dir", folder, ...more], { cwd: ROOT, stdio: "ignore" });
  return reportIn(folder);
}

// What the program says in the data of a page, and its results.
function reportIn(folder) {
  const page = join(folder, "index.html");
  return {
    page,
    advice: () => JSON.parse(readFileSync(page, "utf8").match(/id="totals">(.*)<\/script>/)[1]),
    results: () => JSON.parse(readFileSync(join(folder, "results.json"), "utf8")),
  };
}

function records(scenarios) {
  const arguments_ = ["run", scenarios, "--format", "full-records", "--snapshot-dir", join(scratch, "none"), "--quiet"];
  const lines = spawnSync(PROGRAM, arguments_, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 30 }).stdout;
  const all = lines.split("\n").filter(Boolean).map((line) => JSON.parse(line).scenario).filter(Boolean);
  for (const run of all.flatMap((one) => one.strategies)) run.requests = run.requests.map(named);
  return all;
}

const FIELDS = ["turn", "messages", "input_tokens", "output_tokens", "prefix_tokens", "break_at", "evidence", "hidden_tool_calls", "valid", "stats", "bills"];
const named = (values) => Object.fromEntries(FIELDS.map((name, at) => [name, values[at]]));

const suite = (write, name, ...how) => write(join(scratch, name, "scenarios"), ...how);
const SHIPPED = join(ROOT, "scenarios");
export const shipped = report("shipped", SHIPPED);
export const hostile = report("hostile", suite(hostileSuite, "hostile"));
export const compacted = report("compacted", suite(compactedSuite, "compacted"));
export const large = report("large", suite(largeSuite, "large", scale.scenarios, scale.turns));

export const several = advice("several");
export const rewriting = advice("rewriting", "--all");

// The same runs with the first model first, and with the second.
const MODELS = ["gpt-5", "claude-sonnet-4-5"];
export const costed = {
  forth: report("forth", suite(largeSuite, "forth", 12, 8, { models: MODELS })),
  back: report("back", suite(largeSuite, "back", 12, 8, { models: [...MODELS].reverse() })),
};

// Runs so short that most strategies stand at one place of the chart.
const CROWD = ["full-history", "trim", "observation-masking", "fold", "clear-tool-results", "rolling-window",
  "turn-log", "per-turn-summary", "single-user-coalesced", "aggressive"];
export const crowded = report("crowded", suite(largeSuite, "crowded", 5, 4, { strategies: CROWD }));

// Runs with other tolerances, and those in which nothing is better than the baseline, each for another reason.
report("changed", suite(largeSuite, "changed", 5, 1), "--accept");
export const advised = {
  none: report("none", SHIPPED, "--max-short", "0%"),
  little: report("little", SHIPPED, "--max-short", "2%"),
  much: report("much", SHIPPED, "--max-short", "20%"),
  alone: report("alone", suite(largeSuite, "alone", 5, 3, { strategies: ["full-history"] })),
  equal: report("equal", suite(largeSuite, "equal", 5, 1, { strategies: ["trim", "full-history"], baseline: "full-history" })),
  lossy: report("lossy", suite(largeSuite, "lossy", 12, 10, { strategies: ["full-history", "aggressive"] }), "--max-short", "0%"),
  sent: report("sent", suite(largeSuite, "sent", 12, 10, { strategies: ["as-recorded", "aggressive", "trim"], baseline: "as-recorded" }), "--max-short", "1%"),
  dear: report("dear", suite(largeSuite, "dear", 12, 10, { strategies: ["full-history", "trim"] })),
  changed: report("changed", suite(largeSuite, "changed", 5, 10), "--against", join(scratch, "changed/reports")),
};

// A suite whose golden files are accepted and committed, and then two edits of it: fewer prints are shown, and a tool has another name
// for what it does.
function edited(name) {
  const [folder, git] = [join(scratch, name), (...words) => execFileSync("git", ["-C", join(scratch, name), "-c", "user.name=n", "-c", "user.email=n@example.com", ...words], { stdio: "ignore" })];
  const how = { strategies: ["full-history", "single-user-coalesced"] };
  const scenarios = suite(largeSuite, name, 5, 8, how);
  report(name, scenarios, "--accept");
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "accepted");
  suite(largeSuite, name, 5, 8, { ...how, compression: { println_limit: 2 } });
  const lines = join(folder, "scenarios", "all.jsonl");
  writeFileSync(lines, readFileSync(lines, "utf8").replace("Look at the rows of case 1 ", "Study the rows of case 1 "));
  return { ...report(name, scenarios), comment: () => readFileSync(join(folder, "reports/changes.md"), "utf8") };
}
export const since = edited("since");

// The page of a report with its scenarios several times, under other names.
export function repeated(report, times) {
  const page = readFileSync(report.page, "utf8");
  const [start, end] = [page.indexOf('<script type="text/plain" class="scenario">'), page.indexOf('<script type="application/json"')];
  const copy = (_, number) => page.slice(start, end).replaceAll('{"name":"generated/', `{"name":"copy-${number}/`);
  const place = join(scratch, "repeated.html");
  writeFileSync(place, page.slice(0, start) + Array.from({ length: times }, copy).join("") + page.slice(end));
  return { page: place };
}

// The page of a report with other totals. It stands beside the page, so links lead to the same places.
export function changed(report, change) {
  const page = readFileSync(report.page, "utf8");
  const [, before, totals, after] = page.match(/^(.*id="totals">)(.*?)(<\/script>.*)$/s);
  const data = JSON.parse(totals);
  change(data);
  const place = join(dirname(report.page), "changed.html");
  writeFileSync(place, before + JSON.stringify(data).replaceAll("<", "\\u003c") + after);
  return { page: place };
}

// Keeps the names of fields that the script reads from the data of a page, and that are not there.
const WATCH = () => {
  const [missing, known] = [new Set(), new Set()];
  const watched = (value) => {
    if (value === null || typeof value !== "object") return value;
    for (const [key, field] of Object.entries(value)) {
      known.add(key);
      value[key] = watched(field);
    }
    if (Array.isArray(value)) return value;
    return new Proxy(value, { get(target, key) {
      if (typeof key === "string" && !(key in target)) missing.add(key);
      return Reflect.get(target, key);
    } });
  };
  const { parse } = JSON;
  const { fromEntries } = Object;
  JSON.parse = (text) => watched(parse(text));
  Object.fromEntries = (pairs) => watched(fromEntries(pairs));
  window.fieldsRead = () => ({ missing: [...missing], known: [...known] });
};

const browser = await chromium.launch({ executablePath: BROWSER, headless: true, args: FLAGS });

export async function close() {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

// A page of a report; what it complains of and what it asks for is kept.
export async function open(report, { width = 1280, height = 900, scheme = "light", hash = "", isWatched = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  if (isWatched) await context.addInitScript(WATCH);
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${report.page}${hash}`);
  await page.waitForSelector("html[data-ready]");
  // The script stands at the end: everything is drawn when the document can be used.
  const milliseconds = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domInteractive);
  return Object.assign(page, { complaints, requests, milliseconds, done: () => context.close() });
}

// Everything that axe finds with every rule it has, those that are off by default among them.
export async function violations(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const rules = Object.fromEntries(axe.getRules().map((rule) => [rule.ruleId, { enabled: true }]));
    const { violations } = await axe.run(document, { rules, resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 5).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`) }));
  });
  return found;
}

export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
