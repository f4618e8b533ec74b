//! The purpose of the tool: a renderer that loses something is noticed. Each test breaks the default strategy
//! in one way, and goldens and evidence must show it.

use std::sync::LazyLock;

use ptc_eval::agent::{Message, MessagePart, Role};
use ptc_eval::compression::{
    DEFAULT, OptionRow, Options, Rendered, Strategy, StrategyError, View, recounted,
};
use ptc_eval::evaluate::{Plan, ReplayedScenario, replay};
use ptc_eval::report::Gauges;
use ptc_eval::scenario::{Known, Scenario, Selection, Suite};
use ptc_eval::snapshot::store::{Store, Verdict};
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer};

static SUITE: LazyLock<Suite> =
    LazyLock::new(|| Suite::open("scenarios".as_ref(), Known::default()).unwrap());

/// The default strategy with a change to the last message of each request.
struct Damaged {
    damage: fn(&View<'_>, &Options, &Message) -> String,
}

impl Strategy for Damaged {
    fn name(&self) -> &str {
        "damaged"
    }

    fn options(&self) -> &'static [OptionRow] {
        DEFAULT.options()
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let mut messages = DEFAULT.to_messages(view, options)?.messages;
        let user = messages.last_mut().unwrap();
        *user = Message::new(Role::User, (self.damage)(view, options, user));
        Ok(recounted(self.name(), view, messages))
    }
}

/// Checks that noticed the damage.
#[derive(Debug, PartialEq, Eq)]
struct Noticed {
    /// Goldens of the default strategy that differ.
    goldens: usize,
    /// Requests that show less of the evidence of their answer.
    evidence: usize,
}

/// Replays the shipped scenarios under the damaged strategy and compares it with the original.
fn noticed(damage: fn(&View<'_>, &Options, &Message) -> String) -> Noticed {
    let sound = [(DEFAULT.name().to_string(), Default::default())];
    let plan = Plan::new(&SUITE, &sound).unwrap().with(Damaged { damage });
    let tokenizer = Tokenizer::named(DEFAULT_TOKENIZER).unwrap();
    let mut noticed = Noticed { goldens: 0, evidence: 0 };
    for scenario in scenarios() {
        let result = replay(scenario, &plan, &|text| text.len() as u64).unwrap();
        noticed.goldens += usize::from(differs_from_golden(&result));
        let measured = result
            .measure(0, &Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false });
        let [sound, damaged] = measured.strategies.as_slice() else { panic!("two strategies") };
        let pairs = sound.requests.iter().zip(&damaged.requests);
        noticed.evidence +=
            pairs.filter(|(sound, damaged)| damaged.evidence.shown < sound.evidence.shown).count();
    }
    noticed
}

/// Scenarios that give the default strategy no options of their own, which the damaged one would not get.
fn scenarios() -> impl Iterator<Item = Scenario> {
    static ALL: LazyLock<Selection> = LazyLock::new(Selection::default);
    let plain = |scenario: &Scenario| scenario.compression.as_ref().is_none_or(|own| own.options.is_empty());
    SUITE.scenarios(&ALL).unwrap().map(Result::unwrap).filter(plain)
}

fn differs_from_golden(result: &ReplayedScenario) -> bool {
    let key = |name: &str| format!("{}/{name}", result.scenario.name);
    let mut snapshots = result.snapshots().into_iter();
    let mut damaged = snapshots.find(|snapshot| snapshot.key == key("damaged")).unwrap();
    damaged.key = key(DEFAULT.name());
    !matches!(Store::new("snapshots").compare(&damaged).unwrap(), Verdict::Same)
}

/// Byte range of a part in a message.
fn place(message: &Message, part: MessagePart) -> Option<std::ops::Range<usize>> {
    let at = message.parts.iter().position(|(known, _)| *known == part)?;
    let start = message.parts[at].1 as usize;
    let end = message.parts.get(at + 1).map_or(message.content.len(), |(_, next)| *next as usize);
    Some(start..end)
}

fn without(message: &Message, part: MessagePart) -> String {
    let mut content = message.content.to_string();
    if let Some(place) = place(message, part) {
        content.replace_range(place, "");
    }
    content
}

#[test]
fn the_unbroken_renderer_matches_the_goldens() {
    assert_eq!(noticed(|_, _, user| user.content.to_string()), Noticed { goldens: 0, evidence: 0 });
}

#[test]
fn dropped_prints_are_noticed() {
    let noticed = noticed(|_, _, user| without(user, MessagePart::Output));
    assert!(noticed.goldens > 30 && noticed.evidence > 10, "{noticed:?}");
}

#[test]
fn a_dropped_error_is_noticed() {
    let noticed = noticed(|_, _, user| without(user, MessagePart::Error));
    assert!(noticed.goldens > 10, "{noticed:?}");
}

/// Definitions as they were one turn ago.
#[test]
fn stale_samples_are_noticed() {
    let noticed = noticed(|view, options, user| {
        let Some(before) = view.completed().checked_sub(1) else { return user.content.to_string() };
        let earlier = DEFAULT.to_messages(&view.earlier(before), options).unwrap().messages;
        let earlier = earlier.last().unwrap();
        let mut content = user.content.to_string();
        if let (Some(new), Some(old)) = (place(user, MessagePart::User), place(earlier, MessagePart::User)) {
            content.replace_range(new, &earlier.content[old]);
        }
        content
    });
    assert!(noticed.goldens > 10 && noticed.evidence > 0, "{noticed:?}");
}
