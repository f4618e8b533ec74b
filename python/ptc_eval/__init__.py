"""Evaluates scenarios and transcripts with the program ptc-eval, and merges the records into reports.

A record is a line of JSON. Records of any number of processes, in any order, make the same reports as one process.
"""

import contextlib
import importlib.metadata
import json
import logging
import os
import queue
import shutil
import subprocess
import sysconfig
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Optional, Union, cast

__all__ = ["PtcEvalError", "Scenario", "__version__", "binary", "evaluate", "merge", "transcripts"]

try:
    __version__ = importlib.metadata.version("ptc-eval")
except importlib.metadata.PackageNotFoundError:
    # A clone on PYTHONPATH, which nothing installed.
    __version__ = "unknown"

#: A scenario or a transcript, as a mapping or as JSON.
Scenario = Union[str, Mapping[str, Any]]
_Path = Union[str, "os.PathLike[str]"]

_log = logging.getLogger(__name__)


class PtcEvalError(RuntimeError):
    """An error of the program, with its message and its exit code; None if the program was not started."""

    def __init__(self, message: str, exit_code: Optional[int] = None) -> None:
        super().__init__(message, exit_code)
        self.exit_code = exit_code

    def __str__(self) -> str:
        return str(self.args[0])


def binary() -> str:
    """The path of the program: that of the variable PTC_EVAL, where pip installs programs, or on the PATH."""
    named = os.environ.get("PTC_EVAL")
    if named:
        found = shutil.which(named)
        if found is None:
            raise PtcEvalError(f"PTC_EVAL is {named}, where there is no program")
    else:
        # pip installs into one of these folders, which need not be on the PATH.
        folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
        found = shutil.which("ptc-eval", path=os.pathsep.join(folders)) or shutil.which("ptc-eval")
        if found is None:
            raise PtcEvalError("ptc-eval is not installed: put it on the PATH, or set PTC_EVAL to its path")
    return os.path.abspath(found)


def evaluate(
    scenarios: Iterable[Scenario],
    suite: Optional[_Path] = None,
    *,
    texts: bool = False,
    options: Sequence[str] = (),
) -> Iterator[str]:
    """The records of scenarios or transcripts, as they come, one for each. Before the first comes a line with the settings of the
    run, which `merge` needs once: keep it with the records. The option `--shard` adds a line for the end, since `merge` has to
    know which lines the shard was offered.

    `suite` is the folder with `suite.yaml`, or that above the folder `scenarios`; without it nothing is configured.
    `texts` keeps the texts of turns and requests, which the page of a report needs. `options` are those of
    `ptc-eval run`. A scenario that cannot be read has a record that says so; it is logged as a warning. Logs of agents
    become transcripts with `transcripts`.
    """
    if isinstance(scenarios, (str, bytes, os.PathLike)):
        # A string would be taken as a scenario for each of its characters.
        raise TypeError(f"expected scenarios, got {scenarios!r}; {_ADVICE}")
    return _records(scenarios, suite, texts, options)


#: What to give to `evaluate` in place of a string that is no scenario.
_ADVICE = (
    "give a list of scenarios or transcripts, an open file of JSON lines, or transcripts(PATH) for a log of an agent"
)


def _records(
    scenarios: Iterable[Scenario], suite: Optional[_Path], texts: bool, options: Sequence[str]
) -> Iterator[str]:
    arguments = ["run", "-", "--format", "full-records" if texts else "records", "--quiet", *options]
    with _folder(suite) as folder, _Program(arguments, folder) as program:
        lines: "queue.SimpleQueue[Optional[str]]" = queue.SimpleQueue()
        settings: list[str] = []
        end: list[str] = []
        threading.Thread(target=_read, args=(program.output, lines, settings, end), daemon=True).start()
        # The iterator runs in the caller's thread: engines do not expect it elsewhere.
        for scenario in scenarios:
            if not program.write(_line(scenario)):
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
        if last["end"]["shard"]["of"] > 1:
            yield from [*settings, end[0]]
        if program.errors():
            _log.warning("%s", program.errors())


def transcripts(path: _Path, *, options: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The conversations of a log of any agent, or of all logs in a folder, as `evaluate` takes them and as they come.

    `options` are those of `ptc-eval import`, such as `["--from", "codex"]`. Keys and passwords are replaced unless
    `--keep-secrets` is among them. What a log holds and no transcript can is logged as a warning.
    """
    arguments = ["import", os.path.abspath(path), "--output", "-", "--transcripts", *options]
    with _Program(arguments, ".") as program:
        program.close_input()
        for line in program.output:
            yield cast("dict[str, Any]", json.loads(line))
        code = program.wait()
        if code != 0:
            raise PtcEvalError(program.errors() or f"ptc-eval ended with {code}", code)
        if program.errors():
            _log.warning("%s", program.errors())


def merge(records: Iterable[str], report_dir: _Path, *, options: Sequence[str] = ()) -> dict[str, Any]:
    """Writes the reports that one run over all scenarios would have written. Returns its summary as `--format json`
    has it, with the exit code. `options` are those of `ptc-eval merge`."""
    arguments = ["merge", "-", "--report-dir", os.fspath(report_dir), "--format", "json", *options]
    with _Program(arguments, ".") as program:
        for record in records:
            if not isinstance(record, str):
                raise TypeError(f"expected a record as evaluate yields it, a str; got {type(record).__name__}")
            if not program.write(record.rstrip("\n").encode() + b"\n"):
                break
        program.close_input()
        summary = program.output.read()
        code = program.wait()
        if not summary:
            raise PtcEvalError(program.errors(), code)
        return cast("dict[str, Any]", json.loads(summary))


@contextlib.contextmanager
def _folder(suite: Optional[_Path]) -> Iterator[_Path]:
    """The folder to evaluate in. Without a suite it is empty: where a worker happens to run configures nothing."""
    if suite is None:
        with tempfile.TemporaryDirectory() as empty:
            yield empty
        return
    folder = Path(suite).resolve()
    is_suite = folder.name == "scenarios" or (folder / "suite.yaml").is_file() or (folder / "scenarios").is_dir()
    if not folder.is_dir() or not is_suite:
        raise PtcEvalError(f"{folder} is no suite: it has neither suite.yaml nor a folder scenarios")
    yield folder


class _Program:
    """The program while it runs. It does not outlive its block."""

    def __init__(self, arguments: Sequence[str], folder: _Path) -> None:
        self._errors = tempfile.TemporaryFile()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [binary(), *arguments], cwd=folder, stdin=pipe, stdout=pipe, stderr=self._errors
        )
        self._input = cast("IO[bytes]", self._process.stdin)
        self.output = cast("IO[bytes]", self._process.stdout)

    def __enter__(self) -> "_Program":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self.close_input()
        self.output.close()
        self._errors.close()

    def write(self, text: bytes) -> bool:
        """False if the program reads no more; it says why itself."""
        try:
            self._input.write(text)
        except BrokenPipeError:
            return False
        return True

    def close_input(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._input.close()

    def wait(self) -> int:
        return self._process.wait()

    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()


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


def _line(scenario: Scenario) -> bytes:
    if isinstance(scenario, str):
        text = scenario.strip()
        # Lines of JSON go to the program as they are, which says what is wrong with them.
        if text and text[0] not in "{[":
            raise ValueError(f"expected a scenario or a transcript as JSON, got {_shortened(text)!r}; {_ADVICE}")
        return (json.dumps(json.loads(text)) if "\n" in text else text).encode() + b"\n"
    return json.dumps(scenario).encode() + b"\n"


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
