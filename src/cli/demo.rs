//! `ptc-eval new --demo`: compares strategies on a few embedded scenarios from this repository's suite, without a clone.

use super::advise::{Advised, Case, Conversations, JudgeSettings, ReportPlace};
use super::error::CliResult;
use super::exit::Exit;
use super::new::write_file;
use super::priced::Priced;
use super::recommendation::recommendation;
use super::scratch::Scratch;
use super::suite::{Permission, count, known};
use super::terminal::{Color, write_painted};
use super::token_cache::CachedTokenizer;
use crate::measure::numbers::grouped;
use crate::scenario::suite::Suite;

macro_rules! shipped {
    ($($file:literal),*) => { [$(($file, include_str!(concat!("../../scenarios/", $file)))),*] };
}

const FILES: [(&str, &str); 7] = shipped![
    "suite.yaml",
    "strategies/last-two.clj",
    "finance/year-end.yaml",
    "shop/sales-review.yaml",
    "shop/data/may-sales.csv",
    "transcripts/backup-host.yaml",
    "transcripts/data/backup-host.json"
];

pub(super) fn run(color: Color) -> CliResult {
    let scratch = Scratch::new()?;
    for (file, text) in FILES {
        write_file(&scratch.path().join(file), text)?;
    }
    let suite = Suite::open(scratch.path(), known(&Permission::default(), None))?;
    let priced = Priced::of_suite(&suite, None)?;
    let tokenizer = CachedTokenizer::of(None, &suite)?;
    let case = Case {
        suite: &suite,
        priced: &priced,
        conversations: &Conversations::default(),
        tokenizer: &tokenizer,
        place: &ReportPlace::in_scratch(&scratch),
    };
    let advised = Advised::judge(&case, &JudgeSettings::default())?;
    let scenarios = count(advised.comparison.scenarios as usize, "scenario");
    outln!("{scenarios}, {} requests under each strategy:\n", grouped(advised.requests));
    write_painted(&recommendation(&advised.comparison, None, color));
    outln!("next:  ptc-eval new --suite     writes a small suite here, with such scenarios");
    outln!("       ptc-eval advise LOGS     compares the strategies on logs of your own agent");
    Ok(Exit::Success)
}
