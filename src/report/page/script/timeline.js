// The time line of a run: the tokens of each request, compactions, pauses, and results that were fetched again.

const LINE_HEIGHT = 150;
// Rows of each kind of event shown without a click.
const EVENTS = 8;
// Things that are named of those that later answers lacked.
const LISTED_LOST = 12;

const KINDS = { summary: "summary", opaque: "summary that only the provider can read", clear: "old results cleared", drop: "messages dropped" };

const happened = strategies.findIndex((strategy) => strategy.name === totals.happened);

const span = (seconds) => (seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`);

// Turns before whose requests a strategy put something in the place of messages: those of the log, or those of its own calls.
function compactionsOf(view) {
  const { contents, strategy } = view;
  const turns = strategy.index === happened ? contents.compactions : contents.own_calls[strategy.index].map((turn) => [turn, "summary"]);
  return turns.map(([turn, kind]) => ({ turn, kind })).filter(({ turn }) => turn > 1 && turn <= view.entry.turns);
}

function timeline(view) {
  const requests = view.contents.strategies[view.strategy.index];
  if (requests.length < 2) return null;
  const { pauses } = view.contents;
  const compactions = compactionsOf(view);
  const refetches = view.strategy.index === happened ? view.contents.refetches : [];
  const host = el("div", { class: "plot" });
  const figure = el("figure", { class: "chart timeline" },
    el("figcaption", {}, `Tokens of each request under ${view.strategy.name}`),
    host,
    el("ul", { class: "key", "aria-label": "Marks of the time line" },
      [["line-bar", "a request", true], ["line-short", "its answer lacks a fact", requests.some((one) => one.gone)], ["line-compaction", "a compaction before it", compactions.length], ["line-pause", "a pause before it", pauses.length], ["line-refetch", "a result fetched again", refetches.some((one) => !one.was_shown)], ["line-refetch shown", "while it was still shown", refetches.some((one) => one.was_shown)], ["line-base", `under ${baseline.name}`, view.strategy !== baseline]]
        .filter(([, , isShown]) => isShown).map(([kind, text]) => el("li", {}, el("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), text))),
    events(view, { compactions, pauses, refetches }));
  // The width is unknown until the figure is on the page.
  const draw = () => host.replaceChildren(lineOf(view, host.clientWidth, { requests, compactions, pauses, refetches }));
  new ResizeObserver(draw).observe(host);
  return figure;
}

function lineOf(view, width, { requests, compactions, pauses, refetches }) {
  const turns = view.entry.turns;
  const others = view.strategy === baseline ? [] : view.contents.strategies[baseline.index];
  const most = Math.max(...[...requests, ...others].map((one) => one.input_tokens));
  const box = { left: 48, right: Math.max(width, 120) - 8, top: 22, bottom: LINE_HEIGHT - 22 };
  const step = (box.right - box.left) / turns;
  const [x, y] = [(turn) => box.left + (turn - 1) * step, scale([0, most], [box.bottom, box.top])];
  const bar = (request, index) => svg("rect", { class: request.gone ? "line-short" : "line-bar", x: x(index + 1).toFixed(2), y: y(request.input_tokens).toFixed(2), width: Math.max(step - (step > 4 ? 1 : 0), 0.5).toFixed(2), height: Math.max(box.bottom - y(request.input_tokens), 0).toFixed(2) });
  const base = others.map((request, index) => `${index ? "L" : "M"}${(x(index + 1) + step / 2).toFixed(1)},${y(request.input_tokens).toFixed(1)}`).join("");
  const middle = (turn) => x(turn) + step / 2;
  const says = `${plural(requests.length, "request")} of up to ${count(most)} tokens; ${plural(compactions.length, "compaction")}, ${plural(pauses.length, "pause")}, ${plural(refetches.length, "result")} fetched again`;
  return svg("svg", { viewBox: `0 0 ${Math.max(width, 120)} ${LINE_HEIGHT}`, height: LINE_HEIGHT, role: "img", "aria-label": says, onclick: (event) => pressed(view, event, box, step) },
    ticks(0, most, 3).filter((value) => value <= most).map((value) => [
      svg("line", { class: "grid", x1: box.left, x2: box.right, y1: y(value), y2: y(value) }),
      svg("text", { x: box.left - 6, y: y(value) + 4, "text-anchor": "end" }, value >= 1e6 ? `${value / 1e6}M` : value >= 1000 ? `${value / 1000}k` : String(value))]),
    requests.map(bar),
    base && svg("path", { class: "line-base", d: base }),
    pauses.map(([turn]) => svg("path", { class: "line-pause", d: `M${x(turn)},${box.bottom}v7` })),
    compactions.map(({ turn }) => svg("path", { class: "line-compaction", d: `M${x(turn)},${box.top - 12}V${box.bottom}M${x(turn) - 5},${box.top - 12}h10l-5,7z` })),
    refetches.map(({ turn, was_shown: isShown }) => svg("circle", { class: isShown ? "line-refetch shown" : "line-refetch", cx: middle(turn), cy: box.top - 4, r: 3.5 })),
    svg("path", { class: "line-here", d: `M${middle(view.turn)},${box.bottom + 9}l-5,8h10z` }),
    svg("text", { x: box.left, y: LINE_HEIGHT - 4 }, "turn 1"),
    svg("text", { x: box.right, y: LINE_HEIGHT - 4, "text-anchor": "end" }, `turn ${turns}`));
}

// The turn under the pointer.
function pressed(view, event, box, step) {
  const { left } = event.currentTarget.getBoundingClientRect();
  const turn = 1 + Math.floor((event.clientX - left - box.left) / step);
  if (turn >= 1 && turn <= view.entry.turns) view.go({ turn });
}

// The same as lists, which a keyboard reaches.
function events(view, { compactions, pauses, refetches }) {
  const to = (turn) => el("button", { type: "button", class: "link", "data-key": `to-${turn}`, onclick: () => view.go({ turn }) }, `turn ${turn}`);
  const size = (turn) => view.contents.strategies[view.strategy.index][turn - 1]?.input_tokens ?? 0;
  const compaction = ({ turn, kind }) => [to(turn), `: ${KINDS[kind]}, ${count(size(turn - 1))} → ${count(size(turn))} tokens `,
    el("button", { type: "button", "data-key": `views-${turn}`, "aria-expanded": view.compaction === turn, onclick: () => view.go({ compaction: view.compaction === turn ? null : turn, turn }) }, view.compaction === turn ? "Hide what it removed" : "What it removed")];
  const refetch = ({ turn, first, call, tokens, was_shown: isShown }) => [to(turn), `: ${count(tokens)} tokens of `, to(first), isShown ? ", which the request still showed: " : ": ", el("code", {}, shortened(call, 100))];
  const lists = [
    ["compaction", compactions, compaction],
    ["pause", pauses, ([turn, seconds]) => [to(turn), `: after ${span(seconds)}`]],
    ["result fetched again", refetches, refetch],
  ];
  const list = ([name, rows, row]) => {
    const title = name === "result fetched again" ? `${plural(rows.length, "result")} fetched again` : plural(rows.length, name);
    return rows.length ? el("details", { class: "legend", open: name === "compaction" && rows.length <= EVENTS }, el("summary", {}, title), el("ul", {}, rows.map((one) => el("li", {}, row(one))))) : null;
  };
  return el("div", { class: "events" }, lists.map(list));
}

// What a compaction removed, with what later answers lacked of it marked, beside what it put there.
function compactionViews(view) {
  const turn = view.compaction;
  const requests = view.contents.strategies[view.strategy.index];
  if (!turn || !compactionsOf(view).some((one) => one.turn === turn)) return null;
  const [before, after] = [requests[turn - 2], requests[turn - 1]].map((request) => request.messages);
  // The newest turn is in no request before: where the full history is known, it has it.
  const whole = view.contents.strategies.find((_, index) => strategies[index].name === "full-history")?.[turn - 1]?.messages ?? [];
  const known = new Set(before.concat(whole.slice(-2)));
  const stays = new Set(after);
  const removed = [...known].filter((number) => !stays.has(number));
  const put = after.filter((number) => !known.has(number) && !whole.includes(number));
  const lacked = lackedAfter(requests, turn);
  const wanted = [...lacked.keys()];
  const messages = removed.map((number) => removedMessage(view, number, wanted));
  const [needed, others] = [true, false].map((is) => messages.filter((one) => one.isNeeded === is).map((one) => one.node));
  const item = ([what, answers]) => el("li", {}, el("code", {}, what), ", turn ", answers.slice(0, 3).map((at, index) => [index ? ", " : "", el("button", { type: "button", class: "link", "data-key": `lacks-${at}-${what}`, onclick: () => view.go({ turn: at }) }, String(at))]));
  return el("section", { class: "views", "aria-label": `Compaction before turn ${turn}` },
    el("div", { class: "given" }, el("h4", {}, `Removed: ${plural(removed.length, "message")}`),
      wanted.length ? el("div", { class: "lacks gone" }, el("h5", {}, "Later answers used of it, and their requests did not show"), el("ul", {}, [...lacked].slice(0, LISTED_LOST).map(item), wanted.length > LISTED_LOST ? el("li", {}, `${count(wanted.length - LISTED_LOST)} more`) : null))
        : el("p", { class: "hint" }, "No later answer used anything of it that its request did not show."),
      el("div", { class: "removed-list", role: "region", tabindex: 0, "aria-label": "Removed messages" }, needed, needed.length && others.length ? el("details", {}, el("summary", {}, plural(others.length, "other message")), others) : others)),
    el("div", { class: "given" }, el("h4", {}, put.length ? `In its place: ${plural(put.length, "message")}` : "Nothing in its place that the log has"),
      put.map((number) => el("pre", { tabindex: 0, "aria-label": "Text in the place of the removed messages" }, marked(messageOf(view.contents, number).lines.join("\n"), wanted)))));
}

// What answers from a turn on lacked of earlier turns, each with the turns of these answers.
function lackedAfter(requests, turn) {
  const lacked = new Map();
  requests.slice(turn - 1).forEach((request, index) => request.lost.forEach((lost) => {
    // A text from `needs:` may be in no turn; any other text without a turn is in the opening.
    if (lost.turn >= turn || (!lost.turn && lost.kind === "listed") || ["reachable", "doubtful"].includes(lost.grade)) return;
    lacked.set(lost.what, [...new Set([...(lacked.get(lost.what) ?? []), turn + index])]);
  }));
  return lacked;
}

// A removed message: open if a later answer lacked something of it.
function removedMessage(view, number, wanted) {
  const { role, lines } = messageOf(view.contents, number);
  const text = lines.join("\n");
  const words = wanted.filter((word) => text.includes(word));
  const nodes = words.length ? marked(text, words) : [text];
  const isNeeded = nodes.length > 1;
  const body = el("pre", { tabindex: 0, "aria-label": `Removed message, ${role}` });
  // Most of hundreds of messages are never opened.
  const fill = () => { if (!body.firstChild) body.append(...nodes); };
  if (isNeeded) fill();
  const first = shortened(lines.find((line) => line.trim()) ?? "", 70);
  return { isNeeded, node: el("details", { open: isNeeded, ontoggle: fill }, el("summary", {}, el("b", {}, role), ` ${first}`), body) };
}
