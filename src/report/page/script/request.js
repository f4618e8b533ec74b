// One request as a column: its numbers, what it lacks, its messages, where the cached prefix ends,
// and how it differs from another request.

const CONTEXT = 3;
const FOLDED_FROM = 10;

// All lines of a request, each with its message.
function linesOfRequest(contents, request) {
  return request.messages.flatMap((number, position) => {
    const message = messageOf(contents, number);
    return [
      { text: `\u0000${message.role}`, role: message.role, position, message },
      ...message.lines.map((text, line) => ({ text, position, line, message })),
    ];
  });
}

// Where a request first differs from the one before: a message, a line of it (-1: all of it is new), and a
// character of that.
function breakPlace(contents, before, request) {
  const position = request.messages.findIndex((number, index) => before.messages[index] !== number);
  if (position < 0) return null;
  const [old, young] = [before.messages[position], request.messages[position]].map((number) =>
    (number === undefined ? null : messageOf(contents, number)));
  if (!old || old.role !== young.role) return { position, line: -1, character: 0 };
  let line = 0;
  while (line < old.lines.length && line < young.lines.length && old.lines[line] === young.lines[line]) line += 1;
  const [one, other] = [old.lines[line] ?? "", young.lines[line] ?? ""];
  let character = 0;
  while (character < one.length && character < other.length && one[character] === other[character]) character += 1;
  return { position, line: Math.min(line, young.lines.length - 1), character };
}

function requestColumn(view, strategy) {
  const request = view.contents.strategies[strategy.index][view.turn - 1];
  const head = el("header", {}, el("h4", { tabindex: -1 }, named(strategy)), request ? requestNumbers(strategy, request) : null);
  const column = el("section", { class: `request s${strategy.style}${strategy === view.strategy ? " chosen" : ""}`, "aria-label": `${strategy.name}, turn ${view.turn}`, "data-strategy": strategy.index }, head);
  if (!request) {
    column.append(el("p", { class: "lacks" }, "No request before this turn."));
    return column;
  }
  column.append(...lostList(view, request).filter(Boolean));
  column.append(el("div", { class: "text" }, requestLines(view, strategy, request)));
  return column;
}

function requestNumbers(strategy, request) {
  const [cached, dollars] = request.bills[modelIndex()] || [];
  const parts = [
    [el("b", {}, count(request.input_tokens)), " tokens"],
    request.larger ? [el("span", { class: "badge warn" }, "▲ larger than the baseline’s")] : null,
    request.prefix_tokens ? ["shared prefix ", el("b", {}, count(request.prefix_tokens))] : null,
    dollars === undefined ? null : [el("b", {}, money(dollars)), `, ${count(cached)} cached`],
    request.needed ? [el("b", {}, `${request.shown} of ${request.needed}`), " used facts shown"] : null,
    request.printlns[1] ? [`${request.printlns[0]} of ${plural(request.printlns[1], "print")} shown`] : null,
    request.tool_calls[1] ? [`${request.tool_calls[0]} of ${plural(request.tool_calls[1], "call")} shown`] : null,
    request.hidden_tool_calls ? [el("b", {}, count(request.hidden_tool_calls)), request.hidden_tool_calls === 1 ? " call hidden" : " calls hidden"] : null,
    request.valid ? null : [el("span", { class: "badge bad" }, "not a valid chat")],
  ];
  return el("div", { class: "numbers" }, parts.filter(Boolean).map((part) => el("span", {}, part)));
}

const GRADES = {
  gone: "Gone, and the answer uses it",
  own: "Only the model’s own answers had said it",
  doubtful: "Not shown, but a common name: not counted",
  reachable: "Inside a value whose name the request shows",
};

// What the request lacks, the worst first.
function lostList(view, request) {
  const item = (lost) => el("li", {}, el("code", {}, lost.what), lost.more_lines ? ` and ${lost.more_lines} more lines` : "",
    lost.turn || lost.kind === "used" ? [" from ", el("button", { type: "button", class: "link", onclick: () => view.goToSource(lost) },
      lost.turn ? `turn ${lost.turn}` : "the opening")] : "",
    lost.kind === "listed" ? ", listed under needs" : "");
  return Object.entries(GRADES).map(([grade, title]) => {
    const lost = request.lost.filter((one) => one.grade === grade);
    return lost.length ? el("div", { class: `lacks ${grade}` }, el("h5", {}, title), el("ul", {}, lost.map(item))) : null;
  });
}

// What the request is compared with: its own lines, those of the turn before, or another strategy's.
function rivalLines(view, strategy) {
  const of = (index, turn) => {
    const request = (view.contents.strategies[index] || [])[turn - 1];
    return request ? linesOfRequest(view.contents, request).map((line) => line.text) : null;
  };
  if (view.mode === "before") return view.turn > 1 ? of(strategy.index, view.turn - 1) : null;
  if (view.mode === "strategy" && view.rival !== strategy.index) return of(view.rival, view.turn);
  return null;
}

function requestLines(view, strategy, request) {
  const lines = linesOfRequest(view.contents, request);
  const before = view.turn > 1 ? view.contents.strategies[strategy.index][view.turn - 2] : null;
  const cut = before && { place: breakPlace(view.contents, before, request), request };
  const rival = rivalLines(view, strategy);
  const steps = rival
    ? differences(rival, lines.map((line) => line.text))
    : lines.map((line) => ({ kind: "same", item: line.text }));
  let next = 0;
  const rows = steps.map((step) => (step.kind === "removed" ? { ...step } : { ...step, from: lines[next++] }));
  return folded(withWords(rows).map((row) => ({ ...row, nodes: rowNodes(row, cut) })), Boolean(rival))
    .concat(cut && !cut.place ? [breakRule(cut.request)] : []);
}

// Marks words where one block of removed lines meets as many added ones.
function withWords(rows) {
  const out = rows.map((row) => ({ ...row }));
  for (let at = 0; at < out.length; at += 1) {
    if (out[at].kind === "same") continue;
    let removed = at;
    while (removed < out.length && out[removed].kind === "removed") removed += 1;
    let added = removed;
    while (added < out.length && out[added].kind === "added") added += 1;
    const pairs = Math.min(removed - at, added - removed);
    for (let pair = 0; pair < pairs; pair += 1) {
      const words = wordDifferences(out[at + pair].item, out[removed + pair].item);
      if (words) { out[at + pair].words = words.removed; out[removed + pair].words = words.added; }
    }
    at = Math.max(added - 1, at);
  }
  return out;
}

function rowNodes(row, cut) {
  if (row.item.startsWith("\u0000")) return roleNodes(row, cut);
  const isSection = row.item.length < 48 && /^(#{1,3} |;; )/.test(row.item);
  const attributes = { class: [row.kind === "same" ? "" : row.kind, isSection ? "section" : ""].join(" ").trim() || null };
  if (isCutAt(row, cut, row.from?.line)) {
    const text = row.words || [
      cut.place.character ? el("span", { class: "kept" }, row.item.slice(0, cut.place.character)) : null,
      row.item.slice(cut.place.character),
    ];
    return [breakRule(cut.request), el("div", attributes, text)];
  }
  return [el("div", attributes, row.words || row.item)];
}

// True if the cached prefix ends before this line; -1: before the message.
const isCutAt = ({ from }, cut, line) => Boolean(from && cut?.place) && cut.place.position === from.position && cut.place.line === line;

function roleNodes(row, cut) {
  const role = row.item.slice(1);
  const isNew = row.kind !== "same";
  const label = row.from ? ` · message ${row.from.position + 1}` : null;
  const node = el("div", { class: `role ${isNew ? row.kind : ""}`.trim() }, el("b", {}, role), label);
  return isCutAt(row, cut, -1) ? [breakRule(cut.request), node] : [node];
}

function breakRule(request) {
  const where = request.break_at === "none" ? "everything before it is repeated"
    : /^\d+$/.test(request.break_at) ? `first difference in message ${request.break_at}` : `first difference in ${request.break_at}`;
  return el("div", { class: "break" }, el("span", {}, `cached prefix ends: ${count(request.prefix_tokens)} of ${count(request.input_tokens)} tokens, ${where}`));
}

// Folds what is the same and far from what differs; where nothing is compared, only SYSTEM.
function folded(rows, isCompared) {
  const isHidden = isCompared ? farFromChanges(rows) : rows.map((row) => row.from.message.role === "system" && row.from.line !== undefined);
  const out = [];
  for (let at = 0; at < rows.length;) {
    let end = at;
    while (end < rows.length && isHidden[end]) end += 1;
    if (end - at >= FOLDED_FROM) {
      out.push(...foldOf(rows.slice(at, end), isCompared));
      at = end;
    } else {
      end = Math.max(end, at + 1);
      rows.slice(at, end).forEach((row) => out.push(...row.nodes));
      at = end;
    }
  }
  return out;
}

function farFromChanges(rows) {
  const isNear = rows.map(() => false);
  rows.forEach((row, at) => {
    if (row.kind === "same") return;
    for (let near = Math.max(0, at - CONTEXT); near <= Math.min(rows.length - 1, at + CONTEXT); near += 1) isNear[near] = true;
  });
  return isNear.map((near) => !near);
}

function foldOf(rows, isCompared) {
  const label = isCompared ? `${plural(rows.length, "line")} unchanged` : `${plural(rows.length, "line")} of SYSTEM, the same for every request`;
  const rules = rows.flatMap((row) => row.nodes.filter((node) => node.className === "break"));
  const fold = el("div", { class: "fold" });
  const open = () => {
    const nodes = rows.flatMap((row) => row.nodes);
    rules.forEach((rule) => rule.remove());
    fold.replaceWith(...nodes);
    nodes[0].tabIndex = -1;
    nodes[0].focus({ preventScroll: true });
  };
  fold.append(el("button", { type: "button", onclick: open }, `⋯ ${label}`));
  return [fold, ...rules];
}
