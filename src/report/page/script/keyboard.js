// Everything by key: each row is keys, what it says, and what it does.

const KEYS = [
  { keys: ["/"], says: "search", run: () => { byId("search").focus(); byId("search").select(); } },
  { keys: ["j", "ArrowDown"], shown: "j ↓", says: "next scenario", run: () => move(1) },
  { keys: ["k", "ArrowUp"], shown: "k ↑", says: "scenario before", run: () => move(-1) },
  { keys: ["o"], shown: "o Enter", says: "open or close the scenario", run: () => { const entry = here(); if (entry) { entry.row.focus(); toggle(entry); } } },
  { keys: ["n"], says: "next turn", run: () => turnBy(1) },
  { keys: ["p"], says: "turn before", run: () => turnBy(-1) },
  { keys: ["l", "ArrowRight"], shown: "l →", says: "next strategy’s request", run: () => columnBy(1) },
  { keys: ["h", "ArrowLeft"], shown: "h ←", says: "request of the strategy before", run: () => columnBy(-1) },
  { keys: ["d"], says: "request, changes since the turn before, difference to a strategy", run: () => nextMode() },
  { keys: ["a"], says: "all strategies side by side, or a few", run: () => pressIn("all") },
  { keys: ["x"], says: "clear search and filters", run: () => clearFilters() },
  { keys: ["t"], says: "theme: the system’s, light, dark", run: () => byId("theme").click() },
  { keys: ["g"], says: "to the top", run: () => { scrollTo({ top: 0 }); byId("overview").focus({ preventScroll: true }); } },
  { keys: ["?"], says: "this help", run: () => showHelp() },
];

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && event.target.id === "search") return leaveSearch();
    if (event.target.matches("input[type=search], select, textarea") || byId("keyboard").open) return;
    if (event.key.startsWith("Arrow") && !mayTakeArrow(event)) return;
    const row = KEYS.find((one) => one.keys.includes(event.key));
    if (!row) return;
    event.preventDefault();
    row.run();
  });
  byId("help").addEventListener("click", showHelp);
  byId("keyboard").addEventListener("click", (event) => { if (event.target === event.currentTarget) event.currentTarget.close(); });
}

// Arrows scroll the page, unless the reader is on a scenario's row or on a request.
function mayTakeArrow(event) {
  return event.key === "ArrowUp" || event.key === "ArrowDown" ? event.target.matches(".row") : event.target.matches(".request h4, .row");
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
  return visible.find((entry) => entry.item === item) || (visible.includes(current) ? current : visible[0]);
}

function move(by) {
  if (!visible.length) return;
  const isInside = document.activeElement.closest?.(".item") || current;
  const at = visible.indexOf(here());
  current = visible[isInside ? Math.min(Math.max(at + by, 0), visible.length - 1) : 0];
  current.row.focus({ preventScroll: true });
  current.item.scrollIntoView({ block: "nearest" });
}

const openView = () => {
  const entry = here();
  return entry && (views.get(entry.index) || [...views.values()].at(-1));
};

function turnBy(by) {
  const view = openView();
  if (view) view.go({ turn: view.turn + by });
}

function columnBy(by) {
  const view = openView();
  if (!view) return;
  const headings = [...view.body.querySelectorAll(".request h4")];
  const at = headings.indexOf(document.activeElement);
  const next = headings[at < 0 ? 0 : Math.min(Math.max(at + by, 0), headings.length - 1)];
  if (!next) return;
  next.focus({ preventScroll: true });
  next.closest(".request").scrollIntoView({ block: "nearest", inline: "nearest" });
}

function nextMode() {
  const view = openView();
  if (!view) return;
  const at = MODES.findIndex(([mode]) => mode === view.mode);
  view.go({ mode: MODES[(at + 1) % MODES.length][0] });
}

function pressIn(key) {
  openView()?.body.querySelector(`[data-key="${key}"]`)?.click();
}

function clearFilters() {
  byId("filters").reset();
  Object.assign(wanted, { text: "", state: "", tag: "", outcome: "", strategy: "", order: "suite" });
  search();
}

function showHelp() {
  const keys = (row) => (row.shown ? row.shown.split(" ") : row.keys).map((key) => [el("kbd", {}, key), " "]);
  const dialog = byId("keyboard");
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: "keyboard-title" }, "Keyboard"), el("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    el("dl", {}, KEYS.flatMap((row) => [el("dt", {}, keys(row)), el("dd", {}, row.says)])));
  dialog.showModal();
}
