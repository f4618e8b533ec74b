// The first screen of advice on logs: the money, the actions of the owner, the evidence.

const inDollars = (amount) => {
  if (amount >= 1000) return `$${count(Math.round(amount))}`;
  return amount >= 0.1 || amount === 0 ? `$${amount.toFixed(2)}` : `$${amount.toFixed(4)}`;
};

const savingText = ([least, most]) => {
  const [from, to] = [inDollars(least), inDollars(most)];
  if (from === to) return to;
  if (least <= 0) return `up to ${to}`;
  // The ends of a range this wide are no matter of cents.
  return least >= 10 ? `$${count(Math.round(least))} to $${count(Math.round(most))}` : `${from} to ${to}`;
};

function drawScreen() {
  const screen = totals.first_screen;
  if (!screen) return;
  const [title, sum, ...missing] = screen.heading;
  const parts = [el("p", { class: "screen-title" }, title), sum && el("p", { class: "screen-sum" }, sum), ...missing.map((text) => el("p", {}, text))];
  if (screen.money.length > 0) parts.push(moneyBar(screen.money), moneyList(screen.money));
  if (screen.dearest) parts.push(el("p", {}, `Most expensive session: ${screen.dearest}`));
  if (screen.actions.length > 0) {
    parts.push(el("p", { class: "screen-title" }, `What you can change${screen.together ? ` (savings overlap: together at least ${screen.together})` : ""}`), el("ol", { class: "actions" }, screen.actions.map(actionItem)));
  }
  parts.push(...[...screen.notes, ...screen.asides, ...screen.evidence].map((text) => el("p", { class: "screen-note" }, text)));
  if (screen.splits.length > 0) {
    const splits = screen.splits.map(({ title, rows }) => el("div", {}, el("p", { class: "split-title" }, title), moneyBar(rows), moneyList(rows)));
    parts.push(el("p", { class: "screen-title" }, "Where the money went"), el("div", { class: "money-splits" }, splits));
  }
  byId("screen").append(...parts.filter(Boolean));
  byId("screen").hidden = false;
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
    el("li", {}, svg("svg", { class: "money-key", viewBox: "0 0 1 1", "aria-hidden": "true" }, svg("rect", { class: `use-${index}`, width: 1, height: 1 })), el("b", {}, inDollars(row.dollars)), ` ${Math.round(row.share * 100)}% `, row.text);
  return el("ul", { class: "money-list" }, rows.map(item));
}

// Lines to paste that follow each other are one block.
function actionLines(lines) {
  const blocks = [];
  for (const { text, is_code: isCode } of lines) {
    const last = blocks.at(-1);
    if (isCode && last?.isCode) last.text += `\n${text}`;
    else blocks.push({ text, isCode });
  }
  return blocks.map(({ text, isCode }) => (isCode ? el("pre", {}, el("code", {}, text)) : el("p", {}, text)));
}

function actionItem({ title, saves, loses, lines }) {
  const facts = el("p", {}, "saves ", el("b", {}, savingText(saves)), loses && ` · ${loses}`);
  return el("li", {}, el("p", { class: "action-title" }, title), facts, actionLines(lines));
}
