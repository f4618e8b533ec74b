//! Holds the public evidence that verdicts cite against the runs it comes from. `cargo test --test integration outcomes -- --nocapture`
//! prints what is known: success and turns by setting with their intervals, and how our measure ranks the settings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use ptc_eval::compression::{Kind, Severity};
use ptc_eval::report::public::{self, PublicSetting, rows};

const TASKS: &str = include_str!("outcomes/tasks.tsv");
const ABLATIONS: &str = include_str!("outcomes/ablations.tsv");
const LEVELS: &str = include_str!("outcomes/levels.tsv");
/// Resamples of the tasks. Bounds of intervals differ by 0.1 points from one seed to the next.
const RESAMPLES: usize = 2_000;

/// The runs of one arm by task: solved or not, and turns.
type Arm = BTreeMap<usize, (f64, f64)>;

/// A pair of runs of one task: the arm and the agent with its whole history.
#[derive(Clone, Copy)]
struct Pair {
    task: usize,
    solved: f64,
    turns: [f64; 2],
}

/// A share with its interval of 95%.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    value: f64,
    low: f64,
    high: f64,
}

/// Random numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// All arms by name: agent, model and setting.
fn arms() -> BTreeMap<[String; 3], Arm> {
    let mut lines = TASKS.lines();
    let names: Vec<[String; 3]> = lines.next().unwrap().split('\t').skip(1).map(name).collect();
    let mut arms: BTreeMap<[String; 3], Arm> = BTreeMap::new();
    for (task, line) in lines.enumerate() {
        for (name, cell) in names.iter().zip(line.split('\t').skip(1)) {
            let Some((solved, turns)) = cell.split_once(':') else { continue };
            let run = (solved.parse().unwrap(), turns.parse().unwrap());
            arms.entry(name.clone()).or_default().insert(task, run);
        }
    }
    arms
}

/// Writes a line that `--nocapture` shows.
fn show(line: &str) {
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{line}").unwrap();
}

fn name(heading: &str) -> [String; 3] {
    let mut parts = heading.split(' ').map(str::to_owned);
    [parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap()]
}

fn pairs(arm: &Arm, raw: &Arm) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (task, (solved, turns)) in arm {
        if let Some((raw_solved, raw_turns)) = raw.get(task) {
            pairs.push(Pair { task: *task, solved: solved - raw_solved, turns: [*turns, *raw_turns] });
        }
    }
    pairs
}

/// A statistic of the pairs, with its interval over resamples of the tasks: runs of one task are drawn together.
fn estimate(pairs: &[Pair], statistic: fn(&[Pair]) -> f64) -> Estimate {
    let mut by_task: BTreeMap<usize, Vec<Pair>> = BTreeMap::new();
    pairs.iter().for_each(|pair| by_task.entry(pair.task).or_default().push(*pair));
    let tasks: Vec<Vec<Pair>> = by_task.into_values().collect();
    let mut dice = Dice(7);
    let mut drawn: Vec<f64> = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let sample: Vec<Pair> =
            (0..tasks.len()).flat_map(|_| tasks[dice.below(tasks.len())].iter().copied()).collect();
        drawn.push(statistic(&sample));
    }
    drawn.sort_unstable_by(f64::total_cmp);
    Estimate {
        value: statistic(pairs),
        low: drawn[RESAMPLES * 25 / 1_000],
        high: drawn[RESAMPLES * 975 / 1_000],
    }
}

fn points(pairs: &[Pair]) -> f64 {
    100.0 * pairs.iter().map(|pair| pair.solved).sum::<f64>() / pairs.len() as f64
}

fn turns(pairs: &[Pair]) -> f64 {
    let sum = |at: usize| pairs.iter().map(|pair| pair.turns[at]).sum::<f64>();
    sum(0) / sum(1)
}

/// The setting of an arm in the table: `mask-10`, `summary-21-10`.
fn setting(row: &PublicSetting) -> String {
    match row.kind {
        Kind::Masking => format!("mask-{}", row.kept),
        _ => format!("summary-21-{}", row.kept),
    }
}

/// The pairs of all models of a row, and the factor of turns of each.
fn of_row(row: &PublicSetting, arms: &BTreeMap<[String; 3], Arm>) -> (Vec<Pair>, Vec<f64>) {
    let (mut all, mut factors) = (Vec::new(), Vec::new());
    for ([agent, model, arm], runs) in arms {
        if agent == row.agent && *arm == setting(row) {
            let raw = &arms[&[agent.clone(), model.clone(), "raw".to_owned()]];
            let pairs = pairs(runs, raw);
            factors.push(turns(&pairs));
            all.extend(pairs);
        }
    }
    (all, factors)
}

/// Rows of the table for arms with tasks here equal the figures computed from the tasks.
#[test]
fn the_table_is_what_the_tasks_say() {
    let (arms, mut out) = (arms(), String::new());
    for row in rows() {
        let (pairs, factors) = of_row(&row, &arms);
        if pairs.is_empty() {
            continue;
        }
        let found = estimate(&pairs, points);
        let [least, most] = [f64::min, f64::max].map(|of| factors.iter().copied().reduce(of).unwrap());
        writeln!(out, "{:?} keep {} in {}: {} pairs, {:+.1} points ({:+.1} to {:+.1}), turns × {least:.2} to × {most:.2}", row.kind, row.kept, row.agent, pairs.len(), found.value, found.low, found.high).unwrap();
        assert_eq!((factors.len() as u32, pairs.len() as u32), (row.models, row.pairs), "{out}");
        assert!((found.value - row.points).abs() <= 0.06, "{out}");
        assert!((found.low - row.low).abs() <= 0.5 && (found.high - row.high).abs() <= 0.5, "{out}");
        let (low, high) = row.turns.unwrap();
        assert!((least - low).abs() <= 0.05 && (most - high).abs() <= 0.05, "{out}");
    }
    show(&out);
    assert_eq!(out.lines().count(), 5);
}

/// Solved of submitted by kind, turns kept and tasks.
fn ablations() -> BTreeMap<[String; 3], Vec<(f64, f64)>> {
    let mut found: BTreeMap<[String; 3], Vec<(f64, f64)>> = BTreeMap::new();
    for line in ABLATIONS.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let runs = cells[3].split(", ").map(|run| {
            let (solved, submitted) = run.split_once('/').unwrap();
            (solved.parse().unwrap(), submitted.parse().unwrap())
        });
        found.entry([cells[0], cells[1], cells[2]].map(str::to_owned)).or_default().extend(runs);
    }
    found
}

/// For other arms only sums are available. The points are within one point of the sums. The intervals were
/// paired by task in the paper's repository, so they lie inside the unpaired ones.
#[test]
fn the_rest_of_the_table_agrees_with_the_sums() {
    let ablations = ablations();
    let share = |runs: &[(f64, f64)]| {
        let (solved, submitted) = runs.iter().fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
        (solved / submitted, submitted)
    };
    let mut checked = 0;
    for row in rows() {
        let kind = if row.kind == Kind::Masking { "masking" } else { "dropping" };
        let (mut weighted, mut weight, mut variance) = (0.0, 0.0, 0.0);
        for ([of, kept, tasks], runs) in &ablations {
            if *of != kind || *kept != row.kept.to_string() || row.agent != "SWE-agent" {
                continue;
            }
            let (own, submitted) = share(runs);
            let (raw, of_raw) = share(&ablations[&["raw".to_owned(), "-".to_owned(), tasks.clone()]]);
            let size = submitted / runs.len() as f64;
            weighted += size * (own - raw);
            weight += size;
            variance += size * size * (own * (1.0 - own) / submitted + raw * (1.0 - raw) / of_raw);
        }
        if weight == 0.0 {
            continue;
        }
        let (found, spread) = (100.0 * weighted / weight, 196.0 * variance.sqrt() / weight);
        show(&format!("{:?} keep {}: {found:+.1} points ± {spread:.1} without pairs", row.kind, row.kept));
        assert!((found - row.points).abs() <= 1.0, "{row:?} {found}");
        assert!(row.high - row.low <= 2.0 * spread + 1.0, "{row:?} {spread}");
        checked += 1;
    }
    assert_eq!(checked, 5);
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: &f64| values.iter().filter(|other| *other < value).count() as f64;
    let same = |value: &f64| values.iter().filter(|other| *other == value).count() as f64;
    values.iter().map(|value| below(value) + (same(value) - 1.0) / 2.0).collect()
}

fn spearman(left: &[f64], right: &[f64]) -> f64 {
    let (left, right) = (ranks(left), ranks(right));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_left, mean_right) = (mean(&left), mean(&right));
    let product: f64 = left.iter().zip(&right).map(|(l, r)| (l - mean_left) * (r - mean_right)).sum();
    let square = |values: &[f64], mean: f64| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    product / (square(&left, mean_left) * square(&right, mean_right)).sqrt()
}

/// Our measure ranks the settings of SWE-agent as their success does, and the share of removed tokens does so in the same order. So
/// nothing may claim that the measure ranks settings better than that share.
#[test]
fn the_measure_ranks_settings_as_the_share_of_tokens_does() {
    let success: BTreeMap<(String, u32), f64> = rows()
        .filter(|row| row.agent == "SWE-agent" && row.kind != Kind::Summary)
        .map(|row| {
            let kind = if row.kind == Kind::Masking { "masking" } else { "dropping" };
            ((kind.to_owned(), row.kept), row.points)
        })
        .collect();
    let (mut lacking, mut removed, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for line in LEVELS.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        lacking.push(cells[2].parse::<f64>().unwrap());
        removed.push(cells[3].parse::<f64>().unwrap());
        lost.push(-success[&(cells[0].to_owned(), cells[1].parse().unwrap())]);
    }
    let (measure, tokens) = (spearman(&lacking, &lost), spearman(&removed, &lost));
    show(&format!(
        "Spearman with the points lost, n = {}: answers that lack a fact {measure:.2}, tokens removed {tokens:.2}",
        lost.len()
    ));
    assert!(measure > 0.6, "{measure}");
    assert!((spearman(&lacking, &removed) - 1.0).abs() < 1e-9, "the two have one order");
}

/// Success, gate and turns of a setting come from one kind, which the sentences name. Settings that keep less than anything that held up
/// are not recommended unasked, in batches either.
#[test]
fn batches_are_judged_by_one_published_kind() {
    let batches = |kept| Some(Severity { kind: Kind::MaskingInBatches, kept: Some(kept) });
    assert!(!public::is_bolder_than_public(batches(5)), "summaries with 5 turns kept held up");
    assert!(public::is_bolder_than_public(batches(4)));
    assert_eq!(public::why_not(batches(1)), "in public, summaries held up with 5 turns kept or more");
    let sentence = public::sentence("fold", batches(5)).unwrap();
    assert!(
        sentence.starts_with(
            "No published experiment tried masking in batches, as fold does. Nearest: summaries, which also change old text only"
        ),
        "{sentence}"
    );
    let turns = public::turns_sentence(batches(5), |_| None).unwrap();
    assert!(turns.starts_with("Published runs with summaries took 0.9 to 1.4 times"), "{turns}");
    for kept in [1, 5, 9, 10, 36] {
        let factors = [Kind::Dropping, Kind::DroppingInBatches, Kind::Masking]
            .map(|kind| public::most_turns(Some(Severity { kind, kept: Some(kept) })));
        assert_eq!(factors[0], factors[1], "{kept}");
        // Nobody published turns of dropping.
        assert_eq!(factors[0], factors[2], "{kept}");
        let dropping = Some(Severity { kind: Kind::DroppingInBatches, kept: Some(kept) });
        assert!(public::is_bolder_than_public(dropping), "no dropping held up");
        let turns = public::turns_sentence(dropping, |_| None).unwrap();
        assert!(turns.contains("masking at each turn, the nearest kind with known turns,"), "{turns}");
    }
}
