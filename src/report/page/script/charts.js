// The four charts: tokens by turn, cost as it adds up, savings by length of run, evidence against cost.

const CHARTS = [
  {
    id: "tokens-by-turn",
    title: "Tokens by turn",
    says: "The median request before each turn. A flat line means that requests do not grow with the run.",
    columns: ["turn", "median", "p90", "worst", "requests"],
    rows: (strategy) => strategy.by_turn.map((row) => [row.turn, row.request_tokens.median, row.request_tokens.p90, row.request_tokens.worst, row.requests].map(count)),
    draw(host) {
      const plotted = strategies.map((strategy) => ({
        strategy,
        points: strategy.by_turn.map((row) => ({
          x: row.turn, y: row.request_tokens.median,
          says: `${strategy.name}\nturn ${row.turn}: ${count(row.request_tokens.median)} tokens\nworst ${count(row.request_tokens.worst)} of ${plural(row.requests, "request")}`,
        })),
      }));
      lines(host, this, plotted, { xTitle: "turn", yFormat: shortCount });
    },
  },
  {
    id: "cumulative-cost",
    title: "Cost as turns add up",
    says: "All requests and answers up to a turn, summed over the runs.",
    needsModel: true,
    choices: [["share", "as a share of the baseline’s"], ["dollars", "in dollars"]],
    choice: "share",
    columns: ["turn", "dollars", "of baseline"],
    rows: (strategy) => costTurns(strategy).map((row) => [count(row.turn), money(row.running_cost), percent(row.running_ratio)]),
    draw(host) {
      const inDollars = this.choice === "dollars";
      const value = (row) => (inDollars ? Number(row.running_cost) : row.running_ratio);
      const plotted = strategies.map((strategy) => ({
        strategy,
        points: costTurns(strategy).filter((row) => isNumber(value(row))).map((row) => ({
          x: row.turn, y: value(row),
          says: `${strategy.name}\nup to turn ${row.turn}: ${money(row.running_cost)}\n${percent(row.running_ratio)} of ${totals.baseline}`,
        })),
      }));
      const yFormat = inDollars ? (amount) => `$${Number(amount.toPrecision(3))}` : (share) => `${Math.round(share * 1000) / 10}%`;
      lines(host, this, plotted, { xTitle: "turn", yFormat, zero: inDollars ? 0 : 1 });
    },
  },
  {
    id: "savings-by-length",
    title: "Savings by length of run",
    says: "What is saved against the baseline, by how many turns a run took. Below zero a strategy costs more than it saves.",
    // Without a model there are no costs to choose.
    choices: totals.models.length ? [["tokens", "input tokens"], ["cost", "cost"]] : null,
    choice: "tokens",
    columns: ["turns", "saved", "of baseline", "runs"],
    rows(strategy) {
      return lengthsOfRuns(strategy, this.choice).map((row) => [count(row.turns), signed(1 - row.ratio), percent(row.ratio), count(row.scenarios)]);
    },
    draw(host) {
      const plotted = strategies.map((strategy) => ({
        strategy,
        points: lengthsOfRuns(strategy, this.choice).map((row) => ({
          x: row.turns, y: 1 - row.ratio,
          says: `${strategy.name}\n${plural(row.scenarios, "run")} of ${plural(row.turns, "turn")}: ${row.ratio > 1 ? "costs" : "saves"} ${percent(Math.abs(1 - row.ratio))}${row.ratio > 1 ? " more" : ""}`,
        })),
      }));
      return lines(host, this, plotted, { xTitle: "turns of the run", yFormat: (share) => signed(share).replace(".0%", "%"), zero: 0, isLossBelowZero: true });
    },
  },
  {
    id: "evidence-against-cost",
    title: "Evidence against cost",
    says: "Up and to the left is better. Ringed strategies are beaten by none in both; the line joins them.",
    columns: ["strategy", "cost", "evidence", "answers short", "best"],
    draw: scatter,
  },
];

const costTurns = (strategy) => strategy.costs_by_turn[chosen.model] || [];

function lengthsOfRuns(strategy, choice) {
  const rows = choice === "cost" ? strategy.costs_by_turns_of_run[chosen.model] || [] : strategy.by_turns_of_run;
  return rows.filter((row) => isNumber(row.ratio));
}

function drawCharts() {
  byId("keys").replaceChildren(...strategies.map(followButton));
  byId("plots").replaceChildren(...CHARTS.filter((chart) => !chart.needsModel || chosen.model).map(chartFigure));
  redraw();
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) { width = innerWidth; redraw(); }
  });
  whenChosen((change) => { if ("model" in change) redraw(); });
  addEventListener("scroll", hideTooltip, { passive: true });
}

function followButton(strategy) {
  const press = () => {
    choose({ followed: chosen.followed === strategy.index ? null : strategy.index });
    byId("keys").querySelectorAll("button").forEach((button, index) =>
      button.setAttribute("aria-pressed", chosen.followed === index));
    follow(null);
  };
  return el("button", {
    type: "button", "aria-pressed": "false", onclick: press,
    onpointerenter: () => follow(strategy), onpointerleave: () => follow(null),
    onfocus: () => follow(strategy), onblur: () => follow(null),
  }, mark(strategy), strategy.name);
}

function chartFigure(chart) {
  const head = el("header", {}, el("div", {}, el("h3", { id: `${chart.id}-title` }, chart.title), el("p", {}, chart.says)));
  if (chart.choices) head.append(chartChoice(chart));
  const table = el("details", { class: "as-table", ontoggle: (event) => { if (event.target.open) fillTable(chart, event.target); } },
    el("summary", {}, "As a table", el("span", { class: "unseen" }, `: ${chart.title}`)));
  return el("figure", { class: "chart", id: chart.id, "aria-labelledby": `${chart.id}-title` }, head, el("div", { class: "plot" }), table);
}

function chartChoice(chart) {
  const options = chart.choices.map(([value, label]) => el("option", { value }, label));
  const onchange = (event) => { chart.choice = event.target.value; redraw(); };
  return el("label", { class: "field" }, el("span", { class: "unseen" }, `${chart.title}: show`), el("select", { onchange }, options));
}

function redraw() {
  for (const chart of CHARTS) {
    const figure = byId(chart.id);
    if (!figure) continue;
    chart.draw(figure.querySelector(".plot"));
    const table = figure.querySelector("details");
    if (table.open) fillTable(chart, table);
  }
  follow(null);
}

function lines(host, chart, plotted, options) {
  const points = plotted.flatMap((series) => series.points);
  if (!points.length) return host.replaceChildren(el("p", { class: "hint" }, "Nothing was sent."));
  const xs = [...new Set(points.map((point) => point.x))].sort((one, other) => one - other);
  const values = points.map((point) => point.y).concat(isNumber(options.zero) ? [options.zero] : []);
  const drawn = frame(host, {
    title: `${chart.title}. ${chart.says}`, labels: true, xTicks: xs, xFormat: String,
    xRange: xs.length > 1 ? [xs[0], xs[xs.length - 1]] : [xs[0] - 1, xs[0] + 1], yRange: rounded(values, 5), ...options,
  });
  if (options.isLossBelowZero) shadeLoss(drawn);
  const order = [...plotted].sort((one, other) => one.strategy.isBaseline - other.strategy.isBaseline).reverse();
  for (const series of order) series.group = drawSeries(drawn, series.strategy, series.points, true);
  drawLabels(drawn, plotted.filter((series) => series.points.length).map((series) => ({ strategy: series.strategy, ...series.points[series.points.length - 1] })));
  makeWalkable(drawn, plotted);
  return drawn;
}

// Where a strategy costs more than it saves.
function shadeLoss({ canvas, box, y }) {
  const top = y(0);
  if (box.bottom - top < 4) return;
  canvas.prepend(svg("rect", { class: "loss", x: box.left, y: top, width: box.right - box.left, height: box.bottom - top }));
  canvas.append(svg("text", { class: "loss-label", x: box.left + 8, y: box.bottom - 7, "aria-hidden": "true" }, "costs more"));
}

function costPoints() {
  return strategies.filter((strategy) => strategy.totals.requests).map((strategy) => {
    const cost = chosen.model ? strategy.totals[`cost:${chosen.model}`] : strategy.totals.input_tokens;
    const isBest = chosen.model ? strategy.efficient_for.includes(chosen.model) : strategy.totals.efficient === 1;
    const price = chosen.model ? `${money(cost)}${isEstimate(strategy) ? " (estimate)" : ""}` : plural(cost, "token");
    return {
      strategy, isBest, x: Number(cost), y: strategy.totals.evidence ?? 1, price,
      says: `${strategy.name}\n${price}\nevidence ${percent(strategy.totals.evidence)}, answers short ${shortText(strategy)}${isBest ? "\nbeaten by none in both" : ""}`,
    };
  });
}

function scatter(host) {
  const points = costPoints();
  if (!points.length) return host.replaceChildren(el("p", { class: "hint" }, "Nothing was sent."));
  const yRange = rounded(points.map((point) => point.y), 5);
  const drawn = frame(host, {
    title: `${this.title}. ${this.says}`, labels: false, xRange: rounded(points.map((point) => point.x), 5),
    yRange: [Math.max(0, yRange[0]), Math.min(yRange[1], Math.max(1, ...points.map((point) => point.y)) + (yRange[1] - yRange[0]) * 0.05)],
    xFormat: chosen.model ? (amount) => `$${Number(amount.toPrecision(3))}` : shortCount, yFormat: (share) => `${Math.round(share * 1000) / 10}%`,
    xTitle: chosen.model ? `cost with ${chosen.model}` : "input tokens",
  });
  drawFrontier(drawn, points.filter((point) => point.isBest));
  const plotted = points.map((point) => ({ strategy: point.strategy, points: [point], group: drawSeries(drawn, point.strategy, [point], false) }));
  nameNearby(drawn, points);
  makeWalkable(drawn, plotted);
  return drawn;
}

function drawFrontier({ canvas, x, y }, best) {
  const sorted = [...best].sort((one, other) => one.x - other.x);
  const steps = sorted.map((point, index) => (index ? `H${x(point.x)}V${y(point.y)}` : `M${x(point.x)},${y(point.y)}`));
  canvas.append(svg("path", { class: "frontier", d: steps.join("") }));
  for (const point of sorted) canvas.append(svg("circle", { class: "ring", cx: x(point.x), cy: y(point.y), r: 10.5 }));
}

// A name beside each point, where there is room; further away with a line to it where there is none.
function nameNearby({ canvas, box, x, y }, points) {
  const at = points.map((point) => ({ ...point, left: x(point.x), top: y(point.y) }));
  const taken = at.map(({ left, top }) => ({ left: left - 11, right: left + 11, top: top - 11, bottom: top + 11 }));
  const isFree = (place) => place.left >= box.left && place.right <= box.right + 12 && place.top >= 0 && place.bottom <= box.bottom
    && taken.every((other) => place.right < other.left || place.left > other.right || place.bottom < other.top || place.top > other.bottom);
  for (const point of at) {
    const place = placesAround(point).find(isFree);
    if (!place) continue;
    taken.push(place);
    const leader = place.isFar ? svg("path", { class: "leader", d: `M${point.left},${point.top}L${(place.left + place.right) / 2},${place.top > point.top ? place.top : place.bottom}` }) : null;
    canvas.append(svg("g", { class: `series s${point.strategy.style}`, "data-strategy": point.strategy.index, "aria-hidden": "true" },
      ...[leader].filter(Boolean), svg("text", { class: "label", x: place.left, y: place.bottom - 3 }, point.strategy.name)));
  }
}

function placesAround({ strategy, left, top }) {
  const width = strategy.name.length * 6.4;
  const near = [[14, 4], [-14 - width, 4], [-width / 2, -16], [-width / 2, 26], [10, -12], [10, 20], [-10 - width, -12], [-10 - width, 20]];
  const far = [44, 62, 80, 98, 116].flatMap((down) => [0, 40, -40, 80, -80].flatMap((aside) => [[aside - width / 2, down], [aside - width / 2, -down]]));
  const place = (isFar) => ([dx, dy]) => ({ isFar, left: left + dx, right: left + dx + width, top: top + dy - 11, bottom: top + dy + 3 });
  return [...near.map(place(false)), ...far.map(place(true))];
}

// The numbers behind a chart.
function fillTable(chart, details) {
  const rows = chart.rows
    ? strategies.flatMap((strategy) => chart.rows(strategy).map((cells) => [strategy.name, ...cells]))
    : costPoints().map((point) => [point.strategy.name, point.price, percent(point.strategy.totals.evidence), shortText(point.strategy), point.isBest ? "yes" : ""]);
  const columns = chart.rows ? ["strategy", ...chart.columns] : chart.columns;
  const table = el("table", {},
    el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows.map(([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell) => el("td", {}, cell))))));
  details.querySelector(".scroll")?.remove();
  details.append(el("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": `${chart.title} as a table` }, table));
}
