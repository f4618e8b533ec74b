//! Strategies as files that are copied into an agent, and the text that calls them.

use super::language::{Language, PYTHON, TYPESCRIPT, TYPESCRIPT_HOOK};
use super::{Target, setting};
use crate::compression::{TOKENS_OF_TRIGGER, TRIGGER, Variant};

/// A row for each strategy that has files: its name, the name of the files and of their function, what the function takes,
/// its options, and the edit of Anthropic's API.
const ROWS: &str = include_str!("strategies.tsv");

/// The files of strategies, and the texts of targets.
const FILES: &[(&str, &str)] = &[
    ("fold.py", include_str!("../../../examples/strategies/fold.py")),
    ("fold.ts", include_str!("../../../examples/strategies/fold.ts")),
    ("masking.py", include_str!("../../../examples/strategies/masking.py")),
    ("masking.ts", include_str!("../../../examples/strategies/masking.ts")),
    ("trim.py", include_str!("../../../examples/strategies/trim.py")),
    ("trim.ts", include_str!("../../../examples/strategies/trim.ts")),
    ("clear.py", include_str!("../../../examples/strategies/clear.py")),
    ("clear.ts", include_str!("../../../examples/strategies/clear.ts")),
];

/// A strategy that can be copied into an agent.
pub(super) struct Copyable {
    /// The name of its files without an extension.
    file: &'static str,
    function: &'static str,
    /// Its function takes the size of each message.
    takes_tokens: bool,
    /// Its function decides itself from how many tokens on it does anything.
    takes_trigger: bool,
    options: &'static str,
    /// The type of the edit with which Anthropic's API does the same.
    pub(super) edit: Option<&'static str>,
}

impl Copyable {
    /// The files of a strategy, if it has any.
    pub(super) fn of(variant: &Variant<'_>) -> Option<Copyable> {
        let row = rows().find(|row| row.first() == Some(&variant.strategy.name()))?;
        let [_, file, function, takes, options, edit] = row.try_into().ok()?;
        let takes = |argument: &str| takes.split(' ').any(|taken| taken == argument);
        let (takes_tokens, takes_trigger) = (takes("tokens"), takes(TRIGGER));
        Some(Copyable {
            file,
            function,
            takes_tokens,
            takes_trigger,
            options,
            edit: Some(edit).filter(|edit| *edit != "-"),
        })
    }

    /// The names of the strategies that have files.
    pub(super) fn names() -> String {
        let names: Vec<&str> = rows().filter_map(|row| row.first().copied()).collect();
        names.join(", ")
    }

    /// The names of the options that its files have.
    pub(super) fn options(&self) -> String {
        self.options.split(' ').chain([TRIGGER]).collect::<Vec<_>>().join(", ")
    }

    /// An option of the variant that its files do not have.
    pub(super) fn missing(&self, variant: &Variant<'_>) -> Option<&'static str> {
        changed(variant).map(|(name, _)| name).find(|name| !self.has(name))
    }

    /// The options that were given and that its files have, with their values in JSON.
    pub(super) fn given(&self, variant: &Variant<'_>) -> Vec<(&'static str, String)> {
        variant.options.written().filter(|(name, _)| self.has(name)).collect()
    }

    /// Returns true if its files have this option.
    pub(super) fn has(&self, option: &str) -> bool {
        self.options.split(' ').any(|own| own == option)
    }
}

fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    ROWS.lines().map(|line| line.split('\t').collect())
}

/// The options that are not as they are by default, with their values in JSON.
pub(super) fn changed<'v>(
    variant: &'v Variant<'_>,
) -> impl Iterator<Item = (&'static str, String)> + use<'v> {
    let rows = variant.strategy.options();
    let is_default = move |name: &str, value: &str| {
        rows.iter().any(|row| row.name == name && row.kind.default_text() == value.trim_matches('"'))
    };
    // A target counts tokens in its own way.
    let options = variant.options.written().filter(|(name, _)| *name != TOKENS_OF_TRIGGER.name);
    options.filter(move |(name, value)| !is_default(name, value))
}

/// The parts of a printed file that only one target has.
struct TargetText {
    language: Language,
    /// The text around the function.
    text: &'static str,
    /// Packages that it needs.
    packages: &'static str,
    /// The first lines of `shorter`.
    starts: &'static str,
    /// True if it can tell a provider where to cache.
    has_marks: bool,
}

/// A history that an agent itself keeps has answers as the library returned them.
const AS_MAPS: &str = "    messages = [as_map(message) for message in messages]\n";

impl Target {
    /// The parts of its file; none for a coding agent without a hook.
    fn own(self) -> Option<TargetText> {
        let of =
            |language, text, packages| TargetText { language, text, packages, starts: "", has_marks: false };
        let python = |text, packages| of(PYTHON, text, packages);
        let of_maps = |text, packages| TargetText { starts: AS_MAPS, ..python(text, packages) };
        let typescript = |text, packages| of(TYPESCRIPT, text, packages);
        let marked = |target| TargetText { has_marks: true, ..target };
        Some(match self {
            Target::Python => of_maps(include_str!("python.py"), ""),
            Target::Typescript => typescript(include_str!("typescript.ts"), ""),
            Target::Langchain => marked(python(include_str!("langchain.py"), " langchain")),
            Target::OpenaiAgents => python(include_str!("openai_agents.py"), " openai-agents"),
            Target::PydanticAi => marked(python(include_str!("pydantic_ai.py"), " pydantic-ai")),
            Target::AiSdk => marked(typescript(include_str!("ai_sdk.ts"), " ai")),
            Target::AnthropicApi => marked(python(include_str!("anthropic_api.py"), " anthropic")),
            Target::Litellm => marked(of_maps(include_str!("litellm.py"), " litellm")),
            Target::Opencode => of(TYPESCRIPT_HOOK, include_str!("opencode.ts"), ""),
            Target::Pi => of(TYPESCRIPT_HOOK, include_str!("pi.ts"), ""),
            _ => return None,
        })
    }
}

/// The text for a strategy and a target.
pub(super) struct Text<'v> {
    pub(super) copyable: Copyable,
    pub(super) variant: &'v Variant<'v>,
    pub(super) target: Target,
}

impl Text<'_> {
    /// The whole file: its comment, what it imports, the target's own part, `shorter`, and the strategy. None for a coding agent
    /// without a hook.
    pub(super) fn file(&self) -> Option<String> {
        let TargetText { language, text, packages, starts, has_marks } = self.target.own()?;
        let (comment, own) = text.split_once(language.comment_ends).unwrap_or((text, ""));
        let is_hook = self.target.coding_agent().is_some();
        let tokens = if self.counts_tokens() { language.count_tokens } else { "" };
        let fixed = if self.counts_all() { language.fixed } else { "" };
        let marks = if has_marks { language.marks } else { "" };
        let mut imports = Vec::new();
        let mut parts: Vec<String> =
            [language.harmless, own, marks, fixed].map(|part| without_imports(part, &mut imports)).into();
        parts.push(self.shorter(&language, starts));
        // A plugin's exports are all taken for plugins.
        let strategy = self.strategy(&language);
        let strategy = if is_hook { without_exports(strategy) } else { strategy.to_owned() };
        parts.extend([tokens, &strategy].map(|part| without_imports(part, &mut imports)));
        imports.sort_unstable();
        imports.dedup();
        parts.insert(0, imports.concat());
        let parts = parts.iter().map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty());
        let parts = parts.collect::<Vec<_>>().join(language.gap);
        // Imports stand closer to the comment than definitions do.
        let gap = if imports.is_empty() { language.gap } else { "\n\n" };
        let ends = language.comment_ends.trim_end();
        Some(format!("{}{ends}{gap}{parts}\n", self.comment(&language, comment.trim_end(), packages)))
    }

    fn setting(&self) -> String {
        setting(self.variant, self.copyable.given(self.variant))
    }

    /// The comment of the target, with the setting and the packages that are needed.
    fn comment(&self, language: &Language, comment: &str, packages: &str) -> String {
        let more = if self.counts_tokens() { language.token_packages } else { "" };
        let installs = format!("{}{packages}{more}", language.installs);
        let lines = comment.replace("SETTING", &self.setting());
        if packages.is_empty() && more.is_empty() {
            // With the empty line below it.
            let (before, after) = lines.split_once("INSTALL\n").unwrap_or((&lines, ""));
            let before = before.trim_end_matches(['/', ' ']);
            return before.to_owned() + after.split_once('\n').map_or("", |(_, after)| after);
        }
        lines.replace("// INSTALL", "INSTALL").replace("INSTALL", &installs)
    }

    /// The file of the strategy without its comment and without what answers `ptc-eval`.
    fn strategy(&self, language: &Language) -> &'static str {
        let name = format!("{}.{}", self.copyable.file, language.extension);
        let file = FILES.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text);
        let (_, code) = file.split_once(language.comment_ends).unwrap_or(("", file));
        code.split(language.main_starts).next().unwrap_or(code)
    }

    /// The function that every target calls.
    fn shorter(&self, language: &Language, starts: &str) -> String {
        let below = self.below(language);
        let mut text = language.head.replace("SETTING", &self.setting()) + starts;
        if self.counts_tokens() {
            text += language.sizes;
        }
        if !below.is_empty() {
            text += &language.below.replace("BELOW", &below);
        }
        text + &language.end.replace("CALL", &self.call(language))
    }

    /// The condition below the trigger. A function that takes the tokens of the trigger needs none for them alone.
    fn below(&self, language: &Language) -> String {
        let trigger = self.variant.options.trigger();
        let turns = trigger.turns.map(|turns| format!("{} <= {turns}", language.turns));
        if turns.is_none() && self.copyable.takes_trigger {
            return String::new();
        }
        let tokens = self.trigger_tokens().map(|tokens| format!("{} < {tokens}", language.tokens));
        turns.into_iter().chain(tokens).collect::<Vec<_>>().join(language.and)
    }

    /// `fold(messages, tokens, keep_recent_turns=3)`
    fn call(&self, language: &Language) -> String {
        let mut arguments = vec!["messages".to_owned()];
        if self.copyable.takes_tokens {
            arguments.push("tokens".to_owned());
        }
        let mut named = self.copyable.given(self.variant);
        if self.copyable.takes_trigger {
            // Once enough turns are completed no size counts.
            let after_turns = self.variant.options.trigger().turns.map(|_| 0);
            let tokens = self.trigger_tokens().or(after_turns);
            named.extend(tokens.map(|tokens| (TRIGGER, tokens.to_string())));
            named.push(("fixed", "FIXED_TOKENS".to_owned()));
        }
        let named: Vec<String> =
            named.into_iter().map(|(name, value)| format!("{name}{}{value}", language.is)).collect();
        if !named.is_empty() {
            arguments.push(language.named.replace("NAMED", &named.join(", ")));
        }
        format!("{}({})", self.copyable.function, arguments.join(", "))
    }

    fn counts_tokens(&self) -> bool {
        self.copyable.takes_tokens || self.trigger_tokens().is_some()
    }

    /// Returns true if the size of the whole request counts.
    fn counts_all(&self) -> bool {
        self.copyable.takes_trigger || self.trigger_tokens().is_some()
    }

    /// The tokens of a request from which on the strategy does anything.
    fn trigger_tokens(&self) -> Option<u64> {
        self.variant.options.tokens_of(self.variant.options.trigger())
    }
}

/// The definitions of a file, none of them exported.
fn without_exports(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        own += line.strip_prefix("export ").unwrap_or(line);
    }
    own
}

/// The text without its lines that import something, which are added to the others.
fn without_imports<'t>(text: &'t str, imports: &mut Vec<&'t str>) -> String {
    let is_import = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
    let (imported, rest): (Vec<&str>, Vec<&str>) = text.split_inclusive('\n').partition(is_import);
    imports.extend(imported);
    rest.concat()
}
