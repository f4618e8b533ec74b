// Keys: each row is keys, what they do in words, and a function.

const KEYS = [
  { keys: ["/"], says: "search", run: () => { byId("search").focus(); byId("search").select(); } },
  { keys: ["j", "ArrowDown"], shown: "j ↓", says: "next scenario", run: () => move(1) },
  { keys: ["k", "ArrowUp"], shown: "k ↑", says: "previous scenario", run: () => move(-1) },
  { keys: ["l", "ArrowRight"], shown: "l →", says: "next strategy", run: () => cellBy(1) },
  { keys: ["h", "ArrowLeft"], shown: "h ←", says: "previous strategy", run: () => cellBy(-1) },
  { keys: [], shown: "Enter", says: "open the scenario, under the strategy of a cell" },
  { keys: ["n"], says: "next turn of the open scenario", run: () => turnBy(1) },
  { keys: ["p"], says: "previous turn", run: () => turnBy(-1) },
  { keys: ["d"], says: "request, changes since the turn before, difference to a strategy", run: () => nextMode() },
  { keys: ["?"], says: "this help", run: () => showHelp() },
];

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && event.target.id === "search") return leaveSearch();
    if (event.target.matches("input[type=search], input[type=range], select") || document.querySelector("dialog[open]")) return;
    // Arrows scroll the page, unless the reader is on a row.
    if (event.key.startsWith("Arrow") && !event.target.matches(".title, .cell")) return;
    const row = KEYS.find((one) => one.keys.includes(event.key));
    if (!row) return;
    event.preventDefault();
    row.run();
  });
  byId("help").addEventListener("click", showHelp);
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  }
}

function leaveSearch() {
  if (byId("search").value) {
    byId("search").value = "";
    wanted.text = "";
    search();
  } else move(0);
}

// The scenario where the reader is.
function here() {
  const item = document.activeElement.closest?.(".item");
  return visible.find((entry) => item && entry.item === item) || (visible.includes(current) ? current : visible[0]);
}

const shownRows = () => visible.slice(0, limit);

// To another scenario, in the same column.
function move(by) {
  if (!visible.length) return;
  const column = document.activeElement.matches(".cell") ? [...document.activeElement.parentNode.children].indexOf(document.activeElement) : -1;
  const isInside = document.activeElement.closest?.(".item") || current;
  const rows = shownRows();
  current = rows[isInside ? Math.min(Math.max(rows.indexOf(here()) + by, 0), rows.length - 1) : 0];
  (current.cells.children[column] || current.title).focus({ preventScroll: true });
  current.item.scrollIntoView({ block: "nearest" });
}

function cellBy(by) {
  const entry = here();
  if (!entry) return;
  const row = [entry.title, ...entry.cells.children];
  const at = row.indexOf(document.activeElement);
  row[Math.min(Math.max(at + by, 0), row.length - 1)].focus({ preventScroll: true });
}

const openView = () => {
  const entry = here();
  return entry && (views.get(entry.index) || [...views.values()].at(-1));
};

function turnBy(by) {
  const view = openView();
  if (view) view.go({ turn: view.turn + by });
}

function nextMode() {
  const view = openView();
  if (!view) return;
  const at = MODES.findIndex(([mode]) => mode === view.mode);
  view.go({ mode: MODES[(at + 1) % MODES.length][0] });
}

function showHelp() {
  const keys = (row) => (row.shown ? row.shown.split(" ") : row.keys).map((key) => [el("kbd", {}, key), " "]);
  const dialog = byId("keyboard");
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: "keyboard-title" }, "Keyboard"), el("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    el("dl", {}, KEYS.flatMap((row) => [el("dt", {}, keys(row)), el("dd", {}, row.says)])));
  dialog.showModal();
}
