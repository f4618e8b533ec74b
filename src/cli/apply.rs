//! `ptc-eval apply`: prints the code or setting for a strategy.

mod copyable;
mod evidence;
mod language;
pub(super) mod settings;
mod summaries;

use std::path::Path;

use clap::{Args, ValueEnum};

use self::copyable::{Copyable, Text};
use super::advise::planned;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::input::other_input;
use super::recommendation::wrapped;
use super::suite::{StrategyChoice, for_shell, path_for_shell};
use super::terminal::columns;
use crate::compression::{BASELINE, Product, RECORDED, SUMMARIES, TRIGGER, Trigger, Variant};

/// The default number of kept results, as in `clear-tool-results`.
const CLEARED_BUT: u32 = 3;

/// Printed beside a file of code.
const NEXT_STEPS: &str = "\
What it saves and loses on your logs:  ptc-eval advise LOGS
Whether it is on and saved, later:     ptc-eval effect BEFORE AFTER";

#[derive(Args)]
pub(super) struct ApplyArguments {
    /// The strategy with its options, copied from the output of `advise` or `run --tune`
    #[arg(value_name = "NAME[,OPTION=VALUE…]")]
    strategy: StrategyChoice,
    /// The coding agent, or the library of your own agent
    #[arg(long = "for", value_enum, value_name = "TARGET", default_value = "python")]
    target: Target,
    /// The model of the coding agent, for settings that depend on its context window
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

/// The library that an agent is made with, or a coding agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Target {
    /// Python, with messages of the OpenAI API
    Python,
    /// TypeScript, with messages of the OpenAI API
    Typescript,
    /// LangChain: a middleware of create_agent
    Langchain,
    /// OpenAI Agents SDK: a filter of the model's input
    OpenaiAgents,
    /// Pydantic AI: a capability
    PydanticAi,
    /// Vercel's AI SDK: a middleware of the model
    AiSdk,
    /// Anthropic's API, with its own option if it has one
    AnthropicApi,
    /// LiteLLM, as a library and as a proxy
    Litellm,
    /// Claude Code: a setting, or a mod for its compactions
    ClaudeCode,
    /// Codex: a setting
    Codex,
    /// Gemini CLI: a setting
    GeminiCli,
    /// Copilot CLI: a setting
    CopilotCli,
    /// opencode: a setting, or a plugin
    Opencode,
    /// pi: a setting, or an extension
    Pi,
    /// Goose: a setting
    Goose,
    /// Roo Code: a setting
    Roo,
    /// Cline
    Cline,
}

pub(super) fn run(ApplyArguments { strategy, target, model }: &ApplyArguments) -> CliResult {
    let path = Path::new(&strategy.name);
    // A folder may have the name of a strategy, but strategies never contain a dot or a slash.
    if path.exists() && strategy.name.contains(['.', '/']) {
        let instead = format!("ptc-eval advise {} recommends one", path_for_shell(path));
        if let Some(error) = other_input(path, "the name of a strategy", instead) {
            return Err(error);
        }
    }
    planned(std::slice::from_ref(strategy), |plan| {
        for variant in plan.settled()? {
            let text = match target.coding_agent() {
                Some(product) => agent_text((product, *target), strategy, &variant, model.as_deref())?,
                None => text(&variant, *target)?,
            };
            out!("{text}");
            // Standard output may go to a file.
            if target.coding_agent().is_none() && nothing_to_switch_on(&variant).is_none() {
                for line in evidence::lines_on_public_results(&variant) {
                    note(&wrapped(&line, columns()));
                }
                note(NEXT_STEPS);
            }
            if let Some(warning) = evidence::warn_of_bold_setting(&variant, *target, model.as_deref())? {
                note(&warning);
            }
        }
        Ok(Exit::Success)
    })
}

/// Prints lines beside the output.
fn note(lines: &str) {
    lines.lines().for_each(|line| errln!("{line}"));
}

/// The setting for a coding agent, or the file for its hook.
fn agent_text(
    (product, target): (&Product, Target),
    choice: &StrategyChoice,
    variant: &Variant<'_>,
    model: Option<&str>,
) -> Result<String, CliError> {
    if let Some(text) = settings::limit_text(product, variant).or_else(|| nothing_to_switch_on(variant)) {
        return Ok(text);
    }
    if variant.strategy.name() == SUMMARIES.name {
        return settings::text(product, choice, variant, model);
    }
    if !product.hook_can(variant.strategy.name()) {
        return Err(settings::not_possible(product, variant));
    }
    match target {
        Target::ClaudeCode => compaction_mod(product, variant, model),
        _ => text(variant, target),
    }
}

/// The mod for Claude Code: it clears old results when a compaction is due.
fn compaction_mod(product: &Product, variant: &Variant<'_>, model: Option<&str>) -> Result<String, CliError> {
    let trigger = variant.options.trigger();
    let of_trigger = match (trigger.turns, trigger.idle) {
        (Some(_), _) => Some("trigger: {turns}"),
        (_, Some(_)) => Some("trigger: {idle}"),
        _ => None,
    };
    let given = variant.options.written().map(|(name, _)| name).find(|name| *name != "keep");
    if let Some(option) = given.or(of_trigger) {
        let setting = setting(variant, copyable::changed(variant));
        return Err(CliError::NotInCopy {
            setting,
            option,
            known: "keep, trigger by tokens or window".to_owned(),
        });
    }
    let size = settings::size_of_hook(product, variant, model)?;
    let kept = match variant.options.written().find(|(name, _)| *name == "keep") {
        Some((_, value)) => value,
        None => CLEARED_BUT.to_string(),
    };
    let setting = setting(variant, [("keep", kept.clone())]);
    let text = include_str!("apply/claude_code.ts").replace("// SIZE", &size);
    let text = text.replace("// LOSS", &settings::losses_of_hook(product, variant));
    let text = text.replace("// NEXT", &settings::steps_of_hook(product, ", remove the setting above"));
    Ok(text.replace("SETTING", &setting).replace("KEPT", &kept))
}

/// The message for the baseline and the as-recorded strategy, which need no setting.
fn nothing_to_switch_on(variant: &Variant<'_>) -> Option<String> {
    match variant.strategy.name() {
        name if name == BASELINE.name() => {
            Some(format!("{name} sends the whole history: there is nothing to switch on\n"))
        }
        name if name == RECORDED.name() && variant.options.written().next().is_none() => {
            Some(format!("{name} is what the agent does already: there is nothing to switch on\n"))
        }
        _ => None,
    }
}

fn text(variant: &Variant<'_>, target: Target) -> Result<String, CliError> {
    if let Some(text) = nothing_to_switch_on(variant) {
        return Ok(text);
    }
    let name = variant.strategy.name();
    if name == SUMMARIES.name {
        return summaries::text(variant, target);
    }
    let Some(copyable) = Copyable::of(variant) else {
        let (strategy, known) = (name.to_owned(), Copyable::names());
        return Err(CliError::NotCopyable { strategy, known });
    };
    // The generated files have no clock.
    if variant.options.trigger().idle.is_some() {
        let (setting, known) = (setting(variant, copyable.given(variant)), copyable.options());
        return Err(CliError::NotInCopy { setting, option: "trigger: {idle}", known });
    }
    if let Some(option) = copyable.missing(variant) {
        let (setting, known) = (setting(variant, copyable::changed(variant)), copyable.options());
        return Err(CliError::NotInCopy { setting, option, known });
    }
    match copyable.edit {
        Some(edit) if target == Target::AnthropicApi => context_editing(&copyable, variant, edit),
        _ => {
            let (strategy, known) = (variant.strategy.name().to_owned(), Copyable::names());
            let file = Text { copyable, variant, target }.file();
            file.ok_or(CliError::NotCopyable { strategy, known })
        }
    }
}

/// The equivalent option of Anthropic's API.
fn context_editing(copyable: &Copyable, variant: &Variant<'_>, edit: &str) -> Result<String, CliError> {
    let setting = setting(variant, copyable.given(variant));
    let trigger = variant.options.trigger();
    if trigger.turns.is_some() {
        let known = format!("{}, of which {TRIGGER} has tokens only", copyable.options());
        return Err(CliError::NotInCopy { setting, option: "trigger: {turns}", known });
    }
    let mut fields = vec![format!("\"type\": \"{edit}\"")];
    let tokens = variant.options.tokens_of(trigger).map(|tokens| (TRIGGER, tokens.to_string()));
    for (name, value) in copyable.given(variant).into_iter().chain(tokens) {
        let unit = match name {
            "keep" => "tool_uses",
            TRIGGER | "clear_at_least" => "input_tokens",
            _ => {
                fields.push(format!("\"{name}\": {value}"));
                continue;
            }
        };
        fields.push(format!("\"{name}\": {{\"type\": \"{unit}\", \"value\": {value}}}"));
    }
    let edit = format!("{{{}}}", fields.join(", "));
    Ok(include_str!("apply/anthropic_clear.py").replace("FIELDS", &edit).replacen("SETTING", &setting, 1))
}

/// `trim,step=10`: a strategy with these options and its trigger.
fn setting(variant: &Variant<'_>, options: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let mut setting = setting_without_trigger(variant, options);
    let bounds = bounds_of(variant.options.trigger());
    if !bounds.is_empty() {
        setting += &format!(",trigger={{{}}}", bounds.join(", "));
    }
    setting
}

fn setting_without_trigger(
    variant: &Variant<'_>,
    options: impl IntoIterator<Item = (&'static str, String)>,
) -> String {
    let mut setting = variant.strategy.name().to_owned();
    for (option, value) in options {
        setting += &format!(",{option}={}", value.trim_matches('"'));
    }
    setting
}

/// The bounds of a trigger as written in YAML.
fn bounds_of(trigger: Trigger) -> Vec<String> {
    let mut bounds = Vec::new();
    if let Some(turns) = trigger.turns {
        bounds.push(format!("turns: {turns}"));
    }
    if let Some(tokens) = trigger.tokens {
        bounds.push(format!("tokens: {tokens}"));
    }
    if let Some(share) = trigger.window {
        bounds.push(format!("window: {share}"));
    }
    if let Some(free) = trigger.free {
        bounds.push(format!("free: {free}"));
    }
    if let Some(idle) = trigger.idle {
        bounds.push(format!("idle: {}s", idle.seconds()));
    }
    if let Some(tokens) = trigger.idle_tokens {
        bounds.push(format!("idle_tokens: {tokens}"));
    }
    bounds
}

/// `ptc-eval apply trim,step=10 --for langchain`. `None` if the strategy cannot be copied or needs no setting.
pub(super) fn command_line(variant: &Variant<'_>, format: Option<&str>) -> Option<String> {
    let target = format.and_then(Target::of_format);
    if let Some(product) = target.and_then(Target::coding_agent) {
        let can = product.hook_can(variant.strategy.name());
        if !can || target == Some(Target::ClaudeCode) {
            return None;
        }
    }
    let setting = if variant.strategy.name() == SUMMARIES.name {
        summaries::text(variant, target?).ok()?;
        setting(variant, copyable::changed(variant))
    } else {
        let copyable = Copyable::of(variant)?;
        // The generated file has no clock, so it ignores `ttl`. The result is the same if no pause exceeds it, as in one uninterrupted
        // run.
        let can = matches!(copyable.missing(variant), None | Some("ttl"));
        if !can || variant.options.trigger().idle.is_some() {
            return None;
        }
        setting(variant, copyable::changed(variant).filter(|(option, _)| copyable.has(option)))
    };
    Some(command(&setting, target))
}

fn command(setting: &str, target: Option<Target>) -> String {
    let setting = for_shell(setting);
    match target.as_ref().and_then(ValueEnum::to_possible_value) {
        Some(target) => format!("ptc-eval apply {setting} --for {}", target.get_name()),
        None => format!("ptc-eval apply {setting}"),
    }
}

impl Target {
    /// The target for logs of this format.
    fn of_format(format: &str) -> Option<Target> {
        Target::from_str(&Product::of_logs(format)?.name, true).ok()
    }

    /// The coding agent. `None` for a library.
    fn coding_agent(self) -> Option<&'static Product> {
        let is_agent = matches!(
            self,
            Target::ClaudeCode
                | Target::Codex
                | Target::GeminiCli
                | Target::CopilotCli
                | Target::Opencode
                | Target::Pi
                | Target::Goose
                | Target::Roo
                | Target::Cline
        );
        if is_agent { Product::find(self.to_possible_value()?.get_name()) } else { None }
    }
}
