//! The target languages of generated files: their syntax for a call.

/// A language as text templates. Words in capitals are placeholders.
pub(super) struct Language {
    pub(super) extension: &'static str,
    /// The install command, as a line of a comment.
    pub(super) installs: &'static str,
    /// End of the comment at the top of a file.
    pub(super) comment_ends: &'static str,
    /// Start of the part only used by `ptc-eval`.
    pub(super) main_starts: &'static str,
    /// The text between definitions.
    pub(super) gap: &'static str,
    /// Functions for counting tokens.
    pub(super) count_tokens: &'static str,
    /// Packages needed to count tokens, and the command that downloads the vocabulary.
    pub(super) token_packages: &'static str,
    /// A wrapper for `shorter`: if it fails, the agent sends the whole history.
    pub(super) harmless: &'static str,
    /// Functions for placing cache breakpoints.
    pub(super) marks: &'static str,
    /// The constant for tokens outside of all messages.
    pub(super) fixed: &'static str,
    /// Head of the function `shorter`, with placeholder `SETTING`.
    pub(super) head: &'static str,
    /// Its line that counts tokens.
    pub(super) sizes: &'static str,
    /// Its lines that return everything below the trigger, with placeholder `BELOW`.
    pub(super) below: &'static str,
    /// Its last lines, with placeholder `CALL`.
    pub(super) end: &'static str,
    pub(super) turns: &'static str,
    pub(super) tokens: &'static str,
    pub(super) and: &'static str,
    /// Named arguments, with placeholder `NAMED`.
    pub(super) named: &'static str,
    /// The text between an argument name and its value.
    pub(super) is: &'static str,
}

pub(super) const PYTHON: Language = Language {
    extension: "py",
    installs: "    pip install",
    comment_ends: "\n\"\"\"\n",
    main_starts: "\ndef main():",
    gap: "\n\n\n",
    count_tokens: include_str!("tokens.py"),
    token_packages: " tiktoken\n    python -c 'import tiktoken; tiktoken.get_encoding(\"o200k_base\")'  # once, with a network; else 4 characters are a token",
    harmless: include_str!("harmless.py"),
    marks: include_str!("marks.py"),
    fixed: include_str!("fixed.py"),
    head: "@harmless(0)\ndef shorter(messages):\n    \"\"\"The messages of the next request: SETTING.\"\"\"\n",
    sizes: "    tokens = [count_tokens(message) for message in messages]\n",
    below: "    if BELOW:\n        return list(messages)\n",
    end: "    return CALL\n",
    turns: "sum(message[\"role\"] == \"assistant\" for message in messages)",
    tokens: "sum(tokens) + FIXED_TOKENS",
    and: " and ",
    named: "NAMED",
    is: "=",
};

/// TypeScript for a hook. It uses no packages and exports only itself.
pub(super) const TYPESCRIPT_HOOK: Language = Language {
    count_tokens: include_str!("tokens_alone.ts"),
    token_packages: "",
    head: "/** The messages of the next request: SETTING. */\n\
           function shorter<M extends Message>(messages: readonly M[]): M[] {\n",
    ..TYPESCRIPT
};

pub(super) const TYPESCRIPT: Language = Language {
    extension: "ts",
    installs: "//     npm install",
    comment_ends: "\n\n",
    main_starts: "\n/** Answers ptc-eval",
    gap: "\n\n",
    count_tokens: include_str!("tokens.ts"),
    token_packages: " js-tiktoken",
    harmless: "",
    marks: include_str!("marks.ts"),
    fixed: include_str!("fixed.ts"),
    head: "/** The messages of the next request: SETTING. */\n\
           export function shorter<M extends Message>(messages: readonly M[]): M[] {\n  \
             try {\n    \
               return shortened(messages);\n  \
             } catch (error) {\n    \
               console.error(\"the history could not be shortened and is sent whole\", error);\n    \
               return [...messages];\n  \
             }\n\
           }\n\n\
           function shortened<M extends Message>(messages: readonly M[]): M[] {\n",
    sizes: "  const tokens = messages.map(countTokens);\n",
    below: "  if (BELOW) return [...messages];\n",
    end: "  return CALL;\n}\n",
    turns: "messages.filter((message) => message.role === \"assistant\").length",
    tokens: "tokens.reduce((sum, tokens) => sum + tokens, FIXED_TOKENS)",
    and: " && ",
    named: "{ NAMED }",
    is: ": ",
};
