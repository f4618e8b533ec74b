// The recommendation for the chosen model and tolerance, by the same rule as in the program.

// Exact cost of all runs with the chosen model; input tokens without models.
const exactCost = (strategy) => (chosen.model ? strategy.costs[modelIndex()] : BigInt(strategy.totals.input_tokens));
// The cost that decides, and answers missing a fact, of the runs that equal no other one, which alone are evidence.
const NOTHING = { cost: 0n, needing: 0, short: 0 };
const judged = (strategy) => strategy.judged[Math.max(0, modelIndex())] ?? NOTHING;
const shareText = (share) => `${Math.round(share * 1000) / 10}%`;
const isAtStart = () => chosen.model === start.model && chosen.tolerance === start.tolerance;

// Returns true if a cost is so much lower than the baseline's that a change is worth it.
const isWorth = (cost, base, minSaving) => cost < base && Number(cost) <= (1 - minSaving) * Number(base);

// Of several that cost the same the baseline is first, then the order of the suite counts. Those without all requests are last.
function cheapestFirst() {
  const order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  return [...strategies].sort((one, other) =>
    other.is_whole - one.is_whole || order(exactCost(one), exactCost(other)) || other.isBaseline - one.isBaseline || one.index - other.index);
}

// None if there is too little to choose by.
const recommended = () => (totals.too_little ? null : strategies[proven() ?? ofSample()] ?? baseline);
const ofSample = () => choiceOf(atMostTurns(), totals.min_saving, isCandidate);

// The sums of all runs, by strategy.
function allRuns() {
  const standings = strategies.map(judged);
  return { needing: judged(baseline).needing, costs: standings.map(({ cost }) => cost), short: standings.map(({ short }) => short) };
}

// The same at the most turns that the agent may take, which decide.
function atMostTurns() {
  const sums = allRuns();
  return { ...sums, costs: sums.costs.map((cost, index) => (cost * BigInt(strategies[index].most_turns)) / 100n) };
}

// Who sets a bound takes settings of any kind, also those that no public experiment supports.
const isSupported = (one) => one.is_supported || totals.takes_any_kind || chosen.tolerance !== start.tolerance;
const isCandidate = (one) => one.is_complete && (one.isBaseline || isSupported(one)) && !one.cliff;
const isCandidateDespiteCliffs = (one) => one.is_complete && (one.isBaseline || isSupported(one));
const isCandidateDespiteAll = (one) => one.is_complete;

// Returns true if few enough answers lack a fact. Those of a baseline that was really sent were written all the same.
const isFew = (short, needing, ofBaseline) => short - (totals.baseline_was_sent ? ofBaseline : 0) <= chosen.tolerance * needing;
// The largest share of answers missing a fact, for the chart.
const mostShort = () => chosen.tolerance + (totals.baseline_was_sent ? judged(baseline).short / Math.max(1, judged(baseline).needing) : 0);
const beyondText = totals.baseline_was_sent ? ` more than with ${totals.baseline}` : "";
// As in the program, unless the page's slider or the user set another limit.
const isDefaultLimit = () => !totals.takes_any_kind && chosen.tolerance === totals.max_short;
const limitText = () => shareText(chosen.tolerance) + beyondText + (isDefaultLimit() ? ", the default (--max-short)" : "");
const boundText = () => `${shareText(chosen.tolerance)} of answers lacking a fact${beyondText}`;

// The indexes of the candidates that leave few enough answers short.
function tolerable({ needing, short }, isOne) {
  return strategies.filter((one) => isOne(one) && isFew(short[one.index], needing, short[baseline.index])).map(({ index }) => index);
}

// The most that costs the same as the cheapest of some strategies: a point of the baseline more.
const tie = (indexes, costs) => Math.min(...indexes.map((index) => Number(costs[index]))) + Number(costs[baseline.index]) / 100;

// The index of the strategy to use: of those that cost the same, the one that changes least.
function choiceOf(sums, minSaving, isOne, passes = () => true) {
  const [fine, base] = [tolerable(sums, isOne), sums.costs[baseline.index]];
  const isKept = fine.includes(baseline.index);
  const worth = fine.filter((index) => (!isKept || isWorth(sums.costs[index], base, minSaving)) && (index === baseline.index || passes(strategies[index])));
  if (!worth.length) return isKept ? baseline.index : null;
  const most = tie(worth, sums.costs);
  const order = (index) => [index !== baseline.index, strategies[index].rewrites_calls, strategies[index].most_turns, BigInt(strategies[index].tail), sums.costs[index], index];
  const isBefore = (one, other) => {
    const at = one.findIndex((value, place) => value !== other[place]);
    return at >= 0 && one[at] < other[at];
  };
  return worth.filter((index) => Number(sums.costs[index]) <= most).reduce((best, index) => (isBefore(order(index), order(best)) ? index : best));
}

// The logarithm of the factorial of a whole number, by Stirling's series.
function logFactorial(number) {
  if (number < 20) return Array.from({ length: number }, (_, at) => Math.log(at + 1)).reduce((sum, log) => sum + log, 0);
  return number * Math.log(number) - number + Math.log(2 * Math.PI * number) / 2 + 1 / (12 * number) - 1 / (360 * number ** 3);
}

// The binomial probability of at most this many hits in this many trials.
function atMost(hits, trials, probability) {
  if (hits >= trials || probability <= 0) return 1;
  if (probability >= 1) return 0;
  return hits < trials * probability ? tailBelow(hits, trials, probability) : 1 - tailBelow(trials - hits - 1, trials, 1 - probability);
}

function tailBelow(hits, trials, probability) {
  const ways = logFactorial(trials) - logFactorial(hits) - logFactorial(trials - hits);
  let term = Math.exp(ways + hits * Math.log(probability) + (trials - hits) * Math.log(1 - probability));
  let sum = term;
  for (let hit = hits; hit > 0 && term >= sum * 1e-12; hit -= 1) {
    term *= (hit / (trials - hit + 1)) * (1 - probability) / probability;
    sum += term;
  }
  return Math.min(1, sum);
}

// Losses beyond those that are forgiven, and answers, divided by the design effect of whole runs.
function effective(strategy) {
  const { short, needing } = judged(strategy);
  const forgiven = totals.baseline_was_sent ? judged(baseline).short : 0;
  return [Math.floor(Math.max(0, short - forgiven) / proof.design_effect), Math.round(needing / proof.design_effect)];
}

const { proof, words } = totals;
const isTested = ({ index }) => proof.changed[index] >= 2 && proof.changed[index] * 10 >= proof.runs;
const saves = ({ index }) => proof.saves[Math.max(0, modelIndex())][index];
const savesTooLittle = ({ index }) => proof.saves_too_little[Math.max(0, modelIndex())][index];

function isWithin(strategy) {
  const [short, needing] = effective(strategy);
  return needing > 0 && atMost(short, needing, chosen.tolerance) <= proof.error;
}

function isBeyond(strategy) {
  const [short, needing] = effective(strategy);
  return short > 0 && 1 - atMost(short - 1, needing, chosen.tolerance) <= proof.error;
}

// The upper bound of the share of losses on other runs.
function upperBound(strategy) {
  const [short, needing] = effective(strategy);
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (atMost(short, needing, middle) > proof.error) low = middle;
    else high = middle;
  }
  return high;
}

// The index of the strategy whose losses and savings are proven: each family is walked from mild to aggressive.
function proven() {
  if (totals.too_little || !proof.has_enough_tasks) return null;
  const passed = new Set();
  for (const family of proof.families) {
    for (const index of family) {
      if (index !== baseline.index && !isWithin(strategies[index])) break;
      if (isTested(strategies[index]) && saves(strategies[index])) passed.add(index);
    }
  }
  const choice = choiceOf(atMostTurns(), totals.min_saving, isCandidate, ({ index }) => passed.has(index));
  return choice === baseline.index ? null : choice;
}

// Returns true if it is proven that the baseline has to be kept.
const keeps = () => proof.has_enough_tasks && strategies.every((one) =>
  one.isBaseline || !isCandidateDespiteAll(one) || !isTested(one) || savesTooLittle(one) || isBeyond(one));
const isStrong = () => proven() !== null || (ofSample() === baseline.index && keeps());

// The sentence on the evidence for the choice, and on the runs that would make it strong.
function certainty() {
  if (isAtStart() || totals.too_little) return totals.certainty;
  const best = recommended();
  if (isStrong()) {
    return best === baseline
      ? `Strong evidence: on other runs, too, everything tested saves too little or leaves over ${shareText(chosen.tolerance)} of answers without a fact (${words.sure}).`
      : `Strong evidence: on other runs like these at most ${shareText(upperBound(best))} of answers would lack a fact (${words.sure}).`;
  }
  return `Weak evidence: ${weakness(best)}`;
}

function weakness(best) {
  if (!proof.has_enough_tasks) return words.few_tasks;
  if (best === baseline) return words.other_choice;
  if (!isTested(best)) return `${best.name} changed ${count(proof.changed[best.index])} of ${count(proof.runs)} runs. Add longer runs.`;
  const upper = upperBound(best);
  if (upper <= chosen.tolerance) return words.milder_loses;
  return `on other runs up to ${shareText(upper)} of answers may lack a fact, above the limit (${words.sure}). ${runsToSettle(best)}`;
}

function runsToSettle(strategy) {
  const [short, needing] = effective(strategy);
  const times = (number, runs) => Math.floor((number * runs) / Math.max(1, proof.runs));
  for (const [runs, error] of proof.forecast) {
    if (atMost(times(short, runs), Math.max(1, times(needing, runs)), chosen.tolerance) <= error) {
      return `About ${count(runs - proof.runs)} more runs like these ${count(proof.runs)} would be enough for strong evidence.`;
    }
  }
  return words.too_close;
}

// The strategy that would be recommended if longer runs had shown what it costs.
function unmeasured() {
  const strategy = totals.too_little ? null : strategies[choiceOf(atMostTurns(), totals.min_saving, isCandidateDespiteCliffs)];
  return strategy?.cliff ? strategy : null;
}

// Costs less on these runs than the recommended one, without strong evidence.
function further() {
  const [sample, best, { costs }] = [strategies[ofSample()], recommended(), allRuns()];
  const most = atMostTurns().costs;
  if (!sample || !best || Number(most[best.index]) <= tie([sample.index], most)) return null;
  return `${sample.name} saves ${shareText(1 - Number(costs[sample.index]) / Number(costs[baseline.index]))} here, but on other runs up to ${shareText(upperBound(sample))} of answers may lack a fact. ${runsToSettle(sample)}`;
}

// The reason not to recommend a strategy that saves enough here at the same turns.
function barred() {
  const strategy = strategies[choiceOf(allRuns(), totals.min_saving, isCandidateDespiteAll)];
  if (!strategy || strategy.isBaseline) return null;
  const [{ costs }, most] = [allRuns(), atMostTurns().costs];
  const [whole, reasons] = [costs[baseline.index], []];
  if (!isSupported(strategy)) reasons.push(`${strategy.why_not} (--max-short ${shareText(chosen.tolerance)} allows it)`);
  if (!isWorth(most[strategy.index], whole, totals.min_saving)) {
    const [verb, less, more] = costWords();
    reasons.push(`${verb} ${changeText(Number(most[strategy.index]) / Number(whole), less, more)} ${atTurnsText(strategy)} (if you measured yours: --turns)`);
  }
  if (!reasons.length) return null;
  const saved = shareText(1 - Number(costs[strategy.index]) / Number(whole));
  return { strategy, text: `${strategy.name} saves ${saved} at the same turns, but ${reasons.join(", and ")}` };
}

// The same where another strategy is recommended.
function notRecommended() {
  const [best, bar, { costs }] = [recommended(), totals.too_little ? null : barred(), allRuns()];
  const isCheaper = bar && best && !best.isBaseline && Number(costs[best.index]) > tie([bar.strategy.index], costs);
  return isCheaper ? `${bar.text}.` : null;
}

// Sentences that bound the choice.
function notes() {
  if (isAtStart()) return totals.notes;
  const best = recommended();
  const lost = best?.totals.instructions_lost;
  const forgotten = lost ? `${best.name} drops ${count(lost)} ${lost === 1 ? "instruction" : "instructions"}.` : null;
  const past = unmeasured();
  const inPublic = best && !best.isBaseline ? best.in_public : [];
  return [totals.too_little ? null : further(), notRecommended(), totals.untested, past && `${past.cliff}${past.runs_past_cliff}`, ...inPublic, forgotten, ...totals.own_calls,
    totals.copies, ...totals.prompts].filter(Boolean);
}

function sentence() {
  if (totals.too_little) return totals.names_cheapest ? `${totals.too_little} ${cheapest()}` : totals.too_little;
  const best = recommended();
  if (best === baseline) return `Keep ${totals.baseline}: ${whyNothingElse()}.`;
  const { costs, ...sums } = atMostTurns();
  const rest = tolerable(sums, isCandidate).every((index) => costs[index] >= costs[best.index])
    ? "" : words.changes_less;
  return `${isStrong() ? "Use" : "Try"} ${best.name}: it ${saving(best)}. ${loss(best)}${rest}`;
}

// `costs 45.3% less than full-history with gpt-6.1-sol (23.4% less if the agent takes 1.4 times the turns, the most published for a similar method)`
function saving(strategy) {
  const [cost, whole] = [strategy, baseline].map((one) => Math.max(1, Number(judged(one).cost)));
  const [verb, less, more] = costWords();
  const turns = strategy.most_turns / 100;
  const range = turns === 1 ? "" : ` (${changeText((cost * turns) / whole, less, more)} ${atTurnsText(strategy)})`;
  const model = totals.models.length > 1 ? ` with ${chosen.model}` : "";
  return `${verb} ${changeText(cost / whole, less, more)} than ${totals.baseline}${model}${range}`;
}

const costWords = () => (chosen.model ? ["costs", "less", "more"] : ["sends", "fewer tokens", "more tokens"]);

// `45.3% less`, `2.1% more`
const changeText = (ratio, less, more) => (ratio <= 1 ? `${shareText(1 - ratio)} ${less}` : `${shareText(ratio - 1)} ${more}`);

// `if the agent takes 1.4 times the turns, the most published for summaries`
function atTurnsText(strategy) {
  return `if the agent takes ${strategy.most_turns / 100} times the turns, ${strategy.source_of_turns}`;
}

function loss(strategy) {
  const { short, needing } = judged(strategy);
  return `For ${count(short)} of ${count(needing)} answers (${partText(short, needing)}) the request would lack a fact that the answer uses; the limit is ${limitText()}.`;
}

// `4%`, `under 1%`
function partText(part, whole) {
  const share = part / Math.max(1, whole);
  return share > 0 && share < 0.01 ? "under 1%" : `${Math.round(share * 100)}%`;
}

// The sentence on the cheapest strategy where none is recommended.
function cheapest() {
  const bound = judged(baseline).needing ? ` with at most ${boundText()}` : "";
  const strategy = strategies[choiceOf(allRuns(), 0, isCandidateDespiteAll)] ?? baseline;
  const [own, whole] = [strategy, baseline].map((one) => Number(judged(one).cost));
  if (own >= whole) return `No strategy${bound} is cheaper.`;
  return `Cheapest${bound}: ${strategy.name} (-${((1 - own / whole) * 100).toFixed(1)}%).`;
}

function whyNothingElse() {
  const others = cheapestFirst().filter((strategy) => !strategy.isBaseline && strategy.is_whole);
  if (!baseline.isBaseline || !others.length) return words.nothing_to_compare;
  const passedOver = unmeasured();
  if (passedOver) return `few runs show what ${passedOver.name} costs on longer ones`;
  const { cost } = judged(baseline);
  const [least] = others.filter((strategy) => isWorth(judged(strategy).cost, cost, totals.min_saving))
    .sort((one, other) => judged(one).short - judged(other).short);
  const bar = barred();
  if (bar) return bar.text;
  if (least && least.over_window > baseline.over_window) return `${least.name}, which costs less, is over the window`;
  if (least && !least.is_complete) return `the API would reject requests of ${least.name}, which costs less`;
  if (least) {
    const { short, needing } = judged(least);
    const saved = shareText(1 - Number(judged(least).cost) / Number(cost));
    return `nothing tested is both cheaper and safe. Nearest: ${least.name} saves ${saved}, but for ${count(short)} of ${count(needing)} answers (${partText(short, needing)}) the request would lack a fact that the answer uses; the limit is ${limitText()}`;
  }
  const costs = others.map((strategy) => judged(strategy).cost);
  if (costs.some((other) => other < cost)) return `nothing is ${words.cheaper}`;
  if (costs.some((other) => other === cost)) return words.none_cheaper;
  if (others.some((other) => other.totals.input_tokens < baseline.totals.input_tokens)) {
    return words.cache_lost;
  }
  return words.more_tokens;
}
