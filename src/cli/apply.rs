//! `ptc-eval apply`: prints what switches a strategy on in an agent.

mod copyable;
mod language;
mod summaries;

use clap::{Args, ValueEnum};

use self::copyable::{Copyable, Text};
use super::advise::planned;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::suite::{StrategyChoice, for_shell};
use crate::compression::{BASELINE, RECORDED, SUMMARIES, TRIGGER, Variant};

#[derive(Args)]
pub(super) struct ApplyArguments {
    /// The strategy with its options, as advise and tune print it
    #[arg(value_name = "NAME[,OPTION=VALUE…]")]
    strategy: StrategyChoice,
    /// The library that the agent is made with
    #[arg(long = "for", value_enum, value_name = "TARGET", default_value = "python")]
    target: Target,
}

/// The library that an agent is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Target {
    /// Python, with messages of the OpenAI API
    Python,
    /// TypeScript, with messages of the OpenAI API
    Typescript,
    /// LangChain: a middleware of create_agent
    Langchain,
    /// OpenAI Agents SDK: a filter of what the model is sent
    OpenaiAgents,
    /// Pydantic AI: a capability
    PydanticAi,
    /// Vercel's AI SDK: a middleware of the model
    AiSdk,
    /// Anthropic's API, with its own option where it has one
    AnthropicApi,
    /// LiteLLM, as a library and as a proxy
    Litellm,
}

pub(super) fn run(ApplyArguments { strategy, target }: &ApplyArguments) -> CliResult {
    planned(std::slice::from_ref(strategy), |plan| {
        for variant in plan.settled()? {
            out!("{}", text(&variant, *target)?);
        }
        Ok(Exit::Success)
    })
}

fn text(variant: &Variant<'_>, target: Target) -> Result<String, CliError> {
    let name = variant.strategy.name();
    if name == BASELINE.name() {
        return Ok(format!("{name} sends the whole history: there is nothing to switch on\n"));
    }
    if name == RECORDED.name() {
        return Ok(format!("{name} is what the agent does already: there is nothing to switch on\n"));
    }
    if name == SUMMARIES.name {
        return summaries::text(variant, target);
    }
    let Some(copyable) = Copyable::of(variant) else {
        let (strategy, known) = (name.to_owned(), Copyable::names());
        return Err(CliError::NotCopyable { strategy, known });
    };
    if let Some(option) = copyable.missing(variant) {
        let (setting, known) = (setting(variant, copyable::changed(variant)), copyable.options());
        return Err(CliError::NotInCopy { setting, option, known });
    }
    match copyable.edit.filter(|_| target == Target::AnthropicApi) {
        Some(edit) => context_editing(&copyable, variant, edit),
        None => Ok(Text { copyable, variant, target }.file()),
    }
}

/// The option of Anthropic's API that does what a strategy does.
fn context_editing(copyable: &Copyable, variant: &Variant<'_>, edit: &str) -> Result<String, CliError> {
    let setting = setting(variant, copyable.given(variant));
    let trigger = variant.options.trigger();
    if trigger.turns.is_some() {
        let known = format!("{}, of which {TRIGGER} has tokens only", copyable.options());
        return Err(CliError::NotInCopy { setting, option: "trigger: {turns}", known });
    }
    let counted = |kind: &str, count: &str| format!("{{\"type\": \"{kind}\", \"value\": {count}}}");
    let mut fields = vec![format!("\"type\": \"{edit}\"")];
    let tokens = variant.options.tokens_of(trigger).map(|tokens| (TRIGGER, tokens.to_string()));
    fields.extend(copyable.given(variant).into_iter().chain(tokens).map(|(name, value)| match name {
        "keep" => format!("\"{name}\": {}", counted("tool_uses", &value)),
        TRIGGER | "clear_at_least" => format!("\"{name}\": {}", counted("input_tokens", &value)),
        _ => format!("\"{name}\": {value}"),
    }));
    let edit = format!("{{{}}}", fields.join(", "));
    Ok(include_str!("apply/anthropic_clear.py").replace("SETTING", &setting).replace("FIELDS", &edit))
}

/// `trim,step=10`: the strategy with these options, and with its trigger.
fn setting(variant: &Variant<'_>, options: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let options = options.into_iter().map(|(option, value)| format!(",{option}={}", value.trim_matches('"')));
    let trigger = variant.options.trigger();
    let bounds = [
        trigger.turns.map(|turns| format!("turns: {turns}")),
        trigger.tokens.map(|tokens| format!("tokens: {tokens}")),
        trigger.window.map(|share| format!("window: {share}")),
    ];
    let bounds: Vec<String> = bounds.into_iter().flatten().collect();
    let trigger =
        if bounds.is_empty() { String::new() } else { format!(",trigger={{{}}}", bounds.join(", ")) };
    let name = variant.strategy.name().to_owned();
    options.chain([trigger]).fold(name, |setting, option| setting + &option)
}

/// `ptc-eval apply trim,step=10 --for langchain`. Nothing for a strategy that cannot be copied, and for one that changes nothing.
pub(super) fn command_line(variant: &Variant<'_>, format: Option<&str>) -> Option<String> {
    let target = format.and_then(Target::of_format);
    let setting = if variant.strategy.name() == SUMMARIES.name {
        summaries::text(variant, target?).ok()?;
        setting(variant, copyable::changed(variant))
    } else {
        let copyable = Copyable::of(variant)?;
        // The file knows no clock. Where no pause is longer than that time, as in one run of an agent, it does the same.
        if copyable.missing(variant).is_some_and(|option| option != "ttl") {
            return None;
        }
        setting(variant, copyable::changed(variant).filter(|(option, _)| copyable.has(option)))
    };
    Some(command(&setting, target))
}

fn command(setting: &str, target: Option<Target>) -> String {
    let setting = for_shell(setting);
    let target = target.and_then(|target| target.to_possible_value());
    let target = target.map_or_else(String::new, |target| format!(" --for {}", target.get_name()));
    format!("ptc-eval apply {setting}{target}")
}

impl Target {
    /// The target that a format of logs names.
    fn of_format(format: &str) -> Option<Target> {
        match format {
            "langchain" | "langsmith" => Some(Target::Langchain),
            "pydantic-ai" => Some(Target::PydanticAi),
            "ai-sdk" => Some(Target::AiSdk),
            "anthropic" => Some(Target::AnthropicApi),
            _ => None,
        }
    }
}
