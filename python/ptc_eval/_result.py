"""The result of an evaluation: what the program says, and tables of everything that it measured."""

import base64
import html
import json
import tempfile
import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional

from ._program import PtcEvalError
from ._table import Column, Table, column_of, of_rows

#: The version of records whose lists have the fields below, in this order.
_VERSION = 10
_REQUEST = (
    "turn",
    "messages",
    "input_tokens",
    "output_tokens",
    "prefix_tokens",
    "break_at",
    "evidence",
    "hidden_tool_calls",
    "valid",
    "stats",
    "bills",
)
#: After `enabled` and the strategy.
_COUNTS = (
    "turns_compressed",
    "tool_calls_total",
    "tool_calls_shown",
    "tool_calls_dropped",
    "printlns_total",
    "printlns_shown",
    "printlns_dropped",
    "error_turns_collapsed",
)


class Result:
    """What an evaluation found. `print` it for what the program says; a notebook shows it with the table of strategies.

    `strategies` has a row for each strategy, `requests` one for each request under each strategy, `answers` one for each answer
    under each strategy with what its request lacks, and `conversations` one for each conversation or scenario.
    """

    def __init__(
        self,
        summary: Mapping[str, Any],
        rows: "Rows",
        report_dir: Path,
        folder: "Optional[tempfile.TemporaryDirectory[str]]" = None,
        notes: str = "",
        agents: "Optional[dict[str, Result]]" = None,
    ) -> None:
        #: The strategy to use: the baseline if nothing is both cheaper and safe; `None` if there is too little to tell.
        self.recommended: Optional[str] = summary["recommended"]
        #: The same as the program prints with `--format json`.
        self.summary = summary
        #: What the program says of the input, such as content that it left out.
        self.notes = notes
        #: The folder of the reports. Without `report_dir` it is gone when the result is.
        self.report_dir = report_dir
        #: The result of each agent, by its name, if the logs are of several; this one is of the largest.
        self.agents: dict[str, Result] = agents or {}
        self.strategies: Table = of_rows([{"strategy": row["name"], **_without(row, "name")} for row in summary["strategies"]])
        self.requests: Table = rows.requests()
        self.answers: Table = rows.answers()
        self.conversations: Table = rows.conversations()
        self._folder = folder

    def df(self) -> Any:
        """The table of strategies as a data frame of pandas, or of polars if there is no pandas."""
        return self.strategies.df()

    @property
    def page(self) -> Optional[Path]:
        """The page with everything: which answers lack what, turn by turn. `None` if the reports have none."""
        page = self.report_dir / "index.html"
        return page if page.is_file() else None

    def __str__(self) -> str:
        return str(self.summary["text"])

    def __repr__(self) -> str:
        return f"<Result: recommended {self.recommended!r}, {len(self.conversations)} conversations>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>{self.strategies._repr_html_()}"


class Rows:
    """The rows of tables, from the records of conversations as they come."""

    def __init__(self, models: list[str]) -> None:
        self._models = models
        self._names: list[str] = []
        self._logs: list[Any] = []
        self._endings: list[str] = []
        self._failures: "array[int]" = array("q")
        self._turns: "array[int]" = array("q")
        self._output: "array[int]" = array("q")
        self._scenario: list[str] = []
        self._strategy: list[str] = []
        self._numbers: "dict[str, array[int]]" = {
            name: array("q")
            for name in (
                *("turn", "input_tokens", "output_tokens", "prefix_tokens", "hidden_tool_calls", "messages"),
                *_COUNTS,
                *("evidence_needed", "evidence_reachable", "evidence_own", "evidence_gone"),
            )
        }
        self._evidence: "array[float]" = array("d")
        self._break_at: list[str] = []
        self._flags: dict[str, list[bool]] = {"larger": [], "valid": [], "enabled": []}
        self._lost: list[list[Mapping[str, Any]]] = []
        self._bills: "list[tuple[array[int], array[int], array[float]]]" = [
            (array("q"), array("q"), array("d")) for _ in models
        ]

    def add(self, record: Mapping[str, Any], baseline: str, log: Any) -> None:
        self._names.append(record["name"])
        self._logs.append(log)
        self._endings.append(record["outcome"])
        self._failures.append(len(record["failures"]))
        self._turns.append(len(record["output_tokens"]))
        self._output.append(sum(record["output_tokens"]))
        rivals: list[int] = []
        for run in record["strategies"]:
            if run["name"] == baseline:
                rivals = [request[_REQUEST.index("input_tokens")] for request in run["requests"]]
        for run in record["strategies"]:
            requests = run["requests"]
            if not requests:
                continue
            self._scenario += [record["name"]] * len(requests)
            self._strategy += [run["name"]] * len(requests)
            self._add_requests(dict(zip(_REQUEST, zip(*requests))), rivals)

    def _add_requests(self, columns: Mapping[str, Any], rivals: list[int]) -> None:
        numbers = self._numbers
        for name in ("turn", "input_tokens", "output_tokens", "prefix_tokens", "hidden_tool_calls"):
            numbers[name].extend(columns[name])
        # The messages that the request before begins with too, then the others.
        numbers["messages"].extend(messages[0] + len(messages) - 1 for messages in columns["messages"])
        enabled, _, *counts = zip(*columns["stats"])
        for name, values in zip(_COUNTS, counts):
            numbers[name].extend(values)
        for evidence in columns["evidence"]:
            shown, lacked = evidence.get("shown", 0), 0
            for grade in ("reachable", "own", "gone"):
                number = evidence.get(grade, 0)
                numbers[f"evidence_{grade}"].append(number)
                lacked += number
            numbers["evidence_needed"].append(shown + lacked)
            self._evidence.append(shown / (shown + lacked) if shown + lacked else float("nan"))
            self._lost.append(evidence.get("lost", []))
        tokens = columns["input_tokens"]
        larger = [own > rival for own, rival in zip(tokens, rivals)]
        self._flags["larger"] += larger + [False] * (len(tokens) - len(larger))
        self._flags["valid"] += columns["valid"]
        self._flags["enabled"] += enabled
        self._break_at += columns["break_at"]
        for (cached, written, cost), bills in zip(self._bills, zip(*columns["bills"])):
            for bill in bills:
                cached.append(bill[0])
                written.append(bill[1])
                cost.append(float(bill[2]))

    def requests(self) -> Table:
        """The columns of requests.csv, in their order."""
        numbers = {name: Column(int, values) for name, values in self._numbers.items()}
        lost = ["; ".join(map(_item, items)) for items in self._lost]
        columns = {"scenario": Column(str, self._scenario), "strategy": Column(str, self._strategy)}
        columns.update({name: numbers[name] for name in ("turn", "input_tokens", "output_tokens", "prefix_tokens")})
        columns.update({"break_at": Column(str, self._break_at), "larger": Column(bool, self._flags["larger"])})
        columns.update({"evidence": Column(float, self._evidence), "lost": Column(str, lost)})
        columns.update({"hidden_tool_calls": numbers["hidden_tool_calls"], "valid": Column(bool, self._flags["valid"])})
        columns.update({"messages": numbers["messages"], "enabled": Column(bool, self._flags["enabled"])})
        columns.update({name: column for name, column in numbers.items() if name not in columns})
        for model, (cached, written, cost) in zip(self._models, self._bills):
            columns[f"cached_tokens:{model}"] = Column(int, cached)
            columns[f"written_tokens:{model}"] = Column(int, written)
            columns[f"cost:{model}"] = Column(float, cost)
        return Table(columns)

    def answers(self) -> Table:
        """The answers that use anything that came up before, under each strategy."""
        numbers = self._numbers
        at = [row for row, needed in enumerate(numbers["evidence_needed"]) if needed]
        grades = {}
        for grade in ("needed", "reachable", "own", "gone"):
            grades[grade] = array("q", [numbers[f"evidence_{grade}"][row] for row in at])
        shown = array("q", [needed - sum(lacked) for needed, *lacked in zip(*grades.values())])
        # What a later call can fetch again is not missing.
        lacks_fact = [own + gone > 0 for own, gone in zip(grades["own"], grades["gone"])]
        return Table(
            {
                "scenario": Column(str, [self._scenario[row] for row in at]),
                "strategy": Column(str, [self._strategy[row] for row in at]),
                "turn": Column(int, array("q", [numbers["turn"][row] for row in at])),
                "lacks_fact": Column(bool, lacks_fact),
                "shown": Column(int, shown),
                **{grade: Column(int, values) for grade, values in grades.items()},
                "lost": Column(list, [[str(item["what"]) for item in self._lost[row]] for row in at]),
            }
        )

    def conversations(self) -> Table:
        is_text = all(isinstance(log, str) for log in self._logs)
        return Table(
            {
                "scenario": Column(str, self._names),
                "log": Column(str, self._logs) if is_text else column_of(self._logs),
                "turns": Column(int, self._turns),
                "output_tokens": Column(int, self._output),
                "outcome": Column(str, self._endings),
                "failures": Column(int, self._failures),
            }
        )


def record_of(line: Mapping[str, Any]) -> Any:
    """The record in a line, which is packed if it has no texts."""
    if line.get("version", _VERSION) != _VERSION:
        raise PtcEvalError(f"the program writes records of version {line['version']}; this package reads {_VERSION}")
    record = line["scenario"]
    if isinstance(record, str):
        return json.loads(zlib.decompress(base64.b64decode(record), -zlib.MAX_WBITS))
    return record


def _item(item: Mapping[str, Any]) -> str:
    """As requests.csv has it: `Laptop (gone, turn 1)`."""
    more = item.get("more_lines", 0)
    lines = f" and {more} line{'s' if more > 1 else ''} more" if more else ""
    turn = "" if item["turn"] is None else f", turn {item['turn']}"
    return f"{item['what']}{lines} ({item['grade']}{turn})"


def _without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
