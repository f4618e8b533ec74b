"""Clearing of old tool results once a request is large, for agents in Python. Copy this file; it needs nothing else.

It is what the context editing of Anthropic's API does, for any provider. Call `clear` on the whole history before each
request and send what it returns; keep the whole history.

    request = clear(history, tokens=[count(message) for message in history], trigger=50_000)

Messages are those of the OpenAI API. The answer of the model begins a turn. Equal histories give equal requests, so
nothing is kept between calls.
"""

MASKED_TOKENS = 16
"""The size of a result that was left out."""


def clear(
    messages, tokens, *, trigger=100_000, keep=3, clear_at_least=0, exclude_tools=(), fixed=0, observations=None
):
    """The messages without the oldest results, once there are more tokens than `trigger`.

    tokens: the size of each message, by any tokenizer or estimate.
    keep: the newest results, which stay.
    clear_at_least: the fewest tokens that are left out at a time.
    exclude_tools: names of tools whose results stay.
    fixed: the size of what every request has beside these messages.
    observations: indexes of the messages that may be left out. Default: those of the role `tool`.
    """
    if observations is None:
        observations = {index for index, message in enumerate(messages) if message["role"] == "tool"}
    turns = turns_of(messages)
    excluded = {call["id"] for call in calls_of(messages) if name_of(call) in exclude_tools}
    # Of each result its turn, its index, and what leaving it out removes: nothing of small ones.
    results = []
    for number, turn in enumerate(turns, start=1):
        for index in turn:
            if index in observations:
                stays = messages[index].get("tool_call_id", messages[index].get("call")) in excluded
                results.append((number, index, 0 if stays else max(0, tokens[index] - MASKED_TOKENS)))

    size = fixed + sum(tokens[: turns[0].start] if turns else tokens)
    made, border, removed, cleared = 0, 0, 0, 0
    for number, turn in enumerate(turns, start=1):
        size += sum(tokens[index] for index in turn)
        while made < len(results) and results[made][0] == number:
            made += 1
        old = max(border, made - keep)
        removed += sum(gain for _, _, gain in results[border:old])
        border = old
        if size > trigger and removed >= max(1, clear_at_least):
            cleared, size, removed = border, size - removed, 0

    shorter = list(messages)
    for number, index, gain in results[:cleared]:
        if gain > 0:
            shorter[index] = masked(messages[index], number)
    return shorter


def turns_of(messages):
    """The indexes of the messages of each turn: an answer, and what follows it."""
    answers = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    return [range(start, end) for start, end in zip(answers, answers[1:] + [len(messages)])]


def name_of(call):
    """The name of the tool. Calls of custom tools have it elsewhere, and those of ptc-eval have nothing around it."""
    return (call.get("function") or call.get("custom") or call).get("name")


def calls_of(messages):
    return [call for message in messages for call in message.get("tool_calls") or []]


def masked(message, turn):
    """The message with a line in place of its content."""
    content = message["content"]
    if not isinstance(content, str):
        content = "\n".join(part.get("text", "") for part in content or [])
    return {**message, "content": f"[output of turn {turn} omitted: {len(content)} characters]"}


def main():
    """Answers ptc-eval, which sends a line of JSON for each request."""
    import json
    import sys

    for line in sys.stdin.buffer:
        request = json.loads(line)
        messages = request["messages"]
        observations = {index for turn in request["turns"] for index in turn["observations"]}
        tokens = [message["tokens"] for message in messages]
        own = ("trigger", "keep", "clear_at_least", "exclude_tools", "fixed")
        # A variant has a `trigger` of its own, which is not passed on.
        options = {**request["options"], "trigger": request["options"].get("trigger_tokens", 100_000)}
        options = {name: value for name, value in options.items() if name in own}
        cleared = clear(messages, tokens, observations=observations, **options)
        print(json.dumps({"id": request["id"], "messages": cleared}), flush=True)


if __name__ == "__main__":
    main()
