"""`SETTING`, as a middleware of LangChain 1. Written by ptc-eval apply.

INSTALL

    agent = create_agent(model, tools, middleware=[ShorterHistory()])

The state of the agent keeps the whole history; only what the model is sent is shorter. Put it behind middleware that
adds messages of its own. In a graph of your own: `model.invoke(sent(state["messages"], model))`. With ChatAnthropic
the messages have marks for the cache of the provider.
"""

import json

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import HumanMessage

ROLES = {"ai": "assistant", "tool": "tool", "system": "system"}


class ShorterHistory(AgentMiddleware):
    """Sends the model a shorter history."""

    def wrap_model_call(self, request, handler):
        return handler(request.override(messages=sent(request.messages, request.model)))

    async def awrap_model_call(self, request, handler):
        return await handler(request.override(messages=sent(request.messages, request.model)))


@harmless(0)
def sent(messages, model=None):
    """The messages of LangChain that are sent in place of these."""
    history = [plain(message) for message in messages]
    is_marked = getattr(model, "_llm_type", None) == "anthropic-chat"
    return [own_message(message) for message in (with_marks(history) if is_marked else shorter(history))]


def own_message(message):
    content = with_mark(message["content"]) if message.get("mark") else message["content"]
    return message.get("own", HumanMessage("")).model_copy(update={"content": content})


def plain(message):
    """The message as the OpenAI API has it, and its own."""
    calls = [
        {"id": call["id"], "function": {"name": call["name"], "arguments": compact(call["args"])}}
        for call in getattr(message, "tool_calls", [])
    ]
    return {
        "role": ROLES.get(message.type, "user"),
        "content": message.content,
        "tool_calls": calls,
        "tool_call_id": getattr(message, "tool_call_id", None),
        "own": message,
    }


def compact(arguments):
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
