"""`advise` of the package says what the command says, on every log of the repository."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import ptc_eval

LOGS = Path(__file__).parents[2] / "crates" / "agent-logs" / "tests" / "logs"


def command(arguments: list[str], report_dir: Path) -> subprocess.CompletedProcess:
    program = [ptc_eval.binary(), "advise", *arguments, "--report-dir", str(report_dir)]
    return subprocess.run(program, capture_output=True, text=True)


def shipped() -> Iterator[Path]:
    for path in sorted(LOGS.rglob("*")):
        if path.is_file() and path.suffix not in (".golden", ".md") and path.parent.name != "broken":
            yield path


def same(ours: pd.DataFrame, csv: Path) -> None:
    theirs = pd.read_csv(csv, keep_default_na=False, na_values=[""])
    assert list(ours) == list(theirs)
    for name in theirs:
        left, right = ours[name], theirs[name]
        if left.dtype == object or str(left.dtype) == "str":
            assert [value or "" for value in left] == [value if isinstance(value, str) else "" for value in right], name
        else:
            pd.testing.assert_series_equal(left.astype(float), right.astype(float), check_exact=True)


@pytest.mark.parametrize("format", sorted({path.parent.name for path in shipped()}))
def test_it_equals_the_command_on_every_log(format, tmp_path):
    judged = 0
    for log in shipped():
        if log.parent.name != format:
            continue
        # The same folder, since the page is named.
        said = command([str(log)], tmp_path / "reports")
        if said.returncode != 0:
            with pytest.raises(ptc_eval.PtcEvalError) as error:
                ptc_eval.advise(log)
            assert error.value.exit_code == said.returncode
            continue
        kept = (tmp_path / "reports" / "strategies.csv").read_bytes()
        results = (tmp_path / "reports" / "results.json").read_bytes()
        found = ptc_eval.advise(log, report_dir=tmp_path / "reports")
        text = str(found)
        if found.agents:
            # The terminal begins with the number of agents.
            text = said.stdout[: said.stdout.index("\n\n") + 2] + text
        assert text == said.stdout
        assert (tmp_path / "reports" / "strategies.csv").read_bytes() == kept
        assert (tmp_path / "reports" / "results.json").read_bytes() == results
        same(found.df(), tmp_path / "reports" / "strategies.csv")
        # The same conversations in the hands of Python.
        again = ptc_eval.evaluate(ptc_eval.transcripts(log, options=["--keep-secrets"]))
        assert (again.recommended, again.summary["is_strong"]) == (found.recommended, found.summary["is_strong"])
        pd.testing.assert_frame_equal(again.df(), found.df())
        judged += 1
    assert judged > 0


def test_a_folder_and_a_list_of_paths(tmp_path):
    folder = LOGS / "codex"
    whole = ptc_eval.advise(folder)
    listed = ptc_eval.advise(sorted(path for path in folder.iterdir() if path.suffix != ".golden"))
    assert len(whole.conversations) > 3
    pd.testing.assert_frame_equal(whole.df(), listed.df())
    assert set(whole.conversations["log"]) <= {str(path) for path in folder.iterdir()}
    with pytest.raises(FileNotFoundError, match="there is no log 'nowhere.jsonl'"):
        ptc_eval.advise("nowhere.jsonl")


def test_each_agent_has_a_result(tmp_path):
    found = ptc_eval.advise([LOGS / "codex", LOGS / "aider"])
    assert len(found.agents) > 1
    assert found.agents[found.summary["agent"]] is found
    assert str(found).startswith(found.summary["agent"])
    for name, agent in found.agents.items():
        assert agent.summary["agent"] == name
        assert agent.page is not None
        assert len(agent.conversations) == agent.summary["conversations"]


def test_rows_are_those_of_the_reports(tmp_path):
    suite = tmp_path / "scenarios"
    ptc_eval.advise(LOGS / "claude-code", options=["--one-agent", "--save", str(suite)])
    conversations = [json.loads(line) for line in (suite / "logs.jsonl").read_text().splitlines()]
    rows_are_those_of_the_reports(ptc_eval.evaluate(conversations, suite), suite, tmp_path / "logs")
    suite = LOGS.parents[3] / "scenarios"
    found = ptc_eval.evaluate(suite=suite, report_dir=tmp_path / "reports")
    assert found.page == tmp_path / "reports" / "index.html"
    assert ptc_eval.evaluate([conversations[0]], tmp_path / "scenarios").page is None
    rows_are_those_of_the_reports(found, suite, tmp_path / "suite")
    answers = found.answers.df()
    assert answers.lacks_fact.sum() > 0
    with pytest.raises(TypeError, match="expected scenarios, a suite, or both"):
        ptc_eval.evaluate()


def rows_are_those_of_the_reports(found, suite: Path, folder: Path) -> None:
    run = [ptc_eval.binary(), "run", str(suite), "--locked", "--requests-csv", "--report-dir", str(folder)]
    subprocess.run(run, capture_output=True)
    ours = found.requests.df()
    # The file has four digits of a share, and marks what a spreadsheet would take for a formula.
    ours.evidence = ours.evidence.round(4)
    theirs = pd.read_csv(folder / "requests.csv", keep_default_na=False, na_values={"evidence": [""]})
    theirs.lost = theirs.lost.str.removeprefix("'")
    assert list(ours) == list(theirs)
    ours = ours.astype(theirs.dtypes.to_dict())
    # And six of a dollar.
    money = [name for name in theirs if name.startswith("cost:")]
    pd.testing.assert_frame_equal(ours[money], theirs[money], rtol=0, atol=6e-7)
    pd.testing.assert_frame_equal(ours.drop(columns=money), theirs.drop(columns=money))
    answers = found.answers.df()
    lacking = answers.groupby("strategy").lacks_fact.sum()
    short = found.df().set_index("strategy").answers_short
    assert (lacking == short[lacking.index]).all()
    is_short, has_texts = answers.needed > answers.shown, answers.lost.str.len() > 0
    assert has_texts[is_short].all()
    # Common names are listed and not counted.
    assert (has_texts & ~is_short).sum() <= found.df().answers_doubtful.sum()


def test_the_newest_sessions_of_an_agent(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".claude" / "projects" / "here"
    folder.mkdir(parents=True)
    (folder / "one.jsonl").write_bytes((LOGS / "claude-code" / "times.jsonl").read_bytes())
    found = ptc_eval.advise(agent="claude-code")
    assert len(found.conversations) == 1
    with pytest.raises(ptc_eval.PtcEvalError, match="claude-cod"):
        ptc_eval.advise(agent="claude-cod")


def test_reports_stay_where_they_are_wanted(tmp_path):
    log = LOGS / "codex"
    found = ptc_eval.advise(log, report_dir=tmp_path / "kept", model="claude-sonnet-5-5", strategies=["trim,keep_recent_turns=4"])
    assert found.page == tmp_path / "kept" / "index.html"
    assert "trim,keep_recent_turns=4" in found.strategies["strategy"]
    assert "cost:claude-sonnet-5-5" in found.strategies.columns
    passing = ptc_eval.advise(log)
    folder = passing.report_dir
    assert passing.page is not None
    del passing
    assert not folder.exists()
    assert os.listdir(tmp_path) == ["kept"]
