//! Prices and bills. Every bill here was computed by hand.

use ptc_prices::{
    Bill, Border, CacheRule, Ledger, Money, OtherCosts, Price, PriceTable, Sent, date_of_day, day_number,
};

use Border::{Calls, Definitions, Last, Opening, Settled, System};

/// Input 4, read 1, write 5, output 10 dollars per million tokens.
fn price(cache: &str) -> Price {
    priced("write: 5, ", cache)
}

fn priced(more: &str, cache: &str) -> Price {
    let row = "model: m, date: 2026-11-01, source: s, input: 4, read: 1, output: 10";
    serde_yaml::from_str(&format!("{{{row}, {more}cache: {{{cache}}}}}")).unwrap()
}

/// Blocks by number and tokens, and borders by the number of blocks before each.
type Request<'r> = (&'r [(u64, u32)], &'r [(Border, usize)]);

/// A ledger of requests with 3 tokens of the chat format, 10 of output and no shared prefix.
fn ledger(requests: &[Request<'_>]) -> Ledger {
    let mut ledger = Ledger::default();
    for (blocks, borders) in requests {
        let input_tokens = blocks.iter().map(|(_, tokens)| tokens).sum::<u32>() + 3;
        ledger.add_request(Sent {
            blocks,
            kept: 0,
            borders,
            unlogged_tokens: 0,
            prefix_tokens: 0,
            input_tokens,
            output_tokens: 10,
            pause: 0,
            duration: 0,
        });
    }
    ledger
}

/// Cached and written tokens of each request, and its cost in millionths of a dollar.
fn numbers(bills: &[Bill]) -> Vec<(u32, u32, u128)> {
    bills.iter().map(|bill| (bill.cached_tokens, bill.written_tokens, millionths(bill.cost))).collect()
}

fn millionths(cost: Money) -> u128 {
    assert_eq!(cost.exact() % 1_000_000, 0);
    cost.exact() / 1_000_000
}

fn cold(price: &Price, requests: &[Request<'_>]) -> Vec<(u32, u32, u128)> {
    let (bills, costs) = ledger(requests).bills(price, false);
    assert_eq!(costs.cold, bills.iter().map(|bill| bill.cost).sum());
    numbers(&bills)
}

/// A price holds from its request on; the marks are those that cost least over all requests.
#[test]
fn prices_may_change_from_a_request_on() {
    let before = price("breakpoints: {marks: 4, minimum: 1}");
    let after = Price { input: 40.0, read: 10.0, write: Some(50.0), output: 100.0, ..before.clone() };
    let ledger = ledger(&GROWING);
    let [cheap, dear] = [&before, &after].map(|price| ledger.bills(price, false).0);
    let (bills, costs) = ledger.bills_at(&[(0, &before), (2, &after)], false);
    assert_eq!(numbers(&bills[..2]), numbers(&cheap[..2]));
    assert_eq!(numbers(&bills[2..]), numbers(&dear[2..]));
    assert!(bills.len() > 2);
    assert_eq!(costs.cold, bills.iter().map(|bill| bill.cost).sum());
    assert_eq!(ledger.bills_at(&[], false).0, []);
}

/// Cold, warm and naive.
fn others(costs: OtherCosts) -> [u128; 3] {
    [costs.cold, costs.warm, costs.naive].map(millionths)
}

/// Each request goes on where the one before ended.
const GROWING: [Request<'_>; 3] = [
    (&[(1, 100), (2, 50)], &[(System, 1), (Last, 2)]),
    (&[(1, 100), (2, 50), (3, 20), (4, 30)], &[(System, 1), (Last, 4)]),
    (&[(1, 100), (2, 50), (3, 20), (4, 30), (5, 10), (6, 40)], &[(System, 1), (Last, 6)]),
];
/// The last message is another one in each request.
const VOLATILE: [Request<'_>; 3] = [
    (&[(1, 100), (2, 50)], &[(System, 1), (Last, 2)]),
    (&[(1, 100), (3, 50)], &[(System, 1), (Last, 2)]),
    (&[(1, 100), (4, 50)], &[(System, 1), (Last, 2)]),
];
const BREAKPOINTS: &str = "breakpoints: {marks: 4, look_back: 20, minimum: 100}";

/// The last mark reads 150 and 200 tokens. SYSTEM alone would cost 812 + 612 + 812.
#[test]
fn a_growing_request_is_marked_at_its_end() {
    let price = price(BREAKPOINTS);
    let (bills, costs) = ledger(&GROWING).bills(&price, false);
    let expected = [
        (0, 150, 862),  // 3 × 4 + 150 × 5 + 10 × 10
        (150, 50, 512), // 3 × 4 + 150 × 1 + 50 × 5 + 100
        (200, 50, 562), // 3 × 4 + 200 × 1 + 50 × 5 + 100
    ];
    assert_eq!(numbers(&bills), expected);
    // Warm, the first request reads the 100 tokens of SYSTEM: 12 + 100 + 50 × 5 + 100 = 462.
    assert_eq!(others(costs), [1_936, 1_536, 1_936]);
    let (bills, warm) = ledger(&GROWING).bills(&price, true);
    assert_eq!(numbers(&bills), [(100, 50, 462), (150, 50, 512), (200, 50, 562)]);
    assert_eq!(others(warm), [1_936, 1_536, 1_536]);
}

/// A breakpoint at the end would write 50 tokens that are never read: 862 + 462 + 462.
#[test]
fn a_volatile_end_is_not_marked() {
    let (bills, costs) = ledger(&VOLATILE).bills(&price(BREAKPOINTS), false);
    let expected = [
        (0, 100, 812), // 53 × 4 + 100 × 5 + 100
        (100, 0, 412), // 53 × 4 + 100 × 1 + 100
        (100, 0, 412),
    ];
    assert_eq!(numbers(&bills), expected);
    assert_eq!(others(costs), [1_636, 1_236, 1_786]);
}

/// A write without a price costs what input costs: a mark at the end costs nothing then.
#[test]
fn a_write_without_a_price_costs_what_input_costs() {
    let (bills, _) = ledger(&GROWING).bills(&priced("", BREAKPOINTS), false);
    assert_eq!(numbers(&bills), [(0, 150, 712), (150, 50, 462), (200, 50, 512)]);
}

/// Starts of fewer than 100 tokens are neither written nor read.
#[test]
fn a_start_has_at_least_the_minimum() {
    let twice = |tokens: u32| {
        let blocks = [(1, tokens)];
        cold(&price(BREAKPOINTS), &[(&blocks, &[(Last, 1)]), (&blocks, &[(Last, 1)])])
    };
    assert_eq!(twice(99), [(0, 0, 508), (0, 0, 508)]); // 102 × 4 + 100
    assert_eq!(twice(100), [(0, 100, 612), (100, 0, 212)]); // 12 + 500 + 100, 12 + 100 + 100
}

#[test]
fn a_look_back_ends() {
    let cached = |rule: &str, blocks: u64| {
        let long: Vec<(u64, u32)> = (0..=blocks).map(|block| (block, 10)).collect();
        let rule = format!("breakpoints: {{marks: 1, {rule}minimum: 10}}");
        let requests: [Request<'_>; 2] = [(&long[..1], &[(Last, 1)]), (&long, &[(Last, long.len())])];
        cold(&price(&rule), &requests)[1].0
    };
    assert_eq!(cached("look_back: 20, ", 20), 10);
    assert_eq!(cached("look_back: 20, ", 21), 0);
    assert_eq!(cached("", 21), 10);
}

/// A second mark, where the request before ended, is found exactly.
#[test]
fn the_end_of_the_shared_start_is_marked() {
    let long: Vec<(u64, u32)> = (0..=21).map(|block| (block, 10)).collect();
    let requests: [Request<'_>; 2] = [(&long[..1], &[(Last, 1)]), (&long, &[(Last, long.len())])];
    let bills = |marks: u32| {
        cold(&price(&format!("breakpoints: {{marks: {marks}, look_back: 20, minimum: 10}}")), &requests)
    };
    assert_eq!(bills(1), [(0, 10, 162), (0, 220, 1_212)]); // 12 + 10 × 5 + 100, 12 + 220 × 5 + 100
    assert_eq!(bills(2), [(0, 10, 162), (10, 210, 1_172)]); // 12 + 10 × 1 + 210 × 5 + 100
}

/// Each third request begins with more blocks that stay. Without a mark where the request before began to differ, the
/// new border lies beyond the look-back of the old one.
#[test]
fn a_border_that_leaps_keeps_what_stood_before_it() {
    let block = |number: u64| (number, 100);
    let stays = |count: u64| (0..count).map(block);
    let changes = |from: u64| (from..from + 2).map(block);
    let request = |settled: u64, volatile: u64| stays(settled).chain(changes(volatile)).collect::<Vec<_>>();
    let sent = [request(3, 100), request(3, 200), request(8, 300), request(8, 400)];
    let borders: Vec<[(Border, usize); 2]> =
        sent.iter().map(|blocks| [(System, 1), (Settled, blocks.len() - 2)]).collect();
    let requests: Vec<Request<'_>> =
        sent.iter().zip(&borders).map(|(blocks, borders)| (&blocks[..], &borders[..])).collect();
    let read = |marks: u32| {
        let bills =
            cold(&price(&format!("breakpoints: {{marks: {marks}, look_back: 4, minimum: 10}}")), &requests);
        bills.iter().map(|(cached, ..)| *cached).collect::<Vec<_>>()
    };
    assert_eq!(read(1), [0, 300, 0, 800]);
    assert_eq!(read(2), [0, 300, 300, 800]);
}

/// An answer to the third request finds what the first one wrote.
#[test]
fn the_cache_keeps_what_older_requests_wrote() {
    let end: &[(Border, usize)] = &[(Last, 2)];
    let requests: [Request<'_>; 3] =
        [(&[(1, 100), (2, 50)], end), (&[(1, 100), (3, 60)], end), (&[(1, 100), (2, 50)], end)];
    let expected = [
        (0, 150, 862),
        (0, 160, 912), // 12 + 160 × 5 + 100: nobody marked the first message alone
        (150, 0, 262), // 12 + 150 + 100
    ];
    assert_eq!(cold(&price(BREAKPOINTS), &requests), expected);
}

/// The second request ends like the first one but begins with another block, so nothing of it is in the cache.
#[test]
fn equal_blocks_after_another_start_are_not_cached() {
    let end: &[(Border, usize)] = &[(Last, 2)];
    let requests: [Request<'_>; 2] = [(&[(1, 100), (2, 50)], end), (&[(7, 100), (2, 50)], end)];
    assert_eq!(cold(&price(BREAKPOINTS), &requests), [(0, 150, 862), (0, 150, 862)]);
}

/// SYSTEM, opening, definitions, calls and the end, 100 tokens each. The calls change first, then the definitions.
const SECTIONS: [Request<'_>; 3] = {
    const BORDERS: &[(Border, usize)] = &[(System, 1), (Opening, 2), (Definitions, 3), (Calls, 4), (Last, 5)];
    [
        (&[(1, 100), (2, 100), (3, 100), (4, 100), (5, 100)], BORDERS),
        (&[(1, 100), (2, 100), (3, 100), (14, 100), (15, 100)], BORDERS),
        (&[(1, 100), (2, 100), (23, 100), (14, 100), (25, 100)], BORDERS),
    ]
};

#[test]
fn as_many_marks_are_placed_as_the_provider_has() {
    let bills = |marks: u32| {
        cold(&price(&format!("breakpoints: {{marks: {marks}, look_back: 20, minimum: 100}}")), &SECTIONS)
    };
    // One: the opening, 2312 + 1512 + 1512. SYSTEM costs 5836, the definitions 6036.
    let opening = [
        (0, 200, 2_312), // 303 × 4 + 200 × 5 + 100
        (200, 0, 1_512), // 303 × 4 + 200 + 100
        (200, 0, 1_512),
    ];
    assert_eq!(bills(1), opening);
    // Two: opening and definitions. A mark after the calls in place of one costs 5936 or 6336.
    let definitions = [
        (0, 300, 2_412),   // 203 × 4 + 300 × 5 + 100
        (300, 0, 1_212),   // 203 × 4 + 300 + 100
        (200, 100, 1_612), // 203 × 4 + 200 + 100 × 5 + 100
    ];
    assert_eq!(bills(2), definitions);
    assert_eq!(bills(4), definitions);
}

/// The first request has no calls yet, so its mark is the opening.
#[test]
fn a_border_may_be_missing() {
    let requests: [Request<'_>; 3] = [
        (&[(1, 100), (9, 10)], &[(Opening, 1), (Last, 2)]),
        (&[(1, 100), (2, 100), (8, 10)], &[(Opening, 1), (Calls, 2), (Last, 3)]),
        (&[(1, 100), (2, 100), (7, 10)], &[(Opening, 1), (Calls, 2), (Last, 3)]),
    ];
    let expected = [
        (0, 100, 652),   // 13 × 4 + 500 + 100
        (100, 100, 752), // 13 × 4 + 100 + 500 + 100
        (200, 0, 352),   // 13 × 4 + 200 + 100
    ];
    assert_eq!(cold(&price(BREAKPOINTS), &requests), expected);
}

/// The end is always marked, and nothing is found but marks.
#[test]
fn the_newest_message_is_marked_by_itself() {
    let rule = |marks: u32| price(&format!("newest: {{marks: {marks}, minimum: 100}}"));
    assert_eq!(cold(&rule(0), &GROWING), [(0, 150, 862), (150, 50, 512), (200, 50, 562)]);
    // Without marks of its own a volatile end is all that was written: 12 + 150 × 5 + 100 each time.
    assert_eq!(cold(&rule(0), &VOLATILE), [(0, 150, 862); 3]);
    let (bills, costs) = ledger(&VOLATILE).bills(&rule(1), false);
    assert_eq!(numbers(&bills), [(0, 150, 862), (100, 50, 462), (100, 50, 462)]);
    assert_eq!(others(costs), [1_786, 1_386, 1_786]);
    let far: Vec<(u64, u32)> = (0..60).map(|block| (block, 100)).collect();
    let requests: [Request<'_>; 2] = [(&far[..1], &[(Last, 1)]), (&far, &[(Last, 60)])];
    assert_eq!(cold(&rule(0), &requests)[1], (100, 5_900, 29_712)); // 12 + 100 + 5900 × 5 + 100
}

/// One mark besides the end: after what is settled, where 200 tokens are read, not after SYSTEM.
#[test]
fn a_newest_cache_has_its_marks_besides_the_end() {
    let requests: [Request<'_>; 2] = [
        (&[(1, 100), (2, 100), (9, 10)], &[(System, 1), (Settled, 2), (Last, 3)]),
        (&[(1, 100), (2, 100), (8, 10)], &[(System, 1), (Settled, 2), (Last, 3)]),
    ];
    let bills = cold(&price("newest: {marks: 1, minimum: 100}"), &requests);
    assert_eq!(bills, [(0, 210, 1_162), (200, 10, 362)]); // 12 + 1050 + 100, 12 + 200 + 50 + 100
}

/// From 1,024 tokens in steps of 128.
#[test]
fn cached_prefixes_come_in_steps() {
    let price = priced("", "prefix: {minimum: 1024, step: 128}");
    let mut ledger = Ledger::default();
    for prefix_tokens in [0, 1_023, 1_024, 1_151, 1_152] {
        let blocks = &[(1, 1_100), (2, 97)];
        let borders = &[(System, 1), (Last, 2)];
        ledger.add_request(Sent {
            blocks,
            kept: 0,
            borders,
            unlogged_tokens: 0,
            prefix_tokens,
            input_tokens: 1_200,
            output_tokens: 10,
            pause: 0,
            duration: 0,
        });
    }
    let expected = [
        (0, 0, 4_900), // 1200 × 4 + 100
        (0, 0, 4_900),
        (1_024, 0, 1_828), // 176 × 4 + 1024 + 100
        (1_024, 0, 1_828),
        (1_152, 0, 1_444), // 48 × 4 + 1152 + 100
    ];
    let (bills, costs) = ledger.bills(&price, false);
    assert_eq!(numbers(&bills), expected);
    // Warm, the 1,100 tokens of SYSTEM are cached in all requests: 1,024 of them in the first four.
    assert_eq!(others(costs), [14_900, 4 * 1_828 + 1_444, 14_900]);
    let warm = ledger.bills(&price, true).0;
    assert_eq!((warm[0].cached_tokens, warm[0].written_tokens), (1_024, 0));
}

/// Above 1,000 tokens everything costs twice as much; a write, 5 × 8 / 4.
#[test]
fn a_large_request_costs_more_as_a_whole() {
    let price = priced("write: 5, above: {tokens: 1000, input: 8, read: 2, output: 20}, ", BREAKPOINTS);
    let twice = |tokens: u32| {
        let blocks = [(1, tokens)];
        cold(&price, &[(&blocks, &[(Last, 1)]), (&blocks, &[(Last, 1)])])
    };
    assert_eq!(twice(997), [(0, 997, 5_097), (997, 0, 1_109)]); // 12 + 997 × 5 + 100, 12 + 997 + 100
    assert_eq!(twice(998), [(0, 998, 10_204), (998, 0, 2_220)]); // 24 + 998 × 10 + 200, 24 + 998 × 2 + 200
    let free = Price { input: 0.0, ..price };
    let blocks = [(1, 998)];
    assert_eq!(cold(&free, &[(&blocks, &[(Last, 1)])]), [(0, 998, 5_214)]); // 24 + 998 × 5 + 200
}

#[test]
fn nothing_is_cached_without_a_rule_or_a_request() {
    let (bills, costs) = ledger(&GROWING).bills(&price(""), true);
    assert_eq!(numbers(&bills), [(0, 0, 712), (0, 0, 912), (0, 0, 1_112)]);
    assert_eq!(others(costs), [2_736; 3]);
    assert_eq!(others(ledger(&[]).bills(&price(BREAKPOINTS), true).1), [0; 3]);
    let no_system: Request<'_> = (&[(1, 100)], &[(System, 0), (Last, 1)]);
    assert_eq!(others(ledger(&[no_system]).bills(&price(BREAKPOINTS), true).1), [612; 3]);
}

#[test]
fn costs_add_up() {
    let mut sum = ledger(&GROWING).bills(&price(BREAKPOINTS), false).1;
    sum += ledger(&VOLATILE).bills(&price(BREAKPOINTS), false).1;
    assert_eq!(others(sum), [1_936 + 1_636, 1_536 + 1_236, 1_936 + 1_786]);
}

/// Any start counts if a provider names neither minimum nor step: the costs are the least.
#[test]
fn unknown_numbers_of_a_cache_are_the_most_favourable() {
    let bill = |cache: &str, prefix_tokens: u32| {
        let mut ledger = Ledger::default();
        ledger.add_request(Sent {
            kept: 0,
            blocks: &[(1, 1_200)],
            borders: &[(Last, 1)],
            unlogged_tokens: 0,
            prefix_tokens,
            input_tokens: 1_203,
            output_tokens: 0,
            pause: 0,
            duration: 0,
        });
        ledger.bills(&priced("", cache), false).0[0].cached_tokens
    };
    assert_eq!(bill("prefix: {minimum: unknown, step: unknown}", 7), 7);
    assert_eq!(bill("prefix: {minimum: unknown, step: 128}", 300), 256);
    assert_eq!(bill("prefix: {minimum: 1024, step: unknown}", 1_023), 0);
    assert_eq!(bill("prefix: {minimum: 1024, step: unknown}", 1_025), 1_025);
    // 3 × 4 + 7 × 5 + 100, then 3 × 4 + 7 + 100.
    let short: Request<'_> = (&[(1, 7)], &[(Last, 1)]);
    for rule in ["newest: {marks: 0, minimum: unknown}", "breakpoints: {marks: 1, minimum: unknown}"] {
        assert_eq!(cold(&price(rule), &[short, short]), [(0, 7, 147), (7, 0, 119)], "{rule}");
    }
}

#[test]
fn a_number_that_is_left_out_is_not_unknown() {
    let read = |rule: &str| serde_yaml::from_str::<CacheRule>(rule).map_err(|error| error.to_string());
    assert!(read("prefix: {minimum: 1024}").unwrap_err().contains("missing field `step`"));
    let wrong = "expected a whole number of tokens, or `unknown`";
    assert!(read("prefix: {minimum: some, step: 1}").unwrap_err().contains(wrong));
    assert!(read("newest: {marks: 0, minimum: 5000000000}").unwrap_err().contains(wrong));
    let unknown = read("prefix: {minimum: unknown, step: 64}").unwrap().prefix.unwrap();
    assert_eq!((unknown.minimum, unknown.step), (None, Some(64)));
}

/// From pages of providers as catalogues quote them, see docs/metrics.md.
#[test]
fn prices_of_the_pages() {
    let table = PriceTable::built_in().unwrap();
    let row = |name: &str| table.find(name, table.day()).unwrap();
    let dollars = |name: &str| (row(name).input, row(name).read, row(name).write, row(name).output);
    assert_eq!(dollars("gpt-6.1-sol"), (2.0, 0.1, Some(2.5), 10.0));
    assert_eq!(dollars("gpt-5"), (1.25, 0.125, None, 10.0));
    assert_eq!(dollars("gpt-5.5-pro"), (30.0, 30.0, None, 180.0));
    assert_eq!(dollars("claude-sonnet-4-5"), (3.0, 0.3, Some(3.75), 15.0));
    assert_eq!(dollars("claude-sonnet-5-5"), (2.0, 0.1, Some(2.5), 10.0));
    assert_eq!(dollars("kimi-k3"), (3.0, 0.3, None, 15.0));
    assert!(row("claude-sonnet").is_estimate("o200k_base"));
    assert!(!row("gpt-5").is_estimate("o200k_base"));
    let above = row("gemini-2.5-pro").above.unwrap();
    assert_eq!((above.tokens, above.input, above.read, above.output), (200_000, 2.5, 0.25, 15.0));
    assert!(ptc_prices::DEFAULT_MODELS.iter().all(|model| row(model).model == *model));
}

#[test]
fn caching_rules_of_the_pages() {
    let table = PriceTable::built_in().unwrap();
    let rule = |name: &str| table.find(name, table.day()).unwrap().cache;
    let read = |text: &str| serde_yaml::from_str::<CacheRule>(text).unwrap();
    let rules = [
        ("claude-sonnet-5-5", "breakpoints: {marks: 4, look_back: 20, minimum: 512}"),
        ("claude-opus-4-6", "breakpoints: {marks: 4, look_back: 20, minimum: 4096}"),
        ("claude-fable-5-2", "breakpoints: {marks: 4, look_back: 20, minimum: unknown}"),
        ("gpt-6.1-sol", "newest: {marks: 3, minimum: 1024}"),
        ("gpt-5.6-luna", "newest: {marks: 3, minimum: 1024}"),
        ("gpt-5.5", "prefix: {minimum: 2432, step: 512}"),
        ("gpt-5.4", "prefix: {minimum: 1024, step: 128}"),
        ("gpt-5.5-pro", "{}"),
        ("gemini-4-argon", "prefix: {minimum: 4096, step: unknown}"),
        ("deepseek-v4-pro", "newest: {marks: 0, minimum: unknown}"),
        ("grok-4.7", "prefix: {minimum: unknown, step: 128}"),
        ("glm-5.3", "prefix: {minimum: unknown, step: unknown}"),
        ("mistral-large-4", "prefix: {minimum: 64, step: 64}"),
        ("qwen3.6-plus", "breakpoints: {marks: 4, look_back: 20, minimum: 1024}"),
    ];
    for (model, expected) in rules {
        assert_eq!(rule(model), read(expected), "{model}");
    }
}

/// `confidence` marks each unknown number, and no other.
#[test]
fn every_row_says_what_is_unknown() {
    for row in PriceTable::built_in().unwrap().rows() {
        let CacheRule { prefix, breakpoints, newest } = &row.cache;
        let minimum = [
            prefix.map(|rule| rule.minimum),
            breakpoints.as_ref().map(|rule| rule.minimum),
            newest.as_ref().map(|rule| rule.minimum),
        ];
        let missing = [minimum.contains(&Some(None)), prefix.is_some_and(|rule| rule.step.is_none())];
        let told = match missing {
            [true, true] => "minimum and step unknown",
            [true, false] => "minimum unknown",
            [false, true] => "step unknown",
            [false, false] => "",
        };
        let confidence = row.confidence.as_deref().unwrap();
        assert!(confidence.contains(told), "{}: {confidence}", row.model);
        assert_eq!(confidence.contains("step unknown"), missing[1], "{}: {confidence}", row.model);
        assert!(row.source.starts_with("https://") && row.date == "2026-11-23", "{}", row.model);
    }
}

#[test]
fn rows_replace_and_add() {
    let mut table = PriceTable::built_in().unwrap();
    let before: Vec<String> = table.rows().iter().map(|row| row.model.clone()).collect();
    let mine = |model: &str, from: Option<&str>| Price {
        model: model.to_owned(),
        from: from.map(str::to_owned),
        ..price("")
    };
    let rows = vec![mine("gpt-6-sol", None), mine("mine", None), mine("gpt-6-sol", Some("2027-01-01"))];
    table.extend(rows).unwrap();
    let place = before.iter().position(|model| model == "gpt-6-sol").unwrap();
    assert_eq!(table.rows().len(), before.len() + 2);
    assert_eq!(
        table.rows()[place..=place + 1],
        [mine("gpt-6-sol", None), mine("gpt-6-sol", Some("2027-01-01"))]
    );
    assert_eq!(table.rows().last(), Some(&mine("mine", None)));
    // All rows of the model are gone, not only the first one.
    table.extend(vec![mine("claude-sonnet-5-5", None)]).unwrap();
    assert_eq!(table.rows().iter().filter(|row| row.model == "claude-sonnet-5-5").count(), 1);
    let in_force: Vec<&str> = table.rows_on("2026-11-24").map(|row| row.model.as_str()).collect();
    assert_eq!(in_force.iter().filter(|model| **model == "gpt-6-sol").count(), 1);
    assert_eq!(table.announced_rows("gpt-6-sol", "2026-11-24"), [&mine("gpt-6-sol", Some("2027-01-01"))]);
}

#[test]
fn rows_have_the_window_that_the_provider_documents() {
    let table = PriceTable::built_in().unwrap();
    let window = |name: &str| table.find(name, table.day()).unwrap().window;
    assert_eq!(window("claude-sonnet-5-5"), Some(1_000_000));
    assert_eq!(window("claude-opus-4-5-20251101"), Some(200_000));
    assert_eq!(window("bedrock/us.anthropic.claude-opus-4-5-20251101-v1:0"), Some(200_000));
    assert_eq!(window("gpt-4o"), Some(128_000));
    // Not published.
    assert_eq!(window("devstral-small-2507"), None);
    let unknown = table.rows().iter().filter(|row| row.window.is_none()).count();
    assert!(unknown < table.rows().len() / 10, "{unknown} rows have no window");
}

#[test]
fn contradictions_of_a_row_have_a_place() {
    let cases = [
        (Price { input: -1.0, ..price("") }, "input", "m: expected a price from 0 to 1000000, found -1"),
        (
            Price { write: Some(1e7), ..price("") },
            "write",
            "m: expected a price from 0 to 1000000, found 10000000",
        ),
        (
            priced("above: {tokens: 5, input: 1, read: -2, output: 1}, ", ""),
            "above.read",
            "m: expected a price from 0 to 1000000, found -2",
        ),
        (
            Price { window: Some(0), ..price("") },
            "window",
            "m: expected a window of at least 1 token, found 0",
        ),
        (Price { date: "1.11.2026".into(), ..price("") }, "date", "m: expected a date, found '1.11.2026'"),
        (Price { from: Some("soon".into()), ..price("") }, "from", "m: expected a date, found 'soon'"),
        (
            price("prefix: {minimum: 1, step: 1}, newest: {marks: 1, minimum: 1}"),
            "cache",
            "m: the cache has several rules",
        ),
        (
            priced("", "prefix: {minimum: 1, step: 0}"),
            "cache.prefix.step",
            "m: expected a step of at least 1, found 0",
        ),
        (price("prefix: {minimum: 1, step: 1}"), "write", "m: a prefix cache has no write price"),
        (
            price("breakpoints: {marks: 0, minimum: 1}"),
            "cache.breakpoints.marks",
            "m: expected at least 1 mark, found 0",
        ),
    ];
    for (row, keys, message) in cases {
        let mut table = PriceTable::built_in().unwrap();
        let before = table.clone();
        let error = table.extend(vec![Price { model: "fine".into(), ..price("") }, row]).unwrap_err();
        assert_eq!((error.row, error.keys.join(".").as_str(), error.message.as_str()), (1, keys, message));
        assert!(!error.help.is_empty());
        assert_eq!(table, before);
    }
    let error = PriceTable::default().extend(vec![price(""), price("")]).unwrap_err();
    assert_eq!(error.to_string(), "row 2: m: there are two rows for it; keep one of the two");
}

#[test]
fn days_are_counted_from_1970() {
    let days = [
        ("1970-01-01", Some(0)),
        ("1969-12-31", Some(-1)),
        ("2000-02-29", Some(11_016)),
        ("2000-03-01", Some(11_017)),
        ("2024-02-29", Some(19_782)),
        ("2026-11-22", Some(20_779)),
        ("2026-12-31", Some(20_818)),
        ("2026-02-29", None),
        ("1900-02-29", None),
        ("2026-04-31", None),
        ("2026-13-01", None),
        ("2026-00-10", None),
        ("2026-01-00", None),
        ("2026-1-1", None),
        ("2026-11", None),
        ("2026-11-1x", None),
        ("-026-11-01", None),
    ];
    for (day, expected) in days {
        assert_eq!(day_number(day), expected, "{day}");
        assert!(expected.is_none_or(|number| date_of_day(number) == day), "{day}");
    }
    assert_eq!(price("").age_on(day_number("2027-11-02").unwrap()), Some(366));
}

#[test]
fn money_is_exact() {
    let dollars = |text: &str| text.parse::<Money>().unwrap();
    assert_eq!(dollars("0.000000125").to_string(), "0.000000");
    assert_eq!(dollars("0.0000005").to_string(), "0.000001");
    let total: Money = (0..8).map(|_| dollars("0.000000125")).sum();
    assert_eq!(total, dollars("0.000001"));
    assert_eq!(dollars("7.5").to_string(), "7.500000");
    assert_eq!(dollars("0.000001").ratio(dollars("0.000004")), Some(0.25));
    assert_eq!(Money::default().ratio(Money::default()), None);
}

#[test]
fn amounts_in_json_are_exact() {
    let cases = [
        (0, "\"0.000000\""),
        (1, "\"0.000000000001\""),
        (2_875_000_000, "\"0.002875\""),
        (1_002_875_500_000, "\"1.0028755\""),
    ];
    for (exact, text) in cases {
        let money: Money = serde_json::from_str(text).unwrap();
        assert_eq!((money.exact(), serde_json::to_string(&money).unwrap()), (exact, text.to_owned()));
    }
    for wrong in ["", ".", "1.2.3", "-1", "1e3", "0.0000000000001"] {
        assert!(wrong.parse::<Money>().is_err(), "{wrong}");
    }
}

/// Tokens that a log does not hold are cached with the first block, however many there are.
#[test]
fn unlogged_tokens_are_cached_with_the_first_block() {
    let mut ledger = Ledger::default();
    let blocks = [(1, 100), (2, 200)];
    for unlogged_tokens in [0, 1_000] {
        ledger.add_request(Sent {
            blocks: &blocks,
            kept: 0,
            borders: &[(System, 1), (Last, 2)],
            unlogged_tokens,
            prefix_tokens: 0,
            input_tokens: unlogged_tokens + 303,
            output_tokens: 0,
            pause: 0,
            duration: 0,
        });
    }
    let (bills, _) = ledger.bills(&priced("", "breakpoints: {marks: 4, minimum: 1}"), false);
    let found: Vec<(u32, u32)> = bills.iter().map(|bill| (bill.cached_tokens, bill.written_tokens)).collect();
    assert_eq!(found, [(0, 300), (1_300, 0)]);
}
