// The recommendation for the chosen model and tolerance, by the same rule as in the program.

// Exact cost of all runs with the chosen model; input tokens without models.
const exactCost = (strategy) => (chosen.model ? strategy.costs[modelIndex()] : BigInt(strategy.totals.input_tokens));
// The cost that decides, and short answers, of the runs that equal no other one, which alone are evidence.
const NOTHING = { cost: 0n, needing: 0, short: 0 };
const judged = (strategy) => strategy.judged[Math.max(0, modelIndex())] ?? NOTHING;
const shareText = (share) => `${Math.round(share * 1000) / 10}%`;
const isAtStart = () => chosen.model === start.model && chosen.tolerance === start.tolerance;

// Returns true if a cost is so much lower than the baseline's that a change is worth it.
const isWorth = (cost, base, minSaving) => cost < base && Number(cost) <= (1 - minSaving) * Number(base);
const cheaper = totals.min_saving ? `at least ${shareText(totals.min_saving)} cheaper` : "cheaper";

// Of several that cost the same the baseline is first, then the order of the suite counts. Those without all requests are last.
function cheapestFirst() {
  const order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  return [...strategies].sort((one, other) =>
    other.is_whole - one.is_whole || order(exactCost(one), exactCost(other)) || other.isBaseline - one.isBaseline || one.index - other.index);
}

// None if there is too little to choose by.
const recommended = () => (totals.too_little ? null : strategies[choiceOf(allRuns(), totals.min_saving)] ?? baseline);

// The sums of all runs, by strategy.
function allRuns() {
  const standings = strategies.map(judged);
  return { needing: judged(baseline).needing, costs: standings.map(({ cost }) => cost), short: standings.map(({ short }) => short) };
}

// Of each random split of the runs the sums of both halves, by model.
const halvesBy = new Map();

function halves() {
  const model = modelIndex();
  if (!halvesBy.has(model)) {
    const sums = () => ({ needing: 0, costs: strategies.map(() => 0), short: strategies.map(() => 0) });
    const splits = Array.from({ length: 200 }, () => [sums(), sums()]);
    for (const entry of distinct()) {
      const bits = Array.from(entry.halves, (digit) => parseInt(digit, 16));
      splits.forEach((split, index) => {
        const half = split[(bits[index >> 2] >> (3 - (index & 3))) & 1];
        half.needing += entry.needing;
        entry.strategies.forEach((run, strategy) => {
          half.costs[strategy] += run.paid ? run.paid[Math.max(0, model)] : model < 0 ? run.input_tokens : run.costs[model];
          half.short[strategy] += run.short.length;
        });
      });
    }
    halvesBy.set(model, splits);
  }
  return halvesBy.get(model);
}

// The entries of the runs that equal no other one.
function distinct() {
  const seen = new Set();
  return entries.filter(({ fingerprint }) => !fingerprint || (!seen.has(fingerprint) && seen.add(fingerprint)));
}

// Returns true if few enough answers are short. Those of a baseline that was really sent were written all the same.
const isFew = (short, needing, ofBaseline) => short - (totals.baseline_was_sent ? ofBaseline : 0) <= chosen.tolerance * needing;
// The largest share of short answers, for the chart.
const mostShort = () => chosen.tolerance + (totals.baseline_was_sent ? judged(baseline).short / Math.max(1, judged(baseline).needing) : 0);
const boundText = () => `${shareText(chosen.tolerance)} of answers short${totals.baseline_was_sent ? ` beyond ${totals.baseline}'s own` : ""}`;

// The indexes of the strategies that leave few enough answers short. Without all, those with a cliff are not among them.
function tolerable({ needing, short }, all = false) {
  const isTolerable = (one) => one.is_complete && (all || !one.cliff) && isFew(short[one.index], needing, short[baseline.index]);
  return strategies.filter(isTolerable).map(({ index }) => index);
}

// The most that costs the same as the cheapest of some strategies: a point of the baseline more.
const tie = (indexes, costs) => Math.min(...indexes.map((index) => Number(costs[index]))) + Number(costs[baseline.index]) / 100;

// The index of the strategy that some runs recommend: of those that cost the same, the one that changes least.
function choiceOf(sums, minSaving, all) {
  const [fine, base] = [tolerable(sums, all), sums.costs[baseline.index]];
  const isKept = fine.includes(baseline.index);
  const worth = fine.filter((index) => !isKept || isWorth(sums.costs[index], base, minSaving));
  if (!worth.length) return isKept ? baseline.index : null;
  const most = tie(worth, sums.costs);
  const order = (index) => [index !== baseline.index, strategies[index].rewrites_calls, BigInt(strategies[index].tail), sums.costs[index], index];
  const isBefore = (one, other) => {
    const at = one.findIndex((value, place) => value !== other[place]);
    return at >= 0 && one[at] < other[at];
  };
  return worth.filter((index) => Number(sums.costs[index]) <= most).reduce((best, index) => (isBefore(order(index), order(best)) ? index : best));
}

// Returns true if the choice of some runs is within a point of the best on others.
function choiceHolds(some, others) {
  const [choice, fine] = [choiceOf(some, totals.min_saving), tolerable(others)];
  return fine.includes(choice) && Number(others.costs[choice]) <= tie(fine, others.costs);
}

// The sentence on how sure the choice is. A page without all scenarios knows it for the tolerance of the run alone.
function certainty() {
  if (isAtStart() || totals.runs_to_add === null) return totals.certainty;
  if (entries.length < totals.scenarios) return `How sure it is, was measured for ${shareText(start.tolerance)}${start.model ? ` with ${start.model}` : ""} alone.`;
  const splits = halves().filter((split) => split.every(({ costs }) => costs.some((cost) => cost > 0)));
  const held = splits.reduce((sum, [one, other]) => sum + choiceHolds(one, other) + choiceHolds(other, one), 0);
  const share = splits.length ? held / splits.length / 2 : 0;
  const text = `within 1 point of the best in ${Math.floor(share * 100)}% of resamples.`;
  const rival = totals.may_be_sure && unmeasuredRival();
  return share >= totals.sure && totals.may_be_sure && !rival ? `Sure: ${text}` : `Thin: ${text}${rival ? rival.runs_past_cliff : totals.runs_to_add}`;
}

const isSure = () => certainty().startsWith("Sure");

// The strategy that would be recommended if longer runs had shown what it costs.
function unmeasured() {
  const strategy = totals.too_little ? null : strategies[choiceOf(allRuns(), totals.min_saving, true)];
  return strategy?.cliff ? strategy : null;
}

// The same if it is more than a point cheaper on these runs than the recommended one.
function unmeasuredRival() {
  const [strategy, { costs }] = [unmeasured(), allRuns()];
  return strategy && Number(costs[recommended().index]) > tie([strategy.index], costs) ? strategy : null;
}

// Sentences that bound the choice.
function notes() {
  const best = recommended();
  const lost = best?.totals.instructions_lost;
  const forgotten = lost ? `Instructions no longer shown under ${best.name}: ${count(lost)}.` : null;
  return [unmeasured()?.cliff, isAtStart() ? totals.rework : null, forgotten, ...totals.own_calls, isAtStart() ? totals.marks : null, totals.copies].filter(Boolean).join(" ");
}

function sentence() {
  if (totals.too_little) return totals.names_cheapest ? `${totals.too_little} ${cheapest()}` : totals.too_little;
  const best = recommended();
  if (best === baseline) return `Keep ${totals.baseline}: ${whyNothingElse()}.`;
  const bound = `with at most ${boundText()}`;
  const { costs, ...sums } = allRuns();
  const choice = `${isSure() ? "Use" : "Try"} ${best.name}`;
  return tolerable(sums).every((index) => costs[index] >= costs[best.index])
    ? `${choice}: the cheapest strategy ${bound}.`
    : `${choice}: it is within 1 point of the cheapest strategy ${bound}, and changes less.`;
}

// The sentence on the cheapest strategy where none is recommended.
function cheapest() {
  const bound = judged(baseline).needing ? ` with at most ${boundText()}` : "";
  const strategy = strategies[choiceOf(allRuns(), 0, true)] ?? baseline;
  const [own, whole] = [strategy, baseline].map((one) => Number(judged(one).cost));
  if (own >= whole) return `No strategy${bound} is cheaper.`;
  return `Cheapest${bound}: ${strategy.name} (-${((1 - own / whole) * 100).toFixed(1)}%).`;
}

function whyNothingElse() {
  const others = cheapestFirst().filter((strategy) => !strategy.isBaseline && strategy.is_whole);
  if (!baseline.isBaseline || !others.length) return "there is nothing to compare it with";
  const passedOver = unmeasured();
  if (passedOver) return `few runs show what ${passedOver.name} costs on longer ones`;
  const { cost } = judged(baseline);
  const [least] = others.filter((strategy) => isWorth(judged(strategy).cost, cost, totals.min_saving))
    .sort((one, other) => judged(one).short - judged(other).short);
  if (least && least.over_window > baseline.over_window) return `${least.name}, which costs less, is over the window`;
  if (least && !least.is_complete) return `the API would reject requests of ${least.name}, which costs less`;
  if (least) {
    const { short, needing } = judged(least);
    return `everything ${cheaper} leaves more than ${boundText()} (${least.name}: ${count(short)} of ${count(needing)})`;
  }
  const costs = others.map((strategy) => judged(strategy).cost);
  if (costs.some((other) => other < cost)) return `nothing is ${cheaper}`;
  if (costs.some((other) => other === cost)) return "no strategy makes these runs cheaper";
  if (others.some((other) => other.totals.input_tokens < baseline.totals.input_tokens)) {
    return "fewer tokens cost more here, since what changes is not read from the cache";
  }
  return "every other strategy sends more tokens";
}
