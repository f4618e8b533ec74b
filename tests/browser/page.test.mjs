// What a reader does with index.html, in a real browser.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { close, hostile, large, open, overflow, scale, shipped, violations } from "./browser.mjs";

after(close);

const SCENARIO = "incidents/timeline";
const HASH = `#scenario=${encodeURIComponent(SCENARIO)}`;
const status = (page) => page.locator("#status").textContent();
const rows = (page) => page.locator("#list .row").count();
const settled = (page) => page.waitForFunction(() => !document.getElementById("status").textContent.includes("search"));

// A page that must not complain, nor ask for anything but itself.
async function visit(report, options, visitor) {
  const page = await open(report, options);
  try {
    await visitor(page);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(page.requests.filter((url) => !url.startsWith("file:")), []);
  } finally {
    await page.done();
  }
}

const opened = (page) => page.waitForSelector(".item.open .request");

test("the table says what results.json says", () => visit(shipped, {}, async (page) => {
  const results = shipped.results();
  for (const { name, totals } of results.strategies) {
    const cells = await page.locator(`#strategy-table tr[data-strategy="${name}"] td`).allTextContents();
    assert.equal(cells[0], totals.input_tokens.toLocaleString("en-US"), name);
    assert.equal(cells[1].replace("▲ ", ""), `${(totals.ratio * 100).toFixed(1)}%`, name);
    assert.equal(cells[7], String(totals.lost), name);
  }
  assert.equal(await page.locator("#strategy-table tbody tr").count(), results.strategies.length);
  assert.match(await page.locator("#setting").textContent(), /scenarios, every expectation holds, [\d,]+ new snapshots\. .*o200k_base.*Prices of \d{4}-/);
}));

test("the table is sorted by its headings and costed by the model", () => visit(shipped, {}, async (page) => {
  const first = () => page.locator("#strategy-table tbody th .name").first().textContent();
  await page.getByRole("button", { name: "input tokens" }).click();
  assert.equal(await first(), "aggressive");
  assert.equal(await page.locator("#strategy-table th[aria-sort]").getAttribute("aria-sort"), "ascending");
  await page.getByRole("button", { name: "input tokens" }).click();
  assert.equal(await first(), "full-history");
  const cost = () => page.locator('#strategy-table tr[data-strategy="trim"] td').nth(2).textContent();
  const before = await cost();
  await page.selectOption("#model", { index: 1 });
  assert.notEqual(await cost(), before);
}));

test("charts are drawn with every strategy in them", () => visit(shipped, {}, async (page) => {
  const { strategies } = shipped.results();
  const points = {
    "tokens-by-turn": (one) => one.by_turn.length,
    "cumulative-cost": (one) => one.costs_by_turn["gpt-5"].length,
    "savings-by-length": (one) => one.by_turns_of_run.length,
    "evidence-against-cost": () => 1,
  };
  for (const [chart, count] of Object.entries(points)) {
    for (const [index, strategy] of strategies.entries()) {
      const drawn = page.locator(`#${chart} .series[data-strategy="${index}"] .point[aria-label]`);
      assert.equal(await drawn.count(), count(strategy), `${chart} ${strategy.name}`);
    }
    const box = await page.locator(`#${chart} svg`).boundingBox();
    assert.ok(box.width > 300 && box.height > 200, chart);
    const outside = await page.locator(`#${chart} svg text`).evaluateAll((texts) => texts.filter((text) => {
      const [own, plot] = [text.getBoundingClientRect(), text.closest("figure").getBoundingClientRect()];
      return own.left < plot.left || own.right > plot.right || own.top < plot.top || own.bottom > plot.bottom;
    }).map((text) => text.textContent));
    assert.deepEqual(outside, [], chart);
  }
  const best = strategies.filter((one) => one.efficient_for.includes("gpt-5")).length;
  assert.equal(await page.locator("#evidence-against-cost .ring").count(), best);
  await page.locator("#cumulative-cost select").selectOption("dollars");
  assert.match(await page.locator("#cumulative-cost svg text").first().textContent(), /^\$/);
  const point = page.locator('#savings-by-length .series[data-strategy="1"] .point[aria-label]').last();
  const [saved, cost] = [strategies[1].by_turns_of_run, strategies[1].costs_by_turns_of_run["gpt-5"]].map((rows) => rows.at(-1).ratio);
  const says = (ratio) => new RegExp(`${ratio > 1 ? "costs" : "saves"} ${(Math.abs(1 - ratio) * 100).toFixed(1)}%`);
  assert.match(await point.getAttribute("aria-label"), says(saved));
  await page.locator("#savings-by-length select").selectOption("cost");
  assert.match(await point.getAttribute("aria-label"), says(cost));
  await page.locator("#tokens-by-turn summary").click();
  await page.waitForSelector("#tokens-by-turn tbody tr");
  const turns = strategies.flatMap((one) => one.by_turn);
  assert.equal(await page.locator("#tokens-by-turn tbody tr").count(), turns.length);
}));

test("points of charts are visited with the keyboard", () => visit(shipped, {}, async (page) => {
  await page.locator('#tokens-by-turn .point[tabindex="0"]').focus();
  assert.match(await page.locator("#tooltip").textContent(), /^full-history\nturn 1:/);
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#tooltip").textContent(), /^full-history\nturn 2:/);
  await page.keyboard.press("ArrowDown");
  assert.match(await page.locator("#tooltip").textContent(), /^single-user-coalesced\nturn 2:/);
  assert.ok(await page.locator("#plots.follows").count());
  await page.locator("h1").click();
  assert.ok(await page.locator("#tooltip").isHidden());
}));

test("search finds names and texts", () => visit(shipped, {}, async (page) => {
  const all = await rows(page);
  await page.fill("#search", "twelve-turns");
  await settled(page);
  assert.ok(await rows(page) >= 1 && await rows(page) < all);
  await page.fill("#search", "Reconstruct the outage of 14 March");
  await settled(page);
  await page.waitForFunction((name) => document.querySelector("#list .item")?.dataset.name === name, SCENARIO);
  assert.equal(await status(page), `1 of ${all}`);
  await page.fill("#search", "nothing holds this text");
  await settled(page);
  await page.waitForSelector("#list .none");
  await page.locator("#search").press("Escape");
  await page.waitForFunction((count) => document.querySelectorAll("#list .row").length === count, all);
}));

test("filters keep what they say", () => visit(shipped, {}, async (page) => {
  const { scenarios, baseline } = shipped.results();
  const isLossy = (run) => run.name !== baseline && run.requests.some((request) => request.evidence.lost.length);
  await page.selectOption("select[name=state]", "lost");
  assert.equal(await rows(page), scenarios.filter((one) => one.strategies.some(isLossy)).length);
  await page.selectOption("select[name=strategy]", { label: "trim" });
  assert.equal(await rows(page), scenarios.filter((one) => one.strategies.some((run) => run.name === "trim" && isLossy(run))).length);
  await page.selectOption("select[name=strategy]", "");
  await page.selectOption("select[name=state]", "failed");
  assert.equal(await rows(page), 0);
  await page.selectOption("select[name=state]", "inflated");
  const inflated = await rows(page);
  assert.ok(inflated > 0 && inflated < scenarios.length);
  await page.selectOption("select[name=state]", "");
  await page.selectOption("select[name=tag]", "long");
  assert.equal(await rows(page), scenarios.filter((one) => one.tags.includes("long")).length);
  await page.selectOption("select[name=tag]", "");
  await page.selectOption("select[name=outcome]", "fail");
  assert.equal(await rows(page), scenarios.filter((one) => one.outcome === "fail").length);
  await page.keyboard.press("Tab");
  await page.locator("h1").click();
  await page.keyboard.press("x");
  await page.waitForFunction((count) => document.querySelectorAll("#list .row").length === count, scenarios.length);
}));

test("an open scenario shows requests, where the prefix ends and what was lost", () => visit(shipped, { hash: HASH }, async (page) => {
  await opened(page);
  const scenario = shipped.results().scenarios.find((one) => one.name === SCENARIO);
  const turn = Number((await page.locator(".stepper .turn").textContent()).match(/Turn (\d+)/)[1]);
  for (const column of await page.locator(".request").all()) {
    const name = await column.locator("h4").textContent();
    const request = scenario.strategies.find((run) => run.name === name).requests[turn - 1];
    const numbers = await column.locator(".numbers").textContent();
    assert.ok(numbers.startsWith(`${request.input_tokens.toLocaleString("en-US")} tokens`), numbers);
    assert.match(await column.locator(".break").textContent(), new RegExp(`${request.prefix_tokens.toLocaleString("en-US")} of ${request.input_tokens.toLocaleString("en-US")}`));
    assert.deepEqual(await column.locator(".gone li code").allTextContents(), request.evidence.lost.map((one) => one.what));
    await column.locator(".fold button").click();
    const shown = await column.locator(".text > div:not(.role):not(.break)").evaluateAll((lines) => lines.map((line) => line.textContent).join("\n"));
    const { pieces, messages } = scenario.texts;
    const sent = scenario.strategies.find((run) => run.name === name).requests.slice(0, turn).reduce((before, { messages: { kept, added } }) => [...before.slice(0, kept), ...added], []);
    const joined = (runs) => runs.flatMap((first, at) => at % 2 ? [] : pieces.slice(first, first + runs[at + 1])).join("");
    const texts = sent.map((number) => messages[number].runs ? joined(messages[number].runs) : shipped.results().system);
    assert.equal(shown, texts.join("\n"));
  }
  assert.ok(await page.locator(".gone").count() > 0);
}));

test("requests are compared with the turn before and with another strategy", () => visit(shipped, { hash: HASH }, async (page) => {
  await opened(page);
  await page.locator("[data-key=mode]").selectOption("before");
  assert.ok(await page.locator(".request .added").count() > 0);
  await page.locator("[data-key=mode]").selectOption("strategy");
  assert.ok(await page.locator(".request .removed").count() > 0);
  assert.equal(await page.locator(".request").first().locator(".added, .removed").count(), 0, "the baseline is not compared with itself");
  await page.locator("[data-key=rival]").selectOption({ label: "aggressive" });
  assert.ok(await page.locator(".request").first().locator(".added").count() > 0);
  await page.locator("[data-key=all]").click();
  assert.equal(await page.locator(".request").count(), shipped.results().strategies.length);
}));

test("everything is reached by key", () => visit(shipped, {}, async (page) => {
  const active = () => page.evaluate(() => document.activeElement.id || document.activeElement.closest(".item")?.dataset.name || document.activeElement.className);
  await page.keyboard.press("Tab");
  assert.equal(await active(), "skip");
  await page.keyboard.press("/");
  assert.equal(await active(), "search");
  await page.keyboard.press("Escape");
  const names = shipped.results().scenarios.map((one) => one.name);
  assert.equal(await active(), names[0]);
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("k");
  assert.equal(await active(), names[1]);
  await page.keyboard.press("Enter");
  await opened(page);
  const turn = () => page.locator(".stepper .turn").textContent();
  const before = await turn();
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await page.keyboard.press("p");
  assert.notEqual(await turn(), before);
  await page.keyboard.press("d");
  assert.equal(await page.locator("[data-key=mode]").inputValue(), "before");
  await page.keyboard.press("l");
  await page.keyboard.press("l");
  await page.keyboard.press("h");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H4");
  await page.keyboard.press("a");
  assert.equal(await page.locator(".request").count(), shipped.results().strategies.length);
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog#keyboard").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("dialog#keyboard").isHidden());
  await page.keyboard.press("o");
  assert.equal(await page.locator(".item.open").count(), 0);
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(ring, "solid");
}));

test("light and dark follow the system and the switch", () => visit(shipped, { scheme: "dark" }, async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await paper();
  assert.notEqual(dark, light);
  await page.keyboard.press("t");
  await page.keyboard.press("t");
  assert.equal(await paper(), dark);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await paper(), dark, "the choice is remembered");
  await page.click("#theme");
  assert.equal(await paper(), light);
}));

test("a phone shows it without scrolling sideways", () => visit(shipped, { width: 360, height: 740 }, async (page) => {
  assert.equal(await overflow(page), 0);
  await page.evaluate((hash) => { location.hash = hash; }, HASH);
  await opened(page);
  assert.equal(await overflow(page), 0);
  await page.locator("[data-key=mode]").selectOption("strategy");
  assert.equal(await overflow(page), 0);
}));

test("print leaves the controls away", () => visit(shipped, {}, async (page) => {
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".bar").isHidden());
  assert.ok(await page.locator("#strategy-table").isVisible());
}));

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`axe finds nothing: ${scheme}, ${width} pixels`, () => visit(shipped, { scheme, width }, async (page) => {
      assert.deepEqual(await violations(page), [], "closed");
      await page.evaluate((hash) => { location.hash = hash; }, HASH);
      await opened(page);
      assert.deepEqual(await violations(page), [], "open");
      await page.locator("[data-key=mode]").selectOption("strategy");
      assert.deepEqual(await violations(page), [], "compared");
      await page.keyboard.press("Tab");
      await page.click("#help");
      assert.deepEqual(await violations(page), [], "help");
    }));
  }
}

test("thresholds that are crossed stand on top", () => visit(hostile, {}, async (page) => {
  const verdicts = page.locator("#verdicts");
  assert.match(await verdicts.locator(".failed").textContent(), /1 threshold crossed.*trim: requests is at most 1, but it is 6/);
  assert.match(await verdicts.locator("summary").textContent(), /1 threshold holds/);
}));

test("hostile text stays text", () => visit(hostile, {}, async (page) => {
  assert.equal(await rows(page), 3);
  await page.selectOption("select[name=state]", "failed");
  assert.equal(await rows(page), 1);
  await page.locator(".row").click();
  await opened(page);
  assert.match(await page.locator(".item .failed").textContent(), /<\/script><script>window\.hacked/);
  assert.match(await page.locator(".request").first().textContent(), /Say <\/script><script>window\.hacked = 1<\/script><img src=x/);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(await violations(page), []);
}));

test("the policy lets nothing else run", async () => {
  const page = await open(hostile);
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hacked = 1";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.match(page.complaints.join(), /Content Security Policy/);
  await page.done();
});

test("a thousand scenarios load in two seconds", () => visit(large, {}, async (page) => {
  assert.ok(statSync(large.page).size < 20e6, `${statSync(large.page).size} bytes`);
  assert.ok(page.milliseconds < 2000, `${page.milliseconds} ms`);
  assert.equal(await rows(page), scale.scenarios);
  await page.fill("#search", "code-4203");
  await page.waitForFunction(() => document.querySelectorAll("#list .row").length === 1);
  await page.keyboard.press("Escape");
  await page.waitForFunction((count) => document.querySelectorAll("#list .row").length === count, scale.scenarios);
  await page.selectOption("select[name=state]", "failed");
  assert.equal(await rows(page), scale.scenarios / 50);
  const started = performance.now();
  await page.locator(".row").first().click();
  await opened(page);
  assert.ok(performance.now() - started < 1000, "opening takes a moment");
}));
