//! Products and what they do with their history, as options of strategies.

use super::strategies::{CLEARING, SUMMARIES, TRIMMING};
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
    Share(f64),
    Flag(bool),
    Names(&'static [&'static str]),
    Word(&'static str),
    /// A trigger by the share of the window.
    Window(f64),
    /// A trigger by tokens.
    Tokens(u32),
    /// A trigger by turns.
    Turns(u32),
}

use PresetValue::{Count, Flag, Names, Share, Tokens, Turns, Window, Word};

/// All presets by name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "anthropic-compaction",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Tokens(150_000)),
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(0)),
        ],
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
        lacks: "Whether the provider goes by the history as it is sent to it or as it was edited last is not documented: here the \
                latter, every_request=true is the former. Reasoning of older turns, which another edit drops, is in no request here.",
    },
    Preset {
        name: "claude-code",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.835)),
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(0)),
            ("tokens", Count(3600)),
        ],
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
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(1)),
            ("keep_recent_tokens", Count(20_000)),
            ("tokens", Count(8192)),
            ("reuse_prefix", Flag(false)),
            ("call_result_characters", Count(2000)),
        ],
        product: "Cline SDK 0.0.86, agentic compaction",
        source: "npmjs.com/package/@cline/core/v/0.0.86",
        lacks: "Everything since the last words of a person stays too, unless they are the first. Lists of the files that were read and \
                edited follow the summary. Where the window is not known it takes one of 128,000 tokens.",
    },
    Preset {
        name: "codex",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.9)),
            ("keep_recent_turns", Count(0)),
            ("keep_words", Flag(true)),
            ("words_tokens", Count(64_000)),
        ],
        product: "Codex CLI, remote compaction of 2026-08",
        source: "github.com/just-every/code@6ad6d5c, codex-rs",
        lacks: "The summary is encrypted, so its size is a guess. Messages of other agents, up to 10,000 tokens, stay too.",
    },
    Preset {
        name: "gemini-cli",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.5)),
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(0)),
            ("keep_recent_share", Share(0.3)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "Gemini CLI 0.61.0, compression",
        source: "npmjs.com/package/@google/gemini-cli-core/v/0.61.0",
        lacks: "It measures the last 30% in characters and cuts only before words of a person: without any but the first it compresses \
                nothing until the agent has answered, and then all. An answer of its own follows the summary. It cuts older results \
                first. A second call with the same input verifies the summary. Masking of results is gemini-cli-masking.",
    },
    Preset {
        name: "gemini-cli-masking",
        strategy: CLEARING,
        options: &[
            ("trigger", Tokens(0)),
            ("keep", Count(0)),
            ("keep_tokens", Count(50_000)),
            ("clear_at_least", Count(30_000)),
            ("keep_start", Count(250)),
            ("keep_end", Count(250)),
            ("to_file", Flag(true)),
            ("exclude_tools", Names(&["activate_skill", "ask_user", "enter_plan_mode", "exit_plan_mode"])),
        ],
        product: "Gemini CLI 0.61.0, masking of tool outputs",
        source: "npmjs.com/package/@google/gemini-cli-core/v/0.61.0",
        lacks: "Results of the newest turn always stay. Of the output of a shell command it keeps 10 lines at each end.",
    },
    Preset {
        name: "google-adk",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.8)),
            ("keep_opening", Flag(false)),
            ("reuse_prefix", Flag(false)),
            ("call_result_characters", Count(2000)),
        ],
        product: "Google ADK 2.13.0, compaction by tokens",
        source: "pypi.org/project/google-adk/2.13.0",
        lacks: "It compacts nothing unless it is told when and how many events to keep: both are those of the strategy. The summary has \
                the role of an answer. The inputs of calls are cut for the call as results are. It waits until there is more to replace \
                than the summary before took.",
    },
    Preset {
        name: "inspect",
        strategy: SUMMARIES,
        options: &[("trigger", Window(0.9)), ("keep_recent_turns", Count(0)), ("reuse_prefix", Flag(false))],
        product: "Inspect 0.3.285, compaction by summary",
        source: "pypi.org/project/inspect-ai/0.3.285",
        lacks: "Its call has no tools, so it reads nothing from the cache where tools come first; no tool saves memories before it. Of \
                a log it keeps the messages of the sample's input. Where the window is not known it takes one of 128,000 tokens.",
    },
    Preset {
        name: "inspect-edit",
        strategy: CLEARING,
        options: &[("trigger", Window(0.9)), ("keep", Count(3))],
        product: "Inspect 0.3.285, compaction by edit",
        source: "pypi.org/project/inspect-ai/0.3.285",
        lacks: "Reasoning of all but the newest turn is dropped too, which is in no request here.",
    },
    Preset {
        name: "langchain-context-editing",
        strategy: CLEARING,
        options: &[("trigger", Tokens(100_000)), ("keep", Count(3)), ("every_request", Flag(true))],
        product: "LangChain 1.5.2, ContextEditingMiddleware",
        source: "pypi.org/project/langchain/1.5.2",
        lacks: "It counts a token for four characters. Short results are cleared too. With clear_at_least it clears no more than that.",
    },
    Preset {
        name: "langchain-summarization",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.85)),
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(10)),
            ("reuse_prefix", Flag(false)),
            ("call_tokens", Count(4000)),
            ("writer", Word("empty")),
        ],
        product: "LangChain 1.5.2, SummarizationMiddleware",
        source: "pypi.org/project/langchain/1.5.2",
        lacks: "It has no default trigger: this one is that of Deep Agents. It keeps 20 messages, here two a turn. Of what it replaces \
                the model sees the newest 4,000 tokens, from words of a person on: without any among them, as in most sessions of an \
                agent, it makes no call and writes that all was too long to summarize. trim_tokens_to_summarize=None, as Deep Agents \
                has it, lets the model see all: summary,keep_opening=false,keep_recent_turns=10,reuse_prefix=false.",
    },
    Preset {
        name: "opencode",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.9)),
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(0)),
            ("keep_recent_tokens", Count(8000)),
            ("reuse_prefix", Flag(false)),
            ("call_result_characters", Count(2000)),
        ],
        product: "opencode",
        source: "github.com/anomalyco/opencode@fd78ec6",
        lacks: "It begins at most 20,000 tokens before the end of the window, which is 0.9 of one of 200,000. It keeps no more than the \
                last two turns of a person. The summary is an answer to a question of its own. Pruning of old results, off by default, is opencode-prune.",
    },
    Preset {
        name: "opencode-prune",
        strategy: CLEARING,
        options: &[
            ("trigger", Tokens(0)),
            ("keep", Count(0)),
            ("keep_tokens", Count(40_000)),
            ("clear_at_least", Count(20_000)),
            ("exclude_tools", Names(&["skill"])),
        ],
        product: "opencode, pruning",
        source: "github.com/anomalyco/opencode@fd78ec6",
        lacks: "It prunes only once the agent has answered a person, and never results of the last two turns of a person.",
    },
    Preset {
        name: "openhands",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Turns(38)),
            ("keep_first", Count(1)),
            ("keep_recent_turns", Count(17)),
            ("reuse_prefix", Flag(false)),
            ("call_result_characters", Count(10_000)),
        ],
        product: "OpenHands software agent SDK, default condenser",
        source: "github.com/OpenHands/software-agent-sdk@611629e",
        lacks: "It counts 80 events, here two a turn. It also condenses at the end of the window.",
    },
    Preset {
        name: "pydantic-ai",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Tokens(150_000)),
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(0)),
        ],
        product: "Pydantic AI 2.68.0",
        source: "pypi.org/project/pydantic-ai-slim/2.68.0",
        lacks: "It leaves all to the provider: these are the defaults of Anthropic's API. That of OpenAI has a threshold of its own.",
    },
    Preset {
        name: "strands",
        strategy: SUMMARIES,
        options: &[
            ("trigger", Window(0.7)),
            ("keep_opening", Flag(false)),
            ("keep_recent_turns", Count(5)),
            ("keep_recent_share", Share(0.7)),
            ("reuse_prefix", Flag(false)),
        ],
        product: "Strands Agents 1.62.0, SummarizingConversationManager with proactive compression",
        source: "pypi.org/project/strands-agents/1.62.0",
        lacks: "The oldest 30% of the messages go, here of the tokens. Without proactive compression it waits for a request that the \
                provider refuses.",
    },
    Preset {
        name: "strands-sliding-window",
        strategy: TRIMMING,
        options: &[("keep_recent_turns", Count(20))],
        product: "Strands Agents 1.62.0, SlidingWindowConversationManager, its default",
        source: "pypi.org/project/strands-agents/1.62.0",
        lacks: "It keeps 40 messages, here two a turn, from one of a person on if there is any among them. The first message is dropped \
                too. Where the provider refuses a request, the oldest results keep their first and last 200 characters.",
    },
];
