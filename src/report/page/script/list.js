// The scenarios, worst first, as a heat map of scenario and strategy; search in names and texts, filters.

const wanted = { text: "", state: "", tag: "", strategy: "" };
const NOUN = totals.is_advice ? "conversation" : "scenario";
const STATES = [["", `all ${NOUN}s`], ["short", "with answers lacking a fact"], ["dearer", "that cost more"], ["failed", "with failed expectations"], ["snapshots", "with snapshots not as accepted"]];

const others = strategies.filter((strategy) => !strategy.isBaseline);
const watched = () => (wanted.strategy === "" ? others : [strategies[Number(wanted.strategy)]]);
const shortIn = (entry) => watched().reduce((sum, strategy) => sum + entry.strategies[strategy.index].short.length, 0);
const worstChange = (entry) => Math.max(-1, ...watched().map((strategy) => costChange(entry, strategy) ?? -1));

// The change of cost, or of tokens without models, against the baseline.
function costChange(entry, strategy) {
  const [own, whole] = [strategy, baseline].map(({ index }) => (chosen.model ? entry.strategies[index].costs[modelIndex()] : entry.strategies[index].input_tokens));
  return own && whole ? own / whole - 1 : null;
}
const costChangeText = (entry, strategy) => signed(costChange(entry, strategy));

const CHECKS = {
  short: (entry) => shortIn(entry) > 0,
  dearer: (entry) => worstChange(entry) > 0.0005,
  failed: (entry) => entry.failures > 0,
  snapshots: (entry) => entry.snapshots > 0,
};

// Failed ones first, then those with most answers that lack a fact, then those that became dearest.
function worstFirst(list) {
  const rows = list.map((entry) => ({ entry, hasFailed: entry.failures > 0, short: shortIn(entry), change: worstChange(entry) }));
  rows.sort((one, other) => other.hasFailed - one.hasFailed || other.short - one.short || other.change - one.change || one.entry.index - other.entry.index);
  return rows.map(({ entry }) => entry);
}

function drawList() {
  byId("scenarios-title").textContent = `${NOUN === "scenario" ? "Scenarios" : "Conversations"}, worst first`;
  if (totals.is_advice) byId("scenarios-link").textContent = "Conversations";
  drawFilters();
  drawCosts();
  byId("all").addEventListener("click", () => { limit = Infinity; drawRows(); });
  whenChosen((change) => { if ("model" in change) drawCosts(); else drawHeads(); });
}

function drawFilters() {
  const tags = new Map();
  entries.flatMap((entry) => entry.tags).forEach((tag) => tags.set(tag, (tags.get(tag) || 0) + 1));
  const tagOptions = [...tags].sort(([one], [other]) => (one < other ? -1 : 1)).map(([tag, many]) => [tag, `${tag} (${many})`]);
  const select = (name, label, pairs) => el("select", { name, "aria-label": label, onchange: (event) => { wanted[name] = event.target.value; filter(); } },
    pairs.map(([value, text]) => el("option", { value }, text)));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").append(...[
    el("input", { type: "search", id: "search", name: "text", placeholder: "Search names and texts  ( / )", "aria-label": "Search names and texts", autocomplete: "off", spellcheck: "false", oninput: searchSoon }),
    select("strategy", "Under which strategy", [["", "under any strategy"], ...others.map((strategy) => [strategy.index, `under ${strategy.name}`])]),
    select("state", "State", STATES),
    tags.size ? select("tag", "Tag", [["", "any tag"], ...tagOptions]) : null,
  ].filter(Boolean));
}

// Names above the cells, in the order of the table.
function drawHeads() {
  const best = recommended();
  byId("heads").replaceChildren(...order.map((strategy) => el("span", { class: strategy === best ? "best" : null }, mark(strategy), el("span", { class: "wide" }, strategy.name))));
  // On a phone the marks are in the cells, on several lines.
  byId("heads-key").replaceChildren(...order.map((strategy) => el("li", {}, mark(strategy), strategy.name)));
}

// The row of a scenario, which is made when it is first shown.
function itemOf(entry) {
  if (entry.item) return entry.item;
  const id = `scenario-${entry.index}`;
  entry.title = el("button", { type: "button", class: "title", "aria-expanded": "false", "aria-controls": id, onclick: () => (views.has(entry.index) ? shut(entry) : reveal(entry)) },
    el("span", { class: "chevron", "aria-hidden": "true" }, "›"), el("span", {}, entry.label));
  const note = el("span", { class: "note" }, `${plural(entry.turns, "turn")}, ${plural(entry.needing, "answer uses", "answers use")} earlier text `,
    entry.label === entry.name ? null : el("span", { class: "file" }, entry.name),
    entry.failures ? el("span", { class: "badge bad" }, `${entry.failures} failed`) : null,
    entry.snapshots ? el("span", { class: "badge" }, `snapshots: ${entry.snapshots}`) : null);
  entry.cells = el("div", { class: "heat", role: "group", "aria-label": `${entry.label} by strategy` });
  entry.panel = el("div", { class: "panel", id, hidden: true });
  entry.item = el("li", { class: "item", "data-name": entry.name }, el("div", { class: "row" }, el("div", {}, el("h3", {}, entry.title), note), entry.cells), entry.panel);
  return entry.item;
}

// Answers missing a fact by colour and text, then the change of cost.
function cellOf(entry, strategy) {
  const { short, input_tokens } = entry.strategies[strategy.index];
  const level = short.length ? Math.min(3, Math.ceil((short.length / entry.needing) * 4)) : 0;
  const change = costChange(entry, strategy);
  return el("button", { type: "button", class: `cell level${level}`, tabindex: -1, "data-strategy": strategy.name, onclick: () => reveal(entry, strategy) },
    mark(strategy), el("b", {}, input_tokens ? short.length : NONE), el("span", { class: "unseen" }, " answers lacking a fact, cost "),
    el("small", {}, change === null ? NONE : `${change < -0.005 ? "−" : change > 0.005 ? "+" : ""}${Math.round(Math.abs(change) * 100)}%`), el("span", { class: "unseen" }, ` ${strategy.name}`));
}

// The chosen strategy; else the recommended one, or the baseline, if it leaves an answer short, else the one with the most.
function strategyToOpen(entry) {
  if (wanted.strategy !== "") return watched()[0];
  const short = (strategy) => entry.strategies[strategy.index].short.length;
  const best = recommended() ?? baseline;
  return short(best) ? best : others.reduce((most, one) => (short(one) > short(most) ? one : most), best);
}

async function reveal(entry, strategy = strategyToOpen(entry), turn) {
  if (!visible.includes(entry)) clearFilters();
  if (visible.indexOf(entry) >= limit) { limit = Infinity; drawRows(); }
  entry.title.setAttribute("aria-expanded", "true");
  entry.item.classList.add("open");
  entry.panel.hidden = false;
  current = entry;
  await openPanel(entry, entry.panel, strategy, turn);
}

function shut(entry) {
  views.delete(entry.index);
  entry.title.setAttribute("aria-expanded", "false");
  entry.item.classList.remove("open");
  entry.panel.hidden = true;
  entry.panel.replaceChildren();
  history.replaceState(null, "", "#scenarios");
}

let visible = [];
let current = null;
let foundInTexts = new Set();
const FIRST_ROWS = 100;
let limit = FIRST_ROWS;
let order = [];

function matches(entry) {
  const needle = wanted.text.toLowerCase();
  return (!wanted.state || CHECKS[wanted.state](entry))
    && (!wanted.tag || entry.tags.includes(wanted.tag))
    && (!needle || entry.name.toLowerCase().includes(needle) || entry.label.toLowerCase().includes(needle) || foundInTexts.has(entry.index));
}

function filter(progress) {
  visible = worstFirst(entries.filter(matches));
  limit = FIRST_ROWS;
  drawRows();
  byId("status").textContent = `${count(visible.length)} of ${count(entries.length)}${progress || ""}`;
}

function drawRows() {
  const shown = visible.slice(0, limit);
  for (const entry of shown) {
    itemOf(entry);
    if (!entry.cells.firstChild) entry.cells.replaceChildren(...order.map((strategy) => cellOf(entry, strategy)));
  }
  byId("list").replaceChildren(...(shown.length ? shown.map((entry) => entry.item) : [el("li", { class: "none" }, `No ${NOUN} matches.`)]));
  byId("all").hidden = shown.length === visible.length;
  byId("all").textContent = `Show all ${plural(visible.length, NOUN)}`;
}

// After a change of model, costs and the order of the strategies are others.
function drawCosts() {
  order = cheapestFirst().filter((strategy) => !strategy.isBaseline);
  entries.forEach((entry) => entry.cells?.replaceChildren());
  drawHeads();
  filter();
}

function clearFilters() {
  byId("filters").reset();
  Object.assign(wanted, { text: "", state: "", tag: "", strategy: "" });
  filter();
}

let searches = 0;
let pause = null;

function searchSoon(event) {
  wanted.text = event.target.value.trim();
  byId("status").textContent = "searching…";
  clearTimeout(pause);
  pause = setTimeout(search, 60);
}

const BATCH = 10;

// Names and indexes at once. What an index may hold is then looked for in the text, a few at a time so that typing goes on.
async function search() {
  searches += 1;
  const own = searches;
  const needle = wanted.text.toLowerCase();
  foundInTexts = new Set();
  if (needle.length < 2) {
    filter();
    return highlightFound();
  }
  const systems = await systemsWith(needle);
  if (own !== searches) return;
  const hashes = trigramsOf(needle);
  const found = entries.filter((entry) => systems.has(entry.system));
  const likely = worstFirst(entries.filter((entry) => !systems.has(entry.system) && mayHold(entry, hashes)));
  // Two letters have no trigram: their scenarios are listed once they are found.
  foundInTexts = new Set([...found, ...(hashes.length ? likely : [])].map(({ index }) => index));
  if (!await look(likely, needle, () => own === searches)) return;
  filter();
  highlightFound();
}

// Milliseconds after which the likely scenarios are listed before all their texts are searched.
const PATIENCE = 40;

// Looks into texts, and keeps in `foundInTexts` which have the needle. Returns false if a later search has begun.
async function look(list, needle, isWanted) {
  const start = performance.now();
  let isListed = false;
  for (let at = 0; at < list.length; at += BATCH) {
    const batch = list.slice(at, at + BATCH);
    const found = await Promise.all(batch.map((entry) => holds(entry, needle)));
    if (!isWanted()) return false;
    batch.forEach(({ index }, place) => { if (found[place]) foundInTexts.add(index); else foundInTexts.delete(index); });
    if (performance.now() - start < PATIENCE) continue;
    if (isListed) byId("status").textContent = `${count(entries.filter(matches).length)} of ${count(entries.length)}, searching texts…`;
    else filter(", searching texts…");
    isListed = true;
  }
  return true;
}

// The lower-case text of a scenario is kept, since the next letter will be looked for in it too.
async function holds(entry, needle) {
  if (entry.searchable === null) {
    const contents = await packedIn(entry);
    entry.searchable = `${contents.description || ""}\n${contents.origin}\n${contents.pieces.join("")}`.toLowerCase();
  }
  return entry.searchable.includes(needle);
}

// SYSTEM texts in lower case, by their hashes: many scenarios share one.
const systemTexts = new Map();

async function systemsWith(needle) {
  const found = new Set();
  for (const hash of new Set(entries.map((entry) => entry.system).filter(Boolean))) {
    if (!systemTexts.has(hash)) systemTexts.set(hash, (await systemText(hash)).toLowerCase());
    if (systemTexts.get(hash).includes(needle)) found.add(hash);
  }
  return found;
}

// Hashes of three bytes each, as in `trigrams.rs`.
function trigramsOf(needle) {
  const bytes = new TextEncoder().encode(needle);
  return Array.from({ length: Math.max(0, bytes.length - 2) }, (_, at) => Math.imul((bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2], 0x9e3779b1) >>> 16);
}

// Returns false if the texts of a scenario surely lack one of these trigrams.
function mayHold(entry, hashes) {
  entry.bits ??= atob(partsOf(entry)[0]);
  const most = entry.bits.length * 8 - 1;
  return hashes.every((hash) => (entry.bits.charCodeAt((hash & most) >> 3) >> (hash & 7)) & 1);
}

// Marks the searched text in open scenarios, without touching their elements.
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
