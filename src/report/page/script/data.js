// What the page holds: the totals, an entry for every scenario, and packed texts that are unpacked when asked for.

const totals = JSON.parse(byId("totals").textContent);

const strategies = totals.strategies.map((strategy, index) => Object.assign(strategy, {
  index,
  style: strategy.name === totals.baseline ? 0 : 1 + ((index - (index > baselineIndex() ? 1 : 0)) % 9),
  round: strategy.name === totals.baseline ? 0 : Math.floor((index - (index > baselineIndex() ? 1 : 0)) / 9),
  isBaseline: strategy.name === totals.baseline,
  costs: strategy.costs.map(BigInt),
  judged: strategy.judged.map((standing) => Object.assign(standing, { cost: BigInt(standing.cost) })),
}));
const baseline = strategies.find((strategy) => strategy.isBaseline) || strategies[0];

function baselineIndex() {
  return totals.strategies.findIndex((strategy) => strategy.name === totals.baseline);
}

// The element of a scenario has three lines: its entry, the index of its texts, and the packed texts.
const entries = Array.from(document.querySelectorAll("script.scenario"), (node, index) => {
  const text = node.firstChild.data;
  const end = text.indexOf("\n");
  const entry = JSON.parse(text.slice(0, end));
  return Object.assign(entry, { index, node, end, label: labelOf(entry), item: null, title: null, cells: null, panel: null, bits: null, searchable: null });
});

// Sessions of logs are named after the first words of the person.
function labelOf({ name }) {
  const sessions = totals.first_screen ? totals.first_screen.sessions : {};
  return Object.hasOwn(sessions, name) ? sessions[name] : name;
}

// What the reader has chosen for all parts of the page, and what the run was made with.
const chosen = { model: totals.models[0]?.model ?? null, tolerance: totals.max_short };
const start = { ...chosen };
const listeners = [];
const whenChosen = (listener) => listeners.push(listener);

function choose(change) {
  Object.assign(chosen, change);
  listeners.forEach((listener) => listener(change));
}

const modelIndex = () => totals.models.findIndex((model) => model.model === chosen.model);

async function inflate(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

// Only the last few stay unpacked.
const KEPT = 24;
const unpacked = new Map();

// The index of the texts, then the packed texts.
function partsOf(entry) {
  const text = entry.node.firstChild.data;
  const end = text.indexOf("\n", entry.end + 1);
  return [text.slice(entry.end + 1, end), text.slice(end + 1)];
}

async function packedIn(entry) {
  const [, packed] = partsOf(entry);
  return JSON.parse(await inflate(packed));
}

async function contentsOf(entry) {
  let contents = unpacked.get(entry.index);
  if (!contents) {
    contents = await packedIn(entry);
    contents.systemLines = entry.system ? (await systemText(entry.system)).split("\n") : SYSTEM_LINES;
    contents.strategies = contents.strategies.map((requests) => requests.map(namedFields));
    contents.strategies.forEach(unfoldMessages);
    if (unpacked.size >= KEPT) unpacked.delete(unpacked.keys().next().value);
    unpacked.set(entry.index, contents);
  }
  return contents;
}

// Scenarios with the same SYSTEM text of their own share one copy.
async function systemText(hash) {
  return JSON.parse(await inflate(byId(`system-${hash}`).firstChild.data));
}

// The fields of a request are named once for all. Its answer is short if something it needs is gone.
function namedFields(row) {
  const request = Object.fromEntries(totals.request_fields.map((name, index) => [name, row[index]]));
  return { ...request, gone: request.lost.filter((one) => !["reachable", "doubtful"].includes(one.grade)).length };
}

// A request's messages are packed as how many it has in common with the start of the one before, then the others.
function unfoldMessages(requests) {
  let before = [];
  for (const request of requests) {
    const [kept, ...others] = request.messages;
    request.messages = before = before.slice(0, kept).concat(others);
  }
}

// The lines of a text that is kept as runs of the scenario's pieces.
function linesOf(contents, runs) {
  let text = "";
  for (let at = 0; at < runs.length; at += 2) {
    for (let piece = runs[at]; piece < runs[at] + runs[at + 1]; piece += 1) text += contents.pieces[piece];
  }
  return text.split("\n");
}

const SYSTEM_LINES = totals.system.split("\n");

// A message without runs is the SYSTEM text. Native calls follow the text.
function messageOf(contents, number) {
  const [role, runs, calls] = contents.messages[number];
  const text = runs ? linesOf(contents, runs) : contents.systemLines;
  const lines = calls.length && text.join("") === "" ? calls : [...text, ...calls];
  return { number, role, lines };
}
