// The agents whose logs were read together: what each cost and what to change, and its table.

function drawAgents() {
  const { judged: agents, found, unjudged } = totals.agents;
  byId("agents").hidden = byId("agents-link").hidden = !found;
  if (!found) return;
  byId("agents-title").textContent = `${plural(found, "agent")} in these logs`;
  byId("agents-list").append(...agents.map(agentOf));
  byId("agents-unjudged").replaceChildren(...prose(unjudged ?? ""));
}

function agentOf(agent) {
  const { name, page, heading: [sessions, cost, ...missing], action, more_actions: more } = agent;
  const title = page ? el("a", { href: page }, name) : [name, el("span", { class: "badge good" }, "this page")];
  return el("li", {},
    el("h3", {}, title),
    el("p", { class: "hint" }, sessions),
    cost && el("p", { class: "agent-cost" }, cost),
    missing.map((text) => el("p", { class: "hint" }, text)),
    action
      ? [el("p", { class: "agent-action" }, el("b", {}, action.title), " saves ", el("b", { class: "good" }, action.saves)), el("p", {}, action.loses || "No fact is lost.")]
      : el("p", { class: "agent-action" }, prose(agent.answer ?? agent.sentence)),
    page && el("p", { class: "hint" }, more ? `${plural(more, "more change")} and the evidence: ` : "More: ", el("a", { href: page }, "its page", el("span", { class: "unseen" }, ` (${name})`)),
      ", or ", el("code", {}, `--only-agent ${quoted(name)}`), " with the same command"),
    page && el("details", { class: "legend" }, el("summary", {}, el("span", {}, "Its strategies"), el("span", { class: "unseen" }, ` (${name})`)),
      el("p", {}, el("b", {}, agent.sentence), ` ${agent.certainty}`), agentTable(agent), factList(agent.facts)));
}

// A word of a shell's command line.
const quoted = (word) => (/^[\w.:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function agentTable(agent) {
  const has = (strategy) => strategy.requests > 0;
  const change = (ratio, strategy, absolute) => (!has(strategy) ? NONE : strategy.name === agent.baseline ? absolute : ratio === null ? NONE : signed(ratio - 1));
  const columns = [
    ["input tokens", (one) => change(one.ratio, one, count(one.input_tokens))],
    ...(agent.model ? [[`cost with ${agent.model}`, (one) => change(one.cost_ratio, one, money(one.cost))]] : []),
    ["answers lacking a fact", (one) => (has(one) ? `${count(one.answers_short)} of ${count(one.answers_needing)}` : NONE)],
  ];
  const row = (one) => el("tr", { class: one.name === agent.recommended ? "recommended" : null },
    el("th", { scope: "row" }, one.name, one.name === agent.baseline ? el("span", { class: "badge" }, "baseline") : null, one.name === agent.recommended ? el("span", { class: "badge good" }, "recommended") : null),
    one.instead ? el("td", { class: "instead", colspan: columns.length }, one.instead) : columns.map(([, cell]) => el("td", {}, cell(one))));
  const [kept, apart] = [false, true].map((is) => agent.strategies.filter((one) => one.is_set_apart === is));
  return el("div", { class: "scroll", role: "region", "aria-label": `Table of ${agent.name}`, tabindex: 0 }, el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "strategy"), columns.map(([title]) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, kept.map(row)),
    apart.length ? el("tbody", {}, el("tr", {}, el("th", { scope: "rowgroup", class: "apart", colspan: columns.length + 1 }, totals.table.set_apart)), apart.map(row)) : null));
}

// Sentences of the logs, those that begin with a blank below the one before.
const factList = (facts) => el("ul", { class: "facts-list" }, facts.map((fact) => el("li", { class: fact.startsWith(" ") ? "below" : null }, withPlaces(fact.trim()))));

// `0004-session-1@58` of a log, as a link with the words of the session.
function withPlaces(text) {
  return text.split(/([\p{L}\p{N}_.-]+@\d+)/u).map((part) => {
    const [name, turn] = part.split("@");
    const entry = turn && sessionsByName.get(name);
    return entry ? el("a", { href: address(entry, turn, baseline) }, `${entry.label}, turn ${turn}`) : part;
  });
}

const sessionsByName = new Map(entries.filter((entry) => entry.label !== entry.name).map((entry) => [entry.name, entry]));

function drawFacts() {
  const { facts, spending } = totals;
  byId("facts").hidden = !facts.length;
  byId("facts-list").append(...factList(facts).children);
  byId("spending").hidden = !spending;
  if (!spending) return;
  const [first, ...others] = spending.headings;
  byId("spending").append(
    el("p", {}, spending.sentence),
    el("div", { class: "scroll", role: "region", "aria-label": "Table of input that was not in the cache", tabindex: 0 }, el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, first), others.map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, spending.rows.map(([cause, ...cells]) => el("tr", {}, el("th", { scope: "row" }, cause), cells.map((cell) => el("td", {}, cell))))))),
    ...(spending.what_ifs.list.length ? [el("p", {}, spending.what_ifs.title), el("ul", { class: "facts-list" }, spending.what_ifs.list.map((text) => el("li", {}, text)))] : []));
}
