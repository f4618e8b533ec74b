"""What `ptc-eval apply summary` prints asks the library or the provider for summaries."""

import importlib
import json

import pytest

import script
from conftest import module
from server import SUMMARY, Server
from test_apply import printed, requests_of

SETTING = "summary,keep_recent_turns=0,keep_opening=false,trigger={tokens: 60000}"
OF_ANTHROPIC = {"edits": [{"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 60000}}]}
OF_OPENAI = [{"type": "compaction", "compact_threshold": 60000}]


def asked(target: str, applied) -> Server:
    server = Server()
    try:
        name, *form = target.split()
        getattr(importlib.import_module(f"{name.replace('-', '_')}_agent"), "_".join(["run", *form]))(server.url, module(applied))
    finally:
        server.close()
    return server


@pytest.mark.parametrize(
    "target, expected",
    [
        ("anthropic-api", OF_ANTHROPIC),
        ("litellm on_anthropic", OF_ANTHROPIC),
        ("pydantic-ai on_anthropic", OF_ANTHROPIC),
        ("pydantic-ai on_responses", OF_OPENAI),
        ("openai-agents on_responses", OF_OPENAI),
    ],
)
def test_the_provider_is_asked_for_summaries(target, expected, tmp_path):
    requests = asked(target, printed(target, SETTING, tmp_path)).requests
    assert len(requests) == len(script.ANSWERS)
    for request in requests:
        assert request["context_management"] == expected
        if expected == OF_ANTHROPIC:
            assert "compact-2026-01-12" in request["headers"]["anthropic-beta"]


def test_the_ai_sdk_asks_for_summaries(tmp_path):
    requests = requests_of("ai-sdk on_anthropic", printed("ai-sdk on_anthropic", SETTING, tmp_path))
    assert all(request["context_management"] == OF_ANTHROPIC for request in requests)


@pytest.mark.parametrize(
    "setting",
    [
        "summary,trigger={tokens: 1500}",
        "summary,keep_opening=false,trigger={tokens: 1500}",
        "summary,keep_opening=false,keep_recent_turns=1,keep_recent_tokens=800,trigger={tokens: 1500}",
    ],
)
def test_langchain_writes_summaries(setting, tmp_path):
    server = asked("langchain", printed("langchain", setting, tmp_path))
    assert len(server.requests) == len(script.ANSWERS)
    assert len(server.summaries) > 1
    sizes = [len(json.dumps(request["messages"], ensure_ascii=False)) for request in server.requests]
    whole = [len(json.dumps(request["messages"], ensure_ascii=False)) for request in requests_of("langchain", None)]
    assert sizes[-1] < whole[-1] / 2
    last = json.dumps(server.requests[-1]["messages"])
    assert SUMMARY in last and (script.PEOPLE[0] in last) == ("keep_opening" not in setting)
    # The model sees the oldest result, too, and not only those that the library shows by default.
    assert "q0 8" in json.dumps(server.summaries[0]["messages"])
