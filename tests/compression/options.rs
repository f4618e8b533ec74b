//! Settings, options and triggers: their meaning and the messages for bad ones.

use super::story::*;
use ptc_eval::agent::{Agent, Message, Role};
use ptc_eval::compression::{
    BASELINE, CountOption, DEFAULT, OptionRow, Options, Rendered, STRATEGIES, Setting, Shown, Strategy,
    StrategyError, Variant, View, WordOption, explain_refusal, find, normalize, past_of, turns_left,
};
use serde_json::{Value, json};

fn normalized(setting: Setting) -> (String, Options) {
    let variant = normalize(&setting).unwrap();
    assert_eq!(variant.name, variant.strategy.name());
    (variant.name.to_string(), variant.options)
}

/// API-001…API-003, API-006, AMB-006, ARC-005, S1-29, S2-09
#[test]
fn settings_are_normalized() {
    let plain = |name: &str| (name.to_string(), Options::default());
    assert_eq!(normalized(Setting::default()), plain("full-history"));
    assert_eq!(normalized(Setting::Off), plain("full-history"));
    assert_eq!(normalized(Setting::On), plain("single-user-coalesced"));
    assert_eq!(normalized(Setting::Named("trim".to_string())), plain("trim"));
    let options = |options: Value| options.as_object().unwrap().clone();
    let configured = |strategy: &str| Setting::Configured {
        strategy: Some(strategy.to_string()),
        options: options(json!({"window": 7})),
    };
    let expected = named("rolling-window").with("window", 7i64).unwrap().options;
    assert_eq!(normalized(configured("rolling-window")), ("rolling-window".to_string(), expected));
    let refusal = explain_refusal(&normalize(&configured("trim")).err().unwrap());
    assert_eq!(refusal, "trim has no option 'window'; expected one of: keep_recent_turns, step, trigger");
    let options = options(json!({"println_limit": 7}));
    let unnamed = normalized(Setting::Configured { strategy: None, options });
    let expected = named("single-user-coalesced").with("println_limit", 7i64).unwrap().options;
    assert_eq!(unnamed, ("single-user-coalesced".to_string(), expected), "options alone mean the default");
    assert_eq!((BASELINE.name(), DEFAULT.name()), ("full-history", "single-user-coalesced"));
}

/// API-004, API-005, S4-10
#[test]
fn defaults_are_those_of_the_requirements() {
    let required = [("println_limit", "15"), ("tool_call_limit", "20")];
    for (option, default) in required {
        let rows = STRATEGIES.iter().flat_map(|strategy| strategy.options());
        let found: Vec<_> =
            rows.filter(|row| row.name == option).map(|row| row.kind.default_text()).collect();
        assert!(!found.is_empty() && found.iter().all(|found| found == default), "{option}: {found:?}");
    }
}

/// Names are unique, and each strategy is found by its own.
#[test]
fn strategies_are_found_by_name() {
    for strategy in STRATEGIES {
        assert_eq!(find(strategy.name()).unwrap().name(), strategy.name());
        assert!(!strategy.doc.is_empty() && !strategy.doc.contains('\n'));
    }
    assert_eq!(find("trim").unwrap().doc, "full-history without its older turns");
    assert_eq!(
        explain_refusal(&find("turnlog").err().unwrap()),
        "unknown strategy 'turnlog'; did you mean 'turn-log'?"
    );
}

/// S1-03: without compression there is nothing to limit.
#[test]
fn bad_options_are_refused() {
    let refusal = |name: &str, option: &str, value: Value| {
        named(name).with(option, value).err().map(|error| explain_refusal(&error)).unwrap_or_default()
    };
    assert_eq!(
        refusal("rolling-window", "windw", json!(3)),
        "rolling-window has no option 'windw'; did you mean 'window'?"
    );
    assert_eq!(
        refusal("full-history", "println_limit", json!(3)),
        "full-history has no option 'println_limit'; expected one of: trigger"
    );
    let whole = "window: expected a whole number from 1, found ";
    for value in [json!(0), json!(-1), json!(1.5), json!("three"), json!(1_u64 << 32)] {
        assert_eq!(refusal("rolling-window", "window", value.clone()), format!("{whole}{value}"));
    }
    for value in [json!(-1), json!(-0.5), json!(f64::INFINITY), json!("1")] {
        assert_eq!(
            refusal("fold", "read", value.clone()),
            format!("read: expected a number from 0, found {value}")
        );
    }
    for value in [json!(4), json!({}), json!({"turn": 4}), json!({"turns": -1})] {
        assert_eq!(
            refusal("trim", "trigger", value.clone()),
            format!(
                "trigger: expected {{turns: N, tokens: M, window: SHARE, free: M, idle: TIME}}, one of them or several; idle_tokens: M beside idle, found {value}"
            )
        );
    }
}

/// API-007: a stronger level overrides a weaker one.
#[test]
fn later_settings_win() {
    let variant =
        named("trim").with("keep_recent_turns", 1i64).unwrap().with("keep_recent_turns", 2i64).unwrap();
    let story = Story::plain(vec![ok(""); 4]);
    assert_eq!(story.last(&variant).messages.len(), 2 + 2 * 2);
}

/// `trigger: {turns: 4}`: request 6 is the first compressed one.
#[test]
fn compression_starts_at_the_turn_trigger() {
    let mut agent = agent();
    agent.max_turns = 9;
    let story = Story::of(agent, vec![ok(""); 8]);
    let variant = named("single-user-coalesced").with("trigger", json!({"turns": 4})).unwrap().called("late");
    for completed in 0..=8 {
        let rendered = story.after(&variant, completed);
        let like = if completed >= 5 { "single-user-coalesced" } else { "full-history" };
        assert_eq!(rendered.messages, story.after(&named(like), completed).messages, "after {completed}");
        assert_eq!(rendered.statistics.enabled, completed >= 5);
        assert_eq!(rendered.statistics.strategy, "late");
    }
}

/// The story's tokenizer counts bytes; the chat format adds 4 a message and 3 a request.
#[test]
fn compression_starts_at_the_token_trigger() {
    let story = Story::plain(vec![ok(""); 4]);
    let size = |completed: usize| -> i64 {
        let messages = story.after(&named("full-history"), completed).messages;
        3 + messages.iter().map(|message| message.content.len() as i64 + 4).sum::<i64>()
    };
    let enabled = |bounds: Value, completed: usize| {
        let variant = named("aggressive").with("trigger", bounds).unwrap();
        story.after(&variant, completed).statistics.enabled
    };
    assert!(enabled(json!({"tokens": size(2)}), 2));
    assert!(!enabled(json!({"tokens": size(2) + 1}), 2));
    assert!(enabled(json!({"tokens": size(2) + 1}), 3));
    assert!(enabled(json!({"tokens": size(9), "turns": 1}), 2), "either is enough");
    assert!(enabled(json!({"tokens": size(0), "turns": 9}), 0), "either is enough");
}

/// A user's strategy that prints everything it receives.
struct Own;

impl Strategy for Own {
    fn name(&self) -> &str {
        "own"
    }

    fn options(&self) -> &'static [OptionRow] {
        OWN_OPTIONS
    }

    fn takes_any_option(&self) -> bool {
        true
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let Agent { mission, tools, data, signature, .. } = past_of(view).agent().unwrap();
        let limits: Vec<usize> = [&OWN_PRINTS, &OWN_CALLS].map(|option| options.get(option)).into();
        let seen = format!(
            "{mission}|{:?}|{:?}|{}|left {}|{limits:?}|{}|{:?}",
            tools.iter().map(|tool| tool.name.name()).collect::<Vec<_>>(),
            data.keys().map(|name| name.name()).collect::<Vec<_>>(),
            signature.as_ref().map(ToString::to_string).unwrap_or_default(),
            turns_left(view),
            options.word(&INTO),
            options.extra().get("my_option").and_then(Value::as_str),
        );
        let messages = view.head().iter().cloned().chain([Message::new(Role::User, seen)]).collect();
        Ok(Rendered::new(self.name(), view, messages, Shown::default()))
    }
}

const OWN_PRINTS: CountOption = CountOption::new("println_limit", 15, 0, "prints");
const OWN_CALLS: CountOption = CountOption::new("tool_call_limit", 20, 0, "calls");
const INTO: WordOption =
    WordOption { name: "into", default: "mask", others: &["summary"], doc: "place of old turns" };
const OWN_OPTIONS: &[OptionRow] = &[OWN_PRINTS.row(), OWN_CALLS.row(), INTO.row()];

/// ARC-003, S2-06, S2-08, S4-19, S4-20, S4-22
#[test]
fn own_strategies_see_the_agent_and_their_options() {
    let variant = Variant::new(&Own).with("my_option", "value").unwrap().with("println_limit", 3i64).unwrap();
    let mut agent = shop_agent();
    agent.system_prompt.prefix = Some("Be careful.".into());
    let rendered = Story::of(agent, vec![ok("").prints(&["a"])]).last(&variant);
    assert!(rendered.messages[0].content.starts_with("Be careful.\n\n"));
    assert_eq!(
        script(&rendered.messages),
        "[user]\nFind well-reviewed products in stock|[\"get-inventory\", \"search-reviews\"]|[\"products\"]\
         |-> [{name :string}]|left 4|[3, 20]|mask|Some(\"value\")"
    );
    assert_eq!(rendered.statistics.printlns_dropped, 1);
}
