//! Options for summaries written by libraries and providers themselves.

use super::copyable::changed;
use super::{Target, command, setting};
use crate::cli::error::CliError;
use crate::compression::{
    CALL_TOKENS, KEEP_OPENING, KEEP_RECENT_TOKENS, SUMMARY_TURNS, SettingError, TRIGGER, Variant,
    summary_trigger,
};

/// Options for the summary call. Libraries and providers make this call their own way.
const OF_CALL: [&str; 5] = ["tokens", "reuse_prefix", "call_result_characters", "call_tokens", "writer"];

/// The target's option equivalent to the strategy.
///
/// # Errors
/// The target has none, or it behaves differently.
pub(super) fn text(variant: &Variant<'_>, target: Target) -> Result<String, CliError> {
    let keeps_opening = variant.options.flag(&KEEP_OPENING);
    let text = match target {
        Target::Langchain if keeps_opening => include_str!("summary/langchain_opening.py"),
        Target::Langchain => include_str!("summary/langchain.py"),
        Target::OpenaiAgents => include_str!("summary/openai_agents.py"),
        Target::PydanticAi => include_str!("summary/pydantic_ai.py"),
        Target::AiSdk => include_str!("summary/ai_sdk.ts"),
        Target::AnthropicApi => include_str!("summary/anthropic_api.py"),
        Target::Litellm => include_str!("summary/litellm.py"),
        _ => return Err(CliError::NoOwnSummary),
    };
    let tokens = trigger_tokens(variant)?;
    check_kept(variant, target)?;
    let trigger = summary_trigger(&variant.options);
    let when = match trigger.window.filter(|_| trigger.tokens.is_none()) {
        Some(share) => format!("(\"fraction\", {share})"),
        None => format!("(\"tokens\", {tokens})"),
    };
    let kept = match variant.options.size(&KEEP_RECENT_TOKENS) {
        0 => format!("(\"messages\", {})", 2 * variant.options.get(&SUMMARY_TURNS)),
        tokens => format!("(\"tokens\", {tokens})"),
    };
    // By default, the library only passes the last 4,000 tokens, starting at a user message. If there is none, it writes no summary.
    let seen = match variant.options.size(&CALL_TOKENS) {
        0 => "None".to_owned(),
        tokens => tokens.to_string(),
    };
    let values = [
        ("WHEN", when),
        ("KEPT", kept),
        ("SEEN", seen),
        ("TOKENS", tokens.to_string()),
        // Last, since a name in it may be another placeholder.
        ("SETTING", of_strategy(variant)),
    ];
    Ok(values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value)))
}

/// The setting without options for the summary call.
fn of_strategy(variant: &Variant<'_>) -> String {
    setting(variant, changed(variant).filter(|(name, _)| !OF_CALL.contains(name)))
}

/// The tokens of the trigger.
///
/// # Errors
/// The trigger counts turns, or the variant has an option not available in any target.
fn trigger_tokens(variant: &Variant<'_>) -> Result<u64, CliError> {
    let kept = [SUMMARY_TURNS.name, KEEP_RECENT_TOKENS.name, KEEP_OPENING.name];
    let mut names = changed(variant).map(|(name, _)| name);
    let missing = names.find(|name| !kept.contains(name) && !OF_CALL.contains(name));
    let trigger = summary_trigger(&variant.options);
    let tokens = variant.options.tokens_of(trigger).filter(|_| trigger.turns.is_none());
    match (missing, tokens) {
        (None, Some(tokens)) => Ok(tokens),
        (missing, _) => {
            let setting = setting(variant, changed(variant));
            let known = format!("{}, {TRIGGER} by tokens or window", kept.join(", "));
            Err(CliError::NotInCopy { setting, option: missing.unwrap_or("trigger: {turns}"), known })
        }
    }
}

/// Rejects options to keep something a target does not keep next to a summary.
fn check_kept(variant: &Variant<'_>, target: Target) -> Result<(), CliError> {
    let options = &variant.options;
    let (turns, tokens) = (options.get(&SUMMARY_TURNS), options.size(&KEEP_RECENT_TOKENS));
    let (keeps, nearest) = if target != Target::Langchain {
        if turns == 0 && tokens == 0 && !options.flag(&KEEP_OPENING) {
            return Ok(());
        }
        ("providers keep neither turns nor the opening beside a summary", alone(variant))
    } else if turns == 0 {
        ("LangChain always keeps the newest turn", variant.clone().with(SUMMARY_TURNS.name, 1_i64))
    } else if tokens > 0 && turns > 1 {
        let keeps = "LangChain keeps turns by number or by tokens, and by tokens always the newest one";
        (keeps, variant.clone().with(SUMMARY_TURNS.name, 1_i64))
    } else {
        return Ok(());
    };
    let (setting, instead) = (of_strategy(variant), command(&of_strategy(&nearest?), Some(target)));
    Err(CliError::KeepsOther { setting, keeps, instead })
}

/// The same strategy, keeping only the summary.
fn alone<'v>(variant: &Variant<'v>) -> Result<Variant<'v>, SettingError> {
    let nothing = variant.clone().with(SUMMARY_TURNS.name, 0_i64)?.with(KEEP_RECENT_TOKENS.name, 0_i64)?;
    nothing.with(KEEP_OPENING.name, false)
}
