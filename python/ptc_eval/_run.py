"""Runs the commands of the program: `advise`, `run`, `import` and `merge`."""

import contextlib
import json
import os
import queue
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path as Folder
from typing import IO, Any, Optional, Union, cast

from ._input import Source, is_path, is_scenario, is_transcript, json_of
from ._program import Path, Program, PtcEvalError, log
from ._result import Result, Rows, record_of

#: A scenario or a transcript, as a mapping or as JSON.
Scenario = Union[str, Mapping[str, Any]]

#: What to give to `records` in place of a string that is no scenario.
_ADVICE = (
    "give a list of scenarios or transcripts, an open file of JSON lines, or transcripts(PATH) for a log of an agent"
)


def advise(
    logs: object = None,
    *,
    agent: Optional[str] = None,
    model: Union[str, Sequence[str]] = (),
    strategies: Sequence[str] = (),
    by: Optional[str] = None,
    report_dir: Optional[Path] = None,
    options: Sequence[str] = (),
) -> Result:
    """What to change in an agent, by its logs: the same as `ptc-eval advise` says.

    `logs` is the path of a log of any agent or of a folder of logs, a list of paths, or conversations: a list of lists of messages
    (of OpenAI, Anthropic or LangChain, as dictionaries or as the objects of their clients), a data frame with `role` and `content`
    in a row for each message and a column such as `conversation_id` (or the one that `by` names), a data frame with `messages` in a
    row for each conversation, or a Series of conversations. Without `logs`, `agent` names a coding agent whose newest sessions on
    this machine are read, such as `"claude-code"`.

    `model` names the model whose prices decide; else it is the one in the logs. `strategies` are further ones to compare, such as
    `["trim,keep_recent_turns=4"]`. `options` are those of `ptc-eval advise`.
    """
    models = [model] if isinstance(model, str) else model
    flags = [*_each("--model", models), *_each("--strategy", strategies), *options]
    with _source(logs, by) as source, _reports(report_dir) as (reports, temporary):
        if agent is not None:
            flags = ["--agent", agent, *flags]
        elif not source.paths:
            raise ValueError("there are no conversations")
        arguments = ["advise", "--format", "records", "--report-dir", str(reports), *flags, "--", *source.paths]
        with Program(arguments) as program:
            program.close_input()
            try:
                found = list(_results(program.output, source, reports))
            finally:
                code = program.wait()
                notes = source.readable(program.errors())
            if not found:
                raise PtcEvalError(notes or f"ptc-eval ended with {code}", code)
        if notes:
            log.warning("%s", notes)
        # The largest agent comes last.
        (_, summary, rows), others = found[-1], found[:-1]
        agents = {name: Result(summary, rows, reports / "agents" / name, temporary) for name, summary, rows in others}
        result = Result(summary, rows, reports, temporary, notes, agents)
        if agents:
            agents[found[-1][0]] = result
        return result


def _results(lines: Iterable[bytes], source: Source, reports: Folder) -> Iterator[tuple[str, Mapping[str, Any], Rows]]:
    """The agents of logs, with summary and rows."""
    settings: Mapping[str, Any] = {}
    rows = Rows([])
    for text in lines:
        line = json.loads(text)
        if "run" in line:
            settings, rows = line, Rows([price["model"] for price in line["run"]["models"]])
        elif "scenario" in line:
            record = record_of({**line, "version": settings["version"]})
            rows.add(record, settings["run"]["baseline"], source.keys.get(line["log"], line["log"]))
        elif "summary" in line:
            yield settings["agent"] or "", line["summary"], rows


def evaluate(
    scenarios: object = None,
    suite: Optional[Path] = None,
    *,
    by: Optional[str] = None,
    report_dir: Optional[Path] = None,
    options: Sequence[str] = (),
) -> Result:
    """Compares the strategies of a suite on scenarios, or on recorded conversations.

    `suite` is the folder with `suite.yaml`, or the one above the folder `scenarios`; it says which strategies are compared, and by
    whose prices. Without it, conversations are compared as `advise` compares them, and scenarios with the defaults of a suite.
    `scenarios` are mappings or JSON, an open file of JSON lines, or conversations as `advise` takes them; without them the scenarios
    of the suite are evaluated. `report_dir` keeps the reports, and the page, which is written only there. `options` are those of `ptc-eval run`, without a suite on conversations those of `ptc-eval advise`.
    """
    texts = report_dir is not None
    if scenarios is None:
        if suite is None:
            raise TypeError("expected scenarios, a suite, or both")
        # A notebook leaves the snapshots of a suite as they are.
        return read_records(_records(None, suite, texts, ["--locked", *options]), report_dir)
    scripted, recorded = _sorted_out(scenarios, by)
    if suite is None and not scripted:
        return advise(recorded, by=by, report_dir=report_dir, options=options)
    if suite is None and recorded is not None:
        raise ValueError("there are scenarios and conversations; which strategies are compared says suite=…")
    # Lines go to the program one by one, so conversations need the form of its transcripts.
    lines = [*scripted, *(_as_transcripts(recorded, by) if recorded is not None else ())]
    return read_records(records(lines, suite, texts=texts, options=options), report_dir)


def _as_transcripts(recorded: object, by: Optional[str]) -> Iterator[Mapping[str, Any]]:
    """Conversations as transcripts; those that are no others stay as they are."""
    if isinstance(recorded, list) and all(map(is_transcript, recorded)):
        yield from recorded
    else:
        yield from transcripts(recorded, by=by)


def _sorted_out(scenarios: object, by: Optional[str]) -> tuple[list[Any], object]:
    """The scenarios, and what is left as conversations; `None` if nothing is."""
    if isinstance(scenarios, (str, bytes, os.PathLike)) or hasattr(scenarios, "columns") or hasattr(scenarios, "index"):
        if isinstance(scenarios, list):
            return _of_list(scenarios)
        return [], scenarios
    if isinstance(scenarios, Mapping):
        return ([scenarios], None) if is_scenario(scenarios) else ([], scenarios)
    return _of_list(list(cast("Iterable[Any]", scenarios)))


def _of_list(items: list[Any]) -> tuple[list[Any], object]:
    items = [item.strip() if isinstance(item, str) else item for item in items]
    items = [item for item in items if not isinstance(item, str) or item]
    scripted = [item for item in items if is_scenario(item)]
    recorded = [item for item in items if not is_scenario(item)]
    return scripted, recorded if recorded or not scripted else None


def records(
    scenarios: Iterable[Scenario],
    suite: Optional[Path] = None,
    *,
    texts: bool = False,
    options: Sequence[str] = (),
) -> Iterator[str]:
    """The records of scenarios or transcripts, one each as they come, for engines such as Spark: records of any number of machines in
    any order make the reports of one run, by `merge`. Before the first one comes a line with the settings of the run, which `merge`
    needs once: keep it with the records. The option `--shard` adds a line for the end, since `merge` has to know which lines the
    shard was offered.

    Recorded conversations need a `suite`, since each machine sees only some of them: `advise(sample, options=["--save", FOLDER])`
    writes one. They are transcripts, as `transcripts` makes them. `texts` keeps the texts of turns and requests, which the page of a
    report needs. `options` are those of `ptc-eval run`. A scenario that cannot be read has a record that says so; it is logged as a
    warning.
    """
    if isinstance(scenarios, (str, bytes, os.PathLike)):
        # A string would be taken as a scenario for each of its characters.
        raise TypeError(f"expected scenarios, got {scenarios!r}; {_ADVICE}")
    return _records(scenarios, suite, texts, options)


def _records(
    scenarios: Optional[Iterable[Scenario]], suite: Optional[Path], texts: bool, options: Sequence[str]
) -> Iterator[str]:
    """The records of lines, or of the scenarios of a suite."""
    source = "." if scenarios is None else "-"
    arguments = ["run", source, "--format", "full-records" if texts else "records", "--quiet", *options]
    with _folder(suite) as folder, Program(arguments, folder) as program:
        lines: "queue.SimpleQueue[Optional[str]]" = queue.SimpleQueue()
        settings: list[str] = []
        end: list[str] = []
        threading.Thread(target=_read, args=(program.output, lines, settings, end), daemon=True).start()
        # The iterator runs in the caller's thread: engines do not expect it elsewhere.
        for number, scenario in enumerate(scenarios or ()):
            if not program.write(_line(scenario, number, suite is None)):
                break
            while not lines.empty():
                if (line := lines.get()) is None:
                    # The program has refused to go on; the loop below waits for this end, too.
                    lines.put(None)
                    break
                yield line
        program.close_input()
        while (line := lines.get()) is not None:
            yield line
        code = program.wait()
        last = json.loads(end[0]) if end else {}
        if "end" not in last:
            raise PtcEvalError(program.errors() or f"ptc-eval ended with {code} before its last record", code)
        if scenarios is None or last["end"]["shard"]["of"] > 1:
            yield from [*settings, end[0]]
        if program.errors():
            log.warning("%s", program.errors())


def transcripts(logs: object, *, by: Optional[str] = None, options: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The conversations of logs in the format of the program, as `records` takes them and as they come. `logs` is what `advise` takes.

    `options` are those of `ptc-eval import`, such as `["--from", "codex"]`. Keys and passwords are replaced unless
    `--keep-secrets` is among them. What a log holds and no transcript can is logged as a warning.
    """
    with _source(logs, by) as source:
        if not source.paths:
            return
        arguments = ["import", "--output", "-", "--transcripts", *options, "--", *source.paths]
        with Program(arguments) as program:
            program.close_input()
            for line in program.output:
                yield cast("dict[str, Any]", json.loads(line))
            code = program.wait()
            said = source.readable(program.errors())
            if code != 0:
                raise PtcEvalError(said or f"ptc-eval ended with {code}", code)
            if said:
                log.warning("%s", said)


def merge(records: Iterable[str], report_dir: Path, *, options: Sequence[str] = ()) -> dict[str, Any]:
    """Writes the reports that one run over all scenarios would have written. Returns its summary as `--format json`
    has it, with the exit code. `options` are those of `ptc-eval merge`."""
    arguments = ["merge", "-", "--report-dir", os.fspath(report_dir), "--format", "json", *options]
    with Program(arguments) as program:
        for record in records:
            if not isinstance(record, str):
                raise TypeError(f"expected a record as records yields it, a str; got {type(record).__name__}")
            if not program.write(record.rstrip("\n").encode() + b"\n"):
                break
        program.close_input()
        summary = program.output.read()
        code = program.wait()
        if not summary:
            raise PtcEvalError(program.errors(), code)
        return cast("dict[str, Any]", json.loads(summary))


def read_records(records: Iterable[str], report_dir: Optional[Path] = None) -> Result:
    """The result of records, which may come from any number of machines in any order, with its tables."""
    with _reports(report_dir) as (reports, temporary):
        kept = list(records)
        if not kept:
            raise ValueError("there are no scenarios")
        summary = merge(kept, reports)
        settings: Mapping[str, Any] = {}
        for text in kept:
            if '"run":' in text[:200_000] and "run" in (line := json.loads(text)):
                settings = line["run"]
                break
        rows = Rows([price["model"] for price in settings["models"]])
        seen = set()
        for text in kept:
            line = json.loads(text)
            # One that an engine evaluated twice counts once.
            if "scenario" in line and line["key"]["name"] not in seen:
                seen.add(line["key"]["name"])
                record = record_of(line)
                rows.add(record, settings["baseline"], record["origin"]["path"])
        return Result(summary, rows, reports, temporary)


@contextlib.contextmanager
def _source(logs: object, by: Optional[str]) -> Iterator[Source]:
    with tempfile.TemporaryDirectory(prefix="ptc-eval-") as folder:
        source = Source(Folder(folder).resolve())
        if logs is not None:
            source.add_all(logs, by)
        yield source


@contextlib.contextmanager
def _reports(
    report_dir: Optional[Path],
) -> "Iterator[tuple[Folder, Optional[tempfile.TemporaryDirectory[str]]]]":
    """The folder of reports. A temporary one lives as long as the object beside it."""
    if report_dir is not None:
        yield Folder(report_dir), None
        return
    temporary = tempfile.TemporaryDirectory(prefix="ptc-eval-")
    yield Folder(temporary.name), temporary


@contextlib.contextmanager
def _folder(suite: Optional[Path]) -> Iterator[Path]:
    """The folder to evaluate in. Without a suite it is empty: where a worker happens to run configures nothing."""
    if suite is None:
        with tempfile.TemporaryDirectory() as empty:
            yield empty
        return
    folder = Folder(suite).resolve()
    is_suite = folder.name == "scenarios" or (folder / "suite.yaml").is_file() or (folder / "scenarios").is_dir()
    if not folder.is_dir() or not is_suite:
        raise PtcEvalError(f"{folder} is no suite: it has neither suite.yaml nor a folder scenarios")
    yield folder


def _each(option: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (option, value)]


def _read(
    out: IO[bytes], lines: "queue.SimpleQueue[Optional[str]]", settings: list[str], end: list[str]
) -> None:
    """Hands out all lines but the last, which is the end, and then None. The first has the settings, which wait for a record."""
    with contextlib.suppress(ValueError):  # Closed, because nobody wants the rest.
        settings += [line.decode().rstrip("\n") for line in [out.readline()] if line]
        for line in out:
            if end:
                if settings:
                    lines.put(settings.pop())
                lines.put(end.pop())
            end.append(line.decode().rstrip("\n"))
    lines.put(None)


def _line(scenario: Scenario, number: int, is_alone: bool) -> bytes:
    if isinstance(scenario, str):
        text = scenario.strip()
        # Lines of JSON are passed on unchanged; the program reports what is wrong with them.
        if text and is_path(text):
            raise ValueError(f"expected a scenario or a transcript as JSON, got {_shortened(text)!r}; {_ADVICE}")
        line = (json.dumps(json.loads(text)) if "\n" in text else text).encode() + b"\n"
    else:
        line = json.dumps(json_of(scenario, f"scenario {number + 1}")).encode() + b"\n"
    if is_alone and b'"messages"' in line and not is_scenario(line.decode()):
        raise ValueError(
            "recorded conversations need a suite, which says what they are compared by: advise(logs) takes them without one, and "
            'advise(sample, options=["--save", FOLDER]) writes a suite for records(…, suite=FOLDER)'
        )
    return line


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
