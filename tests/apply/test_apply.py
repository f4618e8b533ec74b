"""Agents of real libraries with what `ptc-eval apply` prints send what ptc-eval renders for the same conversation."""

import csv
import importlib
import json
import socket
import subprocess
from pathlib import Path

import pydantic
import pytest
from anthropic.types.beta import BetaClearToolUses20250919EditParam

import script
from conftest import HERE, module, ptc_eval, shown
from server import Server

SETTINGS = [
    "fold,keep_recent_turns=2,read=0.1,write=1.25",
    "fold,keep_recent_turns=4,read=0.5,write=1,trigger={turns: 9}",
    "observation-masking",
    "observation-masking,keep_recent_turns=4,step=5",
    "trim,keep_recent_turns=4",
    "trim,keep_recent_turns=2,step=5,trigger={tokens: 2500}",
    "clear-tool-results,keep=2,trigger={tokens: 1900}",
    "clear-tool-results,keep=1,clear_at_least=600,trigger={tokens: 1500},exclude_tools=[read]",
]
# Of each agent the extension of its file, and whether its messages have the system prompt. Its name is that of the target,
# and what it speaks if that is not the usual.
TARGETS = {
    "python": ("py", True),
    "typescript": ("ts", True),
    "langchain": ("py", False),
    "langchain on_anthropic": ("py", False),
    "openai-agents": ("py", False),
    "openai-agents on_responses": ("py", False),
    "pydantic-ai": ("py", True),
    "pydantic-ai on_anthropic": ("py", True),
    "ai-sdk": ("ts", True),
    "ai-sdk on_anthropic": ("ts", True),
    "anthropic-api": ("py", False),
    "litellm": ("py", True),
    "litellm on_anthropic": ("py", True),
}
MARKED = [target for target in TARGETS if "anthropic" in target]
# Packages are found from here.
BUILT = HERE / "built"


def requests_of(target: str, applied: Path | None) -> list[dict]:
    """The requests that the agent of a target sends, with a printed file or without."""
    server = Server()
    name, *form = target.split()
    try:
        if TARGETS[target][0] == "py":
            agent = importlib.import_module(f"{name.replace('-', '_')}_agent")
            getattr(agent, "_".join(["run", *form]))(server.url, applied and module(applied))
        else:
            run_node(name, "".join(form), server.url, applied)
    finally:
        server.close()
    assert len(server.requests) == len(script.ANSWERS)
    return server.requests


def run_node(target: str, form: str, url: str, applied: Path | None) -> None:
    from python_agent import declared

    tools = [declared(tool) for tool in script.TOOLS]
    BUILT.mkdir(exist_ok=True)
    (BUILT / "script.json").write_text(json.dumps({"people": script.PEOPLE, "system": script.SYSTEM, "tools": tools}))
    files = [HERE / "targets" / f"{target}_agent.ts", *([applied] if applied else [])]
    options = "--strict --noUncheckedIndexedAccess --target es2022 --module nodenext --skipLibCheck --types node"
    tsc = [HERE / "node_modules/.bin/tsc", *options.split(), "--rootDir", HERE, "--outDir", BUILT / "js", *files]
    subprocess.run(tsc, check=True, cwd=HERE)
    built = [(BUILT / "js" / file.relative_to(HERE)).with_suffix(".js") for file in files]
    subprocess.run(["node", built[0], url, BUILT / "script.json", form, *built[1:]], check=True)


def answered(body: dict, answer: dict) -> dict:
    """A request with an answer behind it, which makes a log of it."""
    if "input" in body:
        return body | {"output": script.responses(answer)}
    own = {name: value for name, value in body.items() if name in ("system", "messages", "tools")}
    form = script.anthropic if "max_tokens" in body else script.openai
    return own | {"messages": [*body["messages"], form(answer)]}


# What comes with a library is between it and the strategy, so one setting of each strategy is enough there. What the
# provider clears itself has a test of its own.
CASES = [
    (target, setting)
    for target in TARGETS
    for setting in (SETTINGS if target in ("python", "typescript") else SETTINGS[1::2])
    if (target, setting.split(",")[0]) != ("anthropic-api", "clear-tool-results")
]


@pytest.fixture(scope="module")
def whole(request, tmp_path_factory) -> tuple[str, Path, int]:
    """The log of an agent that shortens nothing, and its fixed tokens."""
    target = request.param
    folder = tmp_path_factory.mktemp("whole")
    requests = requests_of(target, None)
    log = folder / "log.json"
    assert shown(answered(requests[-1], script.ANSWERS[-1]), log, "full-history") == sent(requests, folder)
    return target, log, fixed_tokens(log, folder, requests[0], TARGETS[target][1])


def sent(requests: list[dict], folder: Path) -> list[str]:
    """What was sent, as ptc-eval reads it and as `show` writes it."""
    files = [folder / f"sent{number}.json" for number in range(len(requests))]
    for file, body in zip(files, requests, strict=True):
        # A log without an answer is none.
        file.write_text(json.dumps(answered(body, {"text": "x", "calls": []})))
    read = map(json.loads, ptc_eval("import", *files, "-o", "-", "--keep-secrets").splitlines())
    by_name = {transcript["name"]: transcript for transcript in read}
    return [text_of(by_name[file.stem]) for file in files]


def text_of(transcript: dict) -> str:
    system = {"role": "system", "content": transcript["system"]}
    return "".join(map(text_of_message, [system, *transcript["messages"][:-1]]))


def text_of_message(message: dict) -> str:
    calls = [f"-> {call['name']}({script.compact(call['arguments'])})" for call in message.get("tool_calls", [])]
    lines = ([message["content"]] if message["content"] or not calls else []) + calls
    return f"[{message['role'].upper()}]\n" + "\n".join(lines) + "\n\n"


def fixed_tokens(log: Path, folder: Path, first: dict, has_system: bool) -> int:
    """What ptc-eval counts of the first request beside the messages that the printed file sees."""
    ptc_eval("import", log, "-o", folder / "scenarios")
    (folder / "scenarios/suite.yaml").write_text("strategies: [full-history]\n")
    ptc_eval("run", folder / "scenarios", "--accept", "--requests-csv", "--report-dir", folder / "reports")
    with (folder / "reports/requests.csv").open() as rows:
        row = next(csv.DictReader(rows))
    printed = folder / "tokens.py"
    printed.write_text(ptc_eval("apply", "fold"))
    count = module(printed).count_tokens
    seen = [{"content": script.PEOPLE[0]}] + ([{"content": script.SYSTEM}] if has_system else [])
    return int(row["input_tokens"]) - sum(map(count, seen))


def printed(target: str, setting: str, folder: Path, fixed: int = 3) -> Path:
    """The file that ptc-eval prints."""
    extension = "ts" if target.split()[0] in ("typescript", "ai-sdk") else "py"
    BUILT.mkdir(exist_ok=True)
    applied = (BUILT if extension == "ts" else folder) / f"applied.{extension}"
    text = ptc_eval("apply", setting, "--for", target.split()[0])
    applied.write_text(text.replace("FIXED_TOKENS = 3", f"FIXED_TOKENS = {fixed}"))
    return applied


@pytest.mark.parametrize("whole, setting", CASES, indirect=["whole"])
def test_agents_send_what_is_rendered(whole, setting, tmp_path):
    target, log, fixed = whole
    applied = printed(target, setting, tmp_path, fixed)
    expected = shown(json.loads(log.read_text()), tmp_path / "log.json", setting)
    assert expected != shown(json.loads(log.read_text()), tmp_path / "log.json", "full-history")
    requests = requests_of(target, applied)
    for number, own in enumerate(sent(requests, tmp_path)):
        assert own == expected[number], f"{setting}, request {number + 1}"
        assert calls_are_answered(requests[number])


def calls_are_answered(body: dict) -> bool:
    """True if each result follows its call."""
    open_calls = set()
    for item in body.get("input", []):
        open_calls |= {item["call_id"]} if item.get("type") == "function_call" else set()
        if item.get("type") == "function_call_output" and item["call_id"] not in open_calls:
            return False
    for message in body.get("messages", []):
        content = message.get("content")
        parts = content if isinstance(content, list) else []
        made = [*(message.get("tool_calls") or []), *(part for part in parts if part["type"] == "tool_use")]
        open_calls |= {call["id"] for call in made}
        results = [part["tool_use_id"] for part in parts if part["type"] == "tool_result"]
        results += [message["tool_call_id"]] if message["role"] == "tool" else []
        if not open_calls.issuperset(results):
            return False
    return True


@pytest.mark.parametrize("setting", SETTINGS[:6])
@pytest.mark.parametrize("target", MARKED)
def test_marks_pay(target, setting, tmp_path):
    """With the printed marks requests cost less than with one at the end of each."""
    applied = printed(target, setting, tmp_path)
    requests = [request["messages"] for request in requests_of(target, applied)]
    marks = [sum("cache_control" in block for _, block in blocks(messages)) for messages in requests]
    assert all(1 <= count <= 2 for count in marks)
    assert cost(requests) < cost([at_the_end(messages) for messages in requests])


def blocks(messages: list[dict]) -> list[tuple[str, dict]]:
    return [
        (message["role"], block)
        for message in messages
        for content in [message["content"]]
        for block in ([{"type": "text", "text": content}] if isinstance(content, str) else content)
    ]


def at_the_end(messages: list[dict]) -> list[dict]:
    """The messages with a single mark, after the last block."""
    plain = [{"role": role, "content": [without_mark(block)]} for role, block in blocks(messages)]
    plain[-1]["content"][0]["cache_control"] = {"type": "ephemeral"}
    return plain


def without_mark(block: dict) -> dict:
    return {name: value for name, value in block.items() if name != "cache_control"}


def cost(requests: list[list[dict]]) -> float:
    """The price of all input in characters: 0.1 read, 1.25 written, 1 fresh. A mark finds what ends at most 20 blocks before."""
    kept: set[str] = set()
    total = 0.0
    for messages in requests:
        starts, marks = [""], [0]
        for number, (role, block) in enumerate(blocks(messages), start=1):
            starts.append(starts[-1] + role + script.compact(without_mark(block)))
            marks += [number] if "cache_control" in block else []
        found = (end for mark in marks for end in range(mark, max(-1, mark - 21), -1) if starts[end] in kept)
        read, reach = len(starts[max(found, default=0)]), len(starts[marks[-1]])
        total += 0.1 * read + 1.25 * max(0, reach - read) + len(starts[-1]) - max(reach, read)
        kept |= {starts[mark] for mark in marks}
    return total


def test_the_provider_is_asked_to_clear(tmp_path):
    """The history is whole, and the request says what to leave out of it, in the form that the library of the provider has."""
    applied = tmp_path / "applied.py"
    setting = "clear-tool-results,keep=2,clear_at_least=600,exclude_tools=[read],trigger={tokens: 1900}"
    applied.write_text(ptc_eval("apply", setting, "--for", "anthropic-api"))
    plain = requests_of("anthropic-api", None)
    edit = {
        "type": "clear_tool_uses_20250919",
        "keep": {"type": "tool_uses", "value": 2},
        "clear_at_least": {"type": "input_tokens", "value": 600},
        "exclude_tools": ["read"],
        "trigger": {"type": "input_tokens", "value": 1900},
    }
    for own, whole in zip(requests_of("anthropic-api", applied), plain, strict=True):
        assert own["messages"] == whole["messages"]
        assert own["context_management"] == {"edits": [edit]}
        assert own["headers"]["anthropic-beta"] == "context-management-2025-06-27"
    edits = pydantic.TypeAdapter(list[BetaClearToolUses20250919EditParam])
    assert edits.validate_python([edit], strict=True) == [edit]


PYTHON_TARGETS = [target for target, (extension, _) in TARGETS.items() if extension == "py" and " " not in target]


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No vocabulary, and no network but this machine."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "no-vocabulary"))
    resolve = socket.getaddrinfo

    def refuse(host, *others, **named):
        if host not in ("127.0.0.1", "localhost", "::1"):
            raise AssertionError(f"an agent asks for {host}")
        return resolve(host, *others, **named)

    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def applied_file(target: str, setting: str, folder: Path) -> Path:
    path = folder / "shorter_history.py"
    path.write_text(ptc_eval("apply", setting, "--for", target))
    return path


@pytest.mark.parametrize("target", PYTHON_TARGETS)
def test_agents_need_no_vocabulary(target, offline, tmp_path):
    """Four characters are a token where the vocabulary is not on the machine: results are left out all the same."""
    setting = "fold,keep_recent_turns=2,read=0.1,write=1.25"
    applied = applied_file(target, setting, tmp_path)
    assert module(applied).tokens_of("four characters!") == 4
    shorter, whole = requests_of(target, applied), requests_of(target, None)
    assert len(json.dumps(shorter[-1])) < len(json.dumps(whole[-1]))


@pytest.mark.parametrize("target", PYTHON_TARGETS)
def test_a_failure_sends_the_whole_history(target, tmp_path):
    """Nothing that the printed file does ends the agent."""
    applied = applied_file(target, "trim,keep_recent_turns=2", tmp_path)
    applied.write_text(applied.read_text() + "\n\ndef trim(*arguments, **named):\n    raise ValueError(\"a mistake\")\n")
    failing, whole = requests_of(target, applied), requests_of(target, None)
    assert [len(texts(request)) for request in failing] == [len(texts(request)) for request in whole]


def texts(request: dict) -> list:
    return request.get("messages") or request.get("input")
