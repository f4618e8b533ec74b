//! Strategies as source files to copy into an agent, and the code that calls them.

use super::language::{Language, PYTHON, TYPESCRIPT, TYPESCRIPT_HOOK};
use super::{Target, setting, settings};
use crate::cli::terminal::is_hidden;
use crate::compression::{TOKENS_OF_TRIGGER, TRIGGER, Variant};

/// A row for each strategy with source files: strategy, file name, function, arguments of the function, options, and edit type of
/// Anthropic's API.
const ROWS: &str = include_str!("strategies.tsv");

/// Source files of strategies by file name.
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

/// A strategy available as source code for agents.
pub(super) struct Copyable {
    /// The file name without an extension.
    file: &'static str,
    function: &'static str,
    /// True if the function takes the token count of each message.
    takes_tokens: bool,
    /// True if the function takes the trigger and does nothing below it.
    takes_trigger: bool,
    options: &'static str,
    /// The equivalent edit type of Anthropic's API (context editing).
    pub(super) edit: Option<&'static str>,
}

impl Copyable {
    /// Returns `None` if the strategy has no source files.
    pub(super) fn of(variant: &Variant<'_>) -> Option<Copyable> {
        let name = variant.strategy.name();
        let row = ROWS.lines().find(|row| name_in(row) == name)?;
        let fields: Vec<&'static str> = row.split('\t').collect();
        let [_, file, function, takes, options, edit] = fields.try_into().ok()?;
        let arguments: Vec<&str> = takes.split(' ').collect();
        Some(Copyable {
            file,
            function,
            takes_tokens: arguments.contains(&"tokens"),
            takes_trigger: arguments.contains(&TRIGGER),
            options,
            edit: if edit == "-" { None } else { Some(edit) },
        })
    }

    /// The names of all strategies with source files.
    pub(super) fn names() -> String {
        let names: Vec<&str> = ROWS.lines().map(name_in).collect();
        names.join(", ")
    }

    /// The options supported by the source files.
    pub(super) fn options(&self) -> String {
        self.options.split(' ').chain([TRIGGER]).collect::<Vec<_>>().join(", ")
    }

    /// The first changed option of the variant without support in the source files.
    pub(super) fn missing(&self, variant: &Variant<'_>) -> Option<&'static str> {
        let (name, _) = changed(variant).find(|(name, _)| !self.has(name))?;
        Some(name)
    }

    /// The given options supported by the source files, with their values in JSON.
    pub(super) fn given(&self, variant: &Variant<'_>) -> Vec<(&'static str, String)> {
        let mut given = Vec::new();
        for (name, value) in variant.options.written() {
            if self.has(name) {
                given.push((name, harmless_json(&value)));
            }
        }
        given
    }

    /// Returns true if the source files support this option.
    pub(super) fn has(&self, option: &str) -> bool {
        self.options.split(' ').any(|own| own == option)
    }
}

/// The strategy of a row.
fn name_in(row: &'static str) -> &'static str {
    row.split('\t').next().unwrap_or_default()
}

/// The options changed from their defaults, with their values in JSON.
pub(super) fn changed<'v>(
    variant: &'v Variant<'_>,
) -> impl Iterator<Item = (&'static str, String)> + use<'v> {
    let rows = variant.strategy.options();
    // Each target counts tokens its own way.
    let options = variant.options.written().filter(|(name, _)| *name != TOKENS_OF_TRIGGER.name);
    let changed = options.filter(move |(name, value)| {
        let default = rows.iter().find(|row| row.name == *name).map(|row| row.kind.default_text());
        default.is_none_or(|default| default != value.trim_matches('"'))
    });
    changed.map(|(name, value)| (name, harmless_json(&value)))
}

/// The same JSON without what ends a comment or a line of a source file, and without what reorders a line on a screen. Names of tools are
/// from logs, perhaps those of a stranger.
fn harmless_json(json: &str) -> String {
    let mut harmless = String::with_capacity(json.len());
    for character in json.replace("*/", "*\\u002f").chars() {
        if is_hidden(character) || matches!(character, '\u{2028}' | '\u{2029}') {
            harmless += &format!("\\u{:04x}", u32::from(character));
        } else {
            harmless.push(character);
        }
    }
    harmless
}

/// The target-specific parts of a generated file.
struct TargetText {
    language: Language,
    /// The code around the function.
    text: &'static str,
    /// Packages to install.
    packages: &'static str,
    /// The first lines of `shorter`.
    starts: &'static str,
    /// True if the target can pass cache breakpoints to a provider.
    has_marks: bool,
}

/// Agents that keep their own history store answers as library objects.
const AS_MAPS: &str = "    messages = [as_map(message) for message in messages]\n";

impl Target {
    /// The target's parts. `None` for a coding agent without a hook.
    fn own(self) -> Option<TargetText> {
        let (language, text, packages) = match self {
            Target::Python => (PYTHON, include_str!("python.py"), ""),
            Target::Typescript => (TYPESCRIPT, include_str!("typescript.ts"), ""),
            Target::Langchain => (PYTHON, include_str!("langchain.py"), " langchain"),
            Target::OpenaiAgents => (PYTHON, include_str!("openai_agents.py"), " openai-agents"),
            Target::PydanticAi => (PYTHON, include_str!("pydantic_ai.py"), " pydantic-ai"),
            Target::AiSdk => (TYPESCRIPT, include_str!("ai_sdk.ts"), " ai"),
            Target::AnthropicApi => (PYTHON, include_str!("anthropic_api.py"), " anthropic"),
            Target::Litellm => (PYTHON, include_str!("litellm.py"), " litellm"),
            Target::Opencode => (TYPESCRIPT_HOOK, include_str!("opencode.ts"), ""),
            Target::Pi => (TYPESCRIPT_HOOK, include_str!("pi.ts"), ""),
            _ => return None,
        };
        let starts = if matches!(self, Target::Python | Target::Litellm) { AS_MAPS } else { "" };
        let has_marks = matches!(
            self,
            Target::Langchain | Target::PydanticAi | Target::AiSdk | Target::AnthropicApi | Target::Litellm
        );
        Some(TargetText { language, text, packages, starts, has_marks })
    }
}

/// The generated code for a strategy and a target.
pub(super) struct Text<'v> {
    pub(super) copyable: Copyable,
    pub(super) variant: &'v Variant<'v>,
    pub(super) target: Target,
}

impl Text<'_> {
    /// The whole file: comment, imports, the target's own part, `shorter`, and the strategy. `None` for a coding agent without a hook.
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
        // Coding agents treat every export of a plugin file as a plugin.
        let strategy = self.strategy_source(&language);
        let strategy = if is_hook { without_exports(strategy) } else { strategy.to_owned() };
        parts.extend([tokens, &strategy].map(|part| without_imports(part, &mut imports)));
        imports.sort_unstable();
        imports.dedup();
        parts.insert(0, imports.concat());
        let parts = parts.iter().map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty());
        let parts = parts.collect::<Vec<_>>().join(language.gap);
        // By convention, imports follow the comment with a smaller gap than definitions.
        let gap = if imports.is_empty() { language.gap } else { "\n\n" };
        let ends = language.comment_ends.trim_end();
        Some(format!("{}{ends}{gap}{parts}\n", self.comment(&language, comment.trim_end(), packages)))
    }

    fn setting(&self) -> String {
        setting(self.variant, self.copyable.given(self.variant))
    }

    /// The target's comment with setting and install command filled in.
    fn comment(&self, language: &Language, comment: &str, packages: &str) -> String {
        let more = if self.counts_tokens() { language.token_packages } else { "" };
        let installs = format!("{}{packages}{more}", language.installs);
        let lines = if packages.is_empty() && more.is_empty() {
            // Also remove the empty line below `INSTALL`.
            let (before, after) = comment.split_once("INSTALL\n").unwrap_or((comment, ""));
            let before = before.trim_end_matches(['/', ' ']);
            before.to_owned() + after.split_once('\n').map_or("", |(_, after)| after)
        } else {
            comment.replace("// INSTALL", "INSTALL").replace("INSTALL", &installs)
        };
        let [losses, next] = match self.target.coding_agent() {
            Some(product) => {
                [settings::losses_of_hook(product, self.variant), settings::steps_of_hook(product, "")]
            }
            None => [String::new(), String::new()],
        };
        let lines = lines.replacen("// LOSS", &losses, 1).replacen("// NEXT", &next, 1);
        // Last, since a name in it may be `INSTALL`.
        lines.replacen("SETTING", &self.setting(), 1)
    }

    /// The strategy's source without its comment and its `main`, used only by `ptc-eval`.
    fn strategy_source(&self, language: &Language) -> &'static str {
        let name = format!("{}.{}", self.copyable.file, language.extension);
        let file = FILES.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text);
        let (_, code) = file.split_once(language.comment_ends).unwrap_or(("", file));
        code.split(language.main_starts).next().unwrap_or(code)
    }

    /// The function `shorter`, called by every target.
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

    /// The condition for being below the trigger. Empty if the trigger has tokens only and the function checks them itself.
    fn below(&self, language: &Language) -> String {
        let trigger = self.variant.options.trigger();
        let mut conditions = Vec::new();
        if let Some(turns) = trigger.turns {
            conditions.push(format!("{} <= {turns}", language.turns));
        } else if self.copyable.takes_trigger {
            return String::new();
        }
        if let Some(tokens) = self.trigger_tokens() {
            conditions.push(format!("{} < {tokens}", language.tokens));
        }
        conditions.join(language.and)
    }

    /// `fold(messages, tokens, keep_recent_turns=3)`
    fn call(&self, language: &Language) -> String {
        let mut arguments = vec!["messages".to_owned()];
        if self.copyable.takes_tokens {
            arguments.push("tokens".to_owned());
        }
        let mut named = self.copyable.given(self.variant);
        if self.copyable.takes_trigger {
            // `shorter` has already checked the number of turns, so any size will do.
            let has_turns = self.variant.options.trigger().turns.is_some();
            let after_turns = if has_turns { Some(0) } else { None };
            if let Some(tokens) = self.trigger_tokens().or(after_turns) {
                named.push((TRIGGER, tokens.to_string()));
            }
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

    /// Returns true if the generated code needs the token count of the whole request.
    fn counts_all(&self) -> bool {
        self.copyable.takes_trigger || self.trigger_tokens().is_some()
    }

    /// The tokens of the trigger, if it has any.
    fn trigger_tokens(&self) -> Option<u64> {
        self.variant.options.tokens_of(self.variant.options.trigger())
    }
}

/// Removes `export` from all definitions.
fn without_exports(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        own += line.strip_prefix("export ").unwrap_or(line);
    }
    own
}

/// Moves import lines from the text to `imports`.
fn without_imports<'t>(text: &'t str, imports: &mut Vec<&'t str>) -> String {
    let mut rest = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with("import ") || line.starts_with("from ") {
            imports.push(line);
        } else {
            rest.push_str(line);
        }
    }
    rest
}
