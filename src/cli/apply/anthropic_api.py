"""`SETTING`, for Anthropic's API. Written by ptc-eval apply.

INSTALL

    response = client.messages.create(messages=sent(history), model=..., system=..., tools=..., max_tokens=...)

`history` is the whole history, which the agent keeps. The provider caches what stands before a mark: two are set here, and
the system prompt may have another.
"""

import json


@harmless(0)
def sent(history):
    """The messages that are sent in place of these."""
    kept = {}
    for piece in with_marks([piece for place, message in enumerate(history) for piece in pieces(place, message)]):
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
    own = history[place] if place >= 0 else {"role": chosen[0]["role"]}
    if chosen[0]["role"] == "assistant":
        return own
    if chosen[0]["role"] != "tool" and isinstance(chosen[0]["content"], str) and not chosen[0].get("mark"):
        return {**own, "content": chosen[0]["content"]}
    return {**own, "content": [part for piece in chosen for part in own_parts(piece)]}


def own_parts(piece):
    """The blocks of a piece, the last one with its mark."""
    parts = [{"type": "text", "text": piece["content"]}] if isinstance(piece["content"], str) else piece["content"]
    if piece["role"] == "tool":
        parts = [piece["own"] if piece["content"] == piece["was"] else {**piece["own"], "content": piece["content"]}]
    return with_mark(parts) if piece.get("mark") else parts


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
