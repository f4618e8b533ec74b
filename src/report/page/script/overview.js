// The top of the page: verdicts, the recommendation and its choices, and the table of strategies.


// Columns of the table. `metric` names the number in strategies.csv; `ofBaseline` the baseline's.
const COLUMNS = [
  { title: () => `cost vs ${baseline.name}`, needsModel: true, legend: "dollars with the chosen model under its provider’s rules for caching, answers included", metric: () => `cost_ratio:${chosen.model}`, ofBaseline: () => `cost:${chosen.model}`, baselineText: money, text: (value) => signed(value - 1) },
  { title: () => `tokens vs ${baseline.name}`, legend: "tokens of all requests, SYSTEM included", metric: () => "ratio", ofBaseline: () => "input_tokens", text: (value) => signed(value - 1) },
  { title: () => "answers lacking a fact", legend: "answers whose request lacks something that they use, of those that use anything from earlier turns", metric: () => "answers_short", text: count, of: (s) => s.totals.answers_needing, press: showShort },
  { title: () => "only the model’s own words missing", legend: "those of them that lack only what the model’s own earlier answers had said", metric: () => "answers_own", text: count },
  { title: () => "runs lacking a fact", legend: "scenarios with such an answer", metric: () => "runs_short", text: count, of: (s) => s.totals.answers_needing && totals.scenarios },
  { title: () => "largest request", legend: "tokens of the largest request, which the context window must hold", metric: () => "request_worst", text: count },
];
const MORE = [
  { title: () => "cost", needsModel: true, legend: "dollars with the chosen model", metric: () => `cost:${chosen.model}`, text: money },
  { title: () => "tokens", legend: "tokens of all requests", metric: () => "input_tokens", text: count },
  { title: () => "history tokens", legend: "tokens of all requests without SYSTEM and the opening, as a share of the baseline’s", metric: () => "history_ratio", text: percent },
  { title: () => "facts shown", legend: "of the facts that answers use, the share that requests show", metric: () => "evidence", text: percent },
  { title: () => "can be read again", legend: "answers whose missing facts the agent can all read again, at the price of more calls", metric: () => "answers_again", text: count },
  { title: () => "tool calls not shown", legend: "tool calls that requests do not show, summed over them; a model may repeat them", metric: () => "hidden_tool_calls", text: count },
  { title: () => "calls of the strategy", needsCalls: true, legend: "calls of a model that the strategy makes itself, such as for a summary; their cost is part of the cost", metric: () => "strategy_calls", text: count },
  { title: () => "rejected requests", legend: "requests that an API would reject", metric: () => "invalid_requests", text: count },
  { title: () => "larger requests", legend: "requests larger than the baseline’s on the same turn", metric: () => "larger_requests", text: count },
  { title: () => "same start as before", legend: "the share of later requests that repeats the start of the one before, which a provider can cache", metric: () => "stable_prefix", text: percent },
  { title: () => "cheaper when a cached token costs", legend: "the price of a cached token, as a share of a fresh one, at which the strategy costs less than the baseline", metric: () => "break_even", text: (value) => value || NONE },
];

// Scenarios that are not as accepted and are named on top.
const LISTED = 8;

let showsMore = false;
const isPhone = matchMedia("(max-width: 480px)");

function drawOverview() {
  document.body.classList.toggle("of-suite", !totals.first_screen);
  drawScreen();
  drawVerdicts();
  drawChanges();
  drawCourse();
  drawSetting();
  drawFacts();
  drawAgents();
  drawChoices();
  drawSentence(totals.sentence);
  drawAdvice();
  byId("more").addEventListener("click", () => {
    showsMore = !showsMore;
    byId("more").setAttribute("aria-pressed", showsMore);
    drawTable();
  });
  isPhone.addEventListener("change", drawTable);
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; drawChart(); drawCourse(); } });
  whenChosen(() => { drawSentence(sentence()); drawAdvice(); });
}

// The advice as a heading of a few words and a text. Below the first screen of advice it is one answer among several.
function drawSentence(text) {
  const [, head, , range, rest] = text.match(/^(.*?)(\. | \(([^()]*)\)\. )(.*)$/s) ?? [null, text, "", "", ""];
  const isFirst = !totals.first_screen;
  byId("strategies-tried").hidden = isFirst;
  byId("sentence").replaceChildren(el(isFirst ? "h1" : "h3", {}, rest ? `${head}. ` : head), rest ? el("p", {}, prose(range ? `${range}. ${rest}` : rest)) : "");
}

function drawAdvice() {
  byId("certainty").replaceChildren(...prose(certainty()));
  byId("notes").replaceChildren(...notes().map((note) => el("li", {}, prose(note))), totals.refused ? el("li", { class: "bad" }, prose(totals.refused)) : "");
  byId("tolerance-text").textContent = shareText(chosen.tolerance);
  byId("reset").hidden = isAtStart();
  drawUsage();
  drawChart();
  drawTable();
}

// How to use the strategy that the program recommends.
function drawUsage() {
  const { usage } = totals;
  byId("usage").hidden = !usage || recommended()?.name !== totals.recommended;
  if (byId("usage").hidden) return;
  byId("usage").replaceChildren(...[
    usage.strategy && el("p", {}, usage.strategy),
    el("pre", { class: "paste" }, el("code", {}, usage.command)),
    ...usage.notes.map((note) => el("p", { class: "hint" }, note)),
  ].filter(Boolean));
}

// What the suite costs as it is.
function baselineCost() {
  if (totals.is_advice || !start.model) return "";
  return `With ${start.model}, ${baseline.name} costs ${money(baseline.totals[`cost:${start.model}`])}. `;
}

function drawSetting() {
  const failed = totals.failed ? el("strong", { class: "bad" }, `${count(totals.failed)} with failed expectations`) : "every expectation holds";
  const changed = totals.changed_snapshots ? [", ", el("strong", { class: "bad" }, plural(totals.changed_snapshots, "snapshot") + " changed")] : null;
  if (totals.table.compared) byId("setting").append(totals.table.compared, el("br"));
  byId("setting").append(el("b", {}, [
    ...(totals.is_advice ? [plural(totals.scenarios, "run")] : [`${plural(totals.scenarios, "scenario")}, ${plural(baseline.totals.requests, "request")}: `, failed]),
    changed, totals.new_snapshots ? `, ${plural(totals.new_snapshots, "new snapshot")}` : "", ". ",
  ]), ...[
    baselineCost(), `Tokens by ${totals.tokenizer}. `, totals.price_dates.length ? `Prices of ${totals.price_dates.join(" and ")}.` : "No model is costed.",
    totals.against ? ` Where a number changed since ${totals.against}, the earlier one is beside it.` : "",
  ].filter(Boolean));
}

// Thresholds of the suite, and files that cannot be read. Only problems are shown without a click.
function drawVerdicts() {
  const list = (rows) => el("ul", {}, rows.map((row) => el("li", {}, row)));
  const bad = (title, rows) => rows.length ? el("div", { class: "failed" }, el("h2", {}, title), list(rows)) : null;
  const [crossed, kept] = [(one) => one.found !== null, (one) => one.found === null].map((is) => totals.thresholds.filter(is));
  const failing = entries.filter((entry) => entry.failures || entry.snapshots);
  const link = (entry) => [el("button", { type: "button", class: "link", onclick: () => goTo(entry) }, entry.label), `: ${[entry.failures && `${plural(entry.failures, "expectation")} failed`, entry.snapshots && `${plural(entry.snapshots, "snapshot")} not as accepted`].filter(Boolean).join(", ")}`];
  const listed = worstFirst(failing).slice(0, LISTED);
  const unreadable = totals.unreadable.map((file) => [el("b", {}, file.place), `: ${file.message}`]);
  document.body.classList.toggle("troubled", Boolean(totals.failed || totals.changes || crossed.length || unreadable.length));
  const more = failing.length > LISTED ? [[`and ${plural(failing.length - LISTED, "more scenario")}, first in the list below`]] : [];
  byId("verdicts").replaceChildren(...[
    totals.failed || totals.changed_snapshots ? bad(`${plural(failing.length, "scenario")} not as accepted`, [...listed.map(link), ...more]) : null,
    bad(`${plural(crossed.length, "threshold")} crossed`, crossed.map((one) => [el("b", {}, one.name), ` ${one.found}`])),
    bad(`${plural(unreadable.length, "scenario")} cannot be read`, unreadable),
    kept.length ? el("details", { class: "legend" }, el("summary", {}, `${plural(kept.length, "threshold")} ${kept.length === 1 ? "holds" : "hold"}`), list(kept.map((one) => one.promise))) : null,
  ].filter(Boolean));
}

function drawChoices() {
  const [model, tolerance] = [byId("model"), byId("tolerance")];
  byId("model-field").hidden = !totals.models.length;
  const isEstimate = ({ model: name }) => strategies.some((strategy) => strategy.estimates.includes(name));
  model.append(...totals.models.map((one) => el("option", { value: one.model }, isEstimate(one) ? `${one.model} (tokens estimated)` : one.model)));
  model.addEventListener("change", () => choose({ model: model.value }));
  tolerance.max = Math.max(20, start.tolerance * 100);
  tolerance.value = start.tolerance * 100;
  tolerance.addEventListener("input", () => keepInPlace(tolerance, () => choose({ tolerance: tolerance.value / 100 })));
  byId("reset").addEventListener("click", () => {
    model.value = start.model;
    tolerance.value = start.tolerance * 100;
    choose({ ...start });
    tolerance.focus();
  });
}

// The sentences above the slider may become longer, but nothing moves under the pointer: they keep the most room that they
// took, and the page scrolls by what they take more.
function keepInPlace(control, change) {
  const status = byId("sentence").parentElement;
  const { top } = control.getBoundingClientRect();
  status.style.minHeight = `${status.getBoundingClientRect().height}px`;
  change();
  scrollBy(0, control.getBoundingClientRect().top - top);
}

// True if the requests of a strategy lack too many facts to recommend it.
const isOverLimit = (strategy) => totals.table.marks_limit && !strategy.isBaseline && !isFew(judged(strategy).short, judged(strategy).needing, judged(baseline).short);

const shownColumns = () => [...COLUMNS, ...(showsMore ? MORE : [])].filter((column) => (!column.needsModel || chosen.model) && (!column.needsCalls || "strategy_calls" in baseline.totals));

function drawTable() {
  const columns = shownColumns();
  const others = cheapestFirst().filter((strategy) => strategy !== baseline);
  const kept = [baseline, ...others.filter((strategy) => !strategy.is_set_apart)];
  const apart = others.filter((strategy) => strategy.is_set_apart);
  const best = recommended();
  const style = (strategy) => (strategy === best ? "recommended" : null);
  const badge = (isShown, text, kind) => (isShown ? el("span", { class: `badge ${kind ?? ""}`.trim() }, text) : null);
  const name = (strategy) => [named(strategy), badge(strategy.isBaseline, "baseline"), badge(strategy === best, "recommended", "good"),
    badge(isOverLimit(strategy), "over the limit", "bad"), badge(strategy.rewrites_calls && !strategy.is_set_apart, "tool calls as text"),
    badge(strategy.over_window, "over the window"), strategy.doc && el("small", { class: "doc" }, strategy.doc)];
  const card = (strategy) => el("li", { class: style(strategy), "data-strategy": strategy.name }, el("h3", {}, name(strategy)),
    strategy.instead ? el("p", { class: "hint" }, strategy.instead) : el("dl", {}, columns.map((column) => el("div", {}, el("dt", {}, column.title()), el("dd", {}, cell(column, strategy))))));
  const row = (strategy) => el("tr", { class: style(strategy), "data-strategy": strategy.name }, el("th", { scope: "row" }, name(strategy)),
    strategy.instead ? el("td", { class: "instead", colspan: columns.length }, strategy.instead) : columns.map((column) => el("td", {}, cell(column, strategy))));
  byId("strategy-table").replaceChildren(isPhone.matches
    ? el("ul", { class: "cards" }, kept.map(card), apart.length ? el("li", { class: "apart" }, totals.table.set_apart) : null, apart.map(card))
    : el("div", { class: "scroll", role: "region", "aria-label": "Table of strategies", tabindex: 0 }, el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "strategy"), columns.map((column) => el("th", { scope: "col", title: column.legend }, column.title())))),
      el("tbody", {}, kept.map(row)),
      apart.length ? el("tbody", {}, el("tr", {}, el("th", { scope: "rowgroup", class: "apart", colspan: columns.length + 1 }, totals.table.set_apart)), apart.map(row)) : null)));
  byId("table-notes").replaceChildren(...totals.table.notes.map((text) => el("li", {}, text)));
  byId("legend").replaceChildren(...columns.flatMap((column) => [el("dt", {}, column.title()), el("dd", {}, column.legend)]));
}

// A number, and the one before if it changed since the baseline report.
function cell(column, strategy) {
  if (!strategy.totals.requests) return column === shownColumns()[0] ? "no requests" : NONE;
  const isAmount = strategy.isBaseline && column.ofBaseline;
  const metric = isAmount ? column.ofBaseline() : column.metric();
  const text = isAmount ? column.baselineText || count : column.text;
  const value = strategy.totals[metric];
  const before = strategy.was[metric];
  const show = (one) => (one === null || one === undefined || one === "" ? NONE : text(one));
  if (column.of && !column.of(strategy)) return NONE;
  const least = metric === "answers_short" ? strategy.totals.answers_short_least : undefined;
  const wasText = before === undefined ? undefined : show(isNaN(before) ? before : Number(before));
  const shown = [least < value ? `${count(least)}–` : null, show(value), column.of && el("span", { class: "of" }, ` of ${count(column.of(strategy))}`)];
  return [
    column.press && value ? el("button", { type: "button", class: "link", onclick: () => column.press(strategy) }, shown, el("span", { class: "unseen" }, ` answers lacking a fact under ${strategy.name}: show them`)) : shown,
    // A change below the last digit that is shown would read as none.
    wasText === undefined || wasText === show(value) ? null : el("small", { class: "was" }, `was ${wasText}`),
  ];
}

// All answers missing a fact under a strategy, each with a button that opens its request.
function showShort(strategy) {
  const dialog = byId("short-answers");
  const places = entries.map((entry) => ({ entry, turns: entry.strategies[strategy.index].short })).filter(({ turns }) => turns.length);
  const missing = strategy.totals.answers_short - places.reduce((sum, { turns }) => sum + turns.length, 0);
  const button = (entry, turn) => el("button", { type: "button", class: "link", onclick: () => { dialog.close(); goTo(entry, strategy, turn); } }, el("span", { class: "unseen" }, entry.label), `@${turn}`);
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: "short-title" }, `${plural(strategy.totals.answers_short, "answer")} lacking a fact under ${strategy.name}`), el("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    el("p", { class: "hint" }, "Each opens the request with what it lacks."),
    el("ul", { class: "places" }, places.map(({ entry, turns }) => el("li", {}, el("b", {}, entry.label), turns.map((turn) => button(entry, turn))))),
    missing ? el("p", {}, `${count(missing)} more are in results.json.`) : "");
  dialog.showModal();
}
