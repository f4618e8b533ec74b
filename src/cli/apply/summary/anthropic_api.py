"""`SETTING`, as Anthropic's API does it itself. Written by ptc-eval apply.

    pip install anthropic

    response = client.beta.messages.create(**SUMMARIZING, messages=history, model=..., tools=..., max_tokens=...)
    history.append({"role": "assistant", "content": response.content})

The provider writes a summary into the answer, as a block `compaction`. Of a history that has one it reads only what follows, so
no turn is kept beside it.
"""

SUMMARIZING = {
    "betas": ["compact-2026-01-12"],
    "context_management": {
        "edits": [{"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": TOKENS}}],
    },
}
