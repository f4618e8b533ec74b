//! Bills of runs with pauses. Every bill here was computed by hand.

use ptc_prices::{Border, Ledger, Price, PriceTable, Sent, TimeSpan};

use Border::{Last, System};

/// Input 4, read 1, write 5 dollars per million tokens, kept for five minutes, or for an hour at 8.
fn price(cache: &str) -> Price {
    let write = if cache.starts_with("prefix") { "" } else { "write: 5, long: {ttl: 1h, write: 8}, " };
    let row = "model: m, date: 2026-11-01, source: s, input: 4, read: 1, output: 0, ttl: 5m";
    serde_yaml::from_str(&format!("{{{row}, {write}cache: {{{cache}}}}}")).unwrap()
}

const BREAKPOINTS: &str = "breakpoints: {marks: 4, look_back: 20, minimum: 0}";

/// Cached and written tokens of requests of this many blocks of 100 tokens, each sent this many minutes after
/// the one before.
fn bills(price: &Price, is_warm: bool, requests: &[(&[u64], u64)]) -> Vec<(u32, u32)> {
    let mut ledger = Ledger::new(price.ttl);
    let mut before: &[u64] = &[];
    for (blocks, minutes) in requests {
        let sized: Vec<(u64, u32)> = blocks.iter().map(|block| (*block, 100)).collect();
        let kept = before.iter().zip(*blocks).take_while(|(one, other)| one == other).count();
        ledger.add_request(Sent {
            blocks: &sized,
            kept: 0,
            borders: &[(System, 1), (Last, blocks.len())],
            unlogged_tokens: 0,
            prefix_tokens: kept as u32 * 100,
            input_tokens: blocks.len() as u32 * 100,
            output_tokens: 0,
            pause: minutes * 60_000,
            duration: 0,
        });
        before = blocks;
    }
    let bills = ledger.bills(price, is_warm).0;
    bills.iter().map(|bill| (bill.cached_tokens, bill.written_tokens)).collect()
}

/// Cached tokens alone: where nothing is read later, the best placement of marks writes nothing.
fn read(price: &Price, is_warm: bool, requests: &[(&[u64], u64)]) -> Vec<u32> {
    bills(price, is_warm, requests).into_iter().map(|(read, _)| read).collect()
}

#[test]
fn what_was_used_last_before_its_time_is_written_again() {
    let requests: [(&[u64], u64); 4] =
        [(&[1, 2], 0), (&[1, 2, 3], 4), (&[1, 2, 3, 4], 5), (&[1, 2, 3, 4, 5], 6)];
    let expected = [(0, 200), (200, 100), (300, 100), (0, 500)];
    assert_eq!(bills(&price(BREAKPOINTS), false, &requests), expected);
    assert_eq!(bills(&price("newest: {marks: 0, minimum: 0}"), false, &requests), expected);
    assert_eq!(read(&price("prefix: {minimum: 0, step: 1}"), false, &requests), [0, 200, 300, 0]);
}

#[test]
fn each_use_renews_a_start() {
    let requests: [(&[u64], u64); 3] = [(&[1], 0), (&[1, 2], 4), (&[1, 3], 4)];
    assert_eq!(read(&price(BREAKPOINTS), false, &requests), [0, 100, 100]);
}

/// The second request does not begin with block 2, so nothing renews what ends there.
#[test]
fn a_start_that_others_do_not_begin_with_expires_alone() {
    let requests = |last: u64| -> [(&[u64], u64); 3] { [(&[1, 2, 3], 0), (&[1, 4], 3), (&[1, 2, 3], last)] };
    assert_eq!(read(&price(BREAKPOINTS), false, &requests(2))[2], 300);
    assert_eq!(read(&price(BREAKPOINTS), false, &requests(3))[2], 100);
}

/// Two answers of two minutes each, and pauses of one: block 2 was used last six minutes before the third request.
#[test]
fn answers_take_time_too() {
    let mut ledger = Ledger::new(Some("5m".parse().unwrap()));
    for blocks in [[(1, 100), (2, 100)], [(1, 100), (3, 100)], [(1, 100), (2, 100)]] {
        ledger.add_request(Sent {
            blocks: &blocks,
            kept: 0,
            borders: &[(System, 1), (Last, 2)],
            unlogged_tokens: 0,
            prefix_tokens: 100,
            input_tokens: 200,
            output_tokens: 0,
            pause: 60_000,
            duration: 240_000,
        });
    }
    let bills = ledger.bills(&price(BREAKPOINTS), false).0;
    assert_eq!(bills[2].cached_tokens, 100);
}

/// After a pause only what the next request ends with is there.
#[test]
fn an_expired_start_does_not_come_back() {
    let requests: [(&[u64], u64); 3] = [(&[1, 2], 0), (&[1, 3], 10), (&[1, 2, 4], 1)];
    assert_eq!(read(&price(BREAKPOINTS), false, &requests), [0, 0, 100]);
}

#[test]
fn others_keep_a_warm_system_warm() {
    let requests: [(&[u64], u64); 2] = [(&[1, 2], 0), (&[1, 2, 3], 10)];
    assert_eq!(read(&price(BREAKPOINTS), true, &requests), [100, 100]);
    assert_eq!(read(&price("prefix: {minimum: 0, step: 1}"), true, &requests), [100, 100]);
}

#[test]
fn a_longer_time_has_its_own_price_of_writing() {
    let short = price(BREAKPOINTS);
    let long = short.kept_for("1h".parse().unwrap()).unwrap();
    let requests: [(&[u64], u64); 2] = [(&[1, 2], 0), (&[1, 2, 3], 10)];
    // Writing all of it costs more than reading it once saves.
    assert_eq!(read(&long, false, &requests), [0, 100]);
    assert_eq!(read(&short, false, &requests), [0, 0]);
    assert_eq!((long.write, short.kept_for("5m".parse().unwrap()).unwrap().write), (Some(8.0), Some(5.0)));
    assert_eq!(short.kept_for("30m".parse().unwrap()), None);
    let unknown = Price { ttl: None, ..short };
    assert_eq!(read(&unknown, false, &requests), [0, 200]);
}

/// <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>: writing for an hour costs twice the input.
#[test]
fn models_of_anthropic_keep_for_five_minutes_or_an_hour() {
    let table = PriceTable::built_in().unwrap();
    for row in table.rows().iter().filter(|row| row.model.starts_with("claude-")) {
        let long = row.long.unwrap();
        assert_eq!(
            (row.ttl, long.ttl),
            (Some("5m".parse().unwrap()), "1h".parse().unwrap()),
            "{}",
            row.model
        );
        assert!((long.write - 2.0 * row.input).abs() < 1e-9, "{}", row.model);
    }
}

#[test]
fn spans_of_time_are_read_and_written() {
    for text in ["5m", "1h30m", "90s", "24h", "1h1s"] {
        let span: TimeSpan = text.parse().unwrap();
        assert_eq!(span.to_string().parse::<TimeSpan>(), Ok(span));
    }
    assert_eq!("90s".parse::<TimeSpan>().unwrap().to_string(), "1m30s");
    assert_eq!("1h30m5s".parse::<TimeSpan>().unwrap().words(), "1 h 30 min");
    for text in ["", "5", "m", "0s", "5 weeks", "-1m", "99999999h"] {
        assert!(text.parse::<TimeSpan>().unwrap_err().contains("5m"), "{text}");
    }
}
