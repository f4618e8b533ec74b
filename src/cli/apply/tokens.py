import functools

import tiktoken


def count_tokens(message):
    """The tokens of a message, about as ptc-eval counts them. A quarter of its characters does nearly as well."""
    functions = [call["function"] for call in message.get("tool_calls") or []]
    calls = sum(8 + tokens_of(function["name"]) + tokens_of(function["arguments"]) for function in functions)
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "\n".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return 4 + tokens_of(content) + calls


@functools.lru_cache(maxsize=10_000)
def tokens_of(text):
    return len(tiktoken.get_encoding("o200k_base").encode(text, disallowed_special=()))
