"""`SETTING`, for Anthropic's API. Written by ptc-eval apply.

INSTALL

    response = client.messages.create(messages=marked(history), model=..., system=..., tools=..., max_tokens=...)

`history` is the whole history, which the agent keeps. The provider caches what stands before a mark: two are set here, and
the system prompt may have another. `sent(history)` is the same without marks.
"""

import json


# A turn that may come next.
NEXT = [
    {"role": "assistant", "content": [{"type": "tool_use", "id": "next", "name": "next", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "next", "content": ""}]},
]


def marked(history):
    """What is sent, with marks for the cache where it stops being the request before, and where the next one will stop being it."""
    answers = [place for place, message in enumerate(history) if message["role"] == "assistant"]
    before = sent(history[: answers[-1]]) if answers else []
    messages = sent(history)
    ends = {alike(messages, others) for others in (before, sent([*history, *NEXT]))}
    return [with_mark(message) if place in ends else message for place, message in enumerate(messages, start=1)]


def alike(messages, others):
    """The number of messages that both begin with."""
    pairs = enumerate(zip(messages, others))
    return next((place for place, (own, other) in pairs if own != other), min(len(messages), len(others)))


def with_mark(message):
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    last = parts[-1] if isinstance(parts[-1], dict) else parts[-1].model_dump(mode="json", exclude_none=True)
    if last["type"] in ("thinking", "redacted_thinking"):
        return message
    return {**message, "content": [*parts[:-1], {**last, "cache_control": {"type": "ephemeral"}}]}


def sent(history):
    """The messages that are sent in place of these."""
    kept = {}
    for piece in shorter([piece for place, message in enumerate(history) for piece in pieces(place, message)]):
        kept.setdefault(piece.get("place", -1), []).append(piece)
    return [own_message(history, place, chosen) for place, chosen in kept.items()]


def pieces(place, message):
    """Each result as a message of the OpenAI API, and the rest of a message as another one."""
    content = message["content"]
    if message["role"] == "assistant":
        return [{"role": "assistant", "content": texts(content), "tool_calls": calls(content), "place": place}]
    if isinstance(content, str):
        return [{"role": message["role"], "content": content, "place": place}]
    results = [
        {"role": "tool", "tool_call_id": part["tool_use_id"], "content": text, "was": text, "own": part, "place": place}
        for part in content
        if part["type"] == "tool_result"
        for text in [texts(part.get("content") or "")]
    ]
    rest = [part for part in content if part["type"] != "tool_result"]
    return results + ([{"role": message["role"], "content": rest, "place": place}] if rest else [])


def own_message(history, place, chosen):
    """The message of Anthropic's API with what is left of its pieces."""
    if chosen[0]["role"] == "assistant":
        return history[place]
    if isinstance(chosen[0]["content"], str) and chosen[0]["role"] != "tool":
        return {"role": chosen[0]["role"], "content": chosen[0]["content"]}
    parts = []
    for piece in chosen:
        if piece["role"] != "tool":
            parts += piece["content"]
        elif piece["content"] == piece["was"]:
            parts.append(piece["own"])
        else:
            parts.append({**piece["own"], "content": piece["content"]})
    return {**history[place], "content": parts}


def texts(content):
    if isinstance(content, str):
        return content
    return "\n".join(field(part, "text") for part in content if field(part, "type") == "text")


def calls(content):
    """The calls of an answer, whose parts may be those of the library."""
    used = [part for part in content if not isinstance(part, str) and field(part, "type") == "tool_use"]
    return [
        {"id": field(part, "id"), "function": {"name": field(part, "name"), "arguments": compact(field(part, "input"))}}
        for part in used
    ]


def field(part, name):
    return part[name] if isinstance(part, dict) else getattr(part, name)


def compact(arguments):
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
