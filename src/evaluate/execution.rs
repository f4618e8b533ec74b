//! Executes a scenario and renders requests from it. The answers are scripted, so strategies change requests but never the execution. One
//! execution serves all strategies.

use std::path::PathBuf;
use std::sync::Arc;

use ecow::EcoString;

use super::plan::Commands;
use super::wrong_turn::wrong_turn;
use super::{Plan, StaleTexts, expect, written};
use crate::agent::{self, Conversation, Ending, ProgramRun, ScriptedModel};
use crate::compression::{
    BrokenStrategy, History, Rendered, Request, SettingError, StrategyError, TurnMemo, Variant, View,
    history_of,
};
use crate::measure::{Gauges, Requests, size_by_bills};
use crate::report::record::FailureRecord;
use crate::report::{RecordDraft, ScenarioRecord};
use crate::scenario::{Content, Scenario};
use crate::snapshot::text::{self, Snapshot};
use crate::snapshot::{GoldenDraft, Goldens};
use conversation::{MessageId, Messages, TextTokens};
use ptc_lisp::error::ErrorKind;
use ptc_lisp::stop;
use ptc_tokens::Tokenizer;

/// An executed scenario. Requests are rendered one at a time, so a long run need not keep them.
pub struct Execution<'p> {
    pub scenario: Scenario,
    pub conversation: Conversation,
    /// Failed expectations.
    pub failures: Vec<FailureRecord>,
    /// The plan's strategies with their options for this scenario.
    pub variants: Vec<Variant<'p>>,
    /// The strategy to which golden files of others may refer, unless it is the first one.
    pub repeated: Option<Variant<'p>>,
    /// Starts the suite's commands for writing texts.
    pub commands: Commands,
    /// The folder of golden texts, if the suite is a folder.
    pub golden_folder: Option<PathBuf>,
}

/// An executed scenario with its requests under every strategy.
pub struct ReplayedScenario {
    pub scenario: Scenario,
    pub conversation: Conversation,
    /// Failed expectations.
    pub failures: Vec<FailureRecord>,
    /// In the order of the plan.
    pub strategies: Vec<StrategyRun>,
    /// The strategy to which golden files of others may refer, unless it is the first one.
    pub repeated: Option<StrategyRun>,
}

/// Requests of one strategy.
pub struct StrategyRun {
    /// The name in the suite.
    pub name: EcoString,
    /// In turn order; empty if the strategy failed.
    pub requests: Vec<Request>,
    pub broken: Option<BrokenStrategy>,
    /// Why its golden texts are not used, if they are stale.
    pub stale: Option<StaleTexts>,
}

/// Executes a scenario and renders all its requests. `tokens` counts tokens for triggers.
///
/// # Errors
/// A strategy lacks an option, or rejects its value.
pub fn replay(
    scenario: Scenario,
    plan: &Plan,
    tokens: &TextTokens<'_>,
) -> Result<ReplayedScenario, SettingError> {
    render_all(execute(scenario, plan)?, tokens, None)
}

/// Like [`replay`], but triggers of products use billed sizes if the log has bills.
///
/// # Errors
/// Fails like [`replay`].
pub fn replay_with_bills(
    scenario: Scenario,
    plan: &Plan,
    tokenizer: &Tokenizer,
) -> Result<ReplayedScenario, SettingError> {
    render_all(execute(scenario, plan)?, &|text| u64::from(tokenizer.count(text)), Some(tokenizer))
}

type RenderedRequests = (Vec<Request>, Option<StaleTexts>);

fn render_requests(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
) -> Result<RenderedRequests, BrokenStrategy> {
    let memo = TurnMemo::default();
    let written = written(execution, variant, history)?;
    let mut requests = Vec::new();
    for request in execution.requests(&written.variant, history, &memo) {
        requests.push(request?.map(|id| history.messages().message(id)));
    }
    Ok((requests, written.stale))
}

fn run_strategy(execution: &Execution<'_>, variant: &Variant<'_>, history: &History<'_>) -> StrategyRun {
    let (requests, stale, broken) = match render_requests(execution, variant, history) {
        Ok((requests, stale)) => (requests, stale, None),
        Err(broken) => (Vec::new(), None, Some(broken)),
    };
    StrategyRun { name: variant.name.clone(), requests, broken, stale }
}

fn render_all(
    execution: Execution<'_>,
    tokens: &TextTokens<'_>,
    of_bills: Option<&Tokenizer>,
) -> Result<ReplayedScenario, SettingError> {
    let history = execution.history(tokens);
    if let Some(tokenizer) = of_bills {
        size_by_bills(&execution.scenario, execution.conversation.past(), &history, tokenizer);
    }
    let variants = execution.variants.iter();
    let strategies = variants.map(|variant| run_strategy(&execution, variant, &history)).collect();
    let repeated = execution.repeated.as_ref().map(|variant| run_strategy(&execution, variant, &history));
    drop(history);
    let Execution { scenario, conversation, failures, .. } = execution;
    Ok(ReplayedScenario { scenario, conversation, failures, strategies, repeated })
}

/// Executes a scenario.
///
/// # Errors
/// Fails like [`replay`].
pub fn execute(scenario: Scenario, plan: &Plan) -> Result<Execution<'_>, SettingError> {
    let variants = plan.variants_for(&scenario)?;
    let mut repeated = plan.repeated_for(&scenario)?;
    repeated.take_if(|known| variants.first().is_some_and(|first| first.name == known.name));
    let conversation = match &scenario.content {
        Content::Script(script) => {
            let outcome = agent::run(&script.agent, &mut ScriptedModel::new(&script.responses));
            let run = ProgramRun { agent: Arc::clone(&script.agent), turns: outcome.turns };
            Conversation::Program { run, ending: outcome.ending }
        }
        Content::Log(logged) => Conversation::Logged(Arc::clone(logged)),
    };
    let failures = expect::failed_expectations(&scenario, &conversation);
    let (commands, golden_folder) = (plan.commands.clone(), plan.golden_folder.clone());
    Ok(Execution { scenario, conversation, failures, variants, repeated, commands, golden_folder })
}

impl Execution<'_> {
    /// The conversation's history for strategies.
    pub fn history<'a>(&'a self, tokens: &'a TextTokens<'a>) -> History<'a> {
        let history = history_of(self.conversation.past(), tokens);
        history.with_systems(self.variants.iter().filter_map(|variant| variant.system.as_ref()))
    }

    /// The requests of one strategy: one before each turn, plus an unanswered one if the run ended on a missing or failed answer.
    pub fn requests<'a>(
        &'a self,
        variant: &'a Variant<'_>,
        history: &'a History<'a>,
        memo: &'a TurnMemo,
    ) -> impl Iterator<Item = Result<Request<MessageId>, BrokenStrategy>> + use<'a> {
        self.render_with(history, memo, |view| variant.render_ids(view))
    }

    /// Like [`Execution::requests`], but each request may leave out messages of the previous one: see [`Request::kept`].
    pub fn next_requests<'a>(
        &'a self,
        variant: &'a Variant<'_>,
        history: &'a History<'a>,
        memo: &'a TurnMemo,
    ) -> impl Iterator<Item = Result<Request<MessageId>, BrokenStrategy>> + use<'a> {
        self.render_with(history, memo, |view| variant.render_next(view))
    }

    fn render_with<'a, R>(
        &'a self,
        history: &'a History<'a>,
        memo: &'a TurnMemo,
        render: R,
    ) -> impl Iterator<Item = Result<Request<MessageId>, BrokenStrategy>> + use<'a, R>
    where
        R: Fn(&View<'_>) -> Result<Rendered<MessageId>, StrategyError> + 'a,
    {
        let turns = self.conversation.past().len();
        let is_unanswered = ended_with(&self.conversation, ErrorKind::ModelError)
            || ended_with(&self.conversation, ErrorKind::ScriptExhausted);
        (0..turns + usize::from(is_unanswered)).map(move |completed| {
            let turn = completed as u32 + 1;
            if stop::is_asked() {
                return Err(BrokenStrategy {
                    turn,
                    error: StrategyError::new("stopped: out of time".to_owned()),
                });
            }
            let rendered = render(&history.view(completed, Some(memo)));
            let rendered = rendered.and_then(|rendered| self.commands.priced(rendered));
            let rendered = rendered.map_err(|error| BrokenStrategy { turn, error })?;
            Ok(Request::new(turn, rendered, completed < turns))
        })
    }
}

impl ReplayedScenario {
    /// Measures these requests. Evidence in files counts as gone here; only [`super::Pipeline`] keeps the link from a message to its file.
    pub fn measure(&self, position: u64, gauges: &Gauges<'_>) -> ScenarioRecord {
        let count = |text: &str| u64::from(gauges.tokenizer.count(text));
        let history = history_of(self.conversation.past(), &count);
        let mut draft = RecordDraft::new(&self.scenario, &self.conversation, &history, gauges);
        let messages = history.messages();
        for run in &self.strategies {
            let mut requests = Requests::default();
            for request in run.answered() {
                requests.push(request.clone().map(|message| messages.add(&message)));
            }
            match &run.broken {
                None => draft.add(&run.name, &messages.table(), &requests),
                Some(broken) => draft.add_broken(&run.name, &messages.table(), broken),
            }
        }
        draft.finish(&self.failures, wrong_turn(&self.conversation, &self.failures, None), position)
    }

    /// Snapshots of the run and of every strategy without an error.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        let run = text::of_run(&self.scenario, &self.conversation);
        let mut goldens = Goldens::new(&self.scenario, &run);
        let messages = Messages::new(&|_| 0);
        if let Some(repeated) = self.repeated.as_ref().filter(|run| run.broken.is_none()) {
            let draft = repeated.draft(&mut goldens, &messages);
            goldens.finish(draft, &messages);
        }
        let mut snapshots = Vec::new();
        for whole in self.strategies.iter().filter(|run| run.broken.is_none()) {
            let draft = whole.draft(&mut goldens, &messages);
            snapshots.push(goldens.finish(draft, &messages));
        }
        drop(goldens);
        snapshots.insert(0, run);
        snapshots
    }
}

impl StrategyRun {
    /// The answered requests.
    pub fn answered(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter().filter(|request| request.is_answered)
    }

    fn draft(&self, goldens: &mut Goldens<'_>, messages: &Messages<'_>) -> GoldenDraft {
        let mut draft = goldens.draft(&self.name);
        for request in &self.requests {
            let request = request.clone().map(|message| messages.add(&message));
            goldens.add(&mut draft, &request, messages);
        }
        draft
    }
}

/// Number of scripted responses never used.
pub fn unused_responses(scenario: &Scenario, conversation: &Conversation) -> usize {
    // A scripted error was used too, although it has no turn.
    let turns = conversation.past().len();
    let asked_for = turns + usize::from(ended_with(conversation, ErrorKind::ModelError));
    scenario.responses().len().saturating_sub(asked_for)
}

fn ended_with(conversation: &Conversation, kind: ErrorKind) -> bool {
    let ending = conversation.outcome().map(|outcome| outcome.ending);
    matches!(ending, Some(Ending::Error(error)) if error.kind == kind)
}
