//! Properties of every strategy and every run.

use proptest::collection::vec;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

use std::sync::LazyLock;

use super::story::*;
use ptc_eval::agent::{Message, MessagePart};
use ptc_eval::compression::{Program, Rendered, STRATEGIES, TurnMemo, Variant, history_of, recounted};
use ptc_lisp::memory::Definition;
use ptc_lisp::value::Value;

const NAMES: [&str; 5] = ["alpha", "beta", "gamma", "a-rather-long-name-of-a-definition", "ö"];

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Nil),
        any::<i64>().prop_map(Value::Int),
        "[a-z\"\\\\\n]{0,100}".prop_map(|text| Value::from(text.as_str())),
        (0..6usize).prop_map(products),
        (0..6i64).prop_map(|count| ints(0..count)),
    ]
}

fn any_definition() -> impl Strategy<Value = Definition> {
    let function = Just(()).prop_map(|()| function("f", &["[x]"]));
    let kind = prop_oneof![any_value().prop_map(|it| value("v", it)), function];
    (kind, 0..NAMES.len(), any::<bool>()).prop_map(|(definition, name, is_documented)| {
        let named = Definition { name: ptc_lisp::symbol::Symbol::new(NAMES[name]), ..definition };
        if is_documented { documented(named, "What it is") } else { named }
    })
}

fn any_turn() -> impl Strategy<Value = Told> {
    let prints = vec("[a-z\n]{0,12}", 0..4);
    let calls = vec(any_value().prop_map(|it| loose_call("look", vec![it.clone()], it)), 0..4);
    (any::<bool>(), prints, calls, vec(any_definition(), 0..4)).prop_map(
        |(success, prints, calls, definitions)| {
            let turn = if success { ok("(secret)") } else { failed("(secret)", "it broke") };
            turn.prints(&prints).calls(calls).defines(definitions)
        },
    )
}

fn any_story() -> impl Strategy<Value = Story> {
    (vec(any_turn(), 0..8), any::<bool>()).prop_map(|(turns, in_shop)| {
        let mut agent = if in_shop { shop_agent() } else { agent() };
        agent.max_turns = 8;
        Story::of(agent, turns)
    })
}

/// The strategy in PTC-Lisp that comes with the scenarios.
static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let path = "scenarios/strategies/last-two.clj";
    Program::new(path, &std::fs::read_to_string(path).unwrap())
});

/// All strategies of the registry, and one in PTC-Lisp.
fn all() -> Vec<Variant<'static>> {
    let built_in = STRATEGIES.iter().map(|strategy| Variant::new(*strategy));
    built_in.chain([Variant::new(&*PROGRAM).called("program")]).collect()
}

/// All strategies, and some with limits that a short run reaches.
fn all_and_limited() -> Vec<Variant<'static>> {
    let limited = [
        ("per-turn-summary", "println_limit", 2),
        ("per-turn-summary", "tool_call_limit", 2),
        ("per-turn-summary", "error_context", 0),
        ("per-turn-summary", "error_context", 3),
        ("rolling-window", "window", 1),
    ];
    let limited = limited.map(|(name, option, value)| named(name).with(option, value).unwrap());
    all().into_iter().chain(limited).collect()
}

/// Every request of the run under the strategy.
fn requests(story: &Story, variant: &Variant<'_>) -> Vec<Rendered> {
    let turns = story.turns.len();
    (0..=turns).map(|completed| story.after(variant, completed)).collect()
}

/// The run as it was after its first turns.
fn beginning(story: &Story, completed: usize) -> Story {
    Story { agent: story.agent.clone(), turns: story.turns.iter().take(completed).cloned().collect() }
}

/// A run in which no two programs, calls and prints are alike.
fn any_story_without_repetition() -> impl Strategy<Value = Story> {
    let turn = (any::<bool>(), 0..4usize, 0..4usize, 0..3usize);
    vec(turn, 0..8).prop_map(|turns| {
        let told = turns.into_iter().enumerate().map(|(turn, (success, prints, calls, names))| {
            let program = format!("(secret {turn})");
            let told = if success { ok(&program) } else { failed(&program, &format!("broken {turn}")) };
            let unique = |kind: &str, count: usize| -> Vec<String> {
                (0..count).map(|index| format!("{kind} {turn}.{index}")).collect()
            };
            let calls = unique("asked", calls).into_iter();
            let calls = calls.map(|text| loose_call("look", vec![text.as_str().into()], Value::Nil));
            let definitions = (0..names).map(|name| value(NAMES[name], products(name)));
            told.prints(&unique("seen", prints)).calls(calls.collect()).defines(definitions.collect())
        });
        let mut agent = shop_agent();
        agent.max_turns = 8;
        Story::of(agent, told.collect())
    })
}

/// True if the second request begins with the first.
fn extends(earlier: &[Message], later: &[Message]) -> bool {
    later.starts_with(earlier)
}

fn count_lines(messages: &[Message], is_counted: impl Fn(&str) -> bool) -> usize {
    messages
        .iter()
        .skip(1)
        .flat_map(|message| message.content.lines())
        .filter(|line| is_counted(line))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// A request rendered as its difference from the previous one equals the one rendered anew, also after a step back.
    #[test]
    fn carried_requests_equal_those_rendered_anew(story in any_story(), back in 0..8usize) {
        let tokens = |text: &str| text.len() as u64;
        let run = story.run();
        for variant in all_and_limited() {
            let history = history_of(run.past(), &tokens);
            let (memo, mut sent) = (TurnMemo::default(), Vec::new());
            let turns = story.turns.len();
            for completed in (0..=turns).chain(back.min(turns)..=turns) {
                let next = variant.render_next(&history.view(completed, Some(&memo))).unwrap();
                sent.truncate(next.kept);
                sent.extend(next.messages.iter().copied());
                let whole = Rendered { kept: 0, messages: sent.clone(), ..next };
                let whole = whole.map(|id| history.messages().message(id));
                let anew = story.after(&variant, completed);
                prop_assert_eq!(whole, anew, "{} {:?} after {}", variant.name, variant.options, completed);
            }
        }
    }

    /// ARC-004, S2-03: rendering again gives the same, and any prefix renders.
    #[test]
    fn strategies_are_pure(story in any_story()) {
        for variant in all() {
            prop_assert_eq!(requests(&story, &variant), requests(&story, &variant));
        }
    }

    /// MSG-007, S2-29, and the form of every request.
    #[test]
    fn mission_is_never_lost(story in any_story()) {
        for variant in all() {
            for rendered in requests(&story, &variant) {
                let messages = rendered.messages;
                prop_assert!(messages[1].content.starts_with(&story.agent.mission));
                prop_assert!(messages.iter().all(|message| !message.content.is_empty()));
                prop_assert_eq!(messages.last().unwrap().role.name(), "user");
            }
        }
    }

    /// ARC-012, NS-012, S4-08: the opening is the same bytes everywhere but in `aggressive`.
    #[test]
    fn opening_is_stable(story in any_story()) {
        let opening = story.after(&named("full-history"), 0).messages[1].content.clone();
        for variant in all().iter().filter(|variant| variant.name != "aggressive") {
            for rendered in requests(&story, variant) {
                prop_assert!(rendered.messages[1].content.starts_with(opening.as_str()));
            }
        }
    }

    /// S4-15: shown and dropped add up to the total, and no more is collapsed or compressed than exists.
    #[test]
    fn statistics_add_up(story in any_story()) {
        for variant in all() {
            for (completed, rendered) in requests(&story, &variant).into_iter().enumerate() {
                let turns = &story.turns[..completed];
                let good = || turns.iter().filter(|turn| turn.success);
                let of = rendered.statistics;
                let calls: usize = good().map(|turn| turn.tool_calls.len()).sum();
                let prints: usize = good().map(|turn| turn.prints.len()).sum();
                prop_assert_eq!(of.tool_calls_total as usize, calls);
                prop_assert_eq!(of.tool_calls_shown + of.tool_calls_dropped, of.tool_calls_total);
                prop_assert_eq!(of.printlns_total as usize, prints);
                prop_assert_eq!(of.printlns_shown + of.printlns_dropped, of.printlns_total);
                prop_assert!(of.turns_compressed as usize <= turns.len());
                prop_assert!(of.error_turns_collapsed as usize <= turns.len() - good().count());
                prop_assert!(rendered.hidden_tool_calls >= of.tool_calls_dropped);
            }
        }
    }

    /// Counts equal what the text shows, and limits are kept (TC-002).
    #[test]
    fn counts_equal_what_the_text_shows(story in any_story(), calls in 0..5u32, prints in 0..5u32) {
        let limited = named("single-user-coalesced").with("tool_call_limit", i64::from(calls)).unwrap();
        let limited = limited.with("println_limit", i64::from(prints)).unwrap();
        for completed in 0..=story.turns.len() {
            let rendered = story.after(&limited, completed);
            let lines = count_lines(&rendered.messages, |line| line.starts_with(";   look("));
            prop_assert_eq!(rendered.statistics.tool_calls_shown as usize, lines);
            prop_assert!(lines <= calls as usize);
            prop_assert!(rendered.statistics.printlns_shown <= prints);
            let headings = count_lines(&rendered.messages, |line| line == ";; Output:");
            prop_assert_eq!(headings, usize::from(rendered.statistics.printlns_shown > 0));
        }
    }

    /// S1-06, S1-19, CMP-001: a coalesced request contains no program of a successful turn.
    #[test]
    fn successful_programs_are_not_shown(story in any_story()) {
        for strategy in ["single-user-coalesced", "turn-log", "aggressive"] {
            for (completed, rendered) in requests(&story, &named(strategy)).into_iter().enumerate() {
                let last = completed.checked_sub(1).map(|last| &story.turns[last]);
                let in_error = last.is_some_and(|turn| !turn.success) && strategy != "aggressive";
                let shown = count_lines(&rendered.messages, |line| line == "(secret)");
                prop_assert_eq!(shown, usize::from(in_error));
            }
        }
    }

    /// MSG-001, MSG-002, S3-17, S4-05: SYSTEM and one USER, whatever happened; no answers to imitate.
    #[test]
    fn coalesced_requests_are_one_user_message(story in any_story()) {
        for strategy in ["single-user-coalesced", "aggressive"] {
            for rendered in requests(&story, &named(strategy)) {
                let roles: Vec<&str> = rendered.messages.iter().map(|message| message.role.name()).collect();
                prop_assert_eq!(roles, ["system", "user"]);
            }
        }
    }

    /// Every request of `full-history` extends the one before, and every request of `turn-log` but for
    /// its last message.
    #[test]
    fn sent_messages_stay(story in any_story()) {
        for pair in requests(&story, &named("full-history")).windows(2) {
            prop_assert!(extends(&pair[0].messages, &pair[1].messages));
        }
        for pair in requests(&story, &named("turn-log")).windows(2) {
            let earlier = pair[0].messages.split_last().unwrap().1;
            prop_assert!(extends(earlier, pair[1].messages.split_last().unwrap().1));
        }
    }

    /// Parts begin inside the text, in order, at the beginning of a line.
    #[test]
    fn parts_are_in_order(story in any_story()) {
        for variant in all() {
            for message in requests(&story, &variant).iter().flat_map(|rendered| &rendered.messages) {
                prop_assert!(message.parts.windows(2).all(|pair| pair[0].1 < pair[1].1));
                for (_, start) in message.parts.iter() {
                    let before = &message.content[..*start as usize];
                    prop_assert!(before.is_empty() || before.ends_with('\n'));
                }
                let is_system = message.parts.first().is_some_and(|(part, _)| *part == MessagePart::System);
                prop_assert_eq!(is_system, message.role.name() == "system");
            }
        }
    }

    /// ARC-006: the request before a turn is made from the turns before it and from nothing else.
    #[test]
    fn later_turns_change_no_request(story in any_story()) {
        for completed in 0..=story.turns.len() {
            let beginning = beginning(&story, completed);
            for variant in all() {
                prop_assert_eq!(story.after(&variant, completed), beginning.last(&variant));
            }
        }
    }

    /// S4-15, S4-16: the counts equal an independent count in the text. `aggressive` and
    /// `observation-masking` do not show calls and prints on lines of their own.
    #[test]
    fn numbers_are_those_of_the_text(story in any_story_without_repetition()) {
        let tokens = |text: &str| text.len() as u64;
        let run = story.run();
        let history = history_of(run.past(), &tokens);
        let in_lines = all().into_iter().filter(|variant| {
            !["aggressive", "observation-masking"].contains(&variant.name.as_str())
        });
        for variant in in_lines {
            for completed in 0..=story.turns.len() {
                let rendered = story.after(&variant, completed);
                let messages = rendered.messages.clone();
                let mut counted = recounted(&variant.name, &history.after(completed), messages);
                counted.statistics.enabled = rendered.statistics.enabled;
                counted.borders.clone_from(&rendered.borders);
                prop_assert_eq!(counted, rendered);
            }
        }
    }

    /// API-004, API-005, TC-002, TRN-006: under every strategy with a limit, the request shows the newest
    /// entries of the unlimited request, up to the limit.
    #[test]
    fn limits_of_lists_are_kept(story in any_story(), most in 0..5u32) {
        for (option, shown) in [
            ("println_limit", (|rendered| rendered.statistics.printlns_shown) as fn(&Rendered) -> u32),
            ("tool_call_limit", |rendered| rendered.statistics.tool_calls_shown),
        ] {
            // The program that comes with the scenarios shows whole turns and has no limits.
            for variant in STRATEGIES.iter().map(|strategy| Variant::new(*strategy)) {
                if !variant.strategy.options().iter().any(|row| row.name == option) {
                    continue;
                }
                let limited = |most: u32| variant.clone().with(option, i64::from(most)).unwrap();
                for completed in 0..=story.turns.len() {
                    let [none, some] = [0, most].map(|most| shown(&story.after(&limited(most), completed)));
                    prop_assert!(none <= some && some <= none + most, "{} {option}", variant.name);
                }
            }
        }
    }

    /// S1-27, S2-24: at most as many turns are whole as the option allows.
    #[test]
    fn limits_of_whole_turns_are_kept(story in any_story(), most in 1..4u32) {
        let whole = |rendered: &Rendered, completed: usize| {
            completed as u32 - rendered.statistics.turns_compressed
        };
        // `fold` keeps more turns until leaving them out pays, `summary` until the window is nearly full.
        let windows: Vec<(&str, &str)> = STRATEGIES
            .iter()
            .filter(|strategy| !["fold", "summary"].contains(&strategy.name))
            .flat_map(|strategy| strategy.options.iter().map(|row| (strategy.name, row.name)))
            .filter(|(_, option)| ["window", "keep_recent_turns"].contains(option))
            .collect();
        for completed in 0..=story.turns.len() {
            for (strategy, option) in &windows {
                let mut variant = named(strategy).with(option, i64::from(most)).unwrap();
                // Turns at the start that a strategy keeps besides.
                if variant.strategy.options().iter().any(|row| row.name == "keep_first") {
                    variant = variant.with("keep_first", 0_i64).unwrap();
                }
                let rendered = story.after(&variant, completed);
                prop_assert_eq!(whole(&rendered, completed), most.min(completed as u32));
            }
            let failed = story.turns.iter().take(completed).filter(|turn| !turn.success).count();
            let variant = named("per-turn-summary").with("error_context", i64::from(most)).unwrap();
            let kept = whole(&story.after(&variant, completed), completed);
            prop_assert!(kept as usize <= failed * (1 + most as usize));
        }
    }

    /// TRN-002: samples in `user/` have at most as many items and characters as the options allow.
    #[test]
    fn limits_of_samples_are_kept(story in any_story(), most in 1..5u32) {
        for strategy in ["single-user-coalesced", "rolling-window", "turn-log"] {
            let variant = named(strategy).with("sample_limit", i64::from(most)).unwrap();
            let variant = variant.with("sample_printable_limit", i64::from(most)).unwrap();
            let rendered = story.last(&variant);
            let mut samples = 0;
            for line in rendered.messages.iter().filter_map(user_part).flat_map(str::lines) {
                let Some((_, sample)) = line.split_once(", sample: ") else { continue };
                samples += 1;
                let cut = format!("showing first {most})");
                prop_assert!(!sample.contains("showing first") || sample.ends_with(&cut), "{line}");
                let is_text = sample.starts_with('"');
                let inside = sample.replace("\\\\", "x").replace("\\\"", "x").replace("\\n", "x");
                let characters = inside.trim_matches('"').trim_end_matches("...").chars().count();
                prop_assert!(!is_text || characters <= most as usize, "{line}");
            }
            prop_assert!(samples == 0 || rendered.statistics.printlns_total == 0 || strategy != "single-user-coalesced");
        }
    }
}

/// The definitions in a message.
fn user_part(message: &Message) -> Option<&str> {
    let index = message.parts.iter().position(|(part, _)| *part == MessagePart::User)?;
    let start = message.parts[index].1 as usize;
    let end = message.parts.get(index + 1).map_or(message.content.len(), |(_, end)| *end as usize);
    Some(&message.content[start..end])
}
