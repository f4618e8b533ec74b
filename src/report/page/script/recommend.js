// The recommendation for the chosen model and tolerance, by the same rule as in the program.

// Exact cost with the chosen model; input tokens without models.
const exactCost = (strategy) => (chosen.model ? strategy.costs[modelIndex()] : BigInt(strategy.totals.input_tokens));
const shareText = (share) => `${Math.round(share * 1000) / 10}%`;
const isTolerable = ({ totals: { answers_short, answers_needing } }) => answers_short <= chosen.tolerance * answers_needing;
const isAtStart = () => chosen.model === start.model && chosen.tolerance === start.tolerance;

// Returns true if a strategy costs so much less than the baseline that a change is worth it.
const saves = (strategy) => exactCost(strategy) < exactCost(baseline)
  && Number(exactCost(strategy)) <= (1 - totals.min_saving) * Number(exactCost(baseline));
const cheaper = totals.min_saving ? `at least ${shareText(totals.min_saving)} cheaper` : "cheaper";

// Of several that cost the same the baseline is first, then the order of the suite counts.
function cheapestFirst() {
  const order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  return [...strategies].sort((one, other) =>
    order(exactCost(one), exactCost(other)) || other.isBaseline - one.isBaseline || one.index - other.index);
}

function recommended() {
  const tolerable = cheapestFirst().filter((strategy) => strategy.is_complete && isTolerable(strategy));
  return tolerable.find((strategy) => !tolerable.includes(baseline) || saves(strategy)) ?? baseline;
}

// Of each random split of the runs the sums of both halves, by model.
const halvesBy = new Map();

function halves() {
  const model = modelIndex();
  if (!halvesBy.has(model)) {
    const sums = () => ({ needing: 0, costs: strategies.map(() => 0), short: strategies.map(() => 0) });
    const splits = Array.from({ length: 400 }, () => [sums(), sums()]);
    for (const entry of entries) {
      const bits = Array.from(entry.halves, (digit) => parseInt(digit, 16));
      splits.forEach((split, index) => {
        const half = split[(bits[index >> 2] >> (3 - (index & 3))) & 1];
        half.needing += entry.needing;
        entry.strategies.forEach((run, strategy) => {
          half.costs[strategy] += model < 0 ? run.input_tokens : run.costs[model];
          half.short[strategy] += run.short.length;
        });
      });
    }
    halvesBy.set(model, splits);
  }
  return halvesBy.get(model);
}

// The index of the strategy that half of the runs recommends.
function choiceOf({ needing, costs, short }) {
  const isTolerable = (index) => strategies[index].is_complete && short[index] <= chosen.tolerance * needing;
  const [base, isKept] = [costs[baseline.index], isTolerable(baseline.index)];
  const isWorth = (index) => !isKept || (costs[index] < base && costs[index] <= (1 - totals.min_saving) * base);
  const worth = strategies.map(({ index }) => index).filter((index) => isTolerable(index) && isWorth(index));
  return worth.length ? worth.reduce((best, index) => (costs[index] < costs[best] ? index : best)) : isKept ? baseline.index : null;
}

// The sentence on how sure the choice is. A page without all scenarios knows it for the tolerance of the run alone.
function certainty() {
  if (isAtStart() || totals.runs_to_add === null) return totals.certainty;
  if (entries.length < totals.scenarios) return `How sure it is, was measured for ${shareText(start.tolerance)}${start.model ? ` with ${start.model}` : ""} alone.`;
  const splits = halves();
  const share = splits.filter(([one, other]) => choiceOf(one) === choiceOf(other)).length / splits.length;
  const text = `${(share * 100).toFixed(0)}% of random halves agree.`;
  return share >= totals.sure ? `Sure: ${text}` : `Thin: ${text}${totals.runs_to_add}`;
}

function sentence() {
  const best = recommended();
  return best === baseline
    ? `Keep ${totals.baseline}: ${whyNothingElse()}.`
    : `Use ${best.name}: the cheapest strategy with at most ${shareText(chosen.tolerance)} of answers short.`;
}

function whyNothingElse() {
  const others = cheapestFirst().filter((strategy) => !strategy.isBaseline);
  if (!baseline.isBaseline || !others.length) return "there is nothing to compare it with";
  const cost = exactCost(baseline);
  const [least] = others.filter(saves)
    .sort((one, other) => one.totals.answers_short - other.totals.answers_short);
  if (least && !least.is_complete) return `a chat model would refuse more requests of ${least.name}, which costs less`;
  if (least) {
    const { answers_short, answers_needing } = least.totals;
    return `everything ${cheaper} leaves more than ${shareText(chosen.tolerance)} of answers short (${least.name}: ${count(answers_short)} of ${count(answers_needing)})`;
  }
  if (exactCost(others[0]) < cost) return `nothing is ${cheaper}`;
  if (exactCost(others[0]) === cost) return "no strategy makes these runs cheaper";
  if (others.some((other) => other.totals.input_tokens < baseline.totals.input_tokens)) {
    return "fewer tokens cost more here, since what changes is not read from the cache";
  }
  return "every other strategy sends more tokens";
}
