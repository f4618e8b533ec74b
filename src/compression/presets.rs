//! Products and what they do with their history, as options of strategies.

use super::strategies::{CLEARING, SUMMARIES};
use super::strategy::BuiltIn;

/// A product, and the strategy that comes nearest to what it does by default.
pub struct Preset {
    /// The name in files, in reports and on the command line.
    pub name: &'static str,
    pub strategy: &'static BuiltIn,
    pub options: &'static [(&'static str, PresetValue)],
    /// The product with the version that was read.
    pub product: &'static str,
    /// The place where the rules stand.
    pub source: &'static str,
    /// Rules that the options do not express.
    pub lacks: &'static str,
}

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PresetValue {
    Count(u32),
    Flag(bool),
    /// A trigger by the share of the window.
    Window(f64),
    /// A trigger by tokens.
    Tokens(u32),
    /// A trigger by turns.
    Turns(u32),
}

use PresetValue::{Count, Flag, Tokens, Turns, Window};

/// All presets by name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "anthropic-compaction",
        strategy: SUMMARIES,
        options: &[("trigger", Tokens(150_000)), ("keep_recent_turns", Count(0))],
        product: "Anthropic API, compact_20260112",
        source: "github.com/anthropics/anthropic-sdk-python@009b035",
        lacks: "The summary is a block of the role assistant, as long as the model likes.",
    },
    Preset {
        name: "anthropic-context-editing",
        strategy: CLEARING,
        options: &[("trigger", Tokens(100_000)), ("keep", Count(3))],
        product: "Anthropic API, clear_tool_uses_20250919",
        source: "github.com/anthropics/anthropic-sdk-python@009b035",
        lacks: "It can clear the inputs of calls and reasoning too, which it does not by default.",
    },
    Preset {
        name: "claude-code",
        strategy: SUMMARIES,
        options: &[("trigger", Window(0.835)), ("keep_recent_turns", Count(0)), ("tokens", Count(3600))],
        product: "Claude Code 2.1.25 and later",
        source: "measured on 73 compactions of public logs",
        lacks: "It begins 33,000 tokens before the end of the window, which is 0.967 of one of 1,000,000. Files, memory and skills that \
                it puts back are not sent. Whether its call reads the cache is not known.",
    },
    Preset {
        name: "cline",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.9)),
            ("keep_recent_turns", Count(1)),
            ("keep_recent_tokens", Count(20_000)),
            ("tokens", Count(4096)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "Cline SDK, agentic compaction",
        source: "github.com/cline/cline@21cb8d2",
        lacks: "Its call sees results of tools only up to 2,000 characters, so it costs less than here.",
    },
    Preset {
        name: "codex",
        strategy: SUMMARIES,
        options: &[("trigger", Window(0.9)), ("keep_recent_turns", Count(0)), ("keep_words", Flag(true))],
        product: "Codex CLI, remote compaction of 2026-08",
        source: "github.com/just-every/code@6ad6d5c, codex-rs",
        lacks: "Words of people are kept up to 64,000 tokens, here all. The summary is encrypted, so its size is a guess.",
    },
    Preset {
        name: "gemini-cli",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.5)),
            ("keep_recent_turns", Count(0)),
            ("keep_recent_tokens", Count(157_000)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "Gemini CLI",
        source: "github.com/google-gemini/gemini-cli@5411f11",
        lacks: "It keeps the last 30% of the history, here as many tokens as that is of a window of 1,048,576. It cuts older results \
                first, and a second call with the same input verifies the summary.",
    },
    Preset {
        name: "google-adk",
        strategy: SUMMARIES,
        options: &[("trigger", Window(0.8)), ("reuse_prefix", Flag(false))],
        product: "Google ADK 2.13.0, compaction by tokens",
        source: "pypi.org/project/google-adk/2.13.0",
        lacks: "It compacts nothing unless it is told when and how many events to keep: both are those of the strategy.",
    },
    Preset {
        name: "inspect",
        strategy: SUMMARIES,
        options: &[("trigger", Window(0.9)), ("keep_recent_turns", Count(0)), ("reuse_prefix", Flag(false))],
        product: "Inspect, compaction by summary",
        source: "github.com/UKGovernmentBEIS/inspect_ai@499e615",
        lacks: "Its call has no tools, so it reads nothing from the cache where tools come first; no tool saves memories before it.",
    },
    Preset {
        name: "langchain-summarization",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.85)),
            ("keep_recent_turns", Count(10)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "LangChain 1.5.0, SummarizationMiddleware",
        source: "pypi.org/project/langchain/1.5.0",
        lacks: "It has no default trigger: this one is that of Deep Agents. Its call sees the last 4,000 tokens only, so it costs and \
                knows less than here.",
    },
    Preset {
        name: "opencode",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.9)),
            ("keep_recent_turns", Count(0)),
            ("keep_recent_tokens", Count(8000)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "opencode",
        source: "github.com/anomalyco/opencode@fd78ec6",
        lacks: "It begins at most 20,000 tokens before the end of the window, which is 0.9 of one of 200,000. Its call sees results of \
                tools only up to 2,000 characters. Pruning of old results is off by default.",
    },
    Preset {
        name: "openhands",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Turns(38)),
            ("keep_first", Count(1)),
            ("keep_recent_turns", Count(17)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "OpenHands software agent SDK, default condenser",
        source: "github.com/OpenHands/software-agent-sdk@611629e",
        lacks: "It counts 80 events, here two a turn. It also condenses at the end of the window.",
    },
    Preset {
        name: "pydantic-ai",
        strategy: SUMMARIES,
        options: &[("trigger", Tokens(150_000)), ("keep_recent_turns", Count(0))],
        product: "Pydantic AI 2.68.0",
        source: "pypi.org/project/pydantic-ai-slim/2.68.0",
        lacks: "It leaves all to the provider: these are the defaults of Anthropic's API. That of OpenAI has a threshold of its own.",
    },
    Preset {
        name: "strands",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.7)),
            ("keep_recent_turns", Count(5)),
            ("keep_recent_tokens", Count(98_000)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "Strands Agents 1.62.0, SummarizingConversationManager with proactive compression",
        source: "pypi.org/project/strands-agents/1.62.0",
        lacks: "The oldest 30% of the messages go, here as many tokens as that is of a window of 200,000. Without proactive \
                compression it waits for a request that the provider refuses.",
    },
];
