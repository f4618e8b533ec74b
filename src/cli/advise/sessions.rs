//! The sessions among conversations: each with its subagents.

use std::collections::BTreeMap;

use super::conversations::{Conversation, Conversations};
use super::titles::day_in_words;
use crate::cli::suite::count;

/// Sessions with their costs.
pub(super) struct Sessions<'c>(Vec<Session<'c>>);

/// A session with its subagents, or a subagent whose session is unknown.
pub(super) struct Session<'c> {
    conversation: &'c Conversation,
    /// The dollars of the session and its subagents.
    pub(super) dollars: f64,
    requests: usize,
}

impl<'c> Sessions<'c> {
    /// Groups conversations by session. The dollars are those of the bills, unless there are simulated `costs` by name.
    pub(super) fn of(
        conversations: impl Iterator<Item = &'c Conversation>,
        costs: Option<&BTreeMap<String, f64>>,
    ) -> Sessions<'c> {
        let (subagents, own): (Vec<_>, Vec<_>) =
            conversations.partition(|conversation| conversation.is_subagent);
        let mut sessions = Sessions(Vec::with_capacity(own.len()));
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for conversation in own {
            if let Some(session) = &conversation.session {
                known.entry(session).or_insert(sessions.0.len());
            }
            sessions.0.push(Session::of(conversation, costs));
        }
        for subagent in subagents {
            let own = Session::of(subagent, costs);
            let at = subagent.session.as_ref().and_then(|session| known.get(session.as_str()));
            match at.and_then(|at| sessions.0.get_mut(*at)) {
                Some(session) => {
                    session.dollars += own.dollars;
                    session.requests += own.requests;
                }
                None => sessions.0.push(own),
            }
        }
        sessions
    }

    /// The sessions, the most expensive first.
    pub(super) fn by_cost(mut self) -> Vec<Session<'c>> {
        self.0.sort_by(|one, other| other.dollars.total_cmp(&one.dollars));
        self.0
    }
}

impl<'c> Session<'c> {
    fn of(conversation: &'c Conversation, costs: Option<&BTreeMap<String, f64>>) -> Session<'c> {
        let dollars = match costs {
            None => conversation.spending.parts.total(),
            Some(costs) => costs.get(&conversation.name).copied().unwrap_or(0.0),
        };
        Session { conversation, dollars, requests: conversation.inputs.len() }
    }

    /// `"Implement this plan…", 3 Jul, 318 requests`: the first words of the user, the day, and the size.
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.words(), count(self.requests, "request"))
    }

    /// `"Implement this plan…", 3 Jul`
    pub(super) fn words(&self) -> String {
        words_of(self.conversation)
    }

    /// The file name of the log, to find it: `session.jsonl`, or `sessions.jsonl#3` for the third of several. `None` if
    /// [`Session::words`] has it in place of a title.
    pub(super) fn log_behind_title(&self) -> Option<&str> {
        self.conversation.title.as_ref()?;
        Some(log_name(&self.conversation.place))
    }
}

fn log_name(place: &str) -> &str {
    place.rsplit(['/', '\\']).next().unwrap_or(place)
}

/// `"Implement this plan…", 3 Jul`: the first words of the user, or the log, and the day.
pub(super) fn words_of(conversation: &Conversation) -> String {
    let words = match &conversation.title {
        Some(title) => format!("\"{title}\""),
        None => log_name(&conversation.place).to_owned(),
    };
    let subagent = if conversation.is_subagent { "subagent " } else { "" };
    let day = conversation.days;
    let day = day.map_or_else(String::new, |(first, _)| format!(", {}", day_in_words(first, false)));
    format!("{subagent}{words}{day}")
}

/// The words of each conversation that has some, by name of the scenario.
pub(super) fn titles(conversations: &Conversations) -> BTreeMap<String, String> {
    let titled = conversations.all.iter().filter(|conversation| conversation.title.is_some());
    titled.map(|conversation| (conversation.name.clone(), words_of(conversation))).collect()
}
