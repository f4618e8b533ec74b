"""Scenarios and transcripts, and the reports of one process over them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

STRATEGIES = "strategies: [full-history, single-user-coalesced, trim]\n"


def scenario(number: int) -> dict:
    """A scenario of two turns, or a transcript."""
    name = f"s{number:04}"
    if number % 3 == 0:
        said = [{"role": "user", "content": f"Find the parcel {number}."}, {"role": "assistant", "content": "Found."}]
        return {"name": name, "messages": said}
    look = {"program": "(println data/numbers)"}
    add = {"program": "(return (reduce + data/numbers))"}
    wrong = {"value": -1} if number % 50 == 1 else {}
    return {
        "name": name,
        "mission": "Add the numbers — alle.",
        "data": {"numbers": list(range(number))},
        "responses": [look, add],
        "expect": wrong,
    }


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture(scope="session")
def suite(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("project") / "suite"
    folder.mkdir()
    (folder / "suite.yaml").write_text(STRATEGIES)
    return folder


@pytest.fixture(scope="session")
def lines(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("lines") / "scenarios.jsonl"
    path.write_text("".join(json.dumps(scenario(number)) + "\n" for number in range(200)))
    return path


@pytest.fixture(scope="session")
def logs(tmp_path_factory) -> Path:
    """A folder with logs of OpenAI's API, each a request with its history."""
    folder = tmp_path_factory.mktemp("logs")
    for number in range(12):
        said = [{"role": "user", "content": f"Find the parcel {number}."}, {"role": "assistant", "content": "Found."}]
        (folder / f"{number:02}.json").write_text(json.dumps({"model": "gpt-5", "messages": said}))
    return folder


@pytest.fixture(scope="session")
def suite_of_logs(logs, tmp_path_factory) -> Path:
    """The suite that `advise` makes of a sample of logs."""
    import ptc_eval

    folder = tmp_path_factory.mktemp("saved") / "scenarios"
    sample = sorted(logs.iterdir())[:4]
    ptc_eval.advise(sample, options=["--save", str(folder)])
    (folder / "logs.jsonl").unlink()
    return folder


@pytest.fixture(scope="session")
def whole(suite, lines, tmp_path_factory) -> dict[str, bytes]:
    """The files of a single run, without the page: the others need no texts."""
    folder = tmp_path_factory.mktemp("whole") / "reports"
    command = [os.environ["PTC_EVAL"], "run", "-", "--report-dir", str(folder), "--format", "json"]
    with lines.open("rb") as scenarios:
        assert subprocess.run(command, cwd=suite, stdin=scenarios, stdout=subprocess.DEVNULL).returncode == 1
    return {name: text for name, text in files(folder).items() if name not in ("index.html", "results.json")}


@pytest.fixture
def same_as_one_run(whole, tmp_path):
    """Checks that records make the reports of a single run, byte for byte."""
    import ptc_eval

    def check(records) -> None:
        summary = ptc_eval.merge(records, tmp_path / "merged")
        assert (summary["scenarios"], summary["exit_code"], summary["judged"]) == (200, 1, False)
        merged = files(tmp_path / "merged")
        merged.pop("results.json")
        assert merged == whole

    return check
