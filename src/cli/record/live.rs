//! Records scenarios, several at a time.

use super::RecordArguments;
use super::recording::{LiveRecording, Recorded, is_recording};
use super::summaries;
use crate::cli::endpoint::Endpoint;
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::kept::tell_interruptions;
use crate::cli::progress::Progress;
use crate::cli::suite::{count, for_shell};
use crate::cli::token_cache::CachedTokenizer;
use crate::cli::verify::told;
use crate::evaluate::{Plan, Pool, in_order};
use crate::measure::Gauges;
use conversation::TextTokens;

pub(in crate::cli) fn run(arguments: &RecordArguments) -> CliResult {
    if arguments.summaries {
        return summaries::run(arguments);
    }
    let (suite, scenarios) = arguments.scenarios.open()?;
    if let Some(choice) = &arguments.strategy {
        Plan::new(&suite, &[(choice.name.clone(), choice.options.clone())])?;
    }
    let (earlier, scenarios): (Vec<_>, Vec<_>) =
        scenarios.iter().partition(|scenario| is_recording(scenario));
    if !earlier.is_empty() {
        errln!("{} left out", count(earlier.len(), "recording"));
    }
    if arguments.output.is_some() && scenarios.len() > 1 {
        return Err(CliError::OneOutput { scenarios: scenarios.len() });
    }
    let (mut recordings, mut exit) = (Vec::new(), Exit::NothingSelected);
    for scenario in scenarios {
        let Some(script) = scenario.script() else {
            let name = &scenario.name;
            errln!(
                "{name} is skipped: nothing can run the tools of a log; ptc-eval verify asks again for its answers"
            );
            continue;
        };
        let repeats = arguments.repeat.map_or(vec![None], |last| (1..=last).map(Some).collect());
        for repeat in repeats {
            match LiveRecording::new(arguments, &suite, (scenario, &script.agent), repeat) {
                Ok(recording) => {
                    recordings.extend(recording);
                    exit = if exit == Exit::NothingSelected { Exit::Success } else { exit };
                }
                Err(error) => exit = error.tell(),
            }
        }
    }
    if recordings.is_empty() {
        errln!("there is nothing to record");
        return Ok(exit);
    }
    let tokenizer = CachedTokenizer::of(None, &suite)?;
    let tokens = |text: &str| u64::from(tokenizer.count(text));
    if arguments.estimate {
        return print_estimate(arguments, &recordings, (&tokenizer, &tokens));
    }
    let endpoint = Endpoint::new(&arguments.endpoint)?;
    let pool = Pool::new(arguments.jobs.into()).map_err(|error| CliError::Threads { error })?;
    let progress = Progress::of_recordings(recordings.len() as u64);
    tell_interruptions("the answers so far are kept".to_owned());
    let (mut failed, mut outputs) = (Vec::new(), Vec::new());
    let mut tallies = Tallies::default();
    let record = |recording: &LiveRecording<'_>| {
        (recording.name.clone(), recording.record(&endpoint, &tokens, &progress))
    };
    in_order(&pool, recordings.iter(), record, |all| {
        for (name, recording) in all {
            progress.advance_one();
            progress.pause(|| match recording {
                Ok(recording) => {
                    outln!("{}: {}", recording.output.display(), recording.line);
                    tallies.add(&recording);
                    outputs.push(recording.output);
                }
                Err(error) => {
                    err!("{}", error.report());
                    failed.push(name);
                }
            });
        }
    });
    progress.end();
    tallies.tell();
    endpoint.cost_line().iter().for_each(|line| errln!("{line}"));
    if outputs.len() > 1 && arguments.output.is_none() {
        outputs = vec![suite.root.clone()];
    }
    if !outputs.is_empty() {
        let paths: Vec<String> =
            outputs.iter().map(|path| for_shell(&path.display().to_string()).into_owned()).collect();
        outln!("Next: ptc-eval run {}", paths.join(" "));
    }
    if failed.is_empty() {
        return Ok(if tallies.has_wrong() { Exit::Failed } else { exit });
    }
    errln!("{} of {} failed: {}", failed.len(), count(recordings.len(), "recording"), failed.join(", "));
    errln!("the same command goes on where it stopped");
    Ok(Exit::Failed)
}

/// Prints what the recordings would cost.
fn print_estimate(
    arguments: &RecordArguments,
    recordings: &[LiveRecording<'_>],
    (tokenizer, tokens): (&CachedTokenizer, &TextTokens<'_>),
) -> CliResult {
    let prices: Vec<_> = arguments.endpoint.price().into_iter().collect();
    let gauges = Gauges { tokenizer, models: &prices, logged: None, warm_system: false };
    let (mut scripted, mut unknown, mut most) = (Vec::new(), 0, 0);
    for recording in recordings {
        match recording.scripted(&gauges, tokens)? {
            Some(requests) => scripted.push(requests),
            None => {
                unknown += 1;
                most += recording.most_calls();
            }
        }
    }
    if !scripted.is_empty() {
        outln!("{}", told::estimate(scripted.iter(), &arguments.endpoint.model, !prices.is_empty()));
    }
    if unknown > 0 {
        let (runs, calls) = (count(unknown, "run"), count(most as usize, "call"));
        outln!("{runs} without a script: at most {calls} more, of unknown size; --max-cost bounds them");
    }
    Ok(Exit::Success)
}

/// The number of right recordings of each scenario.
#[derive(Default)]
struct Tallies {
    /// Scenario, right recordings, all recordings.
    by_scenario: Vec<(String, usize, usize)>,
}

impl Tallies {
    fn add(&mut self, recording: &Recorded) {
        let right = usize::from(recording.is_right);
        match self.by_scenario.iter_mut().find(|(name, ..)| *name == recording.scenario) {
            Some((_, sum, all)) => (*sum, *all) = (*sum + right, *all + 1),
            None => self.by_scenario.push((recording.scenario.clone(), right, 1)),
        }
    }

    fn has_wrong(&self) -> bool {
        self.by_scenario.iter().any(|(_, right, all)| right < all)
    }

    /// `shop/sum: 3 of 5 right`
    fn tell(&self) {
        for (name, right, all) in self.by_scenario.iter().filter(|(_, _, all)| *all > 1) {
            outln!("{name}: {right} of {all} right");
        }
    }
}
