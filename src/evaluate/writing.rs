//! Texts written by a model for a strategy in one run. The option `writer` sets their source.

use super::Execution;
use crate::agent::Message;
use crate::compression::{
    BrokenStrategy, History, StrategyCall, StrategyError, TurnMemo, Variant, WRITER, Writer, WrittenText,
    past_of,
};
use crate::measure::evidence::{EvidenceFinder, needs_in_history};
use crate::measure::{Requests, clairvoyant};
use crate::snapshot::{GoldenTexts, Lack};
use conversation::MessageId;
use ecow::EcoString;

/// A strategy with its texts.
pub struct Written<'v> {
    /// The strategy with its first or only sequence of texts.
    pub variant: Variant<'v>,
    /// The strategy with each further sequence of golden texts.
    pub repeats: Vec<Variant<'v>>,
    /// Why golden texts are not used, if they are stale.
    pub stale: Option<StaleTexts>,
}

/// Golden texts written for another run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleTexts {
    /// The first and last turn to be replaced by the first missing text.
    pub turns: (usize, usize),
    pub lack: Lack,
}

/// Why a sequence of texts is incomplete.
enum Unwritten {
    Broken(BrokenStrategy),
    Stale(StaleTexts),
}

impl From<BrokenStrategy> for Unwritten {
    fn from(broken: BrokenStrategy) -> Unwritten {
        Unwritten::Broken(broken)
    }
}

/// Gets the strategy's texts from its writer.
///
/// # Errors
/// The strategy fails.
pub fn written<'v>(
    execution: &Execution<'_>,
    variant: &Variant<'v>,
    history: &History<'_>,
) -> Result<Written<'v>, BrokenStrategy> {
    let texts = match variant.options.writer() {
        Some(Writer::Size | Writer::Empty) => Vec::new(),
        Some(Writer::Perfect) => perfect_texts(execution, variant, history)?,
        Some(Writer::Command(words)) => texts_of_command(execution, variant, history, words)?,
        None | Some(Writer::Recorded) => return with_golden_texts(execution, variant, history),
    };
    Ok(Written { variant: variant.clone().with_texts(texts), repeats: Vec::new(), stale: None })
}

/// The strategy with its golden texts, if any. If one is stale, none is used.
fn with_golden_texts<'v>(
    execution: &Execution<'_>,
    variant: &Variant<'v>,
    history: &History<'_>,
) -> Result<Written<'v>, BrokenStrategy> {
    let without = Written { variant: variant.clone(), repeats: Vec::new(), stale: None };
    let writes_texts = variant.strategy.options().contains(&WRITER);
    // A comma in the name means options from the command line. These are experiments without golden texts.
    let is_tried_out = variant.name.contains(',');
    let folder = execution.golden_folder.as_ref().filter(|_| writes_texts && !is_tried_out);
    let Some(folder) = folder else { return Ok(without) };
    let golden = GoldenTexts::read(folder, &execution.scenario.name, &variant.name);
    let golden = golden.map_err(|error| {
        let help = "restore it, or remove it and record its texts again with ptc-eval record --summaries";
        BrokenStrategy { turn: 1, error: StrategyError::new(format!("{error}\n{help}")) }
    })?;
    if golden.texts.is_empty() {
        return Ok(without);
    }
    let turns = turns_with_calls(execution, variant, history)?;
    let mut variants = Vec::new();
    for repeat in 1..=golden.repeats() {
        let texts = write_in_turn(variant, history, &turns, |_, call| {
            let Some(key) = call.key else { return Ok(EcoString::new()) };
            match golden.find(repeat, &key) {
                Ok(golden) => Ok(golden.text.clone()),
                Err(lack) => Err(Unwritten::Stale(StaleTexts { turns: key.turns, lack })),
            }
        });
        match texts {
            Ok(texts) => variants.push(variant.clone().with_texts(texts)),
            Err(Unwritten::Broken(broken)) => return Err(broken),
            Err(Unwritten::Stale(stale)) => return Ok(Written { stale: Some(stale), ..without }),
        }
    }
    let mut variants = variants.into_iter();
    let first = variants.next().unwrap_or_else(|| variant.clone());
    Ok(Written { variant: first, repeats: variants.collect(), stale: None })
}

/// The turns with a model call by the strategy for a text still unknown.
///
/// # Errors
/// The strategy fails.
pub fn turns_with_calls(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
) -> Result<Vec<u32>, BrokenStrategy> {
    let mut turns = Vec::new();
    for request in execution.requests(variant, history, &TurnMemo::default()) {
        let request = request?;
        turns.extend(request.call.filter(|call| !call.is_text_known).map(|_| request.turn));
    }
    Ok(turns)
}

/// Collects the texts of the calls before these turns. Each call sees the earlier texts, since a summary replaces the previous one.
///
/// # Errors
/// The strategy fails, or a text cannot be written.
pub fn write_in_turn<T: Into<WrittenText>, E: From<BrokenStrategy>>(
    variant: &Variant<'_>,
    history: &History<'_>,
    turns: &[u32],
    mut write: impl FnMut(u32, &StrategyCall<MessageId>) -> Result<T, E>,
) -> Result<Vec<WrittenText>, E> {
    let mut texts: Vec<WrittenText> = Vec::new();
    for &turn in turns {
        let with_texts = variant.clone().with_texts(texts.iter().cloned());
        let rendered = with_texts.render_ids(&history.after(turn as usize - 1));
        let call = rendered.map_err(|error| BrokenStrategy { turn, error })?.call;
        if let Some(call) = call {
            texts.push(write(turn, &call)?.into());
        }
    }
    Ok(texts)
}

/// The texts of a user's command.
fn texts_of_command(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
    words: &[String],
) -> Result<Vec<WrittenText>, BrokenStrategy> {
    let turns = turns_with_calls(execution, variant, history)?;
    let Some(first) = turns.first() else { return Ok(Vec::new()) };
    let writer = execution.commands.start(words);
    let mut writer = writer.map_err(|error| BrokenStrategy { turn: *first, error })?;
    write_in_turn(variant, history, &turns, |turn, call| {
        let messages = history.messages();
        let mut sent: Vec<(Message, u64)> = Vec::with_capacity(call.messages.len());
        for id in &call.messages {
            sent.push((messages.message(*id), messages.tokens(*id).into()));
        }
        writer.write(&sent, call.most_tokens).map_err(|error| BrokenStrategy { turn, error })
    })
}

/// The texts of an ideal writer: each contains the evidence that later answers would lack.
fn perfect_texts(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
) -> Result<Vec<WrittenText>, BrokenStrategy> {
    let (memo, mut requests) = (TurnMemo::default(), Requests::default());
    for request in execution.requests(variant, history, &memo) {
        let request = request?;
        if request.is_answered {
            requests.push(request);
        }
    }
    if requests.iter().all(|request| request.call.is_none()) {
        return Ok(Vec::new());
    }
    let view = history.whole();
    let (needs, index) = needs_in_history(&execution.scenario, past_of(&view), history);
    let table = history.messages().table();
    let lacking = EvidenceFinder::new(index).lacking(&needs, &table, &requests);
    let texts = clairvoyant::write_best_summaries(&requests, &lacking, &|text| view.count(text) as u32);
    Ok(texts.into_iter().map(WrittenText::from).collect())
}

impl StaleTexts {
    pub fn sentence(&self) -> String {
        self.lack.sentence(self.turns)
    }
}
