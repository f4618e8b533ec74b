//! Published experiments with settings: success and number of turns of agents with a shortened history, paired by task
//! with the same agents and their whole history. `settings.tsv` has the table, `docs/validation.md` its sources.

use std::sync::LazyLock;

use crate::compression::{Kind, Severity};

/// Generated from the tasks in `tests/outcomes`. A test recomputes it.
const SETTINGS: &str = include_str!("settings.tsv");
/// A setting held up if the lower end of its 95% interval is at least this many points of success. Chosen, not
/// measured: the data allow any bound.
const HELD_UP: f64 = -3.0;
/// The fewest turns kept by masking at each turn in published runs with about the same number of turns as unmasked
/// ones.
const TURNS_STAYED: u32 = 10;
/// The largest factors of turns in published runs, rounded up: masking with fewer than [`TURNS_STAYED`] turns kept,
/// other masking, and summaries.
const MASKING_FEW: f64 = 2.3;
const MASKING: f64 = 1.15;
const SUMMARIES: f64 = 1.4;
/// Percent of answers using something older than the kept turns: SWE-agent with 10 turns kept, a range over run lengths.
/// Its number of turns stayed about the same.
const OLDER_WHERE_STAYED: [u32; 2] = [4, 12];
/// The same for OpenHands, where turns doubled: older than the 5 kept turns, and older than 10 turns.
const OLDER_WHERE_DOUBLED: u32 = 48;
const OLDER_THAN_TEN_WHERE_DOUBLED: u32 = 28;
/// The range of turn factors in all published runs.
const ALL: (f64, f64) = (0.9, 2.3);

static ROWS: LazyLock<Vec<PublicSetting>> = LazyLock::new(|| rows().collect());

fn rows_of(kind: Kind) -> impl DoubleEndedIterator<Item = &'static PublicSetting> {
    ROWS.iter().filter(move |row| row.kind == kind)
}

/// The published results of one setting with one agent.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicSetting {
    pub kind: Kind,
    /// Number of recent turns kept whole.
    pub kept: u32,
    pub agent: &'static str,
    pub models: u32,
    /// Pairs of runs of the same task.
    pub pairs: u32,
    /// Change in solved tasks against the whole history, in percentage points.
    pub points: f64,
    /// The 95% interval of `points`.
    pub low: f64,
    pub high: f64,
    /// Turns as a multiple of those with the whole history, for the lowest and the highest of the models; `None` if
    /// unpublished.
    pub turns: Option<(f64, f64)>,
}

/// The rows of the table.
pub fn rows() -> impl Iterator<Item = PublicSetting> {
    SETTINGS.lines().skip(1).filter_map(PublicSetting::read)
}

impl PublicSetting {
    fn read(line: &'static str) -> Option<PublicSetting> {
        let mut cells = line.split('\t');
        let kind = match cells.next()? {
            "masking" => Kind::Masking,
            "dropping" => Kind::Dropping,
            "summary" => Kind::Summary,
            _ => return None,
        };
        let kept = cells.next()?.parse().ok()?;
        let agent = cells.next()?;
        let (models, pairs) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
        let points = cells.next()?.parse().ok()?;
        let (low, high) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
        let turns = cells.next().filter(|turns| !turns.is_empty()).and_then(|turns| {
            let (least, most) = turns.split_once('-').unwrap_or((turns, turns));
            Some((least.parse().ok()?, most.parse().ok()?))
        });
        Some(PublicSetting { kind, kept, agent, models, pairs, points, low, high, turns })
    }

    fn held_up(&self) -> bool {
        self.low >= HELD_UP
    }

    /// `0.0 points (−1.5 to +1.6) in 5 models of SWE-agent with 10 turns kept`
    fn in_words(&self) -> String {
        let [points, low, high] = [self.points, self.low, self.high].map(signed_points);
        let models = if self.models == 1 { String::new() } else { format!("{} models of ", self.models) };
        let kept = turns_in_words(self.kept);
        format!("{points} points ({low} to {high}) in {models}{} with {kept} kept", self.agent)
    }
}

/// The published kind nearest to a kind. Success, gate and turns of a setting are all taken from it.
///
/// Masking in batches resembles a summary more than masking at each turn: calls and answers of old turns stay, and the
/// request changes only from time to time. So on average more turns stay whole than the setting. With 5 turns kept,
/// `fold` loses about as many facts as masking at each turn with 10.
fn nearest_kind(kind: Kind) -> Kind {
    match kind {
        Kind::MaskingInBatches => Kind::Summary,
        Kind::DroppingInBatches => Kind::Dropping,
        kind => kind,
    }
}

/// The kind with the published number of turns: [`nearest`], or masking instead of dropping.
fn kind_with_turns(kind: Kind) -> Kind {
    match nearest_kind(kind) {
        Kind::Dropping => Kind::Masking,
        kind => kind,
    }
}

/// The sentence on published experiments with a strategy's setting; `None` if the strategy leaves nothing out.
pub fn sentence(strategy: &str, severity: Option<Severity>) -> Option<String> {
    let Some(severity) = severity else {
        return Some(format!("No published experiment tried a strategy like {strategy}."));
    };
    if severity.kind == Kind::Nothing {
        return None;
    }
    let kind = nearest_kind(severity.kind);
    let near = describe_near(kind, severity.kept);
    if kind == severity.kind {
        return Some(format!(
            "In published experiments, {} changed the solved tasks by {near}.",
            kind_name(kind)
        ));
    }
    // Readers expect masking to resemble masking.
    let why = match kind {
        Kind::Summary => ", which also change old text only from time to time",
        _ => "",
    };
    Some(format!(
        "No published experiment tried {}, as {strategy} does. Nearest: {}{why}: solved tasks changed by {near}.",
        kind_name(severity.kind),
        kind_name(kind)
    ))
}

/// One short line on the nearest published setting; `None` if the strategy leaves nothing out or has no published
/// counterpart.
pub fn short_sentence(severity: Option<Severity>) -> Option<String> {
    let Severity { kind, kept } = severity?;
    let nearest = nearest_kind(kind);
    // Rows of one kind begin with the mildest setting.
    let milder = kept.and_then(|kept| rows_of(nearest).rev().find(|row| row.kept >= kept));
    let row = milder.or_else(|| rows_of(nearest).next())?;
    let [points, low, high] = [row.points, row.low, row.high].map(signed_points);
    let is_bolder = kept.is_some_and(|kept| kept < row.kept);
    let bolder = if is_bolder { ", and no experiment kept fewer" } else { "" };
    Some(format!(
        "In public, {} with {} kept changed solved tasks by {points} points ({low} to {high}){bolder}.",
        kind_name(nearest),
        turns_in_words(row.kept)
    ))
}

/// The results of the settings nearest to `kept`.
fn describe_near(kind: Kind, kept: Option<u32>) -> String {
    let results: Vec<String> = rows_near(kind, kept).iter().map(|row| row.in_words()).collect();
    results.join("; ")
}

/// The settings of a kind nearest to `kept`: the next ones with as many turns or more, and the next ones with fewer. All if sizes decide how
/// much stays (`None`).
pub fn rows_near(kind: Kind, kept: Option<u32>) -> Vec<&'static PublicSetting> {
    let mut rows: Vec<&PublicSetting> = rows_of(kind).collect();
    let Some(kept) = kept else { return rows };
    // Rows of one kind begin with the mildest setting.
    let milder = rows.iter().rev().find(|row| row.kept >= kept).map(|row| row.kept);
    let bolder = rows.iter().find(|row| row.kept < kept).map(|row| row.kept);
    rows.retain(|row| [milder, bolder].contains(&Some(row.kept)));
    rows
}

/// The fewest turns kept by the published settings of the nearest kind that held up. `None` if none did.
pub fn least_kept_that_held_up(kind: Kind) -> Option<u32> {
    rows_of(nearest_kind(kind)).filter(|row| row.held_up()).map(|row| row.kept).min()
}

/// Returns true if a setting keeps less than all published settings of the nearest kind that held up.
pub fn is_bolder_than_public(severity: Option<Severity>) -> bool {
    let Some(Severity { kind, kept }) = severity else { return false };
    if rows_of(nearest_kind(kind)).next().is_none() {
        return false;
    }
    match least_kept_that_held_up(kind) {
        Some(least) => kept.is_some_and(|kept| kept < least),
        None => true,
    }
}

/// The reason not to recommend a setting by default.
pub fn why_not(severity: Option<Severity>) -> String {
    let kind = severity.map_or(Kind::Dropping, |severity| nearest_kind(severity.kind));
    match least_kept_that_held_up(kind) {
        Some(least) => format!("in public, {} held up with {least} turns kept or more", kind_name(kind)),
        None => format!("in public, {} never held up", kind_name(kind)),
    }
}

/// The largest factor of turns in published runs with this kind of setting, or with the nearest kind that has published
/// turns; 1 if there is none.
pub fn most_turns(severity: Option<Severity>) -> f64 {
    let Some(Severity { kind, kept }) = severity else { return 1.0 };
    match kind_with_turns(kind) {
        Kind::Nothing => 1.0,
        Kind::Summary => SUMMARIES,
        _ if kept.is_some_and(|kept| kept >= TURNS_STAYED) => MASKING,
        _ => MASKING_FEW,
    }
}

/// The published runs with the most turns, for the words after a factor of turns.
pub fn source_of_turns(severity: Option<Severity>) -> &'static str {
    let Some(Severity { kind, kept }) = severity else { return "" };
    match kind_with_turns(kind) {
        Kind::Nothing => "",
        nearest if nearest != kind => "the most published for a similar method",
        Kind::Summary => "the most published for summaries",
        _ if kept.is_some_and(|kept| kept >= TURNS_STAYED) => {
            "the most published for masking at each turn with 10 turns or more kept"
        }
        _ => "the most published for masking at each turn",
    }
}

/// The sentences on the turns of published runs; `None` if the setting leaves nothing out. `older` returns the share of
/// answers using something older than this many turns.
pub fn turns_sentence(severity: Option<Severity>, older: impl Fn(u32) -> Option<f64>) -> Option<String> {
    let least = ALL.0;
    let most = if severity.is_none() { ALL.1 } else { most_turns(severity) };
    let kind = match severity.map(|severity| (severity.kind, kind_with_turns(severity.kind))) {
        Some((Kind::Nothing, _)) => return None,
        // The sentence on solved tasks already names the nearest kind.
        Some((own, kind)) if nearest_kind(own) == kind => format!("with {}", kind_name(kind)),
        Some((_, kind)) => format!("with {}, the nearest kind with known turns,", kind_name(kind)),
        None => "of other kinds".to_owned(),
    };
    let kept = severity.and_then(|severity| severity.kept);
    let ages =
        older(kept.unwrap_or(TURNS_STAYED)).map(|share| format!(" {}", ages_sentence(severity, share)));
    Some(format!(
        "Published runs {kind} took {least} to {most} times the turns.{} If you measured yours: --turns.",
        ages.unwrap_or_default()
    ))
}

/// The sentence on answers using something older than the kept turns. Published data exist for the two settings with
/// known numbers of turns.
fn ages_sentence(severity: Option<Severity>, share: f64) -> String {
    let kept = severity.and_then(|severity| severity.kept);
    let these = match severity.map(|severity| severity.kind) {
        Some(Kind::Masking) => "There",
        _ => "With masking at each turn, another kind,",
    };
    let [stayed_low, stayed_high] = OLDER_WHERE_STAYED;
    let (older, doubled) = match kept {
        Some(kept) => (turns_in_words(kept), OLDER_WHERE_DOUBLED),
        None => (turns_in_words(TURNS_STAYED), OLDER_THAN_TEN_WHERE_DOUBLED),
    };
    let may_take = if share * 100.0 > f64::from(stayed_high) { "Yours may take more: " } else { "" };
    format!(
        "{may_take}{} of the answers use something over {older} old. {these} agents took twice as many turns \
         where it was {doubled}%, and about as many as before where it was {stayed_low}–{stayed_high}%.",
        percentage_of_whole(share)
    )
}

/// `48%`, `under 1%`
fn percentage_of_whole(share: f64) -> String {
    match share {
        share if share > 0.0 && share < 0.01 => "under 1%".to_owned(),
        share => format!("{:.0}%", share * 100.0),
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Nothing => "the whole history",
        Kind::Masking => "masking at each turn",
        Kind::MaskingInBatches => "masking in batches",
        Kind::Dropping => "dropping old turns",
        Kind::DroppingInBatches => "dropping old turns in batches",
        Kind::Summary => "summaries",
    }
}

fn turns_in_words(number: u32) -> String {
    if number == 1 { "1 turn".to_owned() } else { format!("{number} turns") }
}

/// `+1.6`, `−2.0`, `0.0`
fn signed_points(points: f64) -> String {
    match points {
        points if points > 0.0 => format!("+{points:.1}"),
        points if points < 0.0 => format!("−{:.1}", -points),
        points => format!("{points:.1}"),
    }
}
