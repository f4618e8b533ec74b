"""`SETTING`, as Anthropic's API does it itself, with LiteLLM. Written by ptc-eval apply.

    pip install litellm

    response = litellm.completion(**SUMMARIZING, model="anthropic/...", messages=history, tools=...)
    history.append(response.choices[0].message)

The provider writes a summary into the answer. Of a history that has one it reads only what follows, so no turn is kept beside
it. For the proxy `context_management` stands under `litellm_params` of the model.
"""

SUMMARIZING = {
    "context_management": {
        "edits": [{"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": TOKENS}}],
    },
}
