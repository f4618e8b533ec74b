//! The commands that ask a live model, in folders of strangers. They may connect to the endpoint that the user names, and to no other.

use std::fs;
use std::path::{Path, PathBuf};

use super::trace::Trace;
use super::{PROGRAM, Stranger, assert_harmless, kinds};
use crate::cli::live::server::{said, serve};

/// Commands with the address of the endpoint as `URL`.
const COMMANDS: &[&str] = &[
    "record a --model m --url URL --retry-wait 0",
    "record nested/a --model m --url URL --retry-wait 0",
    "record a --model m --url URL --retry-wait 0 --output NEW.yaml",
    "verify scenarios --strategy fold --model m --url URL --retry-wait 0",
    "verify logs --strategy fold --model m --url URL --retry-wait 0",
];

#[test]
#[ignore = "needs strace, and a minute"]
fn only_the_endpoint_is_asked() {
    let mut faults = Vec::new();
    let mut connections = 0;
    for kind in kinds() {
        let stranger = Stranger::new(&kind);
        for line in COMMANDS {
            let (url, _) = serve(|_, _| said("(return 1)"));
            let port = url.split([':', '/']).find(|part| part.parse::<u16>().is_ok()).unwrap();
            let log = stranger.place.path().join("trace");
            let ran = stranger
                .prepared("timeout")
                .args(["-k", "5", "60", "strace"])
                .args(Trace::arguments(&log, PROGRAM))
                .args(stranger.words(line).iter().map(|word| word.replace("URL", &url)))
                .env("OPENAI_API_KEY", "canary")
                .output();
            let (ran, of) = (ran.unwrap(), format!("{kind}: {line}"));
            assert!(
                ran.status.code().is_some_and(|code| code != 124 && code != 127 && code < 128),
                "{of}: {ran:?}"
            );
            assert_harmless(&of, &ran);
            stranger.assert_unmarked(&of);
            let (trace, asked) = Trace::read(&log).without_connections_to(port);
            connections += asked;
            let allowed = [stranger.suite(), stranger.temporary(), PathBuf::from("/dev")];
            let found = trace.faults(Path::new(PROGRAM), &allowed);
            faults.extend(found.into_iter().map(|fault| format!("{of}: {fault}")));
            let _ = fs::remove_file(stranger.temporary().join("new.yaml"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(connections > 0, "no command asked the endpoint");
}
