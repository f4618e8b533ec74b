// The first screen of advice on logs: the money, the actions of the owner, the evidence.

const AFTERWARDS = ["Some days after a change, ", el("code", {}, "ptc-eval effect BEFORE AFTER"), " compares the logs from before and after it."];

function drawScreen() {
  const screen = totals.first_screen;
  if (!screen) return;
  const hasActions = screen.actions.length > 0;
  const main = [
    ...headingOf(screen.heading),
    screen.money.length > 0 && [moneyBar(screen.money), moneyList(screen.money)],
    screen.dearest && el("p", {}, "Most expensive session: ", withSession(screen.dearest)),
    hasActions && [el("h2", {}, "What you can change"), screen.together && el("p", { class: "hint" }, `${screen.together[0].toUpperCase()}${screen.together.slice(1)}.`), el("ol", { class: "actions" }, screen.actions.map(actionItem)), el("p", { class: "hint" }, AFTERWARDS)],
    // Without an action, the first sentence is the answer.
    [...screen.notes, ...screen.asides].map((text, at) => el("p", { class: at || hasActions ? "screen-note" : "screen-answer" }, prose(text))),
    screen.evidence.length > 0 && el("h2", { class: "how-sure" }, "How sure this is"),
    screen.evidence.map((text) => el("p", { class: "screen-note" }, prose(text))),
  ];
  const splits = screen.splits.map(({ title, rows }) => el("div", {}, el("h3", {}, title), moneyBar(rows), moneyList(rows)));
  byId("screen").append(
    el("div", { class: "screen-main" }, main, byId("words")),
    ...(splits.length ? [el("div", { class: "screen-splits" }, el("h2", {}, "Where the money went"), splits)] : []));
  byId("screen").hidden = false;
}

function headingOf([sessions, sum, ...missing]) {
  const { found } = totals.agents;
  const link = el("a", { href: "#agents" }, "See each agent");
  const all = found ? el("p", { class: "all-agents" }, totals.agents.sum ? `${totals.agents.sum} ` : `${plural(found, "agent")} in these logs. `, link, ". Here is the largest:") : null;
  const lines = sum ? [el("p", { class: "eyebrow" }, sessions), el("h1", {}, withAside(sum))] : [el("h1", {}, sessions)];
  return [all, ...lines, ...missing.map((text) => el("p", { class: "hint" }, text))];
}

// Shows parentheses at the end in a smaller size.
function withAside(text) {
  const [, head, aside] = text.match(/^(.* )(\([^()]*\))$/) ?? [null, text];
  return [head, aside && el("span", { class: "aside" }, aside)];
}

// One bar of the whole sum. The list below it has the same numbers as text.
function moneyBar(rows) {
  let start = 0;
  const pieces = rows.map((row, index) => {
    const width = row.share * 100;
    start += width;
    return svg("rect", { class: `use-${index}`, x: start - width, y: 0, width, height: 6 });
  });
  return svg("svg", { class: "money-bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" }, pieces);
}

function moneyList(rows) {
  const item = (row, index) =>
    el("li", {}, svg("svg", { class: "money-key", viewBox: "0 0 1 1", "aria-hidden": "true" }, svg("rect", { class: `use-${index}`, width: 1, height: 1 })),
      el("b", {}, row.dollars), el("span", { class: "share" }, ` ${Math.round(row.share * 100)}% `), el("span", {}, withSession(row.text)));
  return el("ul", { class: "money-list" }, rows.map(item));
}

// A text that begins with the name of a session opens it, unless several have this name.
function withSession(text) {
  const named = entries.filter((entry) => entry.label !== entry.name && text.startsWith(entry.label));
  if (named.length !== 1) return text;
  const [entry] = named;
  return [el("a", { href: address(entry, 1, baseline) }, entry.label), text.slice(entry.label.length)];
}

const APPLY = "This prints the code to add to your agent; for another library: --for NAME.";

// Lines to paste that follow each other are one block.
function actionLines(lines) {
  const blocks = [];
  for (const { text, is_code: isCode } of lines) {
    const last = blocks.at(-1);
    if (isCode && last?.isCode) last.text += `\n${text}`;
    else blocks.push({ text, isCode });
  }
  return blocks.map(({ text, isCode }) => (isCode ? [el("pre", { class: "paste" }, el("code", {}, text)), text.startsWith("ptc-eval apply") && el("p", {}, prose(APPLY))] : el("p", {}, text)));
}

function actionItem({ title, saves, loses, lines }) {
  return el("li", {},
    el("div", { class: "action-head" }, el("h3", {}, title), el("p", {}, "saves ", el("b", {}, saves))),
    actionLines(lines), el("p", {}, loses || "No fact is lost."));
}
