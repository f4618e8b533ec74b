import functools

import tiktoken


def count_tokens(message):
    """The tokens of a message, about as ptc-eval counts them. A quarter of its characters does nearly as well."""
    # A call of a custom tool has one text in place of arguments.
    functions = [call.get("function") or call.get("custom") or {} for call in message.get("tool_calls") or []]
    arguments = [function.get("arguments") or function.get("input") or "" for function in functions]
    calls = sum(8 + tokens_of(text) for text in arguments) + sum(tokens_of(one.get("name") or "") for one in functions)
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "\n".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return 4 + tokens_of(content) + calls


@functools.lru_cache(maxsize=10_000)
def tokens_of(text):
    return len(tiktoken.get_encoding("o200k_base").encode(text, disallowed_special=()))
