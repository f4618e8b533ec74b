//! State of a review, without a terminal: each key produces the next state and an effect. Decisions are a stack, so all of them can be
//! undone.

use console::Key;

use super::questions::{Decision, Question, Questions};

/// State of a review.
#[derive(Clone, Debug, Default)]
pub(super) struct ReviewState {
    /// Decisions on the first questions, in order.
    pub decisions: Vec<Decision>,
    pub layout: Layout,
    /// Index of the open snapshot in the keys of the change.
    pub member: Option<usize>,
    /// Rows scrolled past.
    pub top: usize,
    pub shows_help: bool,
}

/// How to show a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    #[default]
    Unified,
    SideBySide,
}

/// Effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyEffect {
    /// Only the screen may change.
    Stay,
    /// Write the files of this question.
    Put(usize),
    Leave,
    Interrupt,
}

/// Number of rows in the change and on the screen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub rows: usize,
    /// Rows on the screen at once.
    pub page: usize,
}

impl ReviewState {
    /// The index of the current question. Equals the number of questions when everything is decided.
    pub(super) fn at(&self) -> usize {
        self.decisions.len()
    }

    pub(super) fn press(&mut self, key: &Key, questions: &Questions, extent: Extent) -> KeyEffect {
        if self.shows_help && !matches!(key, Key::CtrlC | Key::Char('\u{3}')) {
            self.shows_help = false;
            return KeyEffect::Stay;
        }
        match key {
            Key::CtrlC | Key::Char('\u{3}') => return KeyEffect::Interrupt,
            Key::Char('q') => return KeyEffect::Leave,
            Key::Enter if self.at() >= questions.len() => return KeyEffect::Leave,
            Key::Char('a') => return self.decide(Decision::Accepted, questions),
            Key::Char('r') => return self.decide(Decision::Rejected, questions),
            Key::Char('s') => return self.decide(Decision::Skipped, questions),
            Key::Char('u') | Key::Backspace => return self.undo(),
            Key::Char('o') | Key::Enter => self.open(questions),
            Key::Escape => self.close(),
            Key::Char('n') | Key::ArrowRight => self.turn_to(questions, |member| member + 1),
            Key::Char('p') | Key::ArrowLeft => self.turn_to(questions, |member| member.saturating_sub(1)),
            Key::Char('v') => {
                self.layout = match self.layout {
                    Layout::Unified => Layout::SideBySide,
                    Layout::SideBySide => Layout::Unified,
                };
                self.top = 0;
            }
            Key::Char('?' | 'h') => self.shows_help = true,
            key => self.scroll(key, extent),
        }
        KeyEffect::Stay
    }

    fn decide(&mut self, decision: Decision, questions: &Questions) -> KeyEffect {
        let number = self.at();
        if number >= questions.len() {
            return KeyEffect::Stay;
        }
        self.decisions.push(decision);
        self.close();
        KeyEffect::Put(number)
    }

    fn undo(&mut self) -> KeyEffect {
        self.close();
        match self.decisions.pop() {
            Some(_) => KeyEffect::Put(self.at()),
            None => KeyEffect::Stay,
        }
    }

    fn open(&mut self, questions: &Questions) {
        let is_cause = matches!(questions.question(self.at()), Some(Question::Change(_)));
        let opened = self.member.is_none() && is_cause;
        self.close();
        self.member = opened.then_some(0);
    }

    fn close(&mut self) {
        self.member = None;
        self.top = 0;
    }

    fn turn_to(&mut self, questions: &Questions, next: impl Fn(usize) -> usize) {
        let Some(Question::Change(change)) = questions.question(self.at()) else { return };
        if let Some(member) = self.member {
            self.member = Some(next(member).min(change.keys.len().saturating_sub(1)));
            self.top = 0;
        }
    }

    fn scroll(&mut self, key: &Key, extent: Extent) {
        let last = extent.rows.saturating_sub(extent.page);
        let page = extent.page.saturating_sub(1).max(1);
        let top = match key {
            Key::ArrowDown | Key::Char('j') => self.top + 1,
            Key::ArrowUp | Key::Char('k') => self.top.saturating_sub(1),
            Key::PageDown | Key::Char(' ') => self.top + page,
            Key::PageUp | Key::Char('b') => self.top.saturating_sub(page),
            Key::Home | Key::Char('g') => 0,
            Key::End | Key::Char('G') => last,
            _ => self.top,
        };
        self.top = top.min(last);
    }
}
