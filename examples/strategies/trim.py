"""Trimming: old turns left out, for agents in Python. Copy this file; it needs nothing else.

Call `trim` on the whole history before each request and send what it returns; keep the whole history.

    request = trim(history, keep_recent_turns=10, step=10)

Messages are those of the OpenAI API or of the Anthropic API. The answer of the model begins a turn. With a `step`, so
many turns are left out at a time, and the provider's cache holds in between. What a person said in old turns, and
answers to that without a call, stand below the first message.
"""

HEADING = ";; === conversation ==="


def trim(messages, *, keep_recent_turns=3, step=1, observations=()):
    """The messages without old turns.

    observations: indexes of messages of the role `user` that hold the output of tools.
    """
    turns = turns_of(messages)
    old = max(0, len(turns) - keep_recent_turns)
    old -= old % step
    if old == 0:
        return list(messages)
    opening = list(messages[: turns[0].start])
    if not opening or opening[-1]["role"] != "user":
        opening.append({"role": "user", "content": "[conversation starts]"})
    said = [line for turn in turns[:old] for line in said_in(messages, turn, observations)]
    if said:
        opening[-1] = with_more(opening[-1], "\n\n" + "\n".join([HEADING, *said]))
    return opening + list(messages[turns[old].start :])


def turns_of(messages):
    """The indexes of the messages of each turn: an answer, and what follows it."""
    answers = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    return [range(start, end) for start, end in zip(answers, answers[1:] + [len(messages)])]


def said_in(messages, turn, observations):
    """A line for each text of a person, and before them one for the answer, if it made no call."""
    answer, told = messages[turn[0]], turn[1:]
    lines = []
    if not has_calls(answer) and not any(is_result(messages[index]) or index in observations for index in told):
        lines.append(f"Assistant: {text_of(answer)}")
    words = [messages[index] for index in told if messages[index]["role"] == "user" and index not in observations]
    return lines + [f"User: {text_of(message)}" for message in words if text_of(message)]


def has_calls(message):
    return bool(message.get("tool_calls")) or "tool_use" in types_of_parts(message)


def is_result(message):
    return message["role"] == "tool" or "tool_result" in types_of_parts(message)


def types_of_parts(message):
    parts = message.get("content")
    return [part.get("type") for part in parts] if isinstance(parts, list) else []


def text_of(message):
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part.get("type") == "text")
    return content or ""


def with_more(message, text):
    """The message with a text behind its own."""
    content = message["content"]
    if not isinstance(content, list):
        return {**message, "content": content + text}
    if content and content[-1].get("type") == "text":
        return {**message, "content": [*content[:-1], {**content[-1], "text": content[-1]["text"] + text}]}
    return {**message, "content": [*content, {"type": "text", "text": text.lstrip()}]}


def main():
    """Answers ptc-eval, which sends a line of JSON for each request."""
    import json
    import sys

    for line in sys.stdin.buffer:
        request = json.loads(line)
        observations = {index for turn in request["turns"] for index in turn["observations"]}
        own = ("keep_recent_turns", "step")
        options = {name: value for name, value in request["options"].items() if name in own}
        shorter = trim(request["messages"], observations=observations, **options)
        print(json.dumps({"id": request["id"], "messages": shorter}), flush=True)


if __name__ == "__main__":
    main()
