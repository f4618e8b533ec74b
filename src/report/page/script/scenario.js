// An open scenario: its outcome, a map of all its requests, and chosen requests side by side.

const MODES = [["plain", "the request"], ["before", "changes since the turn before"], ["strategy", "difference to"]];

// The open scenarios, by entry.
const views = new Map();

// Opens at a turn, else at the first answer missing a fact under the strategy.
async function openPanel(entry, host, strategy, turn) {
  host.replaceChildren(el("p", { class: "hint" }, "Unpacking…"));
  const contents = await contentsOf(entry);
  const view = { moves: !location.hash.includes("scenario="), sought: null, entry, contents, host, strategy, turn: turn || entry.strategies[strategy.index].short[0] || 1, mode: "plain", rival: baseline.index, compaction: null, shown: new Set([baseline.index, strategy.index]) };
  view.go = (change) => { Object.assign(view, { sought: null, moves: true }, change); drawRequests(view); };
  // The next request of the baseline ends with the output of a turn.
  view.goToSource = (lost) => {
    view.shown.add(baseline.index);
    view.go({ turn: Math.min(lost.turn + 1, entry.turns), strategy: baseline, mode: "plain", sought: lost.what });
    showSought(view);
  };
  views.set(entry.index, view);
  view.body = el("div", {});
  host.replaceChildren(el("div", { class: "about" }, about(entry, contents)), view.body);
  drawRequests(view);
}

function about(entry, contents) {
  const fact = (name, value) => el("span", {}, `${name} `, el("b", {}, value));
  // A conversation of a log has neither a result nor a bound.
  const isRecorded = entry.outcome === "recorded";
  const facts = [
    isRecorded ? null : fact("Outcome", entry.outcome),
    fact("Turns", isRecorded ? String(entry.turns) : `${entry.turns} of at most ${contents.max_turns}`),
    contents.compression ? fact("Runs under", contents.compression) : null,
    // Logs become a suite in memory, without a file.
    entry.label === entry.name ? fact("File", contents.origin) : null,
  ];
  return [
    contents.description ? el("p", {}, contents.description) : null,
    el("div", { class: "facts" }, facts),
    entry.failures ? failedList(contents) : null,
    entry.snapshots ? snapshotList(contents.snapshots) : null,
    isRecorded ? null : el("details", { class: "legend" }, el("summary", {}, `Result: ${shortened(jsonText(contents.result), 60)}`), el("pre", { class: "given" }, jsonText(contents.result, 2))),
  ];
}

// Values may be deeper than the browser can write.
function jsonText(value, indent) {
  try { return JSON.stringify(value, null, indent); } catch { return "a value too deep to show"; }
}

function failedList({ failures, origin, wrong_turn: wrong }) {
  const file = origin.slice(0, origin.lastIndexOf(":"));
  const first = wrong && failures.some((failure) => failure.follows)
    ? el("p", {}, el("b", {}, `First at turn ${wrong.turn}: `), wrong.what, wrong.line ? `, at ${file}:${wrong.line}:${wrong.column}` : "") : null;
  return el("div", { class: "failed" }, el("h4", {}, `${plural(failures.length, "expectation")} ${failures.length === 1 ? "does" : "do"} not hold`), first,
    el("dl", {}, failures.flatMap((failure) => [
      el("dt", { class: "what" }, failure.what),
      el("dd", { class: "unseen" }, ""),
      el("dt", {}, "at"), el("dd", {}, `${file}:${failure.line}:${failure.column}`),
      el("dt", {}, "expected"), el("dd", {}, failure.expected),
      el("dt", {}, "found"), el("dd", {}, failure.found),
    ])));
}

function snapshotList(snapshots) {
  return el("details", { class: "legend" }, el("summary", {}, `${plural(snapshots.length, "snapshot")} not as accepted`),
    snapshots.map(({ key, verdict, diff, reason }) =>
      [el("p", {}, `${key}: ${verdict}`), diff || reason ? el("pre", { class: "given" }, diff || reason) : null]));
}

function drawRequests(view) {
  view.shown.add(view.strategy.index);
  const focused = document.activeElement;
  const key = view.body.contains(focused) ? focused.dataset.key : null;
  const turns = view.entry.turns;
  view.turn = Math.min(Math.max(1, view.turn), Math.max(1, turns));
  const chosenColumns = strategies.filter((strategy) => view.shown.has(strategy.index));
  const columns = el("div", { class: "columns", role: "region", tabindex: 0, "aria-label": "Requests side by side" },
    chosenColumns.map((strategy) => requestColumn(view, strategy)));
  view.body.replaceChildren(...[timeline(view), compactionViews(view), stepper(view), answerOf(view), columns, requestMap(view)].filter(Boolean));
  showTurn(view.body.querySelector(".map"));
  if (!view.sought && window.CSS && CSS.highlights) CSS.highlights.delete("sought");
  if (key) view.body.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
  remember(address(view.entry, view.turn, view.strategy), view.moves);
  view.moves = false;
  highlightFound();
}

// The browser's Back leads to the request before. What follows from an address is no step of its own.
function remember(place, isStep) {
  if (location.hash === place) return;
  if (isStep) history.pushState(null, "", place);
  else history.replaceState(null, "", place);
}

// Marks the text that was sought in the baseline's request, and scrolls to its newest place.
function showSought(view) {
  const text = view.body.querySelector(`.request[data-strategy="${baseline.index}"] .text`);
  const ranges = text && view.sought ? rangesOf(text, view.sought.toLowerCase()) : [];
  if (window.CSS && CSS.highlights) CSS.highlights.set("sought", new Highlight(...ranges));
  ranges.at(-1)?.startContainer.parentElement.scrollIntoView({ block: "center" });
}

// Scrolls the map sideways to the turn that is shown.
function showTurn(map) {
  const cell = map.querySelector(".now");
  const names = map.querySelector("th").offsetWidth;
  if (cell && cell.offsetLeft + cell.offsetWidth > map.clientWidth) map.scrollLeft = cell.offsetLeft - names - 8;
}

// Every request of the scenario: strategies down, turns across.
function requestMap(view) {
  const numbers = Array.from({ length: view.entry.turns }, (_, index) => index + 1);
  const head = el("tr", {}, el("th", { scope: "col" }, "tokens by turn"), numbers.map((turn) => el("th", { scope: "col" }, `turn ${turn}`)),
    el("th", { scope: "col" }, "all"), el("th", { scope: "col" }, chosen.model ? "cost" : "tokens"));
  const rows = strategies.map((strategy) => el("tr", {},
    el("th", { scope: "row" }, columnSwitch(view, strategy)),
    numbers.map((turn) => el("td", { class: turn === view.turn ? "now" : null }, requestButton(view, strategy, turn))),
    el("td", { class: "total" }, count(view.entry.strategies[strategy.index].input_tokens)),
    el("td", {}, costChangeText(view.entry, strategy))));
  return el("div", { class: "scroll map", role: "region", tabindex: 0, "aria-label": "All requests of this scenario" },
    el("table", {}, el("thead", {}, head), el("tbody", {}, rows)));
}

function columnSwitch(view, strategy) {
  const change = (event) => {
    if (event.target.checked) return view.go({ strategy });
    view.shown.delete(strategy.index);
    if (view.strategy === strategy) view.strategy = baseline;
    drawRequests(view);
  };
  return el("label", {}, el("input", { type: "checkbox", checked: view.shown.has(strategy.index), onchange: change, "data-key": `show-${strategy.index}` }), named(strategy));
}

function requestButton(view, strategy, turn) {
  const request = view.contents.strategies[strategy.index][turn - 1];
  if (!request) return dash();
  const isShown = turn === view.turn && view.shown.has(strategy.index);
  const press = () => view.go({ turn, strategy });
  return el("button", { type: "button", onclick: press, "aria-current": isShown ? "true" : null, "data-key": `cell-${strategy.index}-${turn}` },
    count(request.input_tokens),
    request.larger ? el("span", { class: "up" }, "▲", el("span", { class: "unseen" }, " larger than the baseline’s")) : null,
    request.gone ? el("span", { class: "lost" }, `−${request.gone}`, el("span", { class: "unseen" }, " gone")) : null,
    el("span", { class: "unseen" }, ` ${strategy.name}, turn ${turn}`));
}

function stepper(view) {
  const step = (by, label, key) => el("button", { type: "button", disabled: view.turn + by < 1 || view.turn + by > view.entry.turns, "data-key": key, onclick: () => view.go({ turn: view.turn + by }) }, label);
  const mode = el("select", { "data-key": "mode", onchange: (event) => view.go({ mode: event.target.value }) },
    MODES.map(([value, label]) => el("option", { value, selected: view.mode === value }, label)));
  const rival = view.mode !== "strategy" ? null : el("select", { "data-key": "rival", "aria-label": "Strategy to compare with", onchange: (event) => view.go({ rival: Number(event.target.value) }) },
    strategies.map((strategy) => el("option", { value: strategy.index, selected: view.rival === strategy.index }, strategy.name)));
  const nextShort = view.entry.strategies[view.strategy.index].short.find((turn) => turn > view.turn);
  const jump = el("button", { type: "button", disabled: !nextShort, "data-key": "short", onclick: () => view.go({ turn: nextShort }) }, "Next answer lacking a fact");
  return el("div", { class: "stepper" },
    el("div", { class: "group" }, step(-1, "‹ Previous", "previous"), el("span", { class: "turn", "aria-live": "polite" }, `Turn ${view.turn} of ${view.entry.turns}`), step(1, "Next ›", "next"), jump),
    el("label", { class: "field" }, "Show", mode), rival);
}

// The answer of this turn, with what the shown requests lack of it marked.
function answerOf(view) {
  const turn = view.contents.turns[view.turn - 1];
  if (!turn) return null;
  const lost = [...view.shown].flatMap((index) => (view.contents.strategies[index][view.turn - 1]?.lost || []).map((one) => one.what));
  const text = [...linesOf(view.contents, turn.answer), ...turn.calls.map(([name, given]) => `-> ${name}(${jsonText(given)})`)].join("\n");
  return el("div", { class: "given" },
    el("h4", {}, `The answer of turn ${view.turn}, ${plural(turn.output_tokens, "token")}`),
    el("pre", { tabindex: 0, "aria-label": `Answer of turn ${view.turn}` }, marked(text, [...new Set(lost)])),
    turn.error === null ? null : el("p", { class: "bad" }, errorText(turn.error)));
}

// An error's kind and message; or a value that was not taken as the answer.
const errorText = (error) => (error && error.kind && error.message ? `${error.kind}: ${error.message}` : `Not accepted: ${jsonText(error)}`);

// A text with each of these words marked where nothing touches it.
function marked(text, words) {
  const wanted = words.filter(Boolean).sort((one, other) => other.length - one.length);
  if (!wanted.length) return [text];
  const escaped = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_-])`, "gu");
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    nodes.push(text.slice(from, match.index), el("mark", {}, match[0]));
    from = match.index + match[0].length;
  }
  return [...nodes, text.slice(from)];
}
