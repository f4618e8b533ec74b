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
