import functools
import os
import tempfile

VOCABULARY = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""The name of o200k_base in the cache of tiktoken."""


def load_encoding():
    """The encoding o200k_base if its vocabulary is on this machine. An agent must not wait for a download, or end with it."""
    usual = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", usual))
    if not folder or not os.path.exists(os.path.join(folder, VOCABULARY)):
        return None
    try:
        import tiktoken

        return tiktoken.get_encoding("o200k_base")
    except Exception:
        return None


ENCODING = load_encoding()


def count_tokens(message):
    """The tokens of a message, about as ptc-eval counts them."""
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
    return len(ENCODING.encode(text, disallowed_special=())) if ENCODING else len(text) // 4
