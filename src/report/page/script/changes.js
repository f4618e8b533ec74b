// What changed for the model since the accepted golden files, a block for each change. The list is that of `run` and `review`.

function drawChanges() {
  const { changes } = totals;
  if (!changes) return;
  byId("changes-title").textContent = `${changes.since}: ${changes.title}`;
  const next = totals.changed_snapshots ? [" To accept them: ", el("code", {}, "ptc-eval review"), ". Else take the edit back."] : [];
  byId("changes-hint").replaceChildren("− is text that the model no longer gets, + is text that it now gets. Each block has all requests that one edit changed.", ...next);
  byId("changes-list").append(...changes.list.map(changeItem));
  byId("changes").hidden = false;
  byId("changes-link").hidden = false;
}

function changeItem(change) {
  const lines = (kind, side) => [
    ...side.lines.map((line) => el("div", { class: kind }, line)),
    side.more ? el("div", { class: kind }, `… ${plural(side.more, "more line")}`) : null,
  ];
  const isOrder = !change.removed.lines.length && !change.added.lines.length && !change.one_sided;
  return el("li", {},
    el("h3", {}, change.title), el("p", { class: "hint" }, change.extent),
    isOrder
      ? el("p", {}, "The same lines in another order, or in other messages.")
      : el("div", { class: "text given" }, lines("removed", change.removed), lines("added", change.added)),
    change.numbers.map((line) => el("p", { class: "columns-kept" }, line)),
    change.worst ? worstOf(change.worst) : null,
    placesOf(change));
}

// The request that newly lacks most facts, with a button that opens it.
function worstOf({ sentence, scenario, strategy, turn }) {
  const entry = entries.find((one) => one.name === scenario);
  const shown = strategies.find((one) => one.name === strategy);
  const text = `Worst: ${sentence}`;
  if (!entry || !shown) return el("p", {}, text);
  return el("p", {}, el("button", { type: "button", class: "link", onclick: () => goTo(entry, shown, turn) }, text));
}

function placesOf(change) {
  const places = change.scenarios.map((name) => entries.find((entry) => entry.name === name)).filter(Boolean);
  if (!places.length) return null;
  const link = (entry) => el("li", {}, el("button", { type: "button", class: "link", onclick: () => goTo(entry) }, entry.name));
  return el("details", { class: "legend" }, el("summary", {}, `${plural(places.length, "scenario")} with this change`), el("ul", { class: "places" }, places.map(link)));
}
