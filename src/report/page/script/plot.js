// What charts are drawn with: scales, axes, curves, points that keyboard and pointer can visit.

const HEIGHT = 320;
const LABEL_HEIGHT = 14;

// Round numbers that lie within a range.
function ticks(low, high, wanted) {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const out = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) out.push(n * step);
  return out;
}

// The range that holds all values and ends at round numbers.
function rounded(values, wanted) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.04 || Math.abs(high) * 0.05 || 1;
  const step = ((list) => list[1] - list[0] || 1)(ticks(low - room, high + room, wanted));
  return [Math.floor((low - room) / step) * step, Math.ceil((high + room) / step) * step];
}

function scale([low, high], [from, to]) {
  return (value) => from + ((value - low) / (high - low || 1)) * (to - from);
}

// The frame of a chart: its box, its scales and axes.
function frame(host, options) {
  const width = Math.max(260, host.clientWidth);
  const isWide = width >= 520 && options.labels;
  const box = { left: 54, right: width - (isWide ? 168 : 14), top: 12, bottom: HEIGHT - 44 };
  const x = scale(options.xRange, [box.left + 6, box.right - 6]);
  const y = scale(options.yRange, [box.bottom, box.top]);
  const canvas = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, role: "group", "aria-label": options.title });
  const drawn = { canvas, box, x, y, isWide, width };
  drawAxes(drawn, options);
  host.replaceChildren(canvas);
  return drawn;
}

function drawAxes({ canvas, box, x, y }, options) {
  const axes = svg("g", { "aria-hidden": "true" });
  for (const value of ticks(...options.yRange, 5)) {
    const at = y(value);
    axes.append(
      svg("line", { class: options.zero === value ? "zero" : "grid", x1: box.left, x2: box.right, y1: at, y2: at }),
      svg("text", { x: box.left - 8, y: at + 4, "text-anchor": "end" }, options.yFormat(value)),
    );
  }
  const most = Math.max(2, Math.floor((box.right - box.left) / 56));
  const values = options.xTicks ? thinned(options.xTicks, most) : ticks(...options.xRange, Math.min(6, most));
  for (const value of values) {
    axes.append(svg("text", { x: x(value), y: box.bottom + 18, "text-anchor": "middle" }, options.xFormat(value)));
  }
  axes.append(svg("text", { class: "axis-title", x: box.right, y: box.bottom + 36, "text-anchor": "end" }, options.xTitle));
  canvas.append(axes);
}

function thinned(values, most) {
  const every = Math.ceil(values.length / most);
  return values.filter((_, index) => index % every === 0);
}

// One strategy's curve and points, each {x, y, says}.
function drawSeries({ canvas, x, y }, strategy, points, withCurve) {
  const group = svg("g", { class: `series s${strategy.style}`, "data-strategy": strategy.index });
  if (withCurve) {
    const path = points.map((point, index) => `${index ? "L" : "M"}${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`);
    group.append(svg("path", { class: "curve", d: path.join(""), "stroke-dasharray": DASHES[strategy.style] || null }));
  }
  for (const point of points) group.append(pointNode(strategy, point, x(point.x), y(point.y), withCurve ? 3 : 6));
  canvas.append(group);
  return group;
}

function pointNode(strategy, point, left, top, size) {
  const place = `translate(${left.toFixed(1)},${top.toFixed(1)})`;
  return svg("g", { class: "point", transform: place, tabindex: -1, role: "img", "aria-label": point.says.replaceAll("\n", ", ") },
    svg("circle", { class: "halo", r: size + 5 }), shape(strategy, size));
}

// Names at the ends of curves, moved apart where they would overlap.
function drawLabels({ canvas, box, x, y, isWide }, ends) {
  if (!isWide) return;
  const labels = ends.map((end) => ({ ...end, at: y(end.y), top: y(end.y) })).sort((one, other) => one.at - other.at);
  labels.forEach((label, index) => {
    if (index) label.top = Math.max(label.top, labels[index - 1].top + LABEL_HEIGHT);
  });
  for (let index = labels.length - 1; index >= 0; index -= 1) {
    const limit = index === labels.length - 1 ? box.bottom : labels[index + 1].top - LABEL_HEIGHT;
    labels[index].top = Math.min(labels[index].top, limit);
  }
  for (const label of labels) {
    const left = box.right + 10;
    canvas.append(svg("g", { class: `series s${label.strategy.style}`, "data-strategy": label.strategy.index, "aria-hidden": "true" },
      svg("path", { class: "leader", d: `M${x(label.x) + 5},${label.at}L${left},${label.top}` }),
      svg("g", { class: "point", transform: `translate(${left + 6},${label.top})` }, shape(label.strategy, 3.5)),
      svg("text", { class: "label", x: left + 14, y: label.top + 4 }, shortened(label.strategy.name, 21))));
  }
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// Lets keyboard and pointer visit the points of a chart.
function makeWalkable({ canvas }, plotted) {
  const groups = plotted.filter(({ points }) => points.length);
  const nodes = groups.map(({ group }) => [...group.querySelectorAll(".point")]);
  if (!nodes.length) return;
  let place = [0, 0];
  nodes[0][0].setAttribute("tabindex", 0);
  const visit = (series, index) => {
    nodes[place[0]][place[1]].setAttribute("tabindex", -1);
    place = [series, Math.min(index, nodes[series].length - 1)];
    const node = nodes[place[0]][place[1]];
    node.setAttribute("tabindex", 0);
    node.focus();
  };
  canvas.addEventListener("keydown", (event) => {
    const [series, index] = place;
    const moves = {
      ArrowRight: [series, Math.min(index + 1, nodes[series].length - 1)], ArrowLeft: [series, Math.max(index - 1, 0)],
      ArrowDown: [(series + 1) % nodes.length, index], ArrowUp: [(series + nodes.length - 1) % nodes.length, index],
      Home: [series, 0], End: [series, nodes[series].length - 1],
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    visit(...moves[event.key]);
  });
  const tell = (series, index, node) => {
    const { left, top, width } = node.lastChild.getBoundingClientRect();
    showTooltip(groups[series].points[index].says, left + width / 2, top);
    follow(groups[series].strategy);
  };
  nodes.forEach((list, series) => list.forEach((node, index) => {
    node.addEventListener("focus", () => { place = [series, index]; tell(series, index, node); });
    node.addEventListener("blur", leave);
  }));
  canvas.addEventListener("pointermove", (event) => pointAt(event, nodes, tell));
  canvas.addEventListener("pointerleave", () => { pointAway(canvas); leave(); });
}

const REACH = 36;

function pointAt(event, nodes, tell) {
  let nearest = null;
  nodes.forEach((list, series) => list.forEach((node, index) => {
    const place = node.lastChild.getBoundingClientRect();
    const distance = Math.hypot(place.left + place.width / 2 - event.clientX, place.top + place.height / 2 - event.clientY);
    if (distance < REACH && (!nearest || distance < nearest.distance)) nearest = { distance, series, index, node };
  }));
  pointAway(event.currentTarget);
  if (!nearest) return leave();
  nearest.node.classList.add("near");
  tell(nearest.series, nearest.index, nearest.node);
}

function pointAway(canvas) {
  canvas.querySelectorAll(".near").forEach((node) => node.classList.remove("near"));
}

function leave() {
  hideTooltip();
  follow(null);
}

// Dims all but one strategy in all charts; without one, all but the one that the reader keeps.
function follow(strategy) {
  const index = strategy ? strategy.index : chosen.followed;
  const plots = byId("plots");
  plots.classList.toggle("follows", index !== null);
  plots.querySelectorAll(".series").forEach((node) =>
    node.classList.toggle("followed", index !== null && node.dataset.strategy === String(index)));
}
