//! Bills of conversations under strategies.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use conversation::{Conversation, Message, Pauses, Role};
use conversation_bills::{
    AnswerBill, AnswerBills, AnsweredBy, BilledModel, DatedPrices, Explainer, LoggedPrices, RunBills,
    SentRun, SizedRun, Sizes, Tariff, bills_under,
};
use history_strategies::{FULL_HISTORY, History, Request, Requests, TRIMMING, Variant};
use ptc_prices::{Price, PriceTable, TimeSpan};
use ptc_tokens::Tokenizer;

/// Two models with round prices: dollars per million tokens.
const PRICES: [&str; 2] = [
    r#"{"model": "cached", "date": "2026-11-01", "source": "s", "input": 4, "read": 1, "write": 5, "output": 10,
        "ttl": "5m", "cache": {"breakpoints": {"marks": 4, "minimum": 1}}}"#,
    r#"{"model": "plain", "date": "2026-11-01", "source": "s", "input": 2, "read": 2, "output": 10}"#,
];

fn prices() -> Vec<Price> {
    PRICES.iter().map(|row| serde_json::from_str(row).unwrap()).collect()
}

fn tokenizer() -> Tokenizer {
    Tokenizer::named("o200k_base").unwrap()
}

/// An opening, then answers and results in turn, each result with some 700 tokens.
fn conversation(turns: usize) -> Conversation {
    let mut messages = vec![Message::new(Role::User, "Find the failed order.")];
    for turn in 0..turns {
        messages.push(Message::new(Role::Assistant, format!("I read page {turn}.")));
        messages.push(Message::new(Role::Tool, format!("page {turn}: this order is fine; ").repeat(80)));
    }
    Conversation::from_messages(&messages).unwrap()
}

fn bills(conversation: &Conversation, variant: &Variant<'_>) -> RunBills {
    bills_under(variant, conversation, &prices(), &tokenizer()).unwrap()
}

#[test]
fn a_request_reads_what_the_one_before_left_in_the_cache() {
    let bills = bills(&conversation(3), &Variant::new(FULL_HISTORY));
    let [first, second, third] = &bills.requests[..] else { panic!("{bills:?}") };
    assert_eq!((first[0].cached_tokens, second[0].cached_tokens), (0, first[0].written_tokens));
    assert_eq!(third[0].cached_tokens, second[0].cached_tokens + second[0].written_tokens);
    assert!(second[0].written_tokens > 500, "{second:?}");
    let plain: Vec<(u32, u32)> =
        bills.requests.iter().map(|row| (row[1].cached_tokens, row[1].written_tokens)).collect();
    assert_eq!(plain, [(0, 0); 3], "a model without a cache reads and writes nothing");
}

/// Without a cache, fewer tokens cost less; with one, a changed start is paid again.
#[test]
fn a_strategy_changes_the_bill_of_each_model() {
    let conversation = conversation(12);
    let full = bills(&conversation, &Variant::new(FULL_HISTORY));
    let trimmed = bills(&conversation, &Variant::new(TRIMMING).with("keep_recent_turns", 2).unwrap());
    assert!(trimmed.total(1) < full.total(1));
    let cached = |bills: &RunBills| bills.requests.iter().map(|row| row[0].cached_tokens).sum::<u32>();
    assert!(cached(&trimmed) < cached(&full) / 2);
    let dollars: f64 = full.requests.iter().map(|row| row[1].cost.dollars()).sum();
    assert!((full.total(1).dollars() - dollars).abs() < 1e-9);
}

#[test]
fn a_cache_expires_in_a_long_pause() {
    for (pause, is_kept) in [("4m", true), ("20m", false)] {
        let mut conversation = conversation(3);
        let pause: TimeSpan = pause.parse().unwrap();
        conversation.pauses = Arc::new(Pauses::from_turns([(3, pause)]));
        let bills = bills(&conversation, &Variant::new(FULL_HISTORY));
        assert_eq!(bills.requests[2][0].cached_tokens > 0, is_kept, "{pause}");
        assert!(bills.requests[1][0].cached_tokens > 0, "no pause before the second request");
    }
}

/// Runs a check on the requests of the whole history.
fn with_requests(conversation: &Conversation, check: impl FnOnce(&History<'_>, &Requests)) {
    let tokenizer = tokenizer();
    let count = |text: &str| u64::from(tokenizer.count(text));
    let history = History::new(std::borrow::Cow::Borrowed(conversation), &count);
    let mut requests = Requests::default();
    for (completed, turn) in conversation.turns.iter().enumerate() {
        let rendered = Variant::new(FULL_HISTORY).render_ids(&history.after(completed)).unwrap();
        requests.push(Request::new(turn.number, rendered, true));
    }
    check(&history, &requests);
}

fn answered_by(model: &str) -> Option<AnsweredBy> {
    Some(AnsweredBy {
        model: model.into(),
        day: None,
        hour: None,
        tier: None,
        geography: None,
        is_kept_for_hour: false,
        read_grid: None,
        survived: None,
    })
}

/// The models of a log have a cache each: a model that comes back finds its own entries.
#[test]
fn models_of_a_log_share_no_cache() {
    let mut table = PriceTable::built_in().unwrap();
    let row = PRICES[0];
    let rows = [row.to_owned(), row.replace("\"cached\"", "\"other\"")];
    table.extend(rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect()).unwrap();
    let dated = DatedPrices::new(table, None, 20_800);
    let by = ["cached", "other", "cached"].map(answered_by);
    let logged = LoggedPrices::of_turns(&by, &dated, &prices()[1]).unwrap();
    with_requests(&conversation(3), |history, requests| {
        let (tokenizer, table) = (tokenizer(), history.messages().table());
        let (pauses, sizes) = (Pauses::default(), Sizes::default());
        let outputs = [10, 10, 10];
        let (table, pauses, outputs) = (&*table, &pauses, &outputs[..]);
        let sent = SentRun { table, requests, outputs, tools_tokens: 0, pauses, tokenizer: &tokenizer };
        let sized = SizedRun::new(sent, &sizes);
        let mut bills = sized.unbilled();
        sized.charge(&mut bills, Tariff::Logged(&logged), false);
        let [first, second, third] = &bills.requests[..] else { panic!("{bills:?}") };
        assert_eq!(second[0].cached_tokens, 0, "another model's cache");
        assert_eq!(third[0].cached_tokens, first[0].written_tokens, "the model's own first request");
    });
}

/// Bills that are larger than the logged text by a constant: it is the text that the log lacks.
#[test]
fn bills_show_the_tokens_that_a_log_lacks() {
    let conversation = conversation(8);
    with_requests(&conversation, |history, requests| {
        let tokenizer = tokenizer();
        let sizes = Sizes::default();
        let outputs: Vec<u32> =
            conversation.turns.iter().map(|turn| tokenizer.count(&turn.answer.content)).collect();
        let mut bills = AnswerBills::default();
        {
            let table = history.messages().table();
            let (table, pauses, outputs) = (&*table, &*conversation.pauses, &outputs[..]);
            let sent = SentRun { table, requests, outputs, tools_tokens: 0, pauses, tokenizer: &tokenizer };
            for (request, turn) in SizedRun::new(sent, &sizes).requests.iter().zip(1..) {
                bills.answers.push(AnswerBill {
                    turn,
                    model: 0,
                    changes: 0,
                    input_tokens: u64::from(request.input_tokens) + 9_000,
                    cached_tokens: None,
                    output_tokens: None,
                    dollars: None,
                    is_unforeseen: false,
                    is_expired: false,
                    is_copy: false,
                });
            }
        }
        let name = "m".to_owned();
        bills.models.push(BilledModel { name, row: None, tokenizer: Some("o200k_base".to_owned()) });
        let explainer = Explainer {
            bills: &bills,
            history,
            tokenizer: &tokenizer,
            tools_tokens: 0,
            output_tokens: &outputs,
            price: None,
        };
        let explanation = explainer.explain();
        assert_eq!(explanation.explained.unlogged, (9_000, 9_000));
        assert_eq!(explanation.explained.explained, explanation.explained.billed);
        assert_eq!(explanation.sizes.unlogged(3), 9_000);
    });
}
