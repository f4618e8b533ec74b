//! Causes of cache misses. On the logs in the folder `PTC_EVAL_LOGS`, counts how often times and bills alone
//! give the provider's cause, and whether the next request reads what one wrote.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use agent_logs::{Transcript, read};
use ptc_eval::report::spending::{BilledRequest, MissCause, billed_requests};
use ptc_eval::report::{ModelPrices, Spending};
use ptc_prices::PriceTable;
use serde_json::{Value, json};

/// An answer at this minute, with tokens of input, read and written.
struct Sent {
    minute: u32,
    input: u64,
    read: u64,
    written: u64,
    more: Value,
}

fn sent(minute: u32, input: u64, read: u64, written: u64) -> Sent {
    Sent { minute, input, read, written, more: json!({}) }
}

fn transcript(answers: &[Sent], compacted: bool) -> Transcript {
    let mut messages = vec![json!({"role": "user", "content": "Go."})];
    for Sent { minute, input, read, written, more } in answers {
        let mut usage = json!({"model": "claude-opus-4-5", "input_tokens": input, "cached_tokens": read,
            "cache_write_tokens": written});
        usage.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let time = format!("2026-10-02T{:02}:{:02}:00Z", minute / 60, minute % 60);
        messages.push(json!({"role": "assistant", "content": "Yes.", "time": time, "usage": usage}));
        messages.push(json!({"role": "user", "content": "On."}));
    }
    let compactions =
        if compacted { json!([{"before": 3, "kind": "summary", "removed": [[0, 2]]}]) } else { json!([]) };
    serde_json::from_value(json!({"messages": messages, "compactions": compactions})).unwrap()
}

/// The cause of the second of two requests, and whether the provider gives the same.
fn second(request: Sent, compacted: bool) -> (Option<MissCause>, u64, Option<bool>) {
    let transcript = transcript(&[sent(0, 20_000, 0, 20_000), request], compacted);
    let requests = billed_requests(&transcript, |_| Some(300_000));
    (requests[1].cause, requests[1].missed, requests[1].agrees)
}

fn told(minute: u32, read: u64, reason: &str) -> Sent {
    Sent { more: json!({"cache_miss": reason}), ..sent(minute, 30_000, read, 30_000 - read) }
}

/// Many logs have the sum of the input alone: what was read of it is not known, and nothing seems to be missed.
#[test]
fn bills_without_a_word_on_the_cache_miss_nothing() {
    let answers = (0..3).map(|minute| Sent {
        more: json!({"cached_tokens": null, "cache_write_tokens": null}),
        ..sent(minute, 20_000, 0, 0)
    });
    let transcript = transcript(&answers.collect::<Vec<_>>(), false);
    assert!(billed_requests(&transcript, |_| Some(300_000)).is_empty());
    let mut spending = Spending::default();
    spending.add(&transcript, &mut ModelPrices::of(PriceTable::built_in().unwrap()));
    assert_eq!(spending, Spending::default());
}

fn spending_of(transcript: &Transcript) -> Spending {
    let mut spending = Spending::default();
    spending.add(transcript, &mut ModelPrices::of(PriceTable::built_in().unwrap()));
    spending
}

/// A log has the dollars of each call and no word on the cache: they are the bill, and nothing seems to be missed.
#[test]
fn the_dollars_of_a_log_are_its_bill() {
    let answers = (0..3).map(|minute| Sent {
        more: json!({"cached_tokens": null, "cache_write_tokens": null, "cost": 0.25}),
        ..sent(minute, 20_000, 0, 0)
    });
    let spending = spending_of(&transcript(&answers.collect::<Vec<_>>(), false));
    assert!((spending.billed - 0.75).abs() < 1e-9 && (spending.parts.total() - 0.75).abs() < 1e-9);
    assert_eq!(spending.misses(), []);
}

/// Tools that the provider runs are billed by use, and one without a price is named.
#[test]
fn uses_of_tools_are_billed() {
    let mut transcript = transcript(&[sent(0, 1_000_000, 0, 0)], false);
    let usage = transcript.messages[1].usage.as_mut().unwrap();
    usage.model = Some("gpt-4.1".to_owned());
    usage.web_searches = Some(1);
    usage.server_tools =
        [("code_session", 2), ("file_search", 4), ("web_search_preview", 8), ("magic", 1)].map(owned).into();
    let spending = spending_of(&transcript);
    let dollars = 2.0 + 0.01 + 2.0 * 0.03 + 4.0 * 0.0025 + 8.0 * 0.025;
    assert!((spending.billed - dollars).abs() < 1e-9, "{}", spending.billed);
    assert_eq!(spending.unknown_terms.into_iter().collect::<Vec<_>>(), [("magic of gpt-4.1".to_owned(), 1)]);
}

/// The searches cost the same with another model: a cheaper one saves nothing of them.
#[test]
fn another_model_uses_the_same_tools() {
    let plain = transcript(&[sent(0, 1_000_000, 0, 0)], false);
    let mut searching = plain.clone();
    searching.messages[1].usage.as_mut().unwrap().web_searches = Some(100);
    let (plain, searching) = (spending_of(&plain), spending_of(&searching));
    assert!((searching.billed - plain.billed - 1.0).abs() < 1e-9);
    let [plain, searching] = [plain, searching].map(|one| one.others.with("claude-haiku-4-5").unwrap().cost);
    assert!((searching - plain - 1.0).abs() < 1e-9, "{plain} {searching}");
}

fn owned((kind, uses): (&str, u64)) -> (String, u64) {
    (kind.to_owned(), uses)
}

/// Who read more than the request before had left was helped by a call that is in no log, and so is the call that wrote a summary.
#[test]
fn calls_that_no_log_holds_are_priced() {
    let answers = [sent(0, 20_000, 0, 20_000), sent(1, 30_000, 25_000, 5_000), sent(2, 31_000, 30_050, 950)];
    let spending = spending_of(&transcript(&answers, false));
    assert_eq!(spending.unlogged_calls.calls, 1);
    assert!((spending.unlogged_calls.dollars - (20_000.0 * 0.5 + 5_000.0 * 6.25) / 1e6).abs() < 1e-9);
    assert_eq!(spending.unlogged_summaries.calls, 0);
    let spending =
        spending_of(&transcript(&[sent(0, 20_000, 0, 20_000), sent(1, 9_000, 5_000, 4_000)], true));
    assert_eq!((spending.unlogged_calls.calls, spending.unlogged_summaries.calls), (0, 1));
    assert!((spending.unlogged_summaries.dollars - 20_000.0 * 0.5 / 1e6).abs() < 1e-9);
}

/// The words of an answer are the least of its output, and the growth of the next request the most.
#[test]
fn output_without_a_count_has_a_range() {
    let spending =
        spending_of(&transcript(&[sent(0, 20_000, 0, 20_000), sent(1, 20_401, 20_000, 401)], false));
    assert_eq!(spending.without_output, 2);
    let output = spending.uncounted_output;
    // "Yes." is a token, and "On." another one.
    assert!((output.least - 2.0 * 25.0 / 1e6).abs() < 1e-9, "{output:?}");
    assert!((output.most - 401.0 * 25.0 / 1e6).abs() < 1e-9, "{output:?}");
}

/// The call for a summary is billed beside the answers.
#[test]
fn the_call_for_a_summary_is_billed() {
    let mut transcript = transcript(&[sent(0, 20_000, 0, 20_000), sent(1, 9_000, 5_000, 4_000)], true);
    let before = spending_of(&transcript);
    let usage = json!({"input_tokens": 20_100, "cached_tokens": 20_000, "cache_write_tokens": 0, "output_tokens": 500});
    transcript.compactions[0].usage = Some(serde_json::from_value(usage).unwrap());
    let after = spending_of(&transcript);
    let summary = (100.0 * 5.0 + 20_000.0 * 0.5 + 500.0 * 25.0) / 1e6;
    assert!((after.parts.summaries - summary).abs() < 1e-9, "{:?}", after.parts);
    assert!((after.billed - before.billed - summary).abs() < 1e-9);
    assert!((after.parts.total() - after.billed).abs() < 1e-9);
    assert_eq!(after.unlogged_summaries.calls, 0);
}

#[test]
fn each_miss_has_a_cause() {
    assert_eq!(second(sent(4, 30_000, 20_000, 10_000), false), (None, 0, None));
    assert_eq!(second(sent(4, 30_000, 19_000, 11_000), false), (None, 1_000, None));
    assert_eq!(second(sent(6, 30_000, 5_000, 25_000), false), (Some(MissCause::Expired), 15_000, None));
    assert_eq!(second(sent(4, 30_000, 5_000, 25_000), false), (Some(MissCause::Changed), 15_000, None));
    assert_eq!(second(sent(4, 30_000, 0, 0), false), (Some(MissCause::Cold), 20_000, None));
    assert_eq!(second(sent(4, 30_000, 5_000, 0), false), (Some(MissCause::NotKept), 15_000, None));
    assert_eq!(second(sent(6, 9_000, 5_000, 4_000), true), (Some(MissCause::Compacted), 4_000, None));
    let other = Sent { more: json!({"model": "claude-opus-4-6"}), ..sent(4, 30_000, 0, 30_000) };
    assert_eq!(second(other, false).0, Some(MissCause::ModelSwitched));
    let unmarked = transcript(&[sent(0, 20_000, 0, 0), sent(1, 30_000, 0, 0)], false);
    let requests = billed_requests(&unmarked, |_| Some(300_000));
    assert_eq!(requests[0].cause, Some(MissCause::FirstRequest));
    assert_eq!(requests[1].cause, Some(MissCause::NotMarked));
}

/// A person's message drops the reasoning of the turn before it. Within a turn nothing drops it.
#[test]
fn a_message_of_a_person_may_drop_reasoning() {
    let reasoned = |follows: bool| {
        let usage = |read: u64| json!({"model": "gpt-5.5", "input_tokens": 30_000, "cached_tokens": read, "reasoning_tokens": 2_000});
        let told = |role: &str| json!({"role": role, "content": "On.", "is_observation": !follows});
        let answer = |minute: u32, read: u64| json!({"role": "assistant", "content": "Yes.", "time": format!("2026-10-02T09:0{minute}:00Z"), "usage": usage(read)});
        let messages =
            [json!({"role": "user", "content": "Go."}), answer(0, 29_000), told("user"), answer(1, 9_600)];
        let transcript: Transcript = serde_json::from_value(json!({"messages": messages})).unwrap();
        billed_requests(&transcript, |_| Some(300_000))[1].cause
    };
    assert_eq!(reasoned(true), Some(MissCause::ReasoningDropped));
    assert_eq!(reasoned(false), Some(MissCause::NotKept));
}

#[test]
fn the_providers_own_cause_counts() {
    assert_eq!(second(told(4, 0, "tools_changed"), false), (Some(MissCause::Tools), 20_000, Some(true)));
    assert_eq!(second(told(4, 0, "system_changed"), false).0, Some(MissCause::System));
    assert_eq!(second(told(4, 0, "messages_changed"), true).0, Some(MissCause::Compacted));
    assert_eq!(
        second(told(4, 0, "previous_message_not_found"), false),
        (Some(MissCause::Expired), 20_000, Some(false))
    );
    assert_eq!(second(told(6, 0, "previous_message_not_found"), false).2, Some(true));
    assert_eq!(second(told(4, 20_000, "none"), false), (None, 0, Some(true)));
    assert_eq!(second(told(4, 0, "none"), false).2, Some(false));
    assert_eq!(second(told(4, 20_000, "unavailable"), false).2, Some(false));
}

/// An hour costs 3.75 more for 10,000 of the 40,000 written tokens, and saves 5.75 for 30,000 that are read instead.
#[test]
fn what_another_lifetime_changes_is_computed_of_the_same_requests() {
    let mut spending = Spending::default();
    let requests = [sent(0, 20_000, 0, 20_000), sent(10, 20_000, 0, 20_000)];
    spending.add(&transcript(&requests, false), &mut ModelPrices::of(PriceTable::built_in().unwrap()));
    let long = spending.with_long.unwrap();
    assert_eq!((long.ttl.words(), long.instead_of.words()), ("1 h".to_owned(), "5 min".to_owned()));
    assert!((long.change - (20_000.0 * 3.75 - 20_000.0 * 5.75) / 1e6).abs() < 1e-9, "{}", long.change);
    assert_eq!((spending.written, spending.read, spending.with_short), (40_000, 0, None));
    assert!((spending.lost() - 0.115).abs() < 1e-9);
}

/// Each line is summed on its own, whatever comes between.
#[test]
fn the_line_that_cost_most_in_all_is_named() {
    let missed = |tokens: u64| told_of(json!({"cache_miss": "system_changed"}), sent(1, tokens, 0, tokens));
    let mut answers = vec![sent(0, 20_000, 0, 20_000)];
    answers.extend([20_000, 21_000, 20_000, 20_000].map(missed));
    let mut transcript = transcript(&answers, false);
    for (answer, line) in ["Now: 10:01", "Load 7", "Now: 10:03", "Now: 10:04"].into_iter().enumerate() {
        transcript.system_changes.insert(2 * answer + 3, line.to_owned());
    }
    let mut spending = Spending::default();
    spending.add(&transcript, &mut ModelPrices::of(PriceTable::built_in().unwrap()));
    let moved = spending.moved().unwrap().clone();
    assert_eq!(moved.line, "Now: 10:01");
    let mut twice = spending.clone();
    twice.merge(&spending);
    assert!((twice.moved().unwrap().saved - 2.0 * moved.saved).abs() < 1e-9);
}

fn told_of(more: Value, sent: Sent) -> Sent {
    Sent { more, ..sent }
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    files
}

fn transcripts(file: &Path) -> Vec<Transcript> {
    let mut found = Vec::new();
    let name = file.display().to_string();
    let notes = read(BufReader::new(File::open(file).unwrap()), &name, None, &mut |transcript| {
        found.push(transcript);
        ControlFlow::Continue(())
    });
    drop(notes);
    found
}

/// The tokens that the rule lets a request read before its bill is known: all that the one before left; nothing of what has
/// expired; after another change what the session's first request read, which is the system prompt and the tools.
fn predicted(request: &BilledRequest<'_>, shared: u64) -> u64 {
    match request.foreseen {
        None => request.cached_before.min(request.input()),
        Some(MissCause::Expired) => 0,
        Some(_) => shared.min(request.input()),
    }
}

/// `PTC_EVAL_LOGS=FOLDER cargo test --test integration causes_and_reads -- --ignored --nocapture`
#[test]
#[ignore = "needs logs"]
fn causes_and_reads_of_real_logs() {
    let folder = std::env::var("PTC_EVAL_LOGS").unwrap();
    let mut table = ModelPrices::of(PriceTable::built_in().unwrap());
    let mut pairs: BTreeMap<String, u64> = BTreeMap::new();
    let (mut told, mut agreeing, mut all, mut near) = (0, 0, 0, 0);
    let mut out = std::io::stdout();
    for file in logs(Path::new(&folder)) {
        let (mut own, mut own_near, mut paid, mut expected) = (0, 0, 0.0, 0.0);
        let mut spending = Spending::default();
        for transcript in transcripts(&file) {
            spending.add(&transcript, &mut table);
            let requests = billed_requests(&transcript, |request| {
                Some(if request.written_for_hour() > 0 { 3_600_000 } else { 300_000 })
                    .filter(|_| request.written() > 0)
            });
            // A log that begins in the middle of a session reads nearly all of its first request.
            let first = requests.first().filter(|first| first.read() * 2 < first.input());
            let shared = first.map_or(0, BilledRequest::read);
            for request in requests.iter().skip(1).filter(|request| request.usage.cached_tokens.is_some()) {
                let reads = predicted(request, shared);
                own += 1;
                own_near += u64::from(reads.abs_diff(request.read()) * 50 <= request.input());
                let write = if request.usage.cache_write_tokens.is_some() { 1.25 } else { 1.0 };
                let cost = |read: u64| read as f64 * 0.1 + (request.input() - read) as f64 * write;
                (paid, expected) = (paid + cost(request.read()), expected + cost(reads));
                if let Some(reason) = &request.usage.cache_miss {
                    let cause = request.cause.map_or("none", MissCause::name);
                    *pairs.entry(format!("{reason} / {cause} / {:?}", request.agrees)).or_default() += 1;
                    told += 1;
                    agreeing += u64::from(request.agrees == Some(true));
                }
            }
        }
        if own > 0 {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            writeln!(
                out,
                "{name}: {own_near} of {own} within 2%, input dollars {:+.1}%; {:?}",
                (expected / paid - 1.0) * 100.0,
                spending.lines()
            )
            .unwrap();
        }
        (all, near) = (all + own, near + own_near);
    }
    writeln!(out, "reads: {near} of {all} requests within 2%").unwrap();
    writeln!(out, "causes: {agreeing} of {told} as the provider says").unwrap();
    pairs.iter().for_each(|(pair, count)| writeln!(out, "  {count} {pair}").unwrap());
    assert!(agreeing * 100 >= told * 98, "{agreeing} of {told}");
}
