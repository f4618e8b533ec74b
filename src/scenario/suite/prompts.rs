//! The system prompts of a suite. Every strategy is rendered under each of them.

use std::sync::Arc;

use super::{Builder, Suite, SuiteFile};
use crate::agent::PromptFrame;
use crate::scenario::data_files::Refused;
use crate::scenario::document::{Step, trail};
use crate::scenario::names;
use crate::scenario::options::{Known, under_prompt};
use crate::scenario::system_prompt::{Folders, RefusedKey, SuitePrompt};

impl Suite {
    /// The prompt of this name.
    pub fn prompt(&self, name: &str) -> Option<&SuitePrompt> {
        self.prompts.iter().find(|prompt| prompt.name == name).map(|prompt| &**prompt)
    }

    /// The name of a strategy under the prompt of this name. `None` if there is no such prompt.
    pub fn strategy_under(&self, strategy: &str, prompt: &str) -> Option<String> {
        let at = self.prompts.iter().position(|known| known.name == prompt)?;
        Some(if at == 0 { strategy.to_owned() } else { under_prompt(strategy, prompt) })
    }

    /// Adds a system prompt, if there is one, and renders the baseline under it. In logged conversations it replaces the logged prompt.
    pub fn with_prompt(mut self, prompt: Option<SuitePrompt>) -> Suite {
        let Some(prompt) = prompt.map(Arc::new) else { return self };
        if let Some(known) = self.known.strategy(&self.baseline) {
            let under = known.under(&prompt);
            self.strategies.push(under.name.clone());
            self.known.strategies.push(under);
        }
        self.prompts.push(prompt);
        self
    }
}

impl Known {
    /// Adds copies of all known strategies under these prompts. Returns the given strategies, followed by their copies.
    pub(super) fn under_prompts(
        &mut self,
        strategies: Vec<String>,
        prompts: &[Arc<SuitePrompt>],
    ) -> Vec<String> {
        let mut all = strategies.clone();
        let known = self.strategies.clone();
        for prompt in prompts {
            self.strategies.extend(known.iter().map(|strategy| strategy.under(prompt)));
            all.extend(strategies.iter().map(|strategy| under_prompt(strategy, &prompt.name)));
        }
        all
    }
}

impl Builder<'_> {
    /// The system prompt of the scenarios, and the prompts to compare.
    pub(super) fn system_prompts(&mut self, file: &SuiteFile) -> (PromptFrame, Vec<Arc<SuitePrompt>>) {
        let root = self.root.clone();
        let folders = Folders { root: &root, folder: &root };
        let frame = file.system_prompt.frame(folders, &PromptFrame::default());
        let mut frame = frame.unwrap_or_else(|(key, refused)| {
            self.add_refused(&trail!["system_prompt", key], refused);
            PromptFrame::default()
        });
        let mut prompts = Vec::new();
        for (name, prompt) in &file.prompts {
            self.check_prompt_name(name);
            match prompt.text(folders) {
                Ok(text) => prompts.push(Arc::new(SuitePrompt { name: name.clone(), text })),
                Err((key, refused)) => self.refuse_prompt(name, (key, refused)),
            }
        }
        if !file.prompts.is_empty() && file.system_prompt.has_text() {
            let message = "the prompts replace this text";
            let help = "name it among the prompts, and write a prefix or a suffix here";
            self.key_error(&trail!["system_prompt"], message, help);
        }
        if let Some(first) = prompts.first() {
            frame.text.clone_from(&first.text);
        }
        (frame, prompts)
    }

    fn check_prompt_name(&mut self, name: &str) {
        let at = trail!["prompts", name];
        if let Some(help) = names::refuse_variant(name) {
            return self.key_error(&at, format!("a prompt cannot be called {name:?}"), help);
        }
        let known = &self.known.strategies;
        let taken = known.iter().find(|strategy| strategy.name.ends_with(&under_prompt("", name)));
        if let Some(taken) = taken.map(|strategy| strategy.name.clone()) {
            let message =
                format!("the variant '{taken}' is called as a strategy under the prompt '{name}' is");
            self.key_error(&at, message, "rename one of the two");
        }
    }

    fn refuse_prompt(&mut self, name: &str, (key, refused): RefusedKey) {
        let (whole, inner) = (trail!["prompts", name], trail!["prompts", name, key]);
        // A prompt given as a path has no keys.
        let has_keys = self.document.offset_of(&inner).is_some();
        self.add_refused(if has_keys { &inner } else { &whole }, refused);
    }

    fn add_refused(&mut self, at: &[Step], refused: Refused) {
        self.add(|suite| refused.into_problem(&suite.document, at));
    }
}
