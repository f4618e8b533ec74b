//! A review as a machine without a terminal: a key gives the next state and what is to be done. Decisions
//! are a stack, so any number of them can be taken back.

use console::Key;

use super::subject::{Decision, Question, Subject};

/// Where a review stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    /// Of the first questions, in order.
    pub decisions: Vec<Decision>,
    pub layout: Layout,
    /// The member that is open.
    pub member: Option<usize>,
    /// Rows that are scrolled over.
    pub top: usize,
    pub shows_help: bool,
}

/// How changes are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    #[default]
    Unified,
    SideBySide,
}

/// What follows from a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The screen changes at most.
    Stay,
    /// The files of this question change.
    Put(usize),
    Leave,
    Interrupt,
}

/// How much there is to scroll.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub rows: usize,
    /// Rows on the screen at once.
    pub page: usize,
}

impl Session {
    /// The question that is asked; past the last one everything is decided.
    pub(super) fn at(&self) -> usize {
        self.decisions.len()
    }

    pub(super) fn press(&mut self, key: &Key, subject: &Subject, extent: Extent) -> Step {
        if self.shows_help && !matches!(key, Key::CtrlC | Key::Char('\u{3}')) {
            self.shows_help = false;
            return Step::Stay;
        }
        match key {
            Key::CtrlC | Key::Char('\u{3}') => return Step::Interrupt,
            Key::Char('q') => return Step::Leave,
            Key::Enter if self.at() >= subject.len() => return Step::Leave,
            Key::Char('a') => return self.decide(Decision::Accepted, subject),
            Key::Char('r') => return self.decide(Decision::Rejected, subject),
            Key::Char('s') => return self.decide(Decision::Skipped, subject),
            Key::Char('u') | Key::Backspace => return self.undo(),
            Key::Char('o') | Key::Enter => self.open(subject),
            Key::Escape => self.close(),
            Key::Char('n') | Key::ArrowRight => self.turn_to(subject, |member| member + 1),
            Key::Char('p') | Key::ArrowLeft => self.turn_to(subject, |member| member.saturating_sub(1)),
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
        Step::Stay
    }

    fn decide(&mut self, decision: Decision, subject: &Subject) -> Step {
        let number = self.at();
        if number >= subject.len() {
            return Step::Stay;
        }
        self.decisions.push(decision);
        self.close();
        Step::Put(number)
    }

    fn undo(&mut self) -> Step {
        self.close();
        match self.decisions.pop() {
            Some(_) => Step::Put(self.at()),
            None => Step::Stay,
        }
    }

    fn open(&mut self, subject: &Subject) {
        let is_cause = matches!(subject.question(self.at()), Some(Question::Cause(_)));
        let opened = self.member.is_none() && is_cause;
        self.close();
        self.member = opened.then_some(0);
    }

    fn close(&mut self) {
        self.member = None;
        self.top = 0;
    }

    fn turn_to(&mut self, subject: &Subject, next: impl Fn(usize) -> usize) {
        let Some(Question::Cause(cause)) = subject.question(self.at()) else { return };
        if let Some(member) = self.member {
            self.member = Some(next(member).min(cause.members.len().saturating_sub(1)));
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
