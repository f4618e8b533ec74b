NEXT = [
    {"role": "assistant", "content": "", "tool_calls": [{"id": "next", "function": {"name": "next", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "next", "content": ""},
]
"""A turn that may come next."""


def with_marks(history):
    """The messages that are sent, with `mark` where they stop being those before, and where the next ones will stop being these.
    The provider caches what stands before a mark."""
    answers = [place for place, message in enumerate(history) if message["role"] == "assistant"]
    before = shorter(history[: answers[-1]]) if answers else []
    messages = shorter(history)
    ends = {end_of_mark(messages, others) for others in (before, shorter([*history, *NEXT]))}
    return [{**message, "mark": True} if place in ends else message for place, message in enumerate(messages, start=1)]


def end_of_mark(messages, others):
    """The number of messages that both begin with, up to one that a mark can stand behind."""
    pairs = enumerate(zip(messages, others))
    end = next((place for place, (own, other) in pairs if own != other), min(len(messages), len(others)))
    while end and (messages[end - 1]["role"] in ("assistant", "system") or not messages[end - 1]["content"]):
        end -= 1
    return end


def with_mark(content):
    """The content with a mark behind its last part."""
    *parts, last = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [*parts, {**last, "cache_control": {"type": "ephemeral"}}]
