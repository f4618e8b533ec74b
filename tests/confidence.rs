//! Holds strong evidence against the truth: samples of a large set of runs are advised on, and each verdict
//! is judged on the rest. `cargo test --test integration confidence -- --ignored --nocapture` measures generated sets, and
//! the logs in the folders of `PTC_EVAL_LOGS`: runs, sample, `Use`, right, saved, `Try`, right, kept, surely, no verdict.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use ptc_eval::measure::evidence::Evidence;
use ptc_eval::measure::{MeasuredRequest, MeasuredRun};
use ptc_eval::report::fingerprint::Fingerprint;
use ptc_eval::report::{Advice, Bounds, Header, Proof, ScenarioRecord, Standing, Tally};
use ptc_eval::scenario::suite::Tolerance;
use serde::Deserialize;

use crate::reports::{measured, results};

/// Runs of the samples.
const SIZES: [usize; 4] = [10, 20, 40, 80];
const TOLERANCE: Tolerance =
    Tolerance { max_short: 0.05, min_saving: 0.02, turns: None, takes_any_kind: true };

/// Random numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.share()
    }

    /// Moves a random part of a list to its front.
    fn draw<T>(&mut self, list: &mut [T], size: usize) {
        for at in 0..size {
            let other = at + (self.number() % (list.len() - at) as u64) as usize;
            list.swap(at, other);
        }
    }
}

/// A set of runs under some strategies.
struct Set {
    header: Header,
    runs: Vec<ScenarioRecord>,
}

/// Verdicts on samples of one size.
#[derive(Default)]
struct Verdicts {
    /// Samples with `Use`.
    used: usize,
    /// Of these, samples with a choice that is within the limit on the rest, and cheaper than the baseline
    /// there.
    right: usize,
    /// Samples with `Try`, and the right ones among them.
    tried: usize,
    tried_right: usize,
    /// Samples that keep the baseline, and those with strong evidence among them.
    kept: usize,
    kept_surely: usize,
    none: usize,
    /// The sum of the savings of `Use` on the rest, as shares of the baseline's cost.
    saved: f64,
}

impl Set {
    /// Runs with this percentage of long ones. `per-turn` changes at its limit, `fold` begins on long runs,
    /// `log` saves a little everywhere, `bold` saves a lot and loses too much, and `near` loses about as much
    /// as is tolerable.
    fn generated(seed: u64, long: f64) -> Set {
        let names = ["full", "per-turn", "log", "fold", "bold", "near"].map(String::from).to_vec();
        let header = Header {
            strategies: names,
            baseline: "full".to_owned(),
            limited: vec!["per-turn".to_owned()],
            tolerance: TOLERANCE,
            ..Header::default()
        };
        let sample = measured(&results()).remove(0);
        let mut dice = Dice(seed);
        let runs = (0..2_000).map(|number| run(number, &header, &sample, &mut dice, long)).collect();
        Set { header, runs }
    }

    /// The logs of a folder under 18 settings of masking and dropping, at equal turns and without a cache: each input token costs the same.
    fn of_settings(folder: &Path) -> Set {
        let kept = [20, 15, 10, 7, 5, 3, 2, 1];
        let mut settings = vec!["observation-masking,step=10".to_owned(), "trim,step=10".to_owned()];
        for strategy in ["observation-masking", "trim"] {
            settings.extend(kept.map(|kept| format!("{strategy},keep_recent_turns={kept}")));
        }
        let mut set = Set::of_logs(folder, &settings);
        set.header.models.clear();
        set.header.tolerance = Tolerance { turns: Some(1.0), ..TOLERANCE };
        for request in
            set.runs.iter_mut().flat_map(|run| &mut run.strategies).flat_map(|run| &mut run.requests)
        {
            request.bills.clear();
        }
        set
    }

    /// The logs of a folder, under all strategies and some settings.
    fn of_logs(folder: &Path, settings: &[String]) -> Set {
        #[derive(Deserialize)]
        struct Results {
            #[serde(flatten)]
            header: Header,
        }
        #[derive(Deserialize)]
        struct Line {
            scenario: Option<ScenarioRecord>,
        }
        let place = tempfile::tempdir().unwrap();
        let ran = |arguments: &[&str]| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_ptc-eval"));
            let ran = program.current_dir(&place).args(arguments).output().unwrap();
            String::from_utf8(ran.stdout).unwrap()
        };
        let mut advise = vec!["advise", folder.to_str().unwrap(), "--no-bills", "--one-agent"];
        advise.extend(["--save", "kept/scenarios", "--report-dir", "advice"]);
        for setting in settings {
            advise.extend(["--strategy", setting]);
        }
        ran(&advise);
        let text = std::fs::read_to_string(place.path().join("advice/results.json")).unwrap();
        let Results { header } = serde_json::from_str(&text).unwrap();
        let records = ran(&["run", "kept/scenarios", "--format", "full-records"]);
        let lines = records.lines().map(|line| serde_json::from_str::<Line>(line).unwrap());
        let runs: Vec<ScenarioRecord> = lines.filter_map(|line| line.scenario).collect();
        assert!(!runs.is_empty(), "no run in {}", folder.display());
        Set { header, runs }
    }

    fn verdicts(&mut self, size: usize, samples: usize) -> Verdicts {
        let (mut dice, mut verdicts) = (Dice(size as u64), Verdicts::default());
        for _ in 0..samples {
            let drawn_again;
            let (sample, rest) = if self.is_drawn_again(size) {
                drawn_again = self.draw_again(size, &mut dice);
                (&drawn_again[..], &self.runs[..])
            } else {
                dice.draw(&mut self.runs, size);
                self.runs.split_at(size)
            };
            let mut tally = Tally::new(self.header.clone());
            sample.iter().for_each(|run| tally.add(run));
            let comparison = tally.compare();
            let advice = Advice::new(&comparison);
            let Some(chosen) = advice.recommended.filter(|_| comparison.too_little.is_none()) else {
                verdicts.none += 1;
                continue;
            };
            if chosen.name == self.header.baseline {
                verdicts.kept += 1;
                verdicts.kept_surely += usize::from(comparison.is_strong);
                continue;
            }
            let at = self.header.strategies.iter().position(|name| *name == chosen.name).unwrap();
            let (is_right, saved) = self.judge(rest, at);
            if comparison.is_strong {
                verdicts.used += 1;
                verdicts.right += usize::from(is_right);
                verdicts.saved += saved;
            } else {
                verdicts.tried += 1;
                verdicts.tried_right += usize::from(is_right);
            }
        }
        verdicts
    }

    /// Returns true for sizes above half of the runs. Such a sample may have a run several times, and is judged on all runs.
    fn is_drawn_again(&self, size: usize) -> bool {
        size * 2 > self.runs.len()
    }

    /// Random runs, each as a run of its own.
    fn draw_again(&self, size: usize, dice: &mut Dice) -> Vec<ScenarioRecord> {
        let mut runs = Vec::with_capacity(size);
        for number in 0..size as u64 {
            let run = &self.runs[(dice.number() % self.runs.len() as u64) as usize];
            let fingerprint = Some(Fingerprint(number));
            runs.push(ScenarioRecord {
                name: format!("run-{number}"),
                fingerprint,
                opening: None,
                ..run.clone()
            });
        }
        runs
    }

    /// Returns true if a choice stays within the limit on other runs and saves something there, and the share that it saves.
    fn judge(&self, others: &[ScenarioRecord], chosen: usize) -> (bool, f64) {
        let mut sums = vec![Standing::default(); self.header.strategies.len()];
        for run in others {
            for (sum, strategy) in sums.iter_mut().zip(&run.strategies) {
                sum.add(&ScenarioRecord::standing(strategy, 0));
            }
        }
        let (base, own) = (sums[self.header.baseline_index()], sums[chosen]);
        let saved = 1.0 - own.cost as f64 / base.cost as f64;
        (self.header.bounds().admit(&own, &base) && saved > 0.0, saved)
    }
}

fn run(number: u64, header: &Header, sample: &ScenarioRecord, dice: &mut Dice, long: f64) -> ScenarioRecord {
    let turns = match dice.share() < long {
        true => dice.between(20.0, 60.0) as usize,
        false => 2 + dice.between(0.0, 4.0).powi(2).min(13.0) as usize,
    };
    let size = dice.between(200.0, 2_000.0);
    let (log, bold) = (dice.between(0.94, 0.98), dice.between(0.5, 0.9));
    let near = 0.12 * dice.share().powi(2);
    let cost = |strategy: usize, turn: usize| match strategy {
        1 => {
            if turn < 15 {
                0.95
            } else {
                2.0
            }
        }
        2 => log,
        3 => {
            if turn < 18 {
                1.0
            } else {
                0.8
            }
        }
        4 => bold,
        5 => 0.93,
        _ => 1.0,
    };
    let template = &sample.strategies[0].requests[0];
    let strategies = header.strategies.iter().enumerate().map(|(strategy, name)| {
        let mut dice = Dice(number * 8 + strategy as u64);
        let short = [0.0, 0.0, 0.01, 0.03, 0.5, near][strategy];
        let requests = (0..turns).map(|turn| {
            let needs = Dice(number * 1_000 + turn as u64).share() < 0.6;
            let gone = u32::from(needs && dice.share() < short);
            MeasuredRequest {
                turn: turn as u32 + 1,
                input_tokens: (size * (1.0 + 0.3 * turn as f64) * cost(strategy, turn)) as u32,
                evidence: Evidence { shown: u32::from(needs) - gone, gone, ..Evidence::default() },
                bills: Vec::new(),
                valid: true,
                statistics: ptc_eval::compression::Statistics {
                    printlns_dropped: if strategy == 1 { (turn as u32).saturating_sub(14) } else { 0 },
                    ..template.statistics.clone()
                },
                ..template.clone()
            }
        });
        MeasuredRun { name: name.as_str().into(), requests: requests.collect(), ..MeasuredRun::default() }
    });
    ScenarioRecord {
        name: format!("run-{number}"),
        strategies: strategies.collect(),
        fingerprint: Some(Fingerprint(number)),
        opening: None,
        failures: Vec::new(),
        ..sample.clone()
    }
}

/// Writes a row for each size of the samples. Returns true if at most 5 of 100 samples have strong evidence for a wrong choice.
fn table(title: &str, set: &mut Set, samples: usize) -> bool {
    let mut holds = true;
    for size in SIZES {
        let mark = if set.is_drawn_again(size) { "*" } else { "" };
        let verdicts = set.verdicts(size, samples);
        let Verdicts { used, right, tried, tried_right, kept, kept_surely, none, saved } = verdicts;
        let saved = 100.0 * saved / used.max(1) as f64;
        let row = format!(
            "| {title} | {size}{mark} | {used} | {right} | {saved:.0}% | {tried} | {tried_right} | {kept} | {kept_surely} | {none} |\n"
        );
        std::io::stdout().write_all(row.as_bytes()).unwrap();
        holds &= (used - right) as f64 <= 0.05 * samples as f64;
    }
    holds
}

/// *Use* is right on the rest in 95 of 100 samples, even if long runs are rare, and it does occur.
#[test]
fn strong_evidence_is_right_on_the_rest() {
    let mut used = 0;
    for long in [0.03, 0.2] {
        let mut set = Set::generated(7, long);
        for size in [20, 80] {
            let verdicts = set.verdicts(size, 20);
            assert!(verdicts.right as f64 >= 0.95 * verdicts.used as f64, "{long} {size}");
            used += verdicts.used;
        }
    }
    assert!(used >= 40, "strong evidence came in {used} of 80 samples");
}

#[test]
#[ignore = "it takes minutes"]
fn verdicts_are_judged_on_the_rest() {
    let mut all_hold = true;
    let folders = std::env::var_os("PTC_EVAL_LOGS");
    for folder in folders.iter().flat_map(std::env::split_paths) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        all_hold &= table(&name, &mut Set::of_logs(&folder, &[]), 1_000);
        all_hold &= table(&format!("{name}, 18 settings, no cache"), &mut Set::of_settings(&folder), 200);
    }
    for (seed, long) in [(1, 0.01), (2, 0.03), (3, 0.1), (4, 0.3)] {
        let title = format!("generated, {:.0}% long", long * 100.0);
        all_hold &= table(&title, &mut Set::generated(seed, long), 1_000);
    }
    assert!(all_hold, "more than 5% of the samples are surely wrong");
}

/// As many runs as a sentence names are enough by the rule that later judges them.
#[test]
fn the_runs_that_are_named_prove_a_loss() {
    let bounds = Bounds::new(Tolerance { max_short: 0.05, ..Tolerance::default() }, "full-history");
    let standing = |short, needing| Standing { cost: 0, needing, short };
    for (runs, short) in [(12, 0), (40, 0), (40, 1), (80, 2)] {
        let mut proof = Proof::default();
        (proof.runs, proof.design_effect) = (runs, 1.0);
        let own = standing(short, runs);
        let base = standing(0, runs);
        assert!(!proof.is_within(&own, &base, bounds), "{runs} {short}");
        let needed = proof.runs_to_prove(&own, &base, bounds).unwrap();
        let of = |runs: u64, all: u64| standing(short * all / runs, all);
        let mut later = proof.clone();
        later.runs = needed;
        assert!(later.is_within(&of(runs, needed), &base, bounds), "{needed}");
        // A tenth fewer are not.
        let fewer = needed * 8 / 10;
        let mut earlier = proof.clone();
        earlier.runs = fewer;
        assert!(!earlier.is_within(&of(runs, fewer), &base, bounds), "{fewer}");
    }
    // Without answers, nothing is known.
    let nothing = standing(0, 0);
    assert!(Proof::default().upper_bound(&nothing, &nothing, bounds) > 0.999);
}
