// A reader's use of index.html, in a real browser.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { advised, changed, close, compacted, costed, crowded, hostile, large, open, overflow, repeated, rewriting, scale, several, shipped, since, violations } from "./browser.mjs";

after(close);

const SCENARIO = "incidents/timeline";
const HASH = `#scenario=${encodeURIComponent(SCENARIO)}`;
const rows = (page) => page.locator("#list .title").count();
const opened = (page) => page.waitForSelector(".item.open .request");
const settled = (page) => page.waitForFunction(() => !document.getElementById("status").textContent.includes("search"));
const sentence = (page) => page.locator("#sentence").textContent();
// A sentence of the program as the page has it: a heading, and then what stands in brackets.
const spoken = (text) => text.replace(/^(.*?)(\. | \(([^()]*)\)\. )(.*)$/s, (all, head, _, range, rest) => (range ? `${head}. ${range}. ${rest}` : all));
const certainty = (page) => page.locator("#certainty").textContent();
const turnOf = async (page) => Number((await page.locator(".stepper .turn").textContent()).match(/Turn (\d+)/)[1]);
const signed = (share) => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)}%`;

// The short answers of a strategy, as `scenario@turn`.
function shortAnswers(report, strategy) {
  return report.results().scenarios.flatMap((one) => one.strategies.filter((run) => run.name === strategy).flatMap(({ short }) => short.map((turn) => `${one.name}@${turn}`)));
}
const losing = () => shipped.results().strategies.filter(({ totals }) => totals.answers_short > 0);

// Moves the slider, as a reader does.
const tolerate = (page, percent) => page.locator("#tolerance").evaluate((slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}, percent);

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

test("the script recommends what the program does", async () => {
  const found = new Set();
  for (const report of [shipped, hostile, large, ...Object.values(advised)]) {
    await visit(report, {}, async (page) => {
      const program = report.advice();
      assert.equal(await sentence(page), spoken(program.sentence));
      assert.equal(await certainty(page), program.certainty);
      await page.locator("#sentence").evaluate((title) => { title.textContent = ""; });
      await tolerate(page, program.max_short * 100);
      assert.equal(await sentence(page), spoken(program.sentence));
      found.add(program.sentence.replace(/ [\w-]+:/, ":").replace(/\d.*/, ""));
    });
  }
  assert.ok(found.size >= 4, [...found].join("\n"));
});

test("the slider gives the advice of a run with this tolerance", () => visit(shipped, {}, async (page) => {
  const first = await sentence(page);
  const [sentences, certainties] = [new Set([first]), new Set([shipped.advice().certainty])];
  for (const [percent, report] of [[0, advised.none], [2, advised.little], [20, advised.much]]) {
    await tolerate(page, percent);
    assert.equal(await sentence(page), spoken(report.advice().sentence));
    assert.equal(await page.locator("#tolerance-text").textContent(), `${percent}%`);
    assert.match(await page.locator("#plot .tolerance-label").textContent(), new RegExp(`${percent}%`));
    assert.equal(await certainty(page), report.advice().certainty);
    certainties.add(report.advice().certainty);
    const name = (await sentence(page)).match(/^\w+ (\S+):/)[1];
    assert.equal(await page.locator("#strategy-table tr.recommended").getAttribute("data-strategy"), name);
    assert.match(await page.locator("#plot .best").textContent(), new RegExp(name));
    sentences.add(await sentence(page));
  }
  assert.ok(sentences.size > 1 && certainties.size > 2, [...certainties].join("\n"));
  await page.click("#reset");
  assert.equal(await sentence(page), first);
  assert.equal(await certainty(page), shipped.advice().certainty);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#tolerance-text").textContent(), "5.5%");
}));

test("another model has its own costs and advice", () => visit(costed.forth, {}, async (page) => {
  const [, model] = costed.forth.results().models;
  const cost = (name) => page.locator(`#strategy-table tr[data-strategy="${name}"] td`).first().textContent();
  const heat = () => page.locator("#list .cell small").allTextContents();
  const [before, cells] = [await cost("trim"), await heat()];
  await page.selectOption("#model", model.model);
  assert.notEqual(await cost("trim"), before);
  assert.notDeepEqual(await heat(), cells);
  assert.equal(await sentence(page), spoken(costed.back.advice().sentence));
  assert.equal(await certainty(page), costed.back.advice().certainty);
  const names = await page.locator("#strategy-table tbody tr").evaluateAll((list) => list.map((row) => row.dataset.strategy));
  const { strategies } = costed.back.results();
  for (const { name, totals } of strategies.slice(1)) assert.equal(await cost(name), signed(totals[`cost_ratio:${model.model}`] - 1), name);
  const price = (name) => Number(strategies.find((one) => one.name === name).totals[`cost:${model.model}`]);
  assert.deepEqual(names.slice(1), [...names.slice(1)].sort((one, other) => price(one) - price(other)));
}));

// A phone shows cards in place of rows.
test("rows say which strategies changed nothing, and which rewrite tool calls", async () => {
  const rewrite = ["single-user-coalesced", "per-turn-summary", "rolling-window", "aggressive", "turn-log"];
  for (const width of [390, 1024, 1440]) await visit(rewriting, { width }, async (page) => {
    const rows = await page.locator("#strategy-table").evaluate((table) => [...table.querySelectorAll("tbody tr, .cards > li")].map((row) => [row.dataset.strategy ?? row.textContent, row.textContent]));
    const [names, texts] = [rows.map(([name]) => name), Object.fromEntries(rows)];
    const apart = names.indexOf("these rewrite tool calls as text");
    assert.ok(apart > 1, names.join());
    assert.deepEqual(names.slice(apart + 1).sort(), [...rewrite].sort());
    const { results } = rewriting;
    for (const { name, totals } of results().strategies.filter((one) => one.name !== results().baseline)) {
      const costsTheSame = totals.ratio === 1 && totals["cost_ratio:claude-opus-4-5"] === 1;
      assert.equal(texts[name].includes("no run is long enough"), costsTheSame && !rewrite.includes(name), name);
    }
    assert.ok(Object.values(texts).some((text) => text.includes("no run is long enough")));
    assert.equal(await overflow(page), 0);
  });
});

test("the table says what results.json says", () => visit(shipped, {}, async (page) => {
  const results = shipped.results();
  const count = (number) => number.toLocaleString("en-US");
  for (const { name, totals } of results.strategies) {
    const cells = await page.locator(`#strategy-table tr[data-strategy="${name}"] td`).evaluateAll((list) => list.map((cell) => cell.innerText.trim()));
    assert.equal(cells.length, 6);
    assert.equal(cells[1], name === results.baseline ? count(totals.input_tokens) : signed(totals.ratio - 1), name);
    assert.ok(cells[2].startsWith(`${count(totals.answers_short)} of ${count(totals.answers_needing)}`), cells[2]);
    assert.equal(cells[3], count(totals.answers_own), name);
    assert.equal(cells[4], `${totals.runs_short} of ${results.scenarios.length}`, name);
    assert.equal(cells[5], count(totals.request_worst), name);
  }
  assert.match(await page.locator("#setting").textContent(), /^Compared: .* No model was called\.\d+ scenarios, [\d,]+ requests: every expectation holds, [\d,]+ new snapshots\. .*o200k_base.*Prices of \d{4}-/);
  await page.click("#more");
  assert.ok(await page.locator("#strategy-table thead th").count() > 10);
  await page.click("#more");
  assert.equal(await page.locator("#strategy-table thead th").count(), 7);
}));

test("changed numbers show the one before", () => visit(advised.changed, {}, async (page) => {
  const cell = page.locator('#strategy-table tr[data-strategy="trim"] td').nth(2);
  assert.match(await cell.textContent(), /was 0/);
  assert.match(await page.locator("#setting").textContent(), /changed since .*, the earlier one/);
  assert.equal(await page.locator('#strategy-table tr[data-strategy="full-history"] td').nth(2).locator(".was").count(), 0);
}));

test("what changed since the accepted golden files is a block for each edit, with true signs", () => visit(since, {}, async (page) => {
  assert.equal(await page.locator("#changes-title").textContent(), "Since accepted: 2 changes for the model, 1 of them loses facts");
  assert.ok(await page.locator("#changes-link").isVisible());
  const blocks = page.locator("#changes-list > li");
  const titles = await blocks.locator("h3").allTextContents();
  assert.match(titles[0], /^suite\.yaml {2}compression\.println_limit 15 → 2$/);
  assert.match(titles[1], /^all\.jsonl .*mission/);
  // The comment has the same blocks in the same order.
  const comment = since.comment();
  assert.ok(/^# `suite\.yaml {2}compression\.println_limit 15 → 2` and 1 more change: /.test(comment), comment);
  const places = titles.map((title) => comment.indexOf(title));
  assert.ok(places.every((place, index) => place > (places[index - 1] ?? 0)), `${places}`);
  const lost = blocks.first().locator(".removed");
  assert.match((await lost.allTextContents()).join("\n"), /turn \d+ of scenario \d+:/);
  const sign = (line) => line.evaluate((element) => getComputedStyle(element, "::before").content);
  assert.equal(await sign(lost.first()), '"−"');
  assert.equal(await sign(blocks.nth(1).locator(".added").first()), '"+"');
  assert.match(await blocks.nth(1).locator(".added").first().textContent(), /Study the rows/);
  assert.match(await blocks.nth(1).locator(".removed").first().textContent(), /Look at the rows/);
}));

test("the worst place of a change opens the request that lacks the fact", () => visit(since, {}, async (page) => {
  const worst = page.locator("#changes-list > li").first().locator("p button.link").first();
  const [, scenario, turn] = (await worst.textContent()).match(/^Worst: (\S+)@(\d+) under single-user-coalesced: it uses "/);
  await worst.click();
  await opened(page);
  assert.equal(await turnOf(page), Number(turn));
  assert.ok((await page.locator(".item.open .title").textContent()).endsWith(scenario), scenario);
  await page.locator("#changes-list details summary").first().click();
  const places = page.locator("#changes-list details").first().locator("li button");
  assert.equal(await places.count(), 5);
}));

test("the changes fit on a phone, and axe finds nothing in them", async () => {
  for (const width of [390, 1280]) for (const scheme of ["light", "dark"]) {
    await visit(since, { width, scheme }, async (page) => {
      assert.equal(await overflow(page), 0, `${width}`);
      assert.deepEqual(await violations(page), [], `${width} ${scheme}`);
    });
  }
});

test("a page without changes has no section of them", () => visit(shipped, {}, async (page) => {
  assert.ok(await page.locator("#changes").isHidden() && await page.locator("#changes-link").isHidden());
}));

test("the chart has every strategy with its name", () => visit(shipped, {}, async (page) => {
  const names = shipped.results().strategies.map((one) => one.name);
  for (const name of names) assert.equal(await page.locator(`#plot .point[data-strategy="${name}"]`).count(), 1, name);
  const labels = (await page.locator("#plot .label").allTextContents()).map((label) => label.replace(", recommended", ""));
  assert.deepEqual(labels.sort(), names.sort());
  assert.equal(await page.locator("#plot .ring").count(), 1);
  const outside = await page.locator("#plot text").evaluateAll((texts) => texts.filter((text) => {
    const [own, plot] = [text.getBoundingClientRect(), text.closest("figure").getBoundingClientRect()];
    return own.left < plot.left || own.right > plot.right || own.top < plot.top || own.bottom > plot.bottom;
  }).map((text) => text.textContent));
  assert.deepEqual(outside, []);
}));

// Names, the numbers of the axes and the name of the tolerance can all be read, and no name hides a mark.
test("no text of the chart stands on another one or on a mark", async () => {
  for (const report of [shipped, costed.forth, several, rewriting, crowded]) for (const width of [390, 1024, 1280, 1440]) {
    await visit(report, { width }, async (page) => {
      const hidden = await page.locator("#plot").evaluate((plot) => {
        const boxes = (selector, inset) => [...plot.querySelectorAll(selector)].map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { name: one.textContent || one.parentElement.dataset.strategy, left: left + inset, right: right - inset, top: top + inset, bottom: bottom - inset };
        });
        const [texts, marks] = [boxes("text", 2), boxes(".point > path", 2)];
        const meet = (one, other) => one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
        // A line to a name that stands further away crosses no name of the chart itself.
        const [label] = boxes(".tolerance-label", 2);
        const crossing = [...plot.querySelectorAll(".leader")].filter((line) => {
          const [matrix, length] = [line.getScreenCTM(), line.getTotalLength()];
          const points = Array.from({ length: 100 }, (_, at) => line.getPointAtLength((length * at) / 99).matrixTransform(matrix));
          return points.some(({ x, y }) => x > label.left && x < label.right && y > label.top && y < label.bottom);
        });
        return [
          ...texts.flatMap((text, at) => [...texts.slice(at + 1), ...marks].filter((other) => meet(text, other)).map((other) => `${text.name} and ${other.name}`)),
          ...crossing.map((line) => `the line of ${line.parentElement.dataset.strategy} and ${label.name}`),
        ];
      });
      assert.deepEqual(hidden, [], `${report.page} at ${width}`);
    });
  }
});

// Names stand beside their marks, or a line leads to them, so that none is read as another's.
test("each name of the chart stands beside its own mark", async () => {
  for (const report of [shipped, costed.forth, several]) for (const width of [390, 1024, 1280, 1440]) {
    await visit(report, { width }, async (page) => {
      const far = await page.locator("#plot g:has(> .label)").evaluateAll((names) => names.map((name) => {
        const box = name.querySelector(".label").getBoundingClientRect();
        const away = (mark) => {
          const own = mark.querySelector("path").getBoundingClientRect();
          return Math.hypot(Math.max(0, box.left - own.right, own.left - box.right), Math.max(0, box.top - own.bottom, own.top - box.bottom));
        };
        const marks = [...document.querySelectorAll("#plot .point")].sort((one, other) => away(one) - away(other));
        const own = marks.find((mark) => mark.dataset.strategy === name.dataset.strategy);
        return { name: name.dataset.strategy, nearest: marks[0].dataset.strategy, away: away(own), hasLine: Boolean(name.querySelector(".leader")) };
      }).filter(({ name, nearest, away, hasLine }) => away > 80 || (!hasLine && (away > 24 || (nearest !== name && away > 6)))));
      assert.deepEqual(far, [], `${report.page} at ${width}`);
    });
  }
});

test("each strategy has a mark of its own", () => visit(shipped, {}, async (page) => {
  const marks = await page.locator("#plot .point > path").evaluateAll((paths) => paths.map((path) => [path.getAttribute("d"), getComputedStyle(path).fill, getComputedStyle(path).stroke, getComputedStyle(path).strokeDasharray].join(" ")));
  assert.equal(new Set(marks).size, shipped.results().strategies.length);
  const lines = await page.locator("#course-plot .course").evaluateAll((paths) => paths.map((path) => `${getComputedStyle(path).stroke} ${getComputedStyle(path).strokeDasharray}`));
  assert.equal(new Set(lines).size, lines.length);
}));

test("nothing moves under the pointer while the slider moves", async () => {
  for (const width of [390, 1024, 1440]) {
    await visit(shipped, { width, height: 700 }, async (page) => {
      const place = () => page.locator("#tolerance").evaluate((slider) => slider.getBoundingClientRect().top);
      const top = await place();
      for (const percent of [20, 0, 2, 10, 0.5, 5, 19.5, 5]) {
        await tolerate(page, percent);
        assert.ok(Math.abs((await place()) - top) < 1, `${width}: ${percent}% moves the slider by ${(await place()) - top}`);
      }
    });
  }
});

test("words and colours are explained where they stand", () => visit(shipped, {}, async (page) => {
  // Nothing has to be hovered over.
  assert.match(await page.locator("#table-notes").innerText(), /^a fact: a name, number or line of earlier text/i);
  const rows = Object.fromEntries(await page.locator("#strategy-table tbody tr").evaluateAll((all) => all.map((row) => [row.dataset.strategy, row.innerText])));
  assert.match(rows.fold, /shortens old tool results to a line, in batches/);
  const { max_short: most } = shipped.advice();
  for (const { name, totals } of shipped.results().strategies.filter((one) => one.name !== shipped.results().baseline)) {
    if (totals.answers_short / totals.answers_needing > most * 1.2) assert.match(rows[name], /over the limit/, name);
    if (totals.answers_short / totals.answers_needing < most * 0.8) assert.ok(!rows[name].includes("over the limit"), name);
  }
  await page.locator("#words summary").click();
  for (const word of ["turn", "request", "run", "cache", "compaction", "strategy", "lacking a fact", "limit"]) assert.ok((await page.locator("#words dt").allTextContents()).includes(word), word);
  const colours = (selector) => page.locator(selector).evaluateAll((cells) => [...new Set(cells.map((cell) => getComputedStyle(cell).backgroundColor))]);
  const [key, cells] = [await colours(".key .cell"), await colours("#list .cell")];
  assert.equal(key.length, 4);
  assert.deepEqual(cells.filter((colour) => !key.includes(colour)), []);
}));

test("each agent of mixed logs has its cost, its first change and its page", async () => {
  const { agents } = several.results();
  assert.deepEqual(agents.map(({ name }) => name), ["order-clerk", "poet"]);
  for (const width of [390, 1024]) {
    await visit(several, { width }, async (page) => {
      const items = page.locator("#agents-list > li");
      for (const [at, agent] of agents.entries()) {
        const text = await items.nth(at).innerText();
        const told = agent.action ? Object.values(agent.action) : [agent.answer];
        for (const expected of [agent.name, ...agent.heading, ...told]) assert.ok(text.includes(expected), text);
        assert.equal(text.includes(`--only-agent ${agent.name}`), at > 0, text);
      }
      assert.match(await page.locator("#setting").innerText(), /^\d+ runs\. Tokens/);
      await page.locator("#agents details summary").click();
      assert.equal(await page.locator("#agents table tbody tr").count(), agents[1].strategies.length);
      await page.locator("#spending summary").click();
      assert.match(await page.locator("#spending").innerText(), /after breaks/);
      const sum = page.locator(".all-agents");
      assert.match(await sum.innerText(), /^2 agents in these logs cost (about )?\$\d+\.\d+ together, at API prices\./);
      assert.ok((await sum.boundingBox()).y < 300, "the sum over all agents is at the top");
      assert.match(await page.locator("#facts-list").innerText(), /a day over 4 days/);
      assert.equal(await overflow(page), 0);
      assert.deepEqual(await violations(page), []);
      await page.locator("#agents-list h3 a").click();
      await page.waitForSelector("html[data-ready]");
      assert.match(await sentence(page), /Nothing to recommend yet/);
      assert.ok(await page.locator("#agents").isHidden());
    });
  }
});

test("an agent with a change to make has its saving, its loss and the command for the rest", async () => {
  const action = { title: "Cut tool results at 2,500 tokens", saves: "$1.20 to $3.40", loses: "answers lacking a fact they use: 24 now, then 48 of 516" };
  const acting = changed(several, ({ agents: { judged } }) => Object.assign(judged[1], { name: "a poet", action, more_actions: 2 }));
  for (const width of [390, 1024, 1440]) await visit(acting, { width }, async (page) => {
    const text = await page.locator("#agents-list > li").nth(1).innerText();
    for (const expected of [...Object.values(action), "2 more changes and the evidence: its page", "--only-agent 'a poet'"]) assert.ok(text.toLowerCase().includes(expected.toLowerCase()), text);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
  });
});

test("every number of short answers opens its requests", () => visit(shipped, {}, async (page) => {
  assert.ok(losing().length > 2);
  const records = shipped.records();
  for (const { name } of losing()) {
    await page.locator(`#strategy-table tr[data-strategy="${name}"] button`).click();
    const expected = shortAnswers(shipped, name);
    assert.deepEqual((await page.locator("#short-answers .places button").allTextContents()).sort(), expected.sort(), name);
    const link = page.locator("#short-answers .places button").last();
    const [scenario, turn] = (await link.textContent()).split("@");
    await link.click();
    const request = page.locator(`.item[data-name="${scenario}"] .request`, { hasText: name });
    await request.waitFor();
    assert.equal(await turnOf(page), Number(turn));
    const record = records.find((one) => one.name === scenario).strategies.find((run) => run.name === name).requests[turn - 1];
    const gone = (record.evidence.lost ?? []).filter((one) => one.grade === "gone").map((one) => one.what);
    assert.deepEqual(await request.locator(".lacks.gone code").allTextContents(), gone);
    await page.locator(`.item[data-name="${scenario}"] .title`).click();
  }
}));

test("cells of the heat map are the short answers of a scenario", () => visit(shipped, {}, async (page) => {
  const results = shipped.results();
  for (const { name } of losing()) {
    const cells = await page.locator(`.cell[data-strategy="${name}"]`).evaluateAll((list) => list.map((cell) => [cell.closest(".item").dataset.name, Number(cell.querySelector("b").textContent), cell.className]));
    assert.equal(cells.length, results.scenarios.length);
    const short = shortAnswers(shipped, name);
    for (const [scenario, number, style] of cells) {
      assert.equal(number, short.filter((place) => place.startsWith(`${scenario}@`)).length, `${scenario} ${name}`);
      assert.equal(style.includes("level0"), number === 0);
    }
  }
  const sums = await page.locator("#list .heat").evaluateAll((list) => list.map((row) => [...row.querySelectorAll("b")].reduce((sum, cell) => sum + Number(cell.textContent), 0)));
  assert.deepEqual(sums, [...sums].sort((one, other) => other - one), "worst first");
}));

test("a scenario opens at the first short answer of the strategy", () => visit(shipped, {}, async (page) => {
  const { name } = losing().at(-1);
  const places = shortAnswers(shipped, name).map((place) => place.split("@"));
  const first = places.find(([scenario, turn]) => turn > 1 && places.filter((place) => place[0] === scenario).length > 1);
  const turns = places.filter(([scenario]) => scenario === first[0]).map(([, turn]) => Number(turn));
  const item = page.locator(`.item[data-name="${first[0]}"]`);
  await item.locator(`.cell[data-strategy="${name}"]`).click();
  await opened(page);
  assert.equal(await turnOf(page), Number(first[1]));
  assert.deepEqual(await item.locator(".request h4").allTextContents(), ["full-history", name]);
  assert.ok(await item.locator(".lacks.gone").count() > 0);
  await item.locator("[data-key=short]").click();
  assert.equal(await turnOf(page), turns[1]);
  const hash = await page.evaluate(() => location.hash);
  await item.locator(".title").click();
  assert.equal(await page.locator(".item.open").count(), 0);
  await page.selectOption("select[name=strategy]", { label: `under ${name}` });
  await item.locator(".title").click();
  await opened(page);
  assert.equal(await turnOf(page), Number(first[1]), "under the chosen strategy");
  await visit(shipped, { hash }, async (shared) => {
    await opened(shared);
    assert.equal(await turnOf(shared), turns[1], "the address leads to the turn");
  });
}));

test("search finds names and texts", () => visit(shipped, {}, async (page) => {
  const all = await rows(page);
  await page.fill("#search", "twelve-turns");
  await settled(page);
  assert.ok(await rows(page) >= 1 && await rows(page) < all);
  await page.fill("#search", "Reconstruct the outage of 14 March");
  await settled(page);
  assert.deepEqual(await page.locator(".item").evaluateAll((items) => items.map((item) => item.dataset.name)), [SCENARIO]);
  await page.fill("#search", "no text says this");
  await settled(page);
  assert.match(await page.locator("#list").textContent(), /No scenario matches/);
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await rows(page), all);
}));

test("filters keep what they say", () => visit(shipped, {}, async (page) => {
  const { scenarios } = shipped.results();
  const { name } = losing()[0];
  await page.selectOption("select[name=state]", "short");
  await page.selectOption("select[name=strategy]", { label: `under ${name}` });
  assert.equal(await rows(page), new Set(shortAnswers(shipped, name).map((place) => place.split("@")[0])).size);
  await page.selectOption("select[name=state]", "");
  await page.selectOption("select[name=tag]", "long");
  assert.equal(await rows(page), scenarios.filter((one) => one.tags.includes("long")).length);
}));

test("an open scenario shows requests, where the prefix ends and what was lost", () => visit(shipped, { hash: HASH }, async (page) => {
  await opened(page);
  const scenario = shipped.records().find((one) => one.name === SCENARIO);
  const turn = await turnOf(page);
  for (const column of await page.locator(".request").all()) {
    const name = await column.locator("h4").textContent();
    const request = scenario.strategies.find((run) => run.name === name).requests[turn - 1];
    const numbers = await column.locator(".numbers").textContent();
    assert.ok(numbers.startsWith(`${request.input_tokens.toLocaleString("en-US")} tokens`), numbers);
    assert.match(await column.locator(".break").textContent(), new RegExp(`${request.prefix_tokens.toLocaleString("en-US")} of ${request.input_tokens.toLocaleString("en-US")}`));
    assert.deepEqual(await column.locator(".lacks code").allTextContents(), ["gone", "own", "reachable"].flatMap((grade) => (request.evidence.lost ?? []).filter((one) => one.grade === grade).map((one) => one.what)));
    await column.locator(".fold button").click();
    const shown = await column.locator(".text > div:not(.role):not(.break)").evaluateAll((lines) => lines.map((line) => line.textContent).join("\n"));
    const { pieces, messages } = scenario.texts;
    const sent = scenario.strategies.find((run) => run.name === name).requests.slice(0, turn).reduce((before, { messages: [kept, ...added] }) => [...before.slice(0, kept), ...added], []);
    const joined = (runs) => runs.flatMap((first, at) => at % 2 ? [] : pieces.slice(first, first + runs[at + 1])).join("");
    const texts = sent.map((number) => messages[number].runs ? joined(messages[number].runs) : shipped.advice().system);
    assert.equal(shown, texts.join("\n"));
  }
  assert.ok(await page.locator(".lacks").count() > 0);
}));

test("a recorded answer shows its calls", async () => {
  const isRecorded = (turn) => !turn.program && turn.tool_calls.length;
  const { name, turns, system } = shipped.records().find((one) => one.system && one.turns.some(isRecorded));
  const turn = turns.find(isRecorded);
  await visit(shipped, { hash: `#scenario=${encodeURIComponent(name)}&turn=${turn.number}` }, async (page) => {
    await opened(page);
    const [call] = turn.tool_calls;
    assert.ok((await page.locator(".given pre").textContent()).includes(`-> ${call.name}(${JSON.stringify(call.arguments)})`));
    const fold = page.locator(".request .fold button").first();
    if (await fold.count()) await fold.click();
    assert.ok((await page.locator(".request .text").first().textContent()).includes(system.split("\n")[0]));
  });
});

test("requests are compared with the turn before and with another strategy", () => visit(shipped, { hash: HASH }, async (page) => {
  await opened(page);
  await page.locator("[data-key=mode]").selectOption("before");
  assert.ok(await page.locator(".request .added").count() > 0);
  await page.locator("[data-key=mode]").selectOption("strategy");
  assert.ok(await page.locator(".request .removed").count() > 0);
  assert.equal(await page.locator(".request").first().locator(".added, .removed").count(), 0, "the baseline is not compared with itself");
  await page.locator("[data-key=rival]").selectOption({ label: "aggressive" });
  assert.ok(await page.locator(".request").first().locator(".added").count() > 0);
  await page.locator(".map input:not(:checked)").first().click();
  assert.equal(await page.locator(".request").count(), 3);
}));

test("everything is reached by key", () => visit(shipped, {}, async (page) => {
  const active = () => page.evaluate(() => document.activeElement.id || document.activeElement.closest(".item")?.dataset.name || document.activeElement.className);
  await page.keyboard.press("Tab");
  assert.equal(await active(), "skip");
  const stops = new Set();
  for (let at = 0; at < 40; at += 1) {
    await page.keyboard.press("Tab");
    stops.add(await active());
  }
  for (const id of ["theme", "help", "model", "tolerance", "more", "search"]) assert.ok(stops.has(id), id);
  await page.keyboard.press("/");
  assert.equal(await active(), "search");
  await page.keyboard.press("Escape");
  const names = await page.locator(".item").evaluateAll((items) => items.map((item) => item.dataset.name));
  assert.equal(await active(), names[0]);
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("k");
  assert.equal(await active(), names[1]);
  await page.keyboard.press("l");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("h");
  const strategy = await page.evaluate(() => document.activeElement.dataset.strategy);
  await page.keyboard.press("j");
  assert.deepEqual([await active(), await page.evaluate(() => document.activeElement.dataset.strategy)], [names[2], strategy]);
  await page.keyboard.press("Enter");
  await opened(page);
  assert.equal(await page.locator(".request h4").last().textContent(), strategy);
  const before = await turnOf(page);
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await page.keyboard.press("p");
  assert.equal(await turnOf(page), before + 1);
  await page.keyboard.press("d");
  assert.equal(await page.locator("[data-key=mode]").inputValue(), "before");
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog#keyboard").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("dialog#keyboard").isHidden());
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(ring, "solid");
}));

test("light and dark follow the system and the switch", () => visit(shipped, { scheme: "dark" }, async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await paper();
  assert.notEqual(dark, light);
  await page.click("#theme");
  await page.click("#theme");
  assert.equal(await paper(), dark);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await paper(), dark, "the choice is remembered");
  await page.click("#theme");
  assert.equal(await paper(), light);
}));

test("a phone shows a card for each strategy and no scroll bar", () => visit(shipped, { width: 390, height: 844 }, async (page) => {
  const { strategies } = shipped.results();
  assert.equal(await page.locator("#strategy-table table").count(), 0);
  assert.equal(await page.locator(".cards li").count(), strategies.length);
  // Above the cells are marks alone; their names stand there too.
  assert.deepEqual((await page.locator("#heads-key li").allInnerTexts()).sort(), strategies.map(({ name }) => name).filter((name) => name !== shipped.results().baseline).sort());
  const text = await page.locator('.cards li[data-strategy="trim"]').innerText();
  const { totals } = strategies.find((one) => one.name === "trim");
  for (const expected of ["answers lacking a fact", `${totals.answers_short} of`, signed(totals.ratio - 1)]) assert.ok(text.includes(expected), text);
  assert.equal(await overflow(page), 0);
  await page.click("#more");
  assert.equal(await overflow(page), 0);
  await page.locator('.cards li[data-strategy="trim"] button').click();
  await page.locator("#short-answers .places button").first().click();
  await opened(page);
  assert.equal(await overflow(page), 0);
  const lefts = await page.locator(".request").evaluateAll((list) => list.map((column) => [column.getBoundingClientRect().left, column.querySelector("h4").textContent]));
  assert.equal(lefts.sort(([one], [other]) => one - other)[0][1], "trim", "the chosen strategy is in view");
  await page.locator("[data-key=mode]").selectOption("strategy");
  assert.equal(await overflow(page), 0);
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.locator("#strategy-table table").waitFor();
}));

test("reduced motion moves nothing", () => visit(shipped, {}, async (page) => {
  const moves = () => page.locator(".chevron").first().evaluate((node) => getComputedStyle(node).transitionDuration);
  assert.notEqual(await moves(), "0s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await moves(), "0s");
}));

test("print leaves the controls away", () => visit(shipped, {}, async (page) => {
  await page.emulateMedia({ media: "print" });
  for (const control of [".bar", "#more", ".choices", ".pressing"]) assert.ok(await page.locator(control).isHidden(), control);
  for (const explained of ["#strategy-table", "#table-notes", "#scenarios > .hint"]) assert.ok(await page.locator(explained).isVisible(), explained);
}));

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing: ${scheme}, ${width} pixels`, () => visit(shipped, { scheme, width }, async (page) => {
      assert.deepEqual(await violations(page), [], "closed");
      await page.click("#more");
      await tolerate(page, 0);
      assert.deepEqual(await violations(page), [], "more numbers");
      await page.locator("#strategy-table button").first().click();
      assert.deepEqual(await violations(page), [], "short answers");
      await page.locator("#short-answers .places button").first().click();
      await opened(page);
      assert.deepEqual(await violations(page), [], "open");
      await page.locator("[data-key=mode]").selectOption("strategy");
      assert.deepEqual(await violations(page), [], "compared");
      await page.click("#help");
      assert.deepEqual(await violations(page), [], "help");
    }));
  }
}

test("thresholds that are crossed stand on top", () => visit(hostile, {}, async (page) => {
  const verdicts = page.locator("#verdicts");
  assert.match(await verdicts.locator(".failed").last().textContent(), /1 threshold crossed.*trim: requests is 6, expected at most 1/);
  assert.match(await verdicts.locator("summary").textContent(), /1 threshold holds/);
}));

test("hostile text stays text", () => visit(hostile, {}, async (page) => {
  assert.equal(await rows(page), 3);
  await page.selectOption("select[name=state]", "failed");
  assert.equal(await rows(page), 1);
  await page.locator(".title").click();
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
  assert.equal(await rows(page), 100);
  await page.click("#all");
  assert.equal(await rows(page), scale.scenarios);
  await page.fill("#search", "code-4203");
  await page.waitForFunction(() => document.querySelectorAll("#list .title").length === 1);
  await page.keyboard.press("Escape");
  await settled(page);
  await page.selectOption("select[name=state]", "failed");
  assert.equal(await rows(page), scale.scenarios / 50);
  const started = performance.now();
  await page.locator(".title").first().click();
  await opened(page);
  assert.ok(performance.now() - started < 1000, "opening takes a moment");
}));

test("runs that failed stand on top, each with its link", () => visit(hostile, {}, async (page) => {
  const link = page.locator("#verdicts button.link").first();
  const name = await link.textContent();
  assert.ok((await page.locator("#sentence h1").evaluate((title) => parseFloat(getComputedStyle(title).fontSize))) < 20);
  await link.click();
  await opened(page);
  assert.equal(new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get("scenario"), name);
}));

test("a lost text leads to the place that produced it, and Back leads back", () => visit(shipped, { hash: `${HASH}&strategy=trim` }, async (page) => {
  await opened(page);
  const [before, turn] = [await page.evaluate(() => location.hash), await turnOf(page)];
  const lost = page.locator(".lacks button.link").first();
  const from = Number((await lost.textContent()).match(/^turn (\d+)$/)[1]);
  await lost.click();
  assert.equal(await turnOf(page), from + 1);
  assert.ok(await page.evaluate(() => [...CSS.highlights.get("sought")].length > 0), "nothing is highlighted");
  await page.goBack();
  await page.waitForFunction((hash) => location.hash === hash, before);
  await page.waitForFunction((number) => document.querySelector(".stepper .turn")?.textContent.startsWith(`Turn ${number} `), turn);
}));

test("a lost text of the task leads to the first request", () => visit(shipped, { hash: "#scenario=edge%2Fown-strategy&turn=2&strategy=aggressive" }, async (page) => {
  await opened(page);
  assert.equal(await turnOf(page), 2);
  await page.locator(".lacks button.link", { hasText: "the opening" }).first().click();
  assert.equal(await turnOf(page), 1);
  assert.ok(await page.evaluate(() => [...CSS.highlights.get("sought")].length > 0), "nothing is highlighted");
}));

for (const width of [390, 1024, 1440]) {
  test(`nothing moves under the pointer, ${width} pixels`, () => visit(shipped, { width }, async (page) => {
    const top = () => page.locator("#tolerance").evaluate((slider) => slider.getBoundingClientRect().top);
    const first = await top();
    for (const percent of [0, 1, 2, 10, 20, 5]) {
      await tolerate(page, percent);
      assert.ok(Math.abs(await top() - first) < 1, `${percent}%: ${await top()}, not ${first}`);
    }
  }));

  test(`every strategy has its own mark and a line by turn, ${width} pixels`, () => visit(shipped, { width }, async (page) => {
    const marks = await page.locator("#plot .point path").evaluateAll((all) => all.map((path) => `${path.getAttribute("d")} ${path.getAttribute("class")}`));
    assert.equal(new Set(marks).size, marks.length);
    const others = shipped.results().strategies.length - 1;
    assert.equal(await page.locator("#course-plot .course").count(), others);
    const [labels, right] = await page.locator("#course-plot").evaluate((plot) => [[...plot.querySelectorAll(".label, .key li")].map((label) => label.getBoundingClientRect().right), plot.getBoundingClientRect().right]);
    assert.equal(labels.length, others);
    assert.ok(Math.max(...labels) <= right + 1, `a name is cut: ${Math.max(...labels)} of ${right}`);
  }));
}

// Milliseconds from the text in the field to the list of what has it.
const searchTime = (page, text) => page.evaluate((text) => new Promise((resolve) => {
  const [search, status] = ["search", "status"].map((id) => document.getElementById(id));
  const start = performance.now();
  search.value = text;
  search.dispatchEvent(new Event("input"));
  const look = () => (/^\d/.test(status.textContent) ? resolve(performance.now() - start) : requestAnimationFrame(look));
  look();
}), text);

test("the first search answers at once when the page is open, with four thousand scenarios too", async () => {
  const many = repeated(large, 4);
  for (const [text, found] of [["nothing of this kind", 0], ["code-4203", 4], ["turn 3 of scenario", 4 * scale.scenarios]]) {
    await visit(many, {}, async (page) => {
      const milliseconds = await searchTime(page, text);
      assert.ok(milliseconds < 300, `${text}: ${milliseconds} ms`);
      const count = found.toLocaleString("en-US");
      assert.match(await page.locator("#status").textContent(), new RegExp(`^${count} of ${(4 * scale.scenarios).toLocaleString("en-US")}`));
    });
  }
});

// The names of the scenarios with a text, found in the data of the page without an index.
function scenariosWith(report, text) {
  const page = readFileSync(report.page, "utf8");
  const unpacked = (packed) => JSON.parse(inflateRawSync(Buffer.from(packed, "base64")).toString());
  const systems = new Map([...page.matchAll(/id="system-(\w+)">([^<]*)</g)].map(([, id, packed]) => [id, unpacked(packed)]));
  const names = [];
  for (const [, head, packed] of page.matchAll(/class="scenario">([^\n]*)\n[^\n]*\n([^<]*)</g)) {
    const [{ name, system }, { description, origin, pieces }] = [JSON.parse(head), unpacked(packed)];
    const all = [name, description, origin, systems.get(system), pieces.join("")];
    if (all.join("\n").toLowerCase().includes(text.toLowerCase())) names.push(name);
  }
  return names.sort();
}

test("a search finds exactly the scenarios with a text", async () => {
  const found = (page) => page.locator(".item").evaluateAll((items) => items.map((item) => item.dataset.name).sort());
  for (const [report, texts] of [[shipped, ["qu", "zz", "Return", "née", "日本", "2026-03", "be careful", "println data"]], [several, ["order CLERK", "part_3", "nails and"]]]) {
    await visit(report, {}, async (page) => {
      for (const text of texts) {
        await page.fill("#search", text);
        await settled(page);
        assert.deepEqual(await found(page), scenariosWith(report, text), text);
      }
    });
  }
});

test("the script reads no field that no report writes", async () => {
  const [missing, known] = [new Set(), new Set()];
  for (const report of [shipped, hostile, compacted, several, rewriting, since, advised.changed, advised.sent]) {
    await visit(report, { isWatched: true }, async (page) => {
      await page.click("#more");
      for (let at = 0; at < Math.min(2, await rows(page)); at += 1) {
        await page.locator("#list .title").nth(at).click();
        await page.locator("#list .item").nth(at).locator(".request").first().waitFor();
      }
      await page.selectOption("[data-key=mode] >> nth=0", "before");
      await page.selectOption("[data-key=mode] >> nth=0", "strategy");
      for (const views of await page.locator("[data-key^=views-]").all()) await views.click();
      await tolerate(page, 1);
      const fields = await page.evaluate(() => window.fieldsRead());
      fields.missing.forEach((field) => missing.add(field));
      fields.known.forEach((field) => known.add(field));
    });
  }
  // Written only where there is something to say, which these reports have not; then what the browser itself asks values for.
  const optional = ["answers_short_least", "diff", "reason", "more_lines", "then", "toJSON"];
  assert.deepEqual([...missing].filter((field) => !known.has(field) && !optional.includes(field)), []);
});

test("advice begins with the money, where it went, and what to change", async () => {
  const { first_screen: screen } = several.advice();
  for (const width of [390, 1024, 1440]) await visit(several, { width, height: width === 390 ? 844 : 900 }, async (page) => {
    const place = (selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().top);
    const answer = screen.actions.length ? ".actions" : ".screen-answer";
    const [title, bar, actions, table] = await Promise.all(["h1", ".money-bar", answer, "#strategy-table"].map(place));
    assert.ok(title < 300 && title < bar && bar < actions && actions < table, `${[title, bar, actions, table]}`);
    assert.equal(await page.locator("h1").textContent(), screen.heading[1]);
    assert.match(screen.heading[1], /\$\d/);
    const largest = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() && one.childNodes.length && one.tagName !== "H1")
      .reduce((most, one) => Math.max(most, parseFloat(getComputedStyle(one).fontSize)), 0));
    const size = await page.locator("h1").evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
    assert.ok(size > largest, `${width}: ${size} and ${largest}`);
    for (const row of screen.money) assert.ok((await page.locator(".screen-main .money-list").innerText()).includes(row.text), row.text);
    assert.equal(await page.locator(".actions > li").count(), screen.actions.length);
  });
});

test("sessions have the first words of the person as names, and links", () => visit(several, {}, async (page) => {
  const { first_screen: screen } = several.advice();
  const names = Object.values(screen.sessions);
  assert.equal(names.length, 4);
  assert.match(names[0], /^"Find what order \d lacks\.", \d+ Oct$/);
  const titles = await page.locator("#list .title span:last-child").allTextContents();
  assert.deepEqual([...titles].sort(), [...names].sort());
  const visible = await page.locator("main").innerText();
  for (const file of Object.keys(screen.sessions)) assert.ok(!visible.includes(`${file}@`), file);
  await page.locator(".screen-splits a").first().click();
  await opened(page);
}));

test("a suite says how to use what it recommends", () => visit(shipped, {}, async (page) => {
  const { usage } = shipped.advice();
  assert.match(usage.command, /^ptc-eval apply /);
  assert.equal(await page.locator("#usage code").textContent(), usage.command);
  assert.ok((await page.locator("#usage").innerText()).startsWith(usage.strategy.replace("  ", " ")));
  assert.ok((await page.locator("h1").textContent()).length < 80, "the headline is a line");
  // Another strategy has another command.
  await tolerate(page, 0);
  assert.ok(await page.locator("#usage").isHidden());
}));

test("columns and sentences have the words of the terminal", async () => {
  for (const report of [shipped, several]) await visit(report, {}, async (page) => {
    await page.click("#more");
    const text = await page.locator("body").evaluate((body) => [...body.querySelectorAll("main, dialog")].map((one) => one.textContent).join("\n"));
    for (const old of ["answers short", "short answer", "need evidence", "short, cost", "own words alone", "never reached its limit", "with rework"]) assert.ok(!text.toLowerCase().includes(old), old);
  });
});

const COMPACTED = `#${new URLSearchParams({ scenario: "compacted/regions", turn: 5, strategy: "as-recorded" })}`;
const LINE = ".item.open .timeline";

test("the time line has each request, compaction, pause and result that was fetched again", () => visit(compacted, { hash: COMPACTED }, async (page) => {
  await opened(page);
  const marks = async () => Object.fromEntries(await Promise.all(["line-bar", "line-short", "line-compaction", "line-pause", "line-refetch", "line-base"].map(async (name) => [name, await page.locator(`${LINE} svg .${name}`).count()])));
  assert.deepEqual(await marks(), { "line-bar": 6, "line-short": 2, "line-compaction": 1, "line-pause": 2, "line-refetch": 1, "line-base": 0 });
  assert.match(await page.locator(`${LINE} svg`).getAttribute("aria-label"), /^8 requests of up to [\d,]+ tokens; 1 compaction, 2 pauses, 1 result fetched again$/);
  const events = await page.locator(`${LINE} .events li`).allTextContents();
  assert.match(events[0], /^turn 4: summary, [\d,]+ → [\d,]+ tokens/);
  assert.deepEqual(events.slice(1, 3), ["turn 4: after 60 s", "turn 6: after 30 min"]);
  assert.match(events[3], /^turn 6: [\d,]+ tokens of turn 1: \{"file_path": ?"\/p\/regions\.toml"\}|^turn 6: [\d,]+ tokens of turn 1: Read/);
  // Under another strategy nothing of that happened but the pauses.
  await page.locator('.map input[data-key="show-1"]').check();
  await page.locator('[data-key="cell-1-2"]').click();
  assert.match(await page.locator(`${LINE} figcaption`).textContent(), /under full-history$/);
  assert.deepEqual(await marks(), { "line-bar": 8, "line-short": 0, "line-compaction": 0, "line-pause": 2, "line-refetch": 0, "line-base": 1 });
}));

test("the time line leads to the turn under the pointer", () => visit(compacted, { hash: COMPACTED }, async (page) => {
  await opened(page);
  const bar = await page.locator(`${LINE} svg rect`).nth(1).boundingBox();
  await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height - 1);
  assert.equal(await turnOf(page), 2);
  await page.locator(`${LINE} .events summary`).last().click();
  await page.locator(`${LINE} .events [data-key="to-6"]`).last().click();
  assert.equal(await turnOf(page), 6);
}));

test("a compaction shows what it removed beside its summary", () => visit(compacted, { hash: COMPACTED }, async (page) => {
  await opened(page);
  await page.click('[data-key="views-4"]');
  const views = page.locator(".item.open .views");
  assert.match(await views.locator("h4").first().textContent(), /^Removed: 6 messages$/);
  assert.deepEqual(await views.locator(".lacks code").allTextContents(), ["stg-eu-west-7", "/p/regions.toml"]);
  assert.deepEqual(await views.locator("details[open] mark").allTextContents(), ["/p/regions.toml", "stg-eu-west-7"]);
  assert.equal(await views.locator(":scope > .given").nth(1).locator("pre").textContent(), "Three files were read. <i>All</i> is well.");
  assert.equal(await page.locator(".views i, .views .removed-list pre b").count(), 0, "texts are no markup");
  await views.locator(".lacks button").first().click();
  assert.equal(await turnOf(page), 5);
  await page.click('[data-key="views-4"]');
  assert.equal(await views.count(), 0);
}));

test("the time line fits every width and breaks no rule of axe", async () => {
  for (const width of [390, 1024, 1440]) {
    for (const scheme of ["light", "dark"]) {
      await visit(compacted, { hash: COMPACTED, width, scheme }, async (page) => {
        await opened(page);
        await page.click('[data-key="views-4"]');
        assert.equal(await overflow(page), 0, `${width}`);
        // Where the page is scrolled, its bar lies over what it has passed.
        await page.evaluate(() => scrollTo(0, 0));
        assert.deepEqual(await violations(page), [], `${width} ${scheme}`);
      });
    }
  }
});
