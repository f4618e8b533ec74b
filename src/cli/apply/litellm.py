"""`SETTING`, for LiteLLM. Written by ptc-eval apply.

INSTALL

In a program, in place of `litellm.completion` and `litellm.acompletion`:

    response = completion(model=..., messages=history, tools=...)

For the proxy, if this file is `shorter_history.py` beside its configuration:

    litellm_settings:
      callbacks: shorter_history.handler

Whoever calls keeps the whole history; only what the model is sent is shorter. For models with `claude` in their name the
messages have marks for the cache of the provider.
"""

import litellm
from litellm.integrations.custom_logger import CustomLogger


def completion(model, messages, **arguments):
    return litellm.completion(model, sent(model, messages), **arguments)


async def acompletion(model, messages, **arguments):
    return await litellm.acompletion(model, sent(model, messages), **arguments)


class ShorterHistory(CustomLogger):
    """Shortens what comes to the proxy."""

    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        if call_type in ("completion", "acompletion"):
            data["messages"] = sent(data["model"], data["messages"])
        return data


handler = ShorterHistory()


@harmless(1)
def sent(model, messages):
    """The messages that are sent in place of these."""
    if "claude" not in model:
        return shorter(messages)
    return [marked(message) for message in with_marks([as_map(message) for message in messages])]


def marked(message):
    """The message with its mark as LiteLLM has it: beside the content of a result, inside that of others."""
    own = {name: value for name, value in message.items() if name != "mark"}
    if "mark" not in message:
        return own
    if own["role"] == "tool":
        return {**own, "cache_control": {"type": "ephemeral"}}
    return {**own, "content": with_mark(own["content"])}


def as_map(message):
    """The message as a map, also one that is an object of the library, such as `response.choices[0].message`."""
    return message if isinstance(message, dict) else message.model_dump(exclude_none=True)
