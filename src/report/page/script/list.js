// The list of scenarios: search in names and texts, filters, order, opening and closing.

const wanted = { text: "", state: "", tag: "", outcome: "", strategy: "", order: "suite" };
const STATES = [
  ["", "any state"], ["failed", "failed expectations"], ["snapshots", "snapshots not as accepted"], ["lost", "evidence lost"], ["inflated", "inflated"],
];
const ORDERS = [["suite", "suite order"], ["lost", "most lost first"], ["ratio", "most inflated first"], ["turns", "longest first"]];

const runsOf = (entry) => {
  const others = entry.strategies.filter((_, index) => index !== baseline.index);
  return wanted.strategy === "" ? others : [entry.strategies[Number(wanted.strategy)]];
};
const lostIn = (entry) => Math.max(0, ...runsOf(entry).map((run) => run.lost));
const worstRatio = (entry) => Math.max(0, ...runsOf(entry).map((run) => run.ratio ?? 0));

const CHECKS = {
  failed: (entry) => entry.failures > 0,
  snapshots: (entry) => entry.snapshots > 0,
  lost: (entry) => lostIn(entry) > 0,
  inflated: (entry) => worstRatio(entry) > 1,
};
const COMPARE = {
  suite: (one, other) => one.index - other.index,
  lost: (one, other) => lostIn(other) - lostIn(one) || one.index - other.index,
  ratio: (one, other) => worstRatio(other) - worstRatio(one) || one.index - other.index,
  turns: (one, other) => other.turns - one.turns || one.index - other.index,
};

function drawList() {
  drawFilters();
  for (const entry of entries) entry.item = itemOf(entry);
  filter();
}

const optionsOf = (pairs) => pairs.map(([value, label]) => el("option", { value }, label));

function drawFilters() {
  const counted = (values) => {
    const counts = new Map();
    values.forEach((value) => counts.set(value, (counts.get(value) || 0) + 1));
    return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([value, many]) => [value, `${value} (${many})`]);
  };
  const tags = counted(entries.flatMap((entry) => entry.tags));
  const select = (name, label, pairs) => el("select", { name, "aria-label": label, onchange: (event) => { wanted[name] = event.target.value; filter(); } }, optionsOf(pairs));
  const search = el("input", { type: "search", id: "search", name: "text", placeholder: "Search names and texts  ( / )", "aria-label": "Search names and texts", autocomplete: "off", spellcheck: "false", oninput: searchSoon });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").append(...[
    search,
    select("state", "State", STATES),
    select("strategy", "Under which strategy", [["", "any strategy"], ...strategies.map((strategy) => [strategy.index, strategy.name])]),
    select("outcome", "Outcome", [["", "any outcome"], ...counted(entries.map((entry) => entry.outcome))]),
    tags.length ? select("tag", "Tag", [["", "any tag"], ...tags]) : null,
    select("order", "Order", ORDERS),
  ].filter(Boolean));
}

function itemOf(entry) {
  const id = `scenario-${entry.index}`;
  const row = el("button", { type: "button", class: "row", "aria-expanded": "false", "aria-controls": id, onclick: () => toggle(entry) },
    el("span", { class: "chevron", "aria-hidden": "true" }, "›"),
    el("span", { class: "title" }, entry.name),
    el("span", { class: "note" }, badges(entry), entry.tags.map((tag) => el("span", { class: "tag" }, tag))),
    el("span", { class: "small" }, plural(entry.turns, "turn")),
    el("span", { class: "small" }, entry.outcome),
    el("span", { class: "strip-cell" }, strip(entry)));
  entry.row = row;
  return el("li", { class: "item", "data-name": entry.name }, el("h3", {}, row), el("div", { class: "panel", id, hidden: true }));
}

function badges(entry) {
  const others = entry.strategies.filter((_, index) => index !== baseline.index);
  const losing = others.filter((run) => run.lost).length;
  const inflated = others.filter((run) => run.ratio > 1).length;
  return [
    entry.failures ? el("span", { class: "badge bad" }, `${entry.failures} failed`) : null,
    entry.snapshots ? el("span", { class: "badge" }, `snapshots: ${entry.snapshots}`) : null,
    losing ? el("span", { class: "badge bad" }, `evidence lost: ${losing}`) : null,
    inflated ? el("span", { class: "badge warn" }, `inflated: ${inflated}`) : null,
  ];
}

const STRIP = { low: 0.4, high: 1.2 };

// Each strategy's tokens as a share of the baseline's: left of the line it saves; hollow where evidence is lost.
function strip(entry) {
  const left = scale([STRIP.low, STRIP.high], [4, 156]);
  const at = (ratio) => left(Math.min(Math.max(ratio, STRIP.low), STRIP.high));
  const others = strategies.filter((strategy) => !strategy.isBaseline && isNumber(entry.strategies[strategy.index].ratio));
  const says = others.map((strategy) => `${strategy.name} ${percent(entry.strategies[strategy.index].ratio)}`).join(", ");
  return svg("svg", { class: "strip", viewBox: "0 0 160 18", role: "img", "aria-label": `Tokens as a share of the baseline’s: ${says}` },
    svg("title", {}, says.replaceAll(", ", "\n")),
    svg("line", { x1: 0, x2: 160, y1: 9, y2: 9 }), svg("line", { class: "mid", x1: left(1), x2: left(1), y1: 1, y2: 17 }),
    others.map((strategy) => svg("g", { class: `s${strategy.style}`, transform: `translate(${at(entry.strategies[strategy.index].ratio).toFixed(1)},9)` },
      svg("path", { class: entry.strategies[strategy.index].lost ? "lossy" : null, d: SHAPES[strategy.style], transform: "scale(4)", "vector-effect": "non-scaling-stroke" }))));
}

async function toggle(entry, open) {
  const isOpen = entry.row.getAttribute("aria-expanded") === "true";
  const shouldOpen = open ?? !isOpen;
  if (shouldOpen === isOpen) return;
  entry.row.setAttribute("aria-expanded", shouldOpen);
  entry.item.classList.toggle("open", shouldOpen);
  const panel = entry.item.lastChild;
  panel.hidden = !shouldOpen;
  current = entry;
  if (shouldOpen) {
    history.replaceState(null, "", `#scenario=${encodeURIComponent(entry.name)}`);
    await openPanel(entry, panel);
  } else {
    closePanel(entry);
    panel.replaceChildren();
  }
}

let visible = [];
let current = null;
let foundInTexts = new Set();

function matches(entry) {
  const needle = wanted.text.toLowerCase();
  return (!wanted.state || CHECKS[wanted.state](entry))
    && (!wanted.tag || entry.tags.includes(wanted.tag))
    && (!wanted.outcome || entry.outcome === wanted.outcome)
    && (!needle || entry.name.toLowerCase().includes(needle) || foundInTexts.has(entry.index));
}

function filter(progress) {
  visible = entries.filter(matches).sort(COMPARE[wanted.order]);
  byId("list").replaceChildren(...(visible.length ? visible.map((entry) => entry.item) : [el("li", { class: "none" }, "No scenario matches.")]));
  byId("status").textContent = `${count(visible.length)} of ${count(entries.length)}${progress || ""}`;
}

let searches = 0;
let pause = null;

function searchSoon(event) {
  wanted.text = event.target.value.trim();
  byId("status").textContent = "searching…";
  clearTimeout(pause);
  pause = setTimeout(search, 120);
}

const BATCH = 25;

// Names at once, then texts, a few scenarios at a time so that typing goes on.
async function search() {
  searches += 1;
  const own = searches;
  const needle = wanted.text.toLowerCase();
  foundInTexts = new Set();
  filter(needle.length > 1 ? ", searching texts…" : "");
  if (needle.length < 2) return highlightFound();
  for (let at = 0; at < entries.length; at += BATCH) {
    const found = await Promise.all(entries.slice(at, at + BATCH).map((entry) => holds(entry, needle)));
    if (own !== searches) return;
    found.forEach((isFound, index) => { if (isFound) foundInTexts.add(at + index); });
    byId("status").textContent = `${count(visible.length)} of ${count(entries.length)}, searched ${count(Math.min(at + BATCH, entries.length))} texts`;
  }
  filter();
  highlightFound();
}

// The lower-case text of a scenario is kept, since the next letter will be looked for in it too.
async function holds(entry, needle) {
  if (entry.searchable === undefined) {
    const contents = await contentsOf(entry);
    entry.searchable = [contents.description || "", contents.origin, contents.pieces.join("")].join("\n").toLowerCase();
  }
  return entry.searchable.includes(needle);
}

// Marks what is searched for in open scenarios, without touching their elements.
function highlightFound() {
  if (!window.CSS || !CSS.highlights) return;
  const needle = wanted.text.toLowerCase();
  const ranges = needle.length > 1 ? [...views.values()].flatMap((view) => rangesOf(view.host, needle)) : [];
  CSS.highlights.set("found", new Highlight(...ranges));
}

const MOST_HIGHLIGHTS = 2000;

function rangesOf(host, needle) {
  const ranges = [];
  const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && ranges.length < MOST_HIGHLIGHTS) {
    const { data } = walker.currentNode;
    const text = data.toLowerCase();
    // Where lower case is longer, places in the two differ.
    if (text.length !== data.length) continue;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const range = new Range();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + needle.length);
      ranges.push(range);
    }
  }
  return ranges;
}
