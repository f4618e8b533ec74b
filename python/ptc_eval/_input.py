"""Conversations as Python has them: logs, messages of OpenAI, Anthropic and LangChain, data frames. Each becomes a file that the
program reads, since it knows the formats."""

import dataclasses
import datetime
import decimal
import enum
import json
import math
import os
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Optional

#: Columns of a frame with a row for each message, by which its rows belong together.
GROUPS = (
    "conversation",
    "conversation_id",
    "session",
    "session_id",
    "thread",
    "thread_id",
    "trace_id",
    "run_id",
    "chat_id",
    "task_id",
)
#: Names of times in frames that no log has.
_TIMES = {"time": "timestamp", "date": "timestamp", "datetime": "timestamp"}

#: Fields of transcripts and of their messages, and their roles.
_TRANSCRIPT = {"name", "source", "system", "tools", "messages", "compactions", "outcome"}
_MESSAGE = {
    *("role", "content", "tool_calls", "call", "is_error", "is_observation", "images", "reinjected"),
    *("time", "duration", "usage"),
}
_ROLES = ("user", "assistant", "tool")

#: Something that is taken, for errors.
ACCEPTED = (
    "the path of a log or a folder, a list of conversations, a data frame, or a Series of conversations; a conversation is a list "
    "of messages, or an object with `messages`"
)


class Source:
    """The logs that the program reads: those of paths, and files that were written of other things."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.paths: list[str] = []
        #: What each written file holds, by its path: the index of a list or a Series, or the value of a column.
        self.keys: dict[str, Any] = {}

    def add_all(self, logs: object, by: Optional[str] = None) -> None:
        for key, log in _conversations(logs, by):
            self.add(key, log)

    def add(self, key: Any, log: object) -> None:
        if is_path(log):
            path = os.fspath(log)  # type: ignore[call-overload]
            if not os.path.exists(path):
                raise FileNotFoundError(f"there is no log {path!r}")
            self.paths.append(path)
            return
        # Conversations are called like their files, which are read in the order of the folders.
        named = log.get("name") if isinstance(log, Mapping) else None
        name = re.sub(r"[^\w.-]+", "-", str(named if isinstance(named, str) else key)).strip("-.")[:100]
        folder = self._folder / f"{len(self.keys) + 1:09}"
        folder.mkdir()
        # The format of transcripts has no mark of its own, so the program goes by the name.
        end = "transcript.json" if is_transcript(log) else "json"
        path = str(folder / f"{name or key}.{end}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(log if isinstance(log, str) else json.dumps(conversation(log, f"conversation {key!r}")))
        self.keys[path] = key
        if len(self.keys) == 1:
            self.paths.append(str(self._folder))

    def readable(self, text: str) -> str:
        """A text of the program that names the conversations in place of the files that were written of them."""
        for path, key in self.keys.items():
            if path in text:
                text = text.replace(path, f"conversation {key!r}")
        return text


def is_path(log: object) -> bool:
    return isinstance(log, os.PathLike) or isinstance(log, str) and not log.lstrip().startswith(("{", "["))


def is_transcript(item: object) -> bool:
    """True for a conversation in the format of the program, as `transcripts` gives it."""
    if not isinstance(item, Mapping) or "name" not in item or not set(item) <= _TRANSCRIPT:
        return False
    messages = item.get("messages")
    return isinstance(messages, list) and all(_is_of_transcript(message) for message in messages)


def _is_of_transcript(message: object) -> bool:
    if not isinstance(message, Mapping) or not set(message) <= _MESSAGE or message.get("role") not in _ROLES:
        return False
    calls = message.get("tool_calls", [])
    return isinstance(calls, list) and all(isinstance(call, Mapping) and "function" not in call for call in calls)


def is_scenario(item: object) -> bool:
    """True for a scenario of a suite, which is no recorded conversation."""
    if isinstance(item, str):
        return not is_path(item) and is_scenario(json.loads(item))
    return isinstance(item, Mapping) and "messages" not in item and not _is_log(item)


def _is_log(item: Mapping[Any, Any]) -> bool:
    """True for a mapping of which a conversation is made, though it has no messages: a request, a trace, a span."""
    return not ({"mission", "responses"} & set(item)) and any(
        isinstance(value, (list, tuple)) and value and _is_message(value[0]) for value in item.values()
    )


def _conversations(logs: object, by: Optional[str]) -> Iterator[tuple[Any, object]]:
    """The conversations with what names each."""
    if is_path(logs):
        yield 0, logs
    elif isinstance(logs, str) or isinstance(logs, Mapping):
        yield 0, logs
    elif (rows := _rows(logs)) is not None:
        yield from _of_frame(rows, by)
    elif hasattr(logs, "items") and hasattr(logs, "index"):
        yield from logs.items()  # A Series of pandas.
    elif isinstance(logs, Iterable) and not isinstance(logs, (bytes, bytearray)):
        yield from _of_list(logs)
    else:
        raise TypeError(f"expected {ACCEPTED}; got {type(logs).__name__}")


def _of_list(logs: Iterable[Any]) -> Iterator[tuple[Any, object]]:
    items = iter(logs)
    first = next(items, None)
    if first is None:
        return
    if _is_message(first):
        yield 0, [first, *items]
        return
    yield 0, first
    yield from enumerate(items, 1)


def _is_message(value: object) -> bool:
    if isinstance(value, Mapping):
        return "messages" not in value and ("role" in value or {"type", "content"} <= set(value))
    return isinstance(getattr(value, "role", getattr(value, "type", None)), str) and hasattr(value, "content")


def _rows(logs: object) -> Optional[list[dict[str, Any]]]:
    """The rows of a data frame of pandas, polars or Arrow; `None` for anything else."""
    if not hasattr(logs, "columns"):
        return None
    for method, arguments in (("to_dicts", ()), ("to_pylist", ()), ("to_dict", ("records",))):
        if hasattr(logs, method):
            rows: list[dict[str, Any]] = getattr(logs, method)(*arguments)
            return rows
    return None


def _of_frame(rows: list[dict[str, Any]], by: Optional[str]) -> Iterator[tuple[Any, object]]:
    columns = list(rows[0]) if rows else []
    if by is not None and rows and by not in columns:
        raise ValueError(f"there is no column {by!r}; the frame has {', '.join(map(str, columns))}")
    group = by or next((name for name in GROUPS if name in columns), None)
    if "messages" in columns:
        for number, row in enumerate(rows):
            messages = row["messages"]
            log = messages if isinstance(messages, str) else {**row, "messages": messages}
            yield (number if group is None else row[group]), log
    elif {"role", "content"} <= set(columns):
        grouped: dict[Any, list[Any]] = {}
        for row in rows:
            key = None if group is None else row[group]
            message = {_TIMES.get(name, name): value for name, value in row.items() if name != group}
            grouped.setdefault(key, []).append(_without_missing(message))
        for number, (key, messages) in enumerate(grouped.items()):
            yield (number if group is None else key), messages
    elif rows:
        raise ValueError(
            f"the frame has the columns {', '.join(map(str, columns))}; expected `role` and `content` in a row for each message, with "
            "a column such as `conversation_id` for the rows of one conversation (or name it with by=…), or `messages` in a row for "
            "each conversation"
        )


def _without_missing(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without the cells that are empty, and with lists that are written as JSON."""
    plain = {name: json_of(value, f"column {name!r}") for name, value in row.items()}
    for name, value in plain.items():
        if name == "tool_calls" and isinstance(value, str):
            plain[name] = json.loads(value) if value.strip() else None
    return {name: value for name, value in plain.items() if value is not None}


def conversation(log: object, place: str) -> Any:
    """A conversation as JSON that a reader of the program knows."""
    if isinstance(log, Mapping):
        return json_of(log, place)
    if isinstance(log, Iterable) and not isinstance(log, (str, bytes, bytearray)) and not hasattr(log, "model_dump"):
        messages = []
        for number, message in enumerate(log):
            at = f"{place}, message {number + 1}"
            plain = json_of(message, at)
            if not isinstance(plain, dict):
                raise TypeError(f"{at}: expected a message with a role and content, got {type(message).__name__}")
            messages.append(plain)
        is_typed = any("data" in message for message in messages)
        return messages if is_typed else {"messages": messages}
    plain = json_of(log, place)
    if not isinstance(plain, dict):
        raise TypeError(f"{place}: expected a list of messages, or an object with `messages`, got {type(log).__name__}")
    return plain


def json_of(value: Any, place: str) -> Any:
    """A value as JSON has it: also dates, numbers of numpy, messages of client libraries and other objects with fields."""
    if value is None or isinstance(value, (bool, int, str)) and type(value) in (bool, int, str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_of(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [json_of(item, f"{place}[{number}]") for number, item in enumerate(value)]
    if isinstance(value, (datetime.date, datetime.time)):
        return None if value != value else value.isoformat()
    return _json_of_object(value, place)


def _json_of_object(value: Any, place: str) -> Any:
    if isinstance(value, enum.Enum):
        return json_of(value.value, place)
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, decimal.Decimal):
        return json_of(float(value), place)
    if isinstance(value, (uuid.UUID, os.PathLike)):
        return str(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if type(value).__name__ == "datetime64":
        return None if value != value else str(value)
    if hasattr(value, "model_dump"):
        fields = value.model_dump(mode="json", exclude_none=True, warnings=False)
        # A message of LangChain.
        is_typed = hasattr(value, "additional_kwargs") and hasattr(value, "type")
        return {"type": value.type, "data": fields} if is_typed else fields
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return json_of(dataclasses.asdict(value), place)
    if hasattr(value, "to_list"):
        return json_of(value.to_list(), place)
    if hasattr(value, "tolist"):
        return json_of(value.tolist(), place)
    raise TypeError(f"{place}: expected text, numbers, dates, lists, mappings or messages, got {type(value).__name__}")
