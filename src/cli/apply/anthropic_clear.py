"""`SETTING`, as Anthropic's API does it itself. Written by ptc-eval apply.

    pip install anthropic

    response = client.beta.messages.create(**EDITING, messages=history, model=..., tools=..., max_tokens=...)

`history` is the whole history, which the agent keeps and sends: the provider leaves out the results, with a text of its
own in their place and by its own count of tokens.
"""

EDITING = {
    "betas": ["context-management-2025-06-27"],
    "context_management": {"edits": [FIELDS]},
}
