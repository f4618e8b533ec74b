"""`SETTING`, for LiteLLM. Written by ptc-eval apply.

INSTALL

In a program, in place of `litellm.completion` and `litellm.acompletion`:

    response = completion(model=..., messages=history, tools=...)

For the proxy, if this file is `shorter_history.py` beside its configuration:

    litellm_settings:
      callbacks: shorter_history.handler

Whoever calls keeps the whole history; only what the model is sent is shorter.
"""

import litellm
from litellm.integrations.custom_logger import CustomLogger


def completion(model, messages, **arguments):
    return litellm.completion(model, shorter(messages), **arguments)


async def acompletion(model, messages, **arguments):
    return await litellm.acompletion(model, shorter(messages), **arguments)


class ShorterHistory(CustomLogger):
    """Shortens what comes to the proxy."""

    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        if call_type in ("completion", "acompletion"):
            data["messages"] = shorter(data["messages"])
        return data


handler = ShorterHistory()


def as_map(message):
    """The message as a map, also one that is an object of the library, such as `response.choices[0].message`."""
    return message if isinstance(message, dict) else message.model_dump(exclude_none=True)
