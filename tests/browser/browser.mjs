// Starts what the tests need: reports of three suites, and Chromium with an empty profile.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { hostileSuite, largeSuite } from "./suites.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = process.env.PTC_EVAL || join(ROOT, "target/release/ptc-eval");
const BROWSER = process.env.CHROMIUM || "/usr/bin/chromium";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const scratch = mkdtempSync(join(tmpdir(), "ptc-eval-browser-"));

export const scale = { scenarios: 1000, turns: 10 };

// Some scenarios fail on purpose and no snapshot is accepted, so the exit code says nothing here.
function report(name, scenarios) {
  const folder = join(scratch, name, "reports");
  const options = { cwd: ROOT, stdio: "ignore", env: { ...process.env, CI: "true" } };
  try {
    execFileSync(PROGRAM, ["run", scenarios, "--report-dir", folder, "--snapshot-dir", join(scratch, name, "snapshots"), "--quiet"], options);
  } catch (error) {
    if (error.status === null || error.status === undefined) throw error;
  }
  return {
    page: join(folder, "index.html"),
    results: () => named(JSON.parse(readFileSync(join(folder, "results.json"), "utf8"))),
  };
}

// The results with requests as objects: the file holds lists, and their names once.
function named(results) {
  const objects = (names, values) => Object.fromEntries(names.map((name, at) => [name, values[at]]));
  for (const run of results.scenarios.flatMap((one) => one.strategies)) {
    run.requests = run.requests.map((values) => objects(results.fields.request, values));
  }
  return results;
}

export const shipped = report("shipped", join(ROOT, "scenarios"));
export const hostile = report("hostile", hostileSuite(join(scratch, "hostile", "scenarios")));
export const large = report("large", largeSuite(join(scratch, "large", "scenarios"), scale.scenarios, scale.turns));

const browser = await chromium.launch({ executablePath: BROWSER, headless: true, args: FLAGS });

export async function close() {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

// A page of a report; what it complains of and what it asks for is kept.
export async function open(report, { width = 1280, height = 900, scheme = "light", hash = "" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => requests.push(request.url()));
  const started = performance.now();
  await page.goto(`file://${report.page}${hash}`);
  await page.waitForSelector("html[data-ready]");
  const milliseconds = performance.now() - started;
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
