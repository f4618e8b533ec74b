//! Robustness of recording: the answer in any reply of a server reads back from a scenario, or the function panics.

use ptc_eval::scenario::ScenarioFile;
use ptc_eval::scenario::file::ResponseFile;
use ptc_eval::snapshot::yaml::scalar;

pub fn reply(bytes: &[u8]) {
    for answer in ptc_eval::cli::answers_in(bytes) {
        let yaml = format!("mission: m\nresponses:\n  - {}\n", scalar(&answer, 4));
        let file = ScenarioFile::parse(&yaml).unwrap_or_else(|problem| panic!("{problem}"));
        assert!(matches!(&file.responses[..], [ResponseFile::Text(text)] if *text == answer), "{yaml}");
    }
}
