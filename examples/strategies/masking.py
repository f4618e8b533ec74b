"""Observation masking: old tool results left out, for agents in Python. Copy this file; it needs nothing else.

Call `mask` on the whole history before each request and send what it returns; keep the whole history.

    request = mask(history, keep_recent_turns=5, step=10)

Messages are those of the OpenAI API or of the Anthropic API. The answer of the model begins a turn. With a `step`,
results are left out for so many turns at a time, and the provider's cache holds in between.
"""


def mask(messages, *, keep_recent_turns=3, step=1, observations=None):
    """The messages with the results of old turns left out.

    observations: indexes of the messages that may be left out. Default: all that hold nothing but tool results.
    """
    if observations is None:
        observations = {index for index, message in enumerate(messages) if is_tool_result(message)}
    turns = turns_of(messages)
    old = max(0, len(turns) - keep_recent_turns)
    old -= old % step
    shorter = list(messages)
    for number, turn in enumerate(turns[:old], start=1):
        for index in turn:
            if index in observations:
                shorter[index] = masked(messages[index], number)
    return shorter


def turns_of(messages):
    """The indexes of the messages of each turn: an answer, and what follows it."""
    answers = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    return [range(start, end) for start, end in zip(answers, answers[1:] + [len(messages)])]


def is_tool_result(message):
    """True for a message that holds nothing but results of tools."""
    parts = message.get("content")
    is_results = isinstance(parts, list) and parts and all(part.get("type") == "tool_result" for part in parts)
    return message["role"] == "tool" or bool(is_results)


def masked(message, turn):
    """The message with a line in place of its content, or of the content of each of its results."""
    content = message["content"]
    if message["role"] == "tool" or not isinstance(content, list):
        return {**message, "content": omitted(content, turn)}
    parts = [{**part, "content": omitted(part.get("content"), turn)} for part in content]
    return {**message, "content": parts}


def omitted(content, turn):
    if not isinstance(content, str):
        content = "\n".join(part.get("text", "") for part in content or [])
    return f"[output of turn {turn} omitted: {len(content)} characters]"


def main():
    """Answers ptc-eval, which sends a line of JSON for each request."""
    import json
    import sys

    for line in sys.stdin.buffer:
        request = json.loads(line)
        observations = {index for turn in request["turns"] for index in turn["observations"]}
        own = ("keep_recent_turns", "step")
        options = {name: value for name, value in request["options"].items() if name in own}
        shorter = mask(request["messages"], observations=observations, **options)
        print(json.dumps({"id": request["id"], "messages": shorter}), flush=True)


if __name__ == "__main__":
    main()
