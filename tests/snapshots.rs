//! Snapshot files: characters, the store, and texts as YAML.

use std::fs;

use proptest::prelude::*;
use ptc_eval::scenario::ScenarioFile;
use ptc_eval::scenario::file::ResponseFile;
use ptc_eval::snapshot::escape::{is_ruler, read_line, visible, write_content};
use ptc_eval::snapshot::store::Files;
use ptc_eval::snapshot::waiting::Waiting;
use ptc_eval::snapshot::yaml::{quoted, scalar};
use ptc_eval::snapshot::{Snapshot, Store, Verdict};

fn written(line: &str) -> String {
    let mut out = String::new();
    write_content(&mut out, line);
    out.strip_suffix('\n').unwrap().to_owned()
}

#[test]
fn invisible_characters_are_written_by_their_number() {
    let cases = [
        ("Grüße, 日本\u{3000}語 😀", "Grüße, 日本\u{3000}語 😀"),
        ("user\u{202e}nimda", "\\user\\u{202e}nimda"),
        ("pass\u{200b}word", "\\pass\\u{200b}word"),
        ("a\u{200d}b", "\\a\\u{200d}b"),
        ("👩\u{200d}🚀", "👩\u{200d}🚀"),
        ("10\u{a0}000", "\\10\\u{a0}000"),
        ("a\tb\\c", "\\a\\tb\\\\c"),
        ("\u{1b}[31m", "\\\\u{1b}[31m"),
        ("\\", "\\\\\\"),
        ("=== turn 2 ===", "\\=== turn 2 ==="),
        ("--- user ---", "\\--- user ---"),
        ("= print 2 of turn 1 in run.snap", "\\= print 2 of turn 1 in run.snap"),
        ("- 2 messages", "- 2 messages"),
        ("--- a list", "--- a list"),
        ("C:\\temp", "C:\\temp"),
    ];
    for (line, expected) in cases {
        assert_eq!(written(line), expected);
        assert_eq!(read_line(expected), line);
    }
}

#[test]
fn terminals_get_no_control_characters() {
    assert_eq!(visible("a\u{1b}[2Jb\u{202e}c\\d"), "a<U+001B>[2Jb<U+202E>c\\d");
}

proptest! {
    #[test]
    fn every_line_can_be_read_back(line in "(\\\\|u\\{|[ -~\u{80}-\u{2fff}\t\r]){0,30}") {
        let line = line.replace('\n', "");
        let file = written(&line);
        prop_assert_eq!(read_line(&file), line.as_str());
        prop_assert!(!is_ruler(&file) && !file.starts_with("= "));
    }
}

fn file(source: &str, body: &str) -> String {
    format!("---\nsource: {source}\ntool: ptc-eval\n---\n{body}\n")
}

proptest! {
    #[test]
    fn a_file_has_its_source_and_its_body(source in "([\"'\\\\ /:\\r\\n\u{85}\u{202e}\u{feff}\u{ffff}-]|\\PC){0,8}", body in "([ \\n-]|\\PC){0,30}") {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        store.write_pending(&Snapshot { key: "k/run".into(), source: source.clone(), body: body.clone() }).unwrap();
        let text = store.files("k/run").unwrap().pending.unwrap();
        let (head, written) = text.strip_prefix("---\nsource: ").unwrap().split_once("\ntool: ptc-eval\n---\n").unwrap();
        prop_assert_eq!(serde_yaml::from_str::<String>(head).unwrap_or_default(), source.clone());
        prop_assert_eq!(written, format!("{}\n", body.trim_end()));
        prop_assert_eq!(store.sources(&store.list().unwrap()).unwrap().into_iter().collect::<Vec<_>>(), [source]);
    }
}

/// Else the second of two reviews at once would accept it as of no scenario.
#[test]
fn what_another_review_accepts_meanwhile_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path());
    for key in 0..2000 {
        let path = |end: &str| folder.path().join(format!("{key}.{end}"));
        fs::write(path("snap.new"), file("a.yaml", "body")).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| fs::rename(path("snap.new"), path("snap")).unwrap());
            while !path("snap").exists() {
                assert_ne!(store.files(&key.to_string()).unwrap(), Files::default());
            }
        });
    }
}

/// A crash between writing one file and removing the other would leave both.
#[cfg(unix)]
#[test]
fn what_is_accepted_as_it_waits_is_moved() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path());
    let file = |name: &str| fs::metadata(folder.path().join(name)).ok().map(|file| file.ino());
    store.put("k", &Files { accepted: Some("old\n".into()), pending: Some("new\n".into()) }).unwrap();
    let waits = file("k.snap.new");
    store.put("k", &Files { accepted: Some("new\n".into()), pending: None }).unwrap();
    assert_eq!((file("k.snap"), file("k.snap.new")), (waits, None));
    store.sync().unwrap();
}

proptest! {
    /// A file that is byte for byte as it would be written is compared in another way than all others.
    #[test]
    fn only_trailing_white_space_and_line_ends_do_not_count(
        body in "([ \\n-]|\\PC){0,20}|[ab-]{8185,8200}",
        there in proptest::option::of("([ \\n-]|\\PC){0,20}"),
        tail in "[ \\n]{0,2}",
        has_carriage_returns in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let mut text = file("k.yaml", &(there.as_ref().unwrap_or(&body).clone() + &tail));
        if has_carriage_returns {
            text = text.replace('\n', "\r\n");
        }
        fs::write(folder.path().join("k.snap"), text).unwrap();
        let snapshot = Snapshot { key: "k".into(), source: "moved.yaml".into(), body: body.clone() };
        let is_same = there.is_none_or(|there| there.trim_end() == body.trim_end());
        prop_assert_eq!(store.compare(&snapshot).unwrap() == Verdict::Same, is_same);
    }
}

#[test]
fn a_snapshot_is_the_same_after_it_waited() {
    for lines in [0, 1, 100_000] {
        let body: String = (0..lines).map(|line| format!("line {line}, größer\n")).collect();
        let snapshot = Snapshot { key: "k".into(), source: "k.yaml".into(), body };
        let waiting = Waiting::new(snapshot.clone()).unwrap();
        assert_eq!(waiting.key(), "k");
        assert_eq!(waiting.snapshot().unwrap(), snapshot);
    }
}

#[test]
fn what_waits_and_is_cut_is_refused_and_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path());
    let snapshot = Snapshot { key: "k".into(), source: "k.yaml".into(), body: "a\nb".into() };
    fs::write(folder.path().join("k.snap.new"), "---\nsource: k.yaml\n---\na").unwrap();
    assert!(store.files("k").unwrap_err().to_string().contains("k.snap.new: the file is truncated"));
    store.write_pending(&snapshot).unwrap();
    assert_eq!(store.bodies("k").unwrap(), [None, Some("a\nb\n".into())]);
}

proptest! {
    #[test]
    fn every_text_reads_back(
        text in "([a\u{20}\\t\\r\\n\u{0}\u{1b}\u{7f}\u{85}\u{9f}\u{a0}\u{2028}\u{2029}\u{202e}\u{fdd0}\u{feff}\u{fffe}\u{ffff}\u{1f600}\u{e0001}\u{10ffff}\"'#:{}&*|>%@`-]|\\PC){0,12}",
    ) {
        let yaml = format!("mission: {}\nresponses:\n  - {}\n", quoted(&text), scalar(&text, 4));
        let file = ScenarioFile::parse(&yaml).map_err(|problem| TestCaseError::fail(format!("{problem}{yaml}")))?;
        prop_assert_eq!(&file.mission, &text);
        prop_assert!(matches!(&file.responses[..], [ResponseFile::Text(answer)] if *answer == text), "{yaml}");
    }
}
