// What is said first: the setting, short answers, and the table of strategies.

const total = (strategy, name) => strategy.totals[name];
const cost = (strategy) => total(strategy, `cost:${chosen.model}`);

// Rows of the table: a title, what it says, the cell, and the value by which the column is sorted.
const COLUMNS = [
  { title: "input tokens", legend: "tokens of all requests, SYSTEM included", value: (s) => total(s, "input_tokens"), cell: (s) => count(total(s, "input_tokens")) },
  { title: "of baseline", legend: "input tokens as a share of the baseline’s; above 100% the strategy costs tokens instead of saving them", value: (s) => total(s, "ratio"), cell: (s) => shareCell(total(s, "ratio")) },
  { title: "cost", needsModel: true, legend: "dollars with the chosen model under its provider’s rules for caching, answers included", value: (s) => Number(cost(s)), cell: (s) => costCell(s) },
  { title: "of baseline’s cost", needsModel: true, legend: "the same as a share of the baseline’s", value: (s) => total(s, `cost_ratio:${chosen.model}`), cell: (s) => shareCell(total(s, `cost_ratio:${chosen.model}`)) },
  { title: "best", legend: "no strategy has as much evidence for less or more for as much, with the chosen model", value: (s) => (isBest(s) ? 0 : 1), cell: (s) => (isBest(s) ? el("span", { class: "best" }, "best") : "") },
  { title: "answers short", legend: "answers whose request lacks something that they use, of those that use anything that came up before", value: (s) => total(s, "answers_short"), cell: (s) => shortCell(s) },
  { title: "evidence", legend: "the share of what answers use that requests show", value: (s) => total(s, "evidence") ?? 1, cell: (s) => evidenceCell(total(s, "evidence")) },
  { title: "lost", legend: "things that answers rest on and requests do not show", value: (s) => total(s, "lost"), cell: (s) => count(total(s, "lost")) },
  { title: "hidden calls", legend: "tool calls that requests do not show, summed over them", value: (s) => total(s, "hidden_tool_calls"), cell: (s) => count(total(s, "hidden_tool_calls")) },
  { title: "wins · ties · losses", legend: "scenarios with fewer, as many and more tokens than under the baseline", value: (s) => total(s, "losses"), cell: (s) => (s.isBaseline ? dash() : [total(s, "wins"), total(s, "ties"), total(s, "losses")].map(count).join(" · ")) },
  { title: "larger requests", legend: "requests larger than the baseline’s on the same turn", value: (s) => total(s, "larger_requests"), cell: (s) => (s.isBaseline ? dash() : count(total(s, "larger_requests"))) },
  { title: "pays from turn", legend: "the first turn by which all runs together have sent fewer tokens", value: (s) => total(s, "pays_from_turn") ?? Infinity, cell: (s) => total(s, "pays_from_turn") ?? dash() },
  { title: "growth", legend: "slope of log tokens against log turn: 0 if requests do not grow, 1 if they grow in step with the turns", value: (s) => total(s, "growth"), cell: (s) => fixed(total(s, "growth"), 2) },
  { title: "stable prefix", legend: "the share of later requests that repeats the start of the one before", value: (s) => total(s, "stable_prefix"), cell: (s) => percent(total(s, "stable_prefix")) },
  { title: "pays at cached-read price", legend: "the price of a cached token, as a share of a fresh one, at which the strategy costs less than the baseline", value: (s) => String(total(s, "break_even")), cell: (s) => (s.isBaseline ? dash() : total(s, "break_even") || dash()) },
];

const sorting = { column: null, descending: false };

const isBest = (strategy) => (chosen.model ? strategy.efficient_for.includes(chosen.model) : total(strategy, "efficient") === 1);
const dash = () => el("span", { class: "dash" }, NONE);

// A share of the baseline's with a bar to its left where it is less and to its right where it is more.
function shareCell(ratio) {
  if (!isNumber(ratio)) return dash();
  const width = Math.min(Math.abs(1 - ratio) * 200, 50);
  const bar = svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: ratio > 1 ? "over" : "under", x: ratio > 1 ? 50 : 50 - width, y: 1, width, height: 8 }),
    svg("line", { class: "mid", x1: 50, x2: 50, y1: 0, y2: 10 }));
  return el("span", { class: ratio > 1.00049 ? "share bad" : "share" }, el("span", {}, `${ratio > 1.00049 ? "▲ " : ""}${percent(ratio)}`), bar);
}

const costCell = (strategy) => [money(cost(strategy)), isEstimate(strategy) ? el("span", { class: "dash" }, " est.") : null];
const evidenceCell = (share) => (isNumber(share) && share < 1 ? el("span", { class: share < 0.9 ? "bad" : "" }, percent(share)) : percent(share));
const shortText = (strategy) => (total(strategy, "answers_needing") ? `${count(total(strategy, "answers_short"))} of ${count(total(strategy, "answers_needing"))}` : NONE);
const shortCell = (strategy) => el("span", { class: total(strategy, "answers_short") ? "bad" : "" }, shortText(strategy));

function drawOverview() {
  drawSetting();
  drawVerdicts();
  drawModels();
  drawTable();
  const shown = COLUMNS.filter((column) => !column.needsModel || chosen.model);
  byId("legend").replaceChildren(...shown.flatMap((column) => [el("dt", {}, column.title), el("dd", {}, column.legend)]));
  whenChosen((change) => { if ("model" in change) drawTable(); });
}

function drawSetting() {
  const strong = (text) => el("strong", {}, text);
  const failed = totals.failed ? el("strong", { class: "bad" }, `${count(totals.failed)} with failed expectations`) : "every expectation holds";
  const changed = totals.changed_snapshots ? [", ", el("strong", { class: "bad" }, plural(totals.changed_snapshots, "snapshot") + " changed")] : null;
  const fresh = totals.new_snapshots ? `, ${plural(totals.new_snapshots, "new snapshot")}` : null;
  const [tokens] = strategies.map((strategy) => total(strategy, "output_tokens"));
  byId("setting").replaceChildren(el("span", {},
    strong(plural(totals.scenarios, "scenario")), ", ", failed, changed, fresh, ". ",
    strong(plural(strategies.length, "strategy", "strategies")), ", compared with ", strong(totals.baseline),
    `. Tokens by ${totals.tokenizer}; the ${count(tokens || 0)} of the answers are the same under every strategy. `,
    totals.price_dates.length ? ["Prices of ", el("span", { class: "whole" }, totals.price_dates.join(" and ")), "."] : "No model is costed.",
    entries.length < totals.scenarios ? ` The first ${count(entries.length)} scenarios are listed here; results.json has all.` : ""));
}

// What the suite demands of the numbers, and files that cannot be read: the worst stands open.
function drawVerdicts() {
  const list = (rows) => el("ul", {}, rows.map((row) => el("li", {}, row)));
  const bad = (title, rows) => rows.length ? el("div", { class: "failed" }, el("h2", {}, title), list(rows)) : null;
  const [crossed, kept] = [(one) => one.found !== null, (one) => one.found === null].map((is) => totals.thresholds.filter(is));
  const unreadable = totals.unreadable.map((file) => [el("b", {}, file.place), `: ${file.message}`]);
  byId("verdicts").replaceChildren(...[
    bad(`${plural(crossed.length, "threshold")} crossed`, crossed.map((one) => [el("b", {}, one.promise), `, but it ${one.found}`])),
    bad(`${plural(unreadable.length, "scenario")} cannot be read`, unreadable),
    kept.length ? el("details", { class: "legend" }, el("summary", {}, `${plural(kept.length, "threshold")} ${kept.length === 1 ? "holds" : "hold"}`), list(kept.map((one) => one.promise))) : null,
  ].filter(Boolean));
}

function drawModels() {
  const select = byId("model");
  byId("model-field").hidden = !totals.models.length;
  select.replaceChildren(...totals.models.map((model) => el("option", { value: model.model }, `${model.model} (${model.date})`)));
  select.addEventListener("change", () => choose({ model: select.value }));
}

function drawTable() {
  drawAnswers();
  const columns = COLUMNS.filter((column) => !column.needsModel || chosen.model);
  const rows = sorted(columns).map((strategy) =>
    el("tr", { class: strategy.isBaseline ? "baseline" : null, "data-strategy": strategy.name },
      el("th", { scope: "row" }, named(strategy)), columns.map((column) => el("td", {}, column.cell(strategy)))));
  byId("strategy-table").replaceChildren(el("table", {},
    el("caption", { class: "unseen" }, "All strategies over all scenarios. Press a heading to sort by it."),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "strategy"), columns.map((column) => heading(column)))),
    el("tbody", {}, rows)));
}

function heading(column) {
  const isSorted = sorting.column === column;
  const press = () => {
    const cycle = !isSorted ? [column, false] : sorting.descending ? [null, false] : [column, true];
    [sorting.column, sorting.descending] = cycle;
    drawTable();
    [...byId("strategy-table").querySelectorAll("thead button")].find((button) => button.textContent === column.title)?.focus();
  };
  return el("th", { scope: "col", "aria-sort": isSorted ? (sorting.descending ? "descending" : "ascending") : null },
    el("button", { type: "button", onclick: press, title: column.legend }, column.title));
}

function sorted() {
  const { column, descending } = sorting;
  if (!column) return strategies;
  const order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  return [...strategies].sort((one, other) => order(column.value(one), column.value(other)) * (descending ? -1 : 1));
}

// The strategy for which a number is least, among those that are wanted.
function least(value, isWanted) {
  const wanted = strategies.filter((strategy) => isNumber(value(strategy)) && isWanted(strategy));
  return wanted.reduce((best, strategy) => (best && value(best) <= value(strategy) ? best : strategy), null);
}

function drawAnswers() {
  const tokens = (strategy) => total(strategy, "input_tokens");
  const price = (strategy) => (chosen.model ? Number(cost(strategy)) : NaN);
  const isSafe = (strategy) => total(strategy, "answers_short") === 0;
  const all = () => true;
  const cheapest = chosen.model ? price : tokens;
  const measure = chosen.model ? `with ${chosen.model}` : "in tokens";
  byId("answers").replaceChildren(...[
    answer("Fewest tokens", least(tokens, all), "ratio"),
    chosen.model && answer(`Cheapest with ${chosen.model}`, least(price, all), `cost_ratio:${chosen.model}`),
    answer(`Cheapest ${measure} that leaves no answer short`, least(cheapest, isSafe), chosen.model ? `cost_ratio:${chosen.model}` : "ratio"),
  ].filter(Boolean));
}

function answer(title, strategy, ratio) {
  if (!strategy) return null;
  const share = total(strategy, ratio);
  const what = ratio === "ratio" ? "tokens" : "cost";
  const against = strategy.isBaseline
    ? ["Nothing does better than the baseline."]
    : [el("b", {}, percent(share)), ` of the ${what} of ${totals.baseline}.`];
  return el("div", { class: "answer" },
    el("h2", {}, title),
    el("div", { class: "who" }, mark(strategy), strategy.name),
    el("p", {}, against, " Answers short: ", el("b", {}, shortText(strategy)), "."));
}
