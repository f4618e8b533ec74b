"""`SETTING`, as a capability of Pydantic AI 2. Written by ptc-eval apply.

INSTALL

    agent = Agent(model, tools=tools, capabilities=[ShorterHistory()])

The run keeps the whole history; only what the model is sent is shorter. A history processor would not do: what it
returns becomes the history, so it would shorten what it has shortened. With a model of Anthropic the messages have marks
for the cache of the provider.
"""

from dataclasses import replace

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import CachePoint, ModelRequest, SystemPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.messages import UserPromptPart


class ShorterHistory(AbstractCapability):
    """Sends the model a shorter history."""

    async def before_model_request(self, ctx, request_context):
        request_context.messages = sent(request_context.messages, request_context.model)
        return request_context


@harmless(0)
def sent(messages, model=None):
    """The messages of Pydantic AI that are sent in place of these."""
    kept, history = {}, [piece for place, message in enumerate(messages) for piece in pieces(place, message)]
    is_marked = getattr(model, "system", None) == "anthropic"
    for piece in with_marks(history) if is_marked else shorter(history):
        kept.setdefault(piece.get("place", -1), []).append(piece)
    return [own_message(messages, place, chosen) for place, chosen in kept.items()]


def own_message(messages, place, chosen):
    if chosen[0]["role"] == "assistant":
        return messages[place]
    mark = UserPromptPart([CachePoint()])
    parts = [part for piece in chosen for part in [own_part(piece), *([mark] if piece.get("mark") else [])]]
    return replace(messages[place], parts=parts) if place >= 0 else ModelRequest(parts)


def pieces(place, message):
    """The answer as one message of the OpenAI API, and each part of a request as one."""
    if not isinstance(message, ModelRequest):
        text = "\n\n".join(part.content for part in message.parts if isinstance(part, TextPart))
        calls = [
            {"id": part.tool_call_id, "function": {"name": part.tool_name, "arguments": part.args_as_json_str()}}
            for part in message.parts
            if isinstance(part, ToolCallPart)
        ]
        return [{"role": "assistant", "content": text, "tool_calls": calls, "place": place}]
    return [plain(part) | {"place": place, "own": part} for part in message.parts]


def plain(part):
    if isinstance(part, ToolReturnPart):
        content = part.model_response_str()
        return {"role": "tool", "tool_call_id": part.tool_call_id, "content": content, "was": content}
    if isinstance(part, SystemPromptPart):
        return {"role": "system", "content": part.content, "was": part.content}
    content = part.content if isinstance(part, UserPromptPart) else ""
    if not isinstance(content, str):
        content = [{"type": "text", "text": own} if isinstance(own, str) else {"type": "own", "own": own} for own in content]
    return {"role": "user", "content": content, "was": content}


def own_part(piece):
    content, own = piece["content"], piece.get("own")
    if own is None:
        return UserPromptPart(content)
    if content == piece["was"]:
        return own
    if not isinstance(content, str):
        content = [part["text"] if part["type"] == "text" else part["own"] for part in content]
    return replace(own, content=content)
