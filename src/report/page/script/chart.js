// The chart of short answers against cost.

const HEIGHT = 340;

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
  byId("chart-title").textContent = `Answers short against ${chosen.model ? `cost with ${chosen.model}` : "tokens"}: down and to the left is better`;
  if (!points.length) return host.replaceChildren(el("p", { class: "hint" }, "No answer needs anything from earlier turns."));
  const width = Math.max(280, host.clientWidth);
  const box = { left: 44, right: width - 18, top: 14, bottom: HEIGHT - 46 };
  const xRange = around(points.map((point) => point.x));
  const most = mostShort();
  const yRange = [0, Math.max(...points.map((point) => point.y), most) * 1.12 || 0.05];
  const x = scale(xRange, [box.left, box.right]);
  const y = scale(yRange, [box.bottom, box.top]);
  const says = points.map(({ strategy, ...point }) => `${strategy.name} ${axisPercent(point.y)} short at ${signed(point.x)}`);
  const canvas = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, role: "img", "aria-label": `${byId("chart-title").textContent}. ${says.join("; ")}.` },
    svg("rect", { class: "tolerable", x: box.left, y: y(most), width: box.right - box.left, height: box.bottom - y(most) }),
    ticks(...yRange, 5).map((value) => [
      svg("line", { class: "grid", x1: box.left, x2: box.right, y1: y(value), y2: y(value) }),
      svg("text", { x: box.left - 8, y: y(value) + 4, "text-anchor": "end" }, axisPercent(value))]),
    ticks(...xRange, width < 480 ? 4 : 7).map((value) => svg("text", { x: x(value), y: box.bottom + 20, "text-anchor": "middle" }, axisPercent(value))),
    svg("line", { class: "zero", x1: x(0), x2: x(0), y1: box.top, y2: box.bottom }),
    svg("line", { class: "tolerance", x1: box.left, x2: box.right, y1: y(most), y2: y(most) }),
    svg("text", { class: "tolerance-label", x: box.right - 6, y: y(most) - 6, "text-anchor": "end" }, `tolerance ${shareText(chosen.tolerance)}`),
    svg("text", { x: box.right, y: HEIGHT - 6, "text-anchor": "end" }, `${chosen.model ? "cost" : "tokens"} against ${baseline.name}`));
  const at = points.map((point) => ({ ...point, isBest: point.strategy === best, left: x(point.x), top: y(point.y) }));
  canvas.append(...at.map(({ strategy, isBest, left, top }) => svg("g", { class: `point s${strategy.style}`, "data-strategy": strategy.name, transform: `translate(${left.toFixed(1)},${top.toFixed(1)})` },
    isBest && svg("circle", { class: "ring", r: 12 }), shape(strategy, 6))), ...labels(at, box, y(most)));
  host.replaceChildren(canvas);
}

// A name beside each point where there is room; further away with a line to it where there is none.
function labels(points, box, tolerance) {
  const taken = points.map(({ isBest, left, top }) => [left, top, isBest ? 12 : 9]).map(([left, top, room]) => ({ left: left - room, right: left + room, top: top - room, bottom: top + room }));
  taken.push({ left: box.right - 100, right: box.right, top: tolerance - 18, bottom: tolerance });
  const isFree = (place) => place.left >= box.left && place.right <= box.right && place.top >= 0 && place.bottom <= box.bottom + 8
    && taken.every((other) => place.right < other.left || place.left > other.right || place.bottom < other.top || place.top > other.bottom);
  return [...points].sort((one, other) => other.isBest - one.isBest).map((point) => {
    const text = point.isBest ? `${point.strategy.name}, recommended` : point.strategy.name;
    const place = placesAround(point, text.length * (point.isBest ? 7.6 : 6.8)).find(isFree);
    if (!place) return "";
    taken.push(place);
    return svg("g", { class: point.isBest ? `s${point.strategy.style} best` : `s${point.strategy.style}` },
      place.isFar && svg("path", { class: "leader", d: `M${point.left},${point.top}L${(place.left + place.right) / 2},${place.top > point.top ? place.top : place.bottom}` }),
      svg("text", { class: "label", x: place.left, y: place.bottom - 3 }, text));
  });
}

function placesAround({ left, top }, width) {
  const near = [[15, 4], [-15 - width, 4], [-width / 2, -16], [-width / 2, 26], [10, -12], [10, 20], [-10 - width, -12], [-10 - width, 20]];
  const far = [34, 50, 66, 84, 102, 120].flatMap((away) => [0, 40, -40, 80, -80].flatMap((aside) => [[aside - width / 2, -away], [aside - width / 2, away]]));
  const place = (isFar) => ([dx, dy]) => ({ isFar, left: left + dx, right: left + dx + width, top: top + dy - 11, bottom: top + dy + 3 });
  return [...near.map(place(false)), ...far.map(place(true))];
}
