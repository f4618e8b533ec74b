//! The options with which libraries and providers write summaries themselves.

use super::copyable::changed;
use super::{Target, setting};
use crate::cli::error::CliError;
use crate::compression::{SUMMARY_TURNS, TRIGGER, Variant, summary_trigger};

const KEEP_TURNS: &str = "keep_recent_turns";
const KEEP_TOKENS: &str = "keep_recent_tokens";
/// Options of the call for a summary, which the library or the provider makes as it likes.
const OF_CALL: [&str; 5] = ["tokens", "reuse_prefix", "call_result_characters", "call_tokens", "writer"];

/// The option of a target that does what the strategy does.
///
/// # Errors
/// The target has none, or none with an option of the variant.
pub(super) fn text(variant: &Variant<'_>, target: Target) -> Result<String, CliError> {
    let text = match target {
        Target::Langchain => include_str!("summary/langchain.py"),
        Target::OpenaiAgents => include_str!("summary/openai_agents.py"),
        Target::PydanticAi => include_str!("summary/pydantic_ai.py"),
        Target::AiSdk => include_str!("summary/ai_sdk.ts"),
        Target::AnthropicApi => include_str!("summary/anthropic_api.py"),
        Target::Litellm => include_str!("summary/litellm.py"),
        Target::Python | Target::Typescript => return Err(CliError::NoOwnSummary),
    };
    let keeps = target == Target::Langchain;
    let is_own = |name: &str, value: &str| match name {
        KEEP_TURNS => keeps || value == "0",
        KEEP_TOKENS => keeps,
        name => OF_CALL.contains(&name),
    };
    let trigger = summary_trigger(&variant.options);
    let missing = changed(variant).find(|(name, value)| !is_own(name, value)).map(|(name, _)| name);
    let tokens = variant.options.tokens_of(trigger).filter(|_| trigger.turns.is_none());
    let (None, Some(tokens)) = (missing, tokens) else {
        let option = missing.unwrap_or("trigger: {turns}");
        let own = if keeps { format!("{KEEP_TURNS}, {KEEP_TOKENS}, {TRIGGER}") } else { TRIGGER.to_owned() };
        let (setting, known) = (setting(variant, changed(variant)), format!("{own} by tokens or window"));
        return Err(CliError::NotInCopy { setting, option, known });
    };
    let when = match trigger.window.filter(|_| trigger.tokens.is_none()) {
        Some(share) => format!("(\"fraction\", {share})"),
        None => format!("(\"tokens\", {tokens})"),
    };
    let given = |name: &str| changed(variant).find(|(own, _)| *own == name).map(|(_, value)| value);
    let kept = match given(KEEP_TOKENS) {
        Some(tokens) => format!("(\"tokens\", {tokens})"),
        None => format!("(\"messages\", {})", (2 * variant.options.get(&SUMMARY_TURNS)).max(1)),
    };
    let own = changed(variant).filter(|(name, _)| !OF_CALL.contains(name));
    let text = text.replace("SETTING", &setting(variant, own)).replace("WHEN", &when).replace("KEPT", &kept);
    Ok(text.replace("TOKENS", &tokens.to_string()))
}
