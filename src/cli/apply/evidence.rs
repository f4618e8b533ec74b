//! Public experiments with settings like the one that is printed, for readers who have never heard of them.
//!
//! `apply` has no logs, so these are the only known losses.

use super::{Target, bounds_of, command, setting, text};
use crate::cli::error::CliError;
use crate::cli::recommendation::wrapped;
use crate::cli::suite::option_for_shell;
use crate::cli::terminal::columns;
use crate::compression::{CLEARING, Kind, MASKING, Severity, TRIGGER, Variant};
use crate::measure::numbers::grouped;
use crate::report::public::{self, PublicSetting};

/// Warns if `advise` would not recommend the setting, with a command for the nearest one that it would. `None` for others, and for a
/// product's own compaction: there only the size changes.
///
/// # Errors
/// The nearest setting is invalid.
pub(super) fn warn_of_bold_setting(
    variant: &Variant<'_>,
    target: Target,
    model: Option<&str>,
) -> Result<Option<String>, CliError> {
    let severity = variant.strategy.severity(&variant.options);
    let Some(Severity { kind, kept }) =
        severity.filter(|severity| public::is_bolder_than_public(Some(*severity)))
    else {
        return Ok(None);
    };
    let is_own_compaction = kind == Kind::Summary && target.coding_agent().is_some();
    if is_own_compaction {
        return Ok(None);
    }
    let least = public::least_kept_that_held_up(kind);
    let why = match (least, kept) {
        (Some(least), Some(kept)) => {
            let noun = if variant.strategy.name() == CLEARING.name { "tool result" } else { "turn" };
            let kept = match kept {
                0 => format!("no {noun}s"),
                1 => format!("only the newest {noun}"),
                kept => format!("only the newest {kept} {noun}s"),
            };
            let how = match kind {
                Kind::Masking => "leaves out old results at every request and ",
                // Nobody has published results in batches, so the limit is that of the kind nearest to it.
                Kind::MaskingInBatches => "puts a summary in place of old turns and ",
                _ => "",
            };
            format!("it keeps {kept}, and no published setting that {how}keeps fewer than {least}")
        }
        _ => "it drops old turns, and no published setting that drops them".to_owned(),
    };
    let warning = format!(
        "warning: ptc-eval advise would not recommend this by default: {why} has been shown to solve about as many tasks as the \
         whole history"
    );
    let help = match nearest_setting(variant, (kind, kept), least, target)? {
        Some(nearest) => {
            let model = model.map(|model| format!(" {}", option_for_shell("--model", model)));
            format!("nearest that it may recommend: {nearest}{}", model.unwrap_or_default())
        }
        None => "ptc-eval advise LOGS shows what your sessions would lose".to_owned(),
    };
    Ok(Some(format!("{}\n  = help: {help}", wrapped(&warning, columns()))))
}

/// The command for the nearest setting that held up. `None` if the target cannot do it.
fn nearest_setting(
    variant: &Variant<'_>,
    (kind, kept): (Kind, Option<u32>),
    least: Option<u32>,
    target: Target,
) -> Result<Option<String>, CliError> {
    let Some(least) = least else {
        // No dropping held up, so old results are left out instead of turns.
        let Some(least) = public::least_kept_that_held_up(Kind::Masking) else { return Ok(None) };
        let kept = kept.unwrap_or(0).max(least);
        let mut setting = format!("{},keep_recent_turns={kept}", MASKING.name);
        let bounds = bounds_of(variant.options.trigger());
        if !bounds.is_empty() {
            setting += &format!(",{TRIGGER}={{{}}}", bounds.join(", "));
        }
        return Ok(Some(command(&setting, Some(target))));
    };
    let option = if variant.strategy.name() == CLEARING.name { "keep" } else { "keep_recent_turns" };
    let milder = variant.clone().with(option, i64::from(least))?;
    if kind == Kind::Summary && text(&milder, target).is_err() {
        return Ok(None);
    }
    let setting = setting(&milder, super::copyable::changed(&milder));
    Ok(Some(command(&setting, Some(target))))
}

/// The results of the published settings nearest to this one, a line each, with a first line on what was compared. Empty if nothing is left
/// out, or if nothing like it was published.
pub(super) fn lines_on_public_results(variant: &Variant<'_>) -> Vec<String> {
    let Some(Severity { kind, kept }) = variant.strategy.severity(&variant.options) else {
        return Vec::new();
    };
    let name = variant.strategy.name();
    let (nearest, what) = match kind {
        Kind::Nothing => return Vec::new(),
        Kind::Masking | Kind::MaskingInBatches => {
            (Kind::Masking, "with old tool results left out of every request")
        }
        Kind::Dropping | Kind::DroppingInBatches => {
            (Kind::Dropping, "with old turns left out of every request")
        }
        Kind::Summary => (Kind::Summary, "with a summary in place of old turns"),
    };
    let (as_kept, not_tried) = match (kind, kept) {
        (Kind::MaskingInBatches, Some(kept)) => (
            Some(kept.saturating_mul(TURNS_IN_BATCHES)),
            format!(
                "{name} leaves results out in batches, so on average more turns stay whole than it keeps at least. Nobody has published results \
                 for that. "
            ),
        ),
        (Kind::DroppingInBatches, _) => {
            (kept, "Nobody has published results for dropping turns in batches. ".to_owned())
        }
        (Kind::Summary, Some(0)) => {
            (kept, "Nobody has published results for a compaction that keeps no recent turns: expect a larger loss. ".to_owned())
        }
        _ => (kept, String::new()),
    };
    let mut rows = public::rows_near(nearest, as_kept);
    if rows.iter().any(|row| Some(row.kept) == as_kept) {
        rows.retain(|row| Some(row.kept) == as_kept);
    }
    let mut lines = vec![format!(
        "What is known of losses: in public experiments, coding agents did the same tasks with the whole history and {what}. \
         With the shorter history, of 100 tasks they solved (95% interval):"
    )];
    for row in rows {
        lines.push(format!("- {}", result_in_words(row)));
    }
    lines.push(format!("{not_tried}Your agent may differ."));
    lines
}

/// In batches, about this many times the kept turns stay whole on average: with 5 turns kept, `fold` loses about as many facts as masking at
/// each turn with 10.
const TURNS_IN_BATCHES: u32 = 2;

/// `SWE-agent, newest 10 turns kept whole: as many (1.5 fewer to 1.6 more, 2,496 pairs of runs)`
fn result_in_words(row: &PublicSetting) -> String {
    let PublicSetting { kept, agent, pairs, points, low, high, .. } = row;
    let turns = if *kept == 1 { "newest turn".to_owned() } else { format!("newest {kept} turns") };
    let [points, low, high] = [*points, *low, *high].map(points_in_words);
    let pairs = grouped(u64::from(*pairs));
    format!("{agent}, {turns} kept whole: {points} ({low} to {high}, {pairs} pairs of runs)")
}

/// `2.5 fewer`, `0.8 more`, `as many`
fn points_in_words(points: f64) -> String {
    match points {
        points if points > 0.0 => format!("{points:.1} more"),
        points if points < 0.0 => format!("{:.1} fewer", -points),
        _ => "as many".to_owned(),
    }
}
