"""Observation masking that pays for itself: `fold` for agents in Python. Copy this file; it needs nothing else.

Old tool results stay until carrying them has cost as much as leaving them out will. Then all of them are left out at
once, and the provider's cache holds until the next time. After a pause in which the cache expired everything is sent
afresh anyway, so then they go at no cost. Call `fold` on the whole history before each request and send what it
returns; keep the whole history.

    request = fold(history, tokens=[count(message) for message in history], pauses=pauses)

Messages are those of the OpenAI API or of the Anthropic API. The answer of the model begins a turn. Equal histories
give equal requests, so nothing is kept between calls.
"""

MASKED_TOKENS = 16
"""The size of a result that was left out."""


def fold(messages, tokens, *, keep_recent_turns=5, read=0.1, write=1.25, ttl=300, pauses=(), observations=None):
    """The messages with old results left out.

    tokens: the size of each message, by any tokenizer or estimate.
    read, write: prices of an input token that is read from the cache or written to it, as shares of a fresh one.
    ttl: seconds for which the provider keeps what was sent last; 0: for ever.
    pauses: seconds from each answer to the request after it, the one that is made now included. Default: none.
    observations: indexes of the messages that may be left out. Default: all that hold nothing but tool results.
    """
    if observations is None:
        observations = {index for index, message in enumerate(messages) if is_tool_result(message)}
    # What leaving out each result removes; small ones stay.
    removed_of = {index: tokens[index] - masked_tokens(messages[index]) for index in observations}
    removed_of = {index: removed for index, removed in removed_of.items() if removed > 0}
    turns = turns_of(messages)
    whole = [sum(tokens[index] for index in turn) for turn in turns]
    removed = [sum(removed_of.get(index, 0) for index in turn) for turn in turns]

    border, rent = 0, 0.0
    for completed in range(1, len(turns) + 1):
        old = completed - keep_recent_turns
        first = next((turn for turn in range(border, old) if removed[turn] > 0), None)
        if first is None:
            continue
        saved = sum(removed[border:old])
        rent += read * saved
        # What is sent again and has changed: all after the first result that goes, but not what is new anyway.
        unchanged = sum(tokens[index] for index in before_first(turns[first], removed_of))
        sent_again = max(0, sum(whole[first:completed]) - saved - unchanged - whole[completed - 1])
        pause = pauses[completed - 1] if completed <= len(pauses) else 0
        if 0 < ttl < pause or rent >= (write - read) * sent_again:
            border, rent = old, 0.0

    folded = list(messages)
    for number, turn in enumerate(turns[:border], start=1):
        for index in turn:
            if index in removed_of:
                folded[index] = masked(messages[index], number)
    return folded


def turns_of(messages):
    """The indexes of the messages of each turn: an answer, and what follows it."""
    answers = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    return [range(start, end) for start, end in zip(answers, answers[1:] + [len(messages)])]


def before_first(turn, chosen):
    """The indexes of a turn before its first chosen message."""
    return range(turn.start, next(index for index in turn if index in chosen))


def is_tool_result(message):
    """True for a message that holds nothing but results of tools."""
    parts = message.get("content")
    is_results = isinstance(parts, list) and parts and all(part.get("type") == "tool_result" for part in parts)
    return message["role"] == "tool" or bool(is_results)


def masked_tokens(message):
    """The size of a message whose results were left out."""
    content = message["content"]
    return MASKED_TOKENS * (len(content) if message["role"] == "user" and isinstance(content, list) else 1)


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
        messages = request["messages"]
        observations = {index for turn in request["turns"] for index in turn["observations"]}
        tokens = [message["tokens"] for message in messages]
        own = ("keep_recent_turns", "read", "write", "ttl")
        options = {name: value for name, value in request["options"].items() if name in own}
        pauses = [turn.get("pause", 0) for turn in request["turns"]]
        folded = fold(messages, tokens, observations=observations, pauses=pauses, **options)
        print(json.dumps({"id": request["id"], "messages": folded}), flush=True)


if __name__ == "__main__":
    main()
