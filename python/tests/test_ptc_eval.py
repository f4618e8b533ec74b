import importlib
import json
import logging
import os
import random
import subprocess
import sys
import time

import pytest

import ptc_eval
from conftest import STRATEGIES, files, scenario


def test_records_come_while_scenarios_are_read(suite):
    taken = 0

    def scenarios():
        nonlocal taken
        for number in range(2_000):
            taken += 1
            yield scenario(number % 30) | {"name": f"s{number}"}

    records = ptc_eval.records(scenarios(), suite)
    assert json.loads(next(records))["run"]["strategy_names"] == ["full-history", "single-user-coalesced", "trim"]
    assert json.loads(next(records))["key"]["name"] == "s0"
    assert taken < 2_000
    records.close()


def test_partitions_in_any_order_make_the_reports_of_one_run(suite, lines, same_as_one_run):
    scenarios = lines.read_text().splitlines()
    chance = random.Random(7)
    parts = [chance.sample(scenarios, 60) for _ in range(3)] + [scenarios[::2], scenarios[1::2]]
    records = [record for part in parts for record in ptc_eval.records(part, suite)]
    chance.shuffle(records)
    same_as_one_run(records)


def test_shards_are_offered_the_same(suite, lines, tmp_path, same_as_one_run):
    scenarios = lines.read_text().splitlines()

    def shard(number, part):
        return list(ptc_eval.records(part, suite, options=["--shard", number]))

    parts = [*shard("1/2", scenarios[::2]), *shard("2/2", scenarios[1::2])]
    with pytest.raises(ptc_eval.PtcEvalError, match="others than these"):
        ptc_eval.merge(parts, tmp_path / "reports")
    same_as_one_run([*shard("2/2", scenarios), *shard("1/2", scenarios)])


def test_texts_make_the_page(suite, tmp_path):
    scenarios = [scenario(number) for number in range(5)]
    ptc_eval.merge(ptc_eval.records(scenarios, suite, texts=True), tmp_path / "full")
    assert "index.html" in files(tmp_path / "full")
    ptc_eval.merge(ptc_eval.records(scenarios, suite), tmp_path / "numbers")
    assert "index.html" not in files(tmp_path / "numbers")


def test_json_of_several_lines_and_no_suite_are_taken():
    text = json.dumps(scenario(4), indent=1)
    _, record = ptc_eval.records([text], texts=True)
    assert len(json.loads(record)["scenario"]["strategies"]) > 3
    assert list(ptc_eval.records([])) == []


def test_a_scenario_that_cannot_be_read_has_a_record_and_a_warning(suite, tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        records = list(ptc_eval.records([scenario(1), {"misson": 1}], suite))
    assert "misson" in caplog.text
    assert "unreadable" in json.loads(records[2])
    summary = ptc_eval.merge(records, tmp_path / "reports")
    assert (summary["exit_code"], summary["unreadable"]) == (2, 1)


def test_errors_are_exceptions_with_the_message_of_the_program(suite, tmp_path, monkeypatch):
    with pytest.raises(ptc_eval.PtcEvalError, match="no tokenizer 'nonsense'") as error:
        list(ptc_eval.records([scenario(1)], suite, options=["--tokenizer", "nonsense"]))
    assert error.value.exit_code == 2

    def late():
        time.sleep(1)
        yield scenario(1)

    # The program has ended before the first scenario comes.
    with pytest.raises(ptc_eval.PtcEvalError, match="no tokenizer 'nonsense'"):
        next(ptc_eval.records(late(), suite, options=["--tokenizer", "nonsense"]))
    records = list(ptc_eval.records([scenario(1)], suite))
    with pytest.raises(ptc_eval.PtcEvalError, match="a damaged one"):
        ptc_eval.merge([records[0], records[1].replace("s0001", "s0002")], tmp_path / "reports")
    with pytest.raises(ptc_eval.PtcEvalError, match="the settings of the run are missing"):
        ptc_eval.merge(records[1:], tmp_path / "reports")
    with pytest.raises(ptc_eval.PtcEvalError, match="is of another run"):
        ptc_eval.merge([*records, *ptc_eval.records([scenario(2)])], tmp_path / "reports")
    with pytest.raises(ptc_eval.PtcEvalError, match="is no suite"):
        next(ptc_eval.records([], tmp_path))
    with pytest.raises(ZeroDivisionError):
        list(ptc_eval.records((1 / 0 for _ in range(1)), suite))
    monkeypatch.setenv("PTC_EVAL", "/nowhere/ptc-eval")
    with pytest.raises(ptc_eval.PtcEvalError, match="PTC_EVAL is /nowhere/ptc-eval"):
        list(ptc_eval.records([]))
    monkeypatch.delenv("PTC_EVAL")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ptc_eval.PtcEvalError, match="not installed"):
        ptc_eval.binary()


def test_records_are_texts(tmp_path):
    with pytest.raises(TypeError, match="expected a record as records yields it, a str; got dict"):
        ptc_eval.merge([{"scenario": {}}], tmp_path / "reports")
    assert files(tmp_path) == {}


def test_the_version_is_that_of_the_installed_package(monkeypatch):
    assert isinstance(ptc_eval.__version__, str)
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"1.2.3 of {name}")
    assert importlib.reload(ptc_eval).__version__ == "1.2.3 of ptc-eval"
    monkeypatch.undo()
    importlib.reload(ptc_eval)


def test_the_module_runs_the_program():
    def run(*arguments, **environment):
        command = [sys.executable, "-m", "ptc_eval", *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
        return ran.returncode, ran.stdout + ran.stderr

    assert run("--version")[1].startswith("ptc-eval ")
    assert run("run", "nowhere")[0] == 2
    assert run(PTC_EVAL="/nowhere") == (1, "error: PTC_EVAL is /nowhere, where there is no program\n")


def test_logs_of_any_agent_become_transcripts(tmp_path, caplog):
    hologram = {"type": "hologram"}
    said = [{"role": "user", "content": "Which?"}, {"role": "assistant", "content": [hologram, {"type": "text", "text": "That."}]}]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "one.json").write_text(json.dumps({"messages": said}))
    (tmp_path / "logs" / "two.json").write_text(json.dumps({"messages": said[:1] + [{"role": "assistant", "content": "This."}]}))
    with caplog.at_level(logging.WARNING):
        found = list(ptc_eval.transcripts(tmp_path / "logs"))
    assert [transcript["messages"][1]["content"] for transcript in found] == ["That.", "This."]
    assert "hologram" in caplog.text
    (tmp_path / "suite.yaml").write_text(STRATEGIES)
    records = list(ptc_eval.records(ptc_eval.transcripts(tmp_path / "logs"), tmp_path))
    assert [json.loads(record)["key"]["name"] for record in records[1:]] == ["one", "two"]
    (tmp_path / "notes.txt").write_text("no log")
    with pytest.raises(ptc_eval.PtcEvalError, match="notes.txt") as error:
        list(ptc_eval.transcripts(tmp_path / "notes.txt"))
    assert error.value.exit_code == 2


def test_strings_that_are_no_json_are_refused():
    with pytest.raises(TypeError, match=r"'logs/run.json'.*transcripts\(PATH\)"):
        ptc_eval.records("logs/run.json")
    with pytest.raises(ValueError, match=r"'logs/run.json'.*transcripts\(PATH\)"):
        list(ptc_eval.records(["logs/run.json"]))
