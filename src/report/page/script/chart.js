// The chart of answers missing a fact against cost.

const HEIGHT = 340;
// A narrow chart is higher, so that names find a place beside their marks.
const NARROW_HEIGHT = 430;

// Round numbers that lie within a range.
function ticks(low, high, wanted) {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const out = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) out.push(n * step);
  return out;
}

const scale = ([low, high], [from, to]) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

// A range that holds all values with room at its ends.
function around(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.08 || 0.05;
  return [low - room, high + room];
}

const axisPercent = (share) => `${share < -1e-9 ? "−" : ""}${Math.round(Math.abs(share) * 1000) / 10}%`;

function chartPoints() {
  const whole = Number(exactCost(baseline));
  const measured = strategies.filter((strategy) => strategy.is_whole && strategy.totals.answers_needing && whole);
  return measured.map((strategy) => ({
    strategy, x: Number(exactCost(strategy)) / whole - 1, y: strategy.totals.answers_short / strategy.totals.answers_needing,
  }));
}

function drawChart() {
  const host = byId("plot");
  const points = chartPoints();
  const best = recommended();
  byId("chart-title").textContent = `Answers lacking a fact against ${chosen.model ? `cost with ${chosen.model}` : "tokens"}: down and to the left is better`;
  if (!points.length) return host.replaceChildren(el("p", { class: "hint" }, "No answer needs anything from earlier turns."));
  const width = Math.max(280, host.clientWidth);
  const height = width < 440 ? NARROW_HEIGHT : HEIGHT;
  const box = { left: 44, right: width - 18, top: 14, bottom: height - 46 };
  const xRange = around(points.map((point) => point.x));
  const most = mostShort();
  const highest = Math.max(...points.map((point) => point.y), most) * 1.12 || 0.05;
  // Names of marks on the axis have room below it.
  const yRange = [highest * -0.08, highest];
  const x = scale(xRange, [box.left, box.right]);
  const y = scale(yRange, [box.bottom, box.top]);
  const at = points.map((point) => ({ ...point, isBest: point.strategy === best, left: x(point.x), top: y(point.y) }));
  const marked = ticks(0, highest, 5);
  const onAxis = marked.map((value) => ({ left: 0, right: box.left - 4, top: y(value) - 8, bottom: y(value) + 8 }));
  const { tolerance, names } = arranged(at, box, besideTolerance(at, box, y(most)), onAxis);
  const says = points.map(({ strategy, ...point }) => `${strategy.name} ${axisPercent(point.y)} of answers lacking a fact, cost ${signed(point.x)}`);
  const canvas = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": `${byId("chart-title").textContent}. ${says.join("; ")}.` },
    svg("rect", { class: "tolerable", x: box.left, y: y(most), width: box.right - box.left, height: y(0) - y(most) }),
    marked.map((value) => [
      svg("line", { class: "grid", x1: box.left, x2: box.right, y1: y(value), y2: y(value) }),
      svg("text", { x: box.left - 8, y: y(value) + 4, "text-anchor": "end" }, axisPercent(value))]),
    ticks(...xRange, width < 480 ? 4 : 7).map((value) => svg("text", { x: x(value), y: box.bottom + 20, "text-anchor": "middle" }, axisPercent(value))),
    svg("line", { class: "zero", x1: x(0), x2: x(0), y1: box.top, y2: box.bottom }),
    svg("line", { class: "tolerance", x1: box.left, x2: box.right, y1: y(most), y2: y(most) }),
    svg("text", { class: "tolerance-label", x: tolerance.right, y: tolerance.bottom - 6, "text-anchor": "end" }, tolerance.text),
    svg("text", { x: box.right, y: height - 6, "text-anchor": "end" }, `${chosen.model ? "cost" : "tokens"} against ${baseline.name}`));
  canvas.append(...at.map(({ strategy, isBest, left, top }) => svg("g", { class: `point s${strategy.style}`, "data-strategy": strategy.name, transform: `translate(${left.toFixed(1)},${top.toFixed(1)})` },
    isBest && svg("circle", { class: "ring", r: 12 }), shape(strategy, 6))), ...names.map(label));
  host.replaceChildren(canvas);
}

// Places for the name of the tolerance above its line where no mark is in the way, from right to left.
function besideTolerance(points, box, line) {
  const text = `limit ${shareText(chosen.tolerance)}${totals.baseline_was_sent ? " more" : ""}`;
  const width = text.length * 6.8;
  const places = Array.from({ length: 99 }, (_, at) => box.right - 6 - at * 8).filter((right, at) => !at || right - width > box.left)
    .map((right) => ({ text, left: right - width, right, top: line - 18, bottom: line }));
  const free = places.filter((place) => points.every((point) => !overlap(place, markOf(point))));
  return free.length ? free : places.slice(0, 1);
}

// The first place for the name of the tolerance that no line to another name crosses, with the places of those names.
function arranged(points, box, tolerances, texts) {
  const tries = tolerances.filter((_, at) => at % 5 === 0).map((tolerance) => () => ({ tolerance, ...bestNames(points, box, [tolerance, ...texts]) }));
  const first = tries[0]();
  if (!first.crossings) return first;
  return tries.slice(1).map((one) => one()).reduce((one, other) => (other.crossings < one.crossings ? other : one), first);
}

// A name beside each point, as near as there is room; with a line to it if it is further away. The names placed last get the
// worst places, so several orders are tried.
function bestNames(points, box, texts) {
  const by = (key, sign) => [...points].sort((one, other) => sign * (one[key] - other[key]));
  const orders = [by("left", 1), by("left", -1), by("top", 1), by("top", -1)];
  orders.push(...orders[0].map((_, at) => [...orders[0].slice(at), ...orders[0].slice(0, at)]));
  const all = orders.map((order) => arrange(order, box, texts));
  return all.reduce((one, other) => (other.away < one.away ? other : one));
}

function label({ point, text, place, leader }) {
  return svg("g", { class: point.isBest ? `s${point.strategy.style} best` : `s${point.strategy.style}`, "data-strategy": point.strategy.name },
    leader && svg("path", { class: "leader", d: `M${point.left},${point.top}L${leader.left},${leader.top}` }),
    svg("text", { class: "label", x: place.left, y: place.bottom - 3 }, text));
}

// Pixels between the edge of a mark and its name up to which they are seen as one.
const BESIDE = 12;
const ROOM = 9;
const RING = 13;

// Pixels between a box and a point.
function distance(place, { left, top }) {
  const gap = (low, high, at) => Math.max(0, low - at, at - high);
  return Math.hypot(gap(place.left, place.right, left), gap(place.top, place.bottom, top));
}

const room = ({ isBest }) => (isBest ? RING : ROOM);
const markOf = (point) => ({ left: point.left - room(point), right: point.left + room(point), top: point.top - room(point), bottom: point.top + room(point) });
const overlap = (one, other) => one.right >= other.left && one.left <= other.right && one.bottom >= other.top && one.top <= other.bottom;

// Returns true if the line from a point to another one crosses a box.
function crosses(from, to, box) {
  const steps = Math.ceil(Math.hypot(to.left - from.left, to.top - from.top) / 3);
  const at = (key, step) => from[key] + ((to[key] - from[key]) * step) / steps;
  return Array.from({ length: steps }, (_, step) => ({ left: at("left", step), right: at("left", step), top: at("top", step), bottom: at("top", step) })).some((one) => overlap(one, box));
}

function arrange(points, box, texts) {
  const taken = [...points.map(markOf), ...texts];
  const isFree = (place) => place.left >= box.left - 40 && place.right <= box.right + 14 && place.top >= 0 && place.bottom <= box.bottom + 6
    && taken.every((other) => !overlap(place, other));
  const narrow = box.right < 440;
  let [away, crossings] = [0, 0];
  const names = points.map((point) => {
    const text = point.isBest && !narrow ? `${point.strategy.name}, recommended` : point.strategy.name;
    const width = text.length * (point.isBest ? 7.6 : 6.8);
    const around = placesAround(point, width, room(point), NEAR);
    const others = points.filter((other) => other !== point);
    // A name nearer to another mark would be read as that one's.
    const isClear = (place) => others.every((other) => distance(place, other) > distance(place, point) * 1.5 + 5);
    // The end of the line to a name that is further away.
    const leaderTo = (place) => place.away <= BESIDE && isClear(place) ? null
      : { left: (place.left + place.right) / 2, top: place.top > point.top ? place.top : place.bottom };
    const hidesText = (place) => { const leader = leaderTo(place); return leader && texts.some((text) => crosses(point, leader, text)); };
    const near = around.filter(isFree);
    // Many marks at one place leave none free near them.
    const free = near.length ? near : placesAround(point, width, room(point), FAR).filter(isFree);
    const readable = free.filter((place) => !hidesText(place));
    const place = readable.find(isClear) ?? readable[0] ?? free[0] ?? around[0];
    taken.push(place);
    // One name far away is worse than two that are a little away.
    away += place.away ** 2 + (isClear(place) ? 0 : 2500) + (hidesText(place) ? 2500 : 0);
    crossings += hidesText(place) ? 1 : 0;
    return { point, text, place, leader: leaderTo(place) };
  });
  return { names, away, crossings };
}

// The number of heights at which names are tried, and how far to the right of those beside the point.
const NEAR = { heights: 61, right: [] };
const FAR = { heights: 121, right: [40, 80, 120] };

// Places for a name of this width around a point, the nearest first. Right of it is read best.
function placesAround({ left, top }, width, room, reach) {
  const heights = Array.from({ length: reach.heights }, (_, at) => (at % 2 ? 1 : -1) * Math.ceil(at / 2) * 3);
  const beside = [room + 2, -room - 2 - width, -width / 2, 8 - width, -8, -width / 4, -width * 3 / 4];
  const all = heights.flatMap((dy) => [...beside, ...reach.right.map((more) => room + more)].map((dx) => ({ left: left + dx, right: left + dx + width, top: top + dy - 7, bottom: top + dy + 7 })));
  const outside = (place) => distance(place, { left, top }) - room;
  const rank = (place) => place.away + (place.left > left ? 0 : 2) + Math.abs((place.top + place.bottom) / 2 - top) / 8;
  return all.map((place) => ({ ...place, away: Math.max(0, outside(place)) })).filter((place) => outside(place) >= 0 || Math.abs(place.top + 7 - top) >= room + 7)
    .sort((one, other) => rank(one) - rank(other));
}

const COURSE_HEIGHT = 260;
const MOST_SHARE = 4;

// The cost of the requests of each turn as a share of the baseline's, with the model that decides.
function drawCourse() {
  const host = byId("course-plot");
  const shown = strategies.filter((strategy) => strategy.by_turn.length > 1 && !strategy.isBaseline);
  byId("course").hidden = !shown.length;
  if (!shown.length) return;
  const what = totals.models.length ? `Cost with ${totals.models[0].model}` : "Tokens";
  const width = Math.max(280, host.clientWidth);
  // A narrow chart has the names below it.
  const isNarrow = width < 480;
  const names = isNarrow ? 14 : Math.max(165, Math.min(180, width / 3));
  const box = { left: 52, right: width - names, top: 10, bottom: COURSE_HEIGHT - 40 };
  const last = Math.max(...shown.flatMap((strategy) => strategy.by_turn.map(([turn]) => turn)));
  const shares = shown.flatMap((strategy) => strategy.by_turn.map(([, share]) => share));
  // One turn that costs ten times as much would flatten all other lines.
  const most = Math.min(Math.max(...shares, 1), MOST_SHARE);
  const cut = Math.max(...shares) > most ? `, lines are cut at ${axisPercent(most)}` : "";
  byId("course-title").textContent = `${what} by turn, as a share of ${baseline.name}: a line that rises costs more the longer a run gets${cut}`;
  const x = scale([1, last], [box.left, box.right]);
  const y = (share) => scale([0, most * 1.05], [box.bottom, box.top])(Math.min(share, most));
  const says = shown.map((strategy) => `${strategy.name} ${axisPercent(strategy.by_turn.at(-1)[1])} at turn ${strategy.by_turn.at(-1)[0]}`);
  const canvas = svg("svg", { viewBox: `0 0 ${width} ${COURSE_HEIGHT}`, height: COURSE_HEIGHT, role: "img", "aria-label": `${byId("course-title").textContent}. ${says.join("; ")}.` },
    ticks(0, most, 4).map((share) => [
      svg("line", { class: share === 1 ? "zero" : "grid", x1: box.left, x2: box.right, y1: y(share), y2: y(share) }),
      svg("text", { x: box.left - 8, y: y(share) + 4, "text-anchor": "end" }, axisPercent(share))]),
    ticks(1, last, width < 480 ? 4 : 8).filter(Number.isInteger).map((turn) => svg("text", { x: x(turn), y: box.bottom + 18, "text-anchor": "middle" }, String(turn))),
    svg("text", { x: (box.left + box.right) / 2, y: COURSE_HEIGHT - 4, "text-anchor": "middle" }, "turn"));
  const ends = shown.map((strategy) => ({ strategy, left: x(strategy.by_turn.at(-1)[0]), top: y(strategy.by_turn.at(-1)[1]) })).sort((one, other) => one.top - other.top);
  const line = (strategy) => strategy.by_turn.map(([turn, share], at) => `${at ? "L" : "M"}${x(turn).toFixed(1)},${y(share).toFixed(1)}`).join("");
  canvas.append(...shown.map((strategy) => svg("path", { class: `course s${strategy.style} round${Math.min(2, strategy.round)}`, "data-strategy": strategy.name, d: line(strategy) })));
  if (isNarrow) {
    host.replaceChildren(canvas, el("ul", { class: "key", "aria-hidden": "true" }, ends.map(({ strategy }) => el("li", {}, mark(strategy), strategy.name))));
    return;
  }
  // Where lines end close together, their names are below each other.
  const room = Math.min(16, (COURSE_HEIGHT - 12) / ends.length);
  let free = 4;
  const tops = ends.map(({ top }) => { free = Math.max(free + room, top); return free; });
  const over = Math.max(0, (tops.at(-1) ?? 0) - (COURSE_HEIGHT - 10));
  canvas.append(...ends.map(({ strategy, left, top }, at) => svg("g", { class: `point s${strategy.style}` },
    svg("path", { class: "leader", d: `M${left},${top}L${box.right + 10},${tops[at] - over}`, opacity: 0.4 }),
    svg("g", { transform: `translate(${box.right + 16},${tops[at] - over})` }, shape(strategy, 4)),
    svg("text", { class: "label", x: box.right + 24, y: tops[at] - over + 4 }, strategy.name))));
  host.replaceChildren(canvas);
}
