//! Finds the facts used by an agent's answers, and the facts missing from a shortened request.
//!
//! [`Needs`] finds the facts of each answer in the whole conversation, without asking a model.
//! [`Needs::examine_messages`] returns the facts missing from a list of messages. [`lost_under`] does the
//! same for each request of a strategy.
//!
//! A fact ([`Atom`]) is a number, a name, a path, a line of code or another text the model could only copy
//! from an earlier message.

#![warn(missing_docs)]

mod ascending;
mod candidates;
mod characters;
mod common;
mod identifiers;
mod index;
mod instructions;
mod interface;
mod lacking;
mod layout;
mod line_index;
mod lines;
mod logged;
mod matching;
mod names;
mod parts;
mod programs;
pub mod refetches;
mod shown;
mod sources;
mod styles;
mod system_text;
mod uses;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use ecow::EcoString;
use rustc_hash::FxHashSet;

use conversation::{Conversation, Message, MessageId, Table, TextTokens, Turn};
use history_strategies::{History, Request, Requests, StrategyError, Variant};

use candidates::{Candidate, Candidates, Defined};
pub use index::AtomIndex;
use instructions::{Instruction, find_instructions};
use interface::Interface;
pub use lacking::Lacking;
use lines::KnownLines;
use logged::of_logged;
pub use matching::{Atom, OpeningLines, Sought, visit_possible_keys};
pub use programs::{CallTexts, Programs};
use shown::Shown;
use sources::{FullHistory, is_small};
pub use uses::{Usage, Use, add_string, keep_distinct};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The evidence for one answer in its request, by grade. Most answers need little, so records leave out what is zero.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Evidence {
    /// Facts that the request shows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shown: u32,
    /// Facts of [`Grade::Reachable`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reachable: u32,
    /// Facts of [`Grade::Own`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub own: u32,
    /// Facts of [`Grade::Gone`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub gone: u32,
    /// Evidence that the request does not show, in the order of the answer, then of `needs:`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<EvidenceItem>,
    /// Instructions of a person, shown until this request. They are no facts of an answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<EvidenceItem>,
}

/// A text that an answer relies on and its request does not show.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct EvidenceItem {
    /// The text.
    #[schemars(with = "String")]
    pub what: EcoString,
    /// Why the answer relies on it.
    pub kind: EvidenceKind,
    /// How the model can still find it.
    pub grade: Grade,
    /// The turn that produced it. None for text before the first answer, and for `needs:` that no turn produced.
    pub turn: Option<u32>,
    /// Number of lines after it that are lost in the same way.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_lines: u32,
    /// True if it is from the result of a tool or program, so the agent can read it again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub again: bool,
}

/// Why an answer relies on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// The answer uses it.
    Used,
    /// The response's `needs:` lists it.
    Listed,
    /// It is an instruction of a person.
    Instruction,
}

/// How the model can still find a text missing in its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// It is inside the value of a definition whose name the request shows, or in a file that the request names.
    Reachable,
    /// Only the model's own earlier answers contained it.
    Own,
    /// Nothing in the request leads to it.
    Gone,
    /// It is a common name. The model may know it, so the answer does not lack a fact.
    Doubtful,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Reachable => "reachable",
            Grade::Own => "own",
            Grade::Gone => "gone",
            Grade::Doubtful => "doubtful",
        })
    }
}

/// The [`Evidence`] needed by the answers of a [`Conversation`].
pub struct Needs<'p> {
    of_turns: Vec<Vec<Need>>,
    opening: OpeningLines,
    /// `None` if the answers are not programs.
    programs: Option<Box<dyn Programs + 'p>>,
    /// The first entries of `needs:` not produced by any earlier turn.
    pub unproduced: Vec<Unproduced>,
    /// Number of such entries left out of `unproduced`.
    pub unlisted: usize,
    instructions: Vec<Instruction>,
}

/// Maximum number of common names listed per answer.
const DOUBTFUL: usize = 3;
/// Maximum number of unproduced entries. Callers search for a similar text for each, which is slow.
const LISTED: usize = 20;

struct Need {
    atom: Atom,
    /// Alternatives: each is a list of atoms the text can be assembled from.
    ways: Vec<Vec<Atom>>,
    /// The names in a line.
    names: Vec<Atom>,
    kind: EvidenceKind,
    /// The turn that produced it, from 1.
    turn: Option<u32>,
    /// True if only the model's own answers contain it.
    is_own: bool,
    /// True for a common name: the model may know it anyway, so its loss proves little.
    is_weak: bool,
    /// True if a message before the first answer contains it. Nearly all requests show these messages, so it
    /// is counted only when lost.
    is_of_opening: bool,
    /// Results of tools and programs that contain it.
    told_by: Vec<MessageId>,
}

/// An entry of `needs:` not produced by any earlier turn, see [`Needs::unproduced`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproduced {
    /// The turn with this entry, from 1.
    pub turn: u32,
    /// Its position in the list, from 0.
    pub entry: usize,
    /// The entry.
    pub text: String,
}

impl Evidence {
    /// Number of facts used by the answer.
    pub fn needed(&self) -> u32 {
        self.shown + self.reachable + self.own + self.gone
    }

    /// True if the answer uses a fact that is not shown and not reachable.
    pub fn lacks_fact(&self) -> bool {
        // The model's own words count too: to reuse a name it invented, it must see the name.
        self.gone + self.own > 0
    }

    /// True if the answer lacks facts, all of them from the model's own answers.
    pub fn lacks_only_own(&self) -> bool {
        self.own > 0 && self.gone == 0
    }

    /// True if the answer lacks facts, and the agent can re-read all of them.
    pub fn can_be_read_again(&self) -> bool {
        self.lacks_fact() && self.lost.iter().all(|item| item.again || item.is_no_loss())
    }

    /// True if the answer lacks only common names.
    pub fn is_doubtful(&self) -> bool {
        !self.lacks_fact() && self.lost.iter().any(|item| item.grade == Grade::Doubtful)
    }

    /// The shown share of the needed facts, from 0 to 1. `None` if the answer needs no facts.
    pub fn share(&self) -> Option<f64> {
        match self.needed() {
            0 => None,
            needed => Some(f64::from(self.shown) / f64::from(needed)),
        }
    }
}

/// Optional inputs of [`Needs::in_history`].
#[derive(Default)]
pub struct Beside<'p> {
    /// The `needs:` lists, by index of the turn: texts an answer relies on without repeating them.
    pub listed: &'p [Vec<String>],
    /// Set if the answers are programs.
    pub programs: Option<Box<dyn Programs + 'p>>,
}

impl<'p> Needs<'p> {
    /// Finds the needs of all answers, without `needs:` lists or programs.
    pub fn of(conversation: &Conversation) -> Needs<'static> {
        let history = History::new(Cow::Borrowed(conversation), &|_| 0);
        Needs::in_history(&history, Beside::default()).0
    }

    /// Finds the needs of all answers, and indexes their atoms in the history's message table.
    pub fn in_history(history: &History<'_>, beside: Beside<'p>) -> (Needs<'p>, AtomIndex) {
        let view = history.whole();
        let Beside { listed, programs } = beside;
        let first: Vec<&Message> = view.head().iter().chain([view.opening()]).collect();
        let calls = match &programs {
            Some(programs) => programs.calls(),
            None => view.turns().iter().flat_map(|turn| &turn.calls).map(CallTexts::of_call).collect(),
        };
        let interface = Interface::of_tools(&view.conversation().tools, &calls);
        let mut answers = Answers { programs: programs.as_deref(), interface, ..Answers::default() };
        let mut candidates = Vec::with_capacity(view.turns().len());
        for (index, turn) in view.turns().iter().enumerate() {
            let used = answers.find_uses(index, turn);
            let listed = listed.get(index).map_or(&[][..], Vec::as_slice);
            candidates.push(Candidates::of_turn(used, listed, &answers.defined));
        }
        let Answers { names, .. } = answers;
        let mut needs = Needs {
            of_turns: Vec::with_capacity(candidates.len()),
            opening: OpeningLines::of(first.into_iter()),
            programs,
            unproduced: Vec::new(),
            unlisted: 0,
            instructions: find_instructions(view.opening(), view.turns()),
        };
        let bound = needs.instructions.iter().map(|instruction| &instruction.atom);
        let atoms = candidates.iter().flat_map(Candidates::atoms).chain(bound);
        let mut index = AtomIndex::of(atoms.cloned().chain(names), needs.opening.clone());
        {
            let mut full = FullHistory::new(&view, &mut index);
            for (at, candidates) in candidates.into_iter().enumerate() {
                needs.add_needs(at, candidates, &mut full);
            }
        }
        (needs, index)
    }

    fn add_needs(&mut self, index: usize, candidates: Candidates, history: &mut FullHistory<'_, '_>) {
        let mut needs = find_needs(index, candidates.used, history);
        let mut known: FxHashSet<Atom> = needs.iter().map(|need| need.atom.clone()).collect();
        for (entry, (text, candidate)) in candidates.listed.into_iter().enumerate() {
            let need = history.need(index, candidate, EvidenceKind::Listed);
            let is_produced = need.turn.is_some() || self.is_held(&need.atom, index, &mut |_| true);
            if !is_produced && self.unproduced.len() == LISTED {
                self.unlisted += 1;
            } else if !is_produced {
                self.unproduced.push(Unproduced { turn: index as u32 + 1, entry, text });
            } else if known.insert(need.atom.clone()) {
                needs.push(need);
            }
        }
        self.of_turns.push(needs);
    }

    /// Returns true if a definition holds the atom after `completed` turns and `is_wanted` accepts the
    /// definition's name.
    fn is_held(&self, atom: &Atom, completed: usize, is_wanted: &mut dyn FnMut(&Atom) -> bool) -> bool {
        self.programs.as_ref().is_some_and(|programs| programs.is_held(atom, completed, is_wanted))
    }

    /// Facts the answer of the turn at `index` takes from earlier turns. Common names and facts of the
    /// opening are left out.
    pub fn facts(&self, index: usize) -> Vec<EcoString> {
        let mut facts = Vec::new();
        for need in self.of_turns.get(index).into_iter().flatten() {
            if need.is_fact() && need.kind == EvidenceKind::Used {
                facts.push(need.atom.text().clone());
            }
        }
        facts
    }

    /// Histogram of answers by the age, in turns, of their oldest fact.
    pub fn ages(&self) -> BTreeMap<u32, u32> {
        let mut ages = BTreeMap::new();
        for (turn, needs) in (1..).zip(&self.of_turns) {
            let facts = needs.iter().filter(|need| need.is_fact());
            if let Some(oldest) = facts.filter_map(|need| need.turn).min() {
                *ages.entry(u32::saturating_sub(turn, oldest)).or_default() += 1;
            }
        }
        ages
    }

    /// Grades the evidence shown by `messages`, sent before the turn at `index`.
    ///
    /// ```
    /// use conversation::{Conversation, Message, Role};
    /// use history_evidence::Needs;
    ///
    /// let messages = [
    ///     Message::new(Role::User, "Where is the parcel?"),
    ///     Message::new(Role::Assistant, "look up"),
    ///     Message::new(Role::Tool, "parcel 48213 is in Osaka"),
    ///     Message::new(Role::Assistant, "Parcel 48213 is in Osaka."),
    /// ];
    /// let needs = Needs::of(&Conversation::from_messages(&messages)?);
    /// assert_eq!(needs.examine_messages(1, &messages[..3]).gone, 0);
    /// assert!(needs.examine_messages(1, &messages[..1]).gone > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn examine_messages(&self, index: usize, messages: &[Message]) -> Evidence {
        self.examine(index, |atom, opening| {
            let sought = atom.prepare_search();
            messages.iter().any(|message| sought.is_shown(message, opening))
        })
    }

    /// Grades the evidence shown by the request before the turn at `index`. `shows` returns true for atoms
    /// shown by the request.
    pub fn examine(&self, index: usize, shows: impl FnMut(&Atom, &OpeningLines) -> bool) -> Evidence {
        self.grade_facts(index, shows, |_| false)
    }

    /// Like [`Needs::examine`]. `is_in_file` returns true for messages whose text is in a file named by the
    /// request.
    fn grade_facts(
        &self,
        index: usize,
        mut shows: impl FnMut(&Atom, &OpeningLines) -> bool,
        is_in_file: impl Fn(MessageId) -> bool,
    ) -> Evidence {
        let (mut evidence, mut before, mut doubtful) = (Evidence::default(), None, Vec::new());
        let needs = self.of_turns.get(index).map_or(&[][..], Vec::as_slice);
        for (at, need) in needs.iter().enumerate() {
            if need.is_weak && doubtful.len() == DOUBTFUL {
                continue;
            }
            let mut is_shown = |atom: &Atom| shows(atom, &self.opening);
            if is_seen(needs, at, &mut is_shown) {
                evidence.shown += u32::from(need.is_fact());
                continue;
            }
            let is_held = self.is_held(&need.atom, index, &mut |atom| shows(atom, &self.opening));
            if need.is_weak {
                if !is_held {
                    doubtful.push(need);
                }
                continue;
            }
            let (count, grade) = if is_held || need.told_by.iter().copied().any(&is_in_file) {
                (&mut evidence.reachable, Grade::Reachable)
            } else if need.is_own {
                (&mut evidence.own, Grade::Own)
            } else {
                (&mut evidence.gone, Grade::Gone)
            };
            *count += 1;
            need.add_to(&mut evidence.lost, before.replace(need), grade);
        }
        if !evidence.lacks_fact() {
            for need in doubtful {
                need.add_to(&mut evidence.lost, None, Grade::Doubtful);
            }
        }
        evidence
    }
}

/// State while the answers of a conversation are read in order.
#[derive(Default)]
struct Answers<'a> {
    programs: Option<&'a dyn Programs>,
    interface: Interface,
    known: KnownLines,
    defined: Defined,
    /// All defined names. Requests may show a definition's name in place of its value.
    names: Vec<Atom>,
}

impl Answers<'_> {
    /// The atoms used by the answer of the turn at `index`.
    fn find_uses(&mut self, index: usize, turn: &Turn) -> Vec<Use> {
        let Some(programs) = self.programs else { return of_logged(turn, &mut self.known, &self.interface) };
        let new = programs.defined_before(index);
        self.names.extend(new.iter().map(|(name, _)| Atom::Name(name.clone())));
        self.defined.extend(new);
        programs.uses_of(index, &|name| self.defined.contains_key(name))
    }
}

/// The needs of an answer: the atoms it can only have from earlier turns.
fn find_needs(index: usize, candidates: Vec<Candidate>, history: &mut FullHistory<'_, '_>) -> Vec<Need> {
    let mut facts = Vec::new();
    for candidate in &candidates {
        if !is_chosen(candidate) {
            facts.push(candidate.atom.clone());
        }
    }
    let mut needs = Vec::new();
    for candidate in candidates {
        if !is_chosen(&candidate) || history.is_told_near(index, &candidate, &facts) {
            needs.extend(history.needed(index, candidate));
        }
    }
    // A URL implies its host and path; don't count them again.
    let mut addresses: Vec<EcoString> = Vec::new();
    for need in &needs {
        let text = need.atom.text();
        if text.contains("://") && !text.contains(' ') {
            addresses.push(text.clone());
        }
    }
    needs.retain(|need| {
        let text = need.atom.text();
        addresses.iter().all(|address| address == text || !address.contains(text.as_str()))
    });
    needs
}

/// Returns true for small numbers in arguments and quoted words. The model mostly chooses them itself, so they are
/// evidence only if a message has them near another fact of the same answer.
fn is_chosen(candidate: &Candidate) -> bool {
    matches!(candidate.usage, Usage::Word | Usage::Position | Usage::Bound)
        || candidate.usage < Usage::Said && is_small(&candidate.atom)
}

/// Returns true if a request that shows these atoms shows the need at `at`, or parts to assemble it from. The names of a line
/// suffice if the request shows a copied line next to it. That line must have names too, since a line like `return nil, err`
/// is in many texts.
fn is_seen(needs: &[Need], at: usize, is_shown: &mut dyn FnMut(&Atom) -> bool) -> bool {
    let Some(need) = needs.get(at) else { return false };
    if is_shown(&need.atom) {
        return true;
    }
    if need.ways.iter().any(|parts| parts.iter().all(&mut *is_shown)) {
        return true;
    }
    if need.names.is_empty() {
        return false;
    }
    let neighbours = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| needs.get(at));
    let mut lines = neighbours.filter(|other| other.is_line() && !other.names.is_empty());
    lines.any(|line| is_shown(&line.atom)) && need.names.iter().all(is_shown)
}

impl Need {
    /// The need of an atom that occurs before the first answer.
    fn of_opening(Candidate { atom, ways, names, .. }: Candidate) -> Need {
        let (kind, told_by) = (EvidenceKind::Used, Vec::new());
        Need {
            atom,
            ways,
            names,
            kind,
            turn: None,
            is_own: false,
            is_weak: false,
            is_of_opening: true,
            told_by,
        }
    }

    /// Appends it to the lost evidence. Consecutive lines with the same loss are merged into one item.
    fn add_to(&self, lost: &mut Vec<EvidenceItem>, before: Option<&Need>, grade: Grade) {
        let follows = self.is_line() && before.is_some_and(Need::is_line);
        let again = !self.told_by.is_empty();
        if follows
            && let Some(last) = lost.last_mut()
            && (last.kind, last.grade, last.turn, last.again) == (self.kind, grade, self.turn, again)
        {
            last.more_lines += 1;
            return;
        }
        let what = self.atom.text().clone();
        lost.push(EvidenceItem { what, kind: self.kind, grade, turn: self.turn, more_lines: 0, again });
    }

    /// True for a fact from an earlier turn, other than a common name.
    fn is_fact(&self) -> bool {
        !self.is_weak && !self.is_of_opening
    }

    fn is_line(&self) -> bool {
        matches!(self.atom, Atom::Line(_))
    }
}

impl EvidenceItem {
    /// True if the model can still get it, or may know it.
    pub fn is_no_loss(&self) -> bool {
        matches!(self.grade, Grade::Reachable | Grade::Doubtful)
    }
}

/// Such as `Laptop`, or `let total = 0; and 2 lines more`.
impl fmt::Display for EvidenceItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.more_lines {
            0 => Ok(()),
            1 => f.write_str(" and 1 line more"),
            several => write!(f, " and {several} lines more"),
        }
    }
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Grades the evidence of each answer in the requests sent by a strategy. `tokens` counts the tokens of a
/// text.
///
/// ```
/// use conversation::{Conversation, Message, Role};
/// use history_evidence::lost_under;
/// use history_strategies::{TRIMMING, Variant};
///
/// let conversation = Conversation::from_messages(&[
///     Message::new(Role::User, "Where is my parcel?"),
///     Message::new(Role::Assistant, "find parcel"),
///     Message::new(Role::Tool, "parcel 48213 is in Osaka"),
///     Message::new(Role::Assistant, "check the weather"),
///     Message::new(Role::Tool, "It rains."),
///     Message::new(Role::Assistant, "Rain delays parcel 48213."),
/// ])?;
/// let count_bytes = |text: &str| text.len() as u64;
/// let keep_last_turn = Variant::new(TRIMMING).with("keep_recent_turns", 1)?;
/// let answers = lost_under(&keep_last_turn, &conversation, &count_bytes)?;
/// assert_eq!(answers[2].lost[0].what, "48213");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the error of the strategy. The strategies of `history_strategies` never fail.
pub fn lost_under(
    variant: &Variant<'_>,
    conversation: &Conversation,
    tokens: &TextTokens<'_>,
) -> Result<Vec<Evidence>, StrategyError> {
    let history = History::new(Cow::Borrowed(conversation), tokens);
    let (needs, index) = Needs::in_history(&history, Beside::default());
    let mut requests = Requests::default();
    for (completed, turn) in conversation.turns.iter().enumerate() {
        let rendered = variant.render_ids(&history.after(completed))?;
        requests.push(Request::new(turn.number, rendered, true));
    }
    let table = history.messages().table();
    Ok(EvidenceFinder::new(index).grade_answers(&needs, &table, &requests))
}

/// Finds the evidence shown by the requests of a scenario.
pub struct EvidenceFinder {
    index: AtomIndex,
}

impl EvidenceFinder {
    /// Creates a finder for the atoms of an index made by [`Needs::in_history`].
    pub fn new(index: AtomIndex) -> EvidenceFinder {
        EvidenceFinder { index }
    }

    /// Evicts messages that the table has evicted.
    pub fn forget_table(&mut self, table: &Table) {
        self.index.forget(table);
    }

    /// Grades the evidence of each answer in its request.
    pub fn grade_answers(&mut self, needs: &Needs<'_>, table: &Table, requests: &Requests) -> Vec<Evidence> {
        self.index.read(table);
        let (mut shown, mut turn) = (Shown::default(), 0);
        let mut instructions: Vec<&Instruction> = needs.instructions.iter().collect();
        requests.map(|request, _, replaced| {
            shown.advance(request, replaced, table);
            turn += 1;
            let mut evidence = needs.grade_facts(
                turn - 1,
                |atom, _| shown.shows(atom, &mut self.index, table),
                |id| shown.names_file_of(id),
            );
            instructions.retain(|one| {
                let is_lost = (one.turn as usize) < turn && !shown.shows(&one.atom, &mut self.index, table);
                if is_lost {
                    evidence.instructions.push(one.to_item());
                }
                !is_lost
            });
            evidence
        })
    }
}
