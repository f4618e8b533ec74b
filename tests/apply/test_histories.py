"""Histories as programs keep them: with objects of the library, calls of custom tools, parallel calls, images, and calls that were
stopped. What is printed takes them, changes none of them, and sends no result without its call."""

import json
import subprocess

import pytest
from litellm import Message
from openai.types.chat import ChatCompletionMessage

from conftest import HERE, module, ptc_eval

STRATEGIES = ["fold", "observation-masking", "trim,step=5", "clear-tool-results,trigger={tokens: 5000}"]
LONG = "a line of some output\n" * 200


def call(number: int) -> dict:
    return {"id": f"c{number}", "type": "function", "function": {"name": "read", "arguments": '{"n": 1}'}}


def result(number: int, content=LONG) -> dict:
    return {"role": "tool", "tool_call_id": f"c{number}", "content": content}


def turns(answer=lambda calls: {"role": "assistant", "content": None, "tool_calls": calls}, content=LONG) -> list:
    """Twelve turns with two calls each."""
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "Read all."}]
    for number in range(0, 24, 2):
        messages.append(answer([call(number), call(number + 1)]))
        messages += [result(number, content), result(number + 1, content)]
    return messages


def of_openai(calls: list) -> ChatCompletionMessage:
    return ChatCompletionMessage(role="assistant", content=None, tool_calls=calls)


def of_litellm(calls: list) -> Message:
    return Message(role="assistant", content=None, tool_calls=calls)


CUSTOM = {"id": "c99", "type": "custom", "custom": {"name": "shell", "input": "ls"}}
HISTORIES = {
    "empty": [],
    "a question": [{"role": "user", "content": "Read all."}],
    "objects of OpenAI": turns(of_openai),
    "objects of LiteLLM": turns(of_litellm),
    "parts of text": turns(content=[{"type": "text", "text": LONG}]),
    "an image": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]}, *turns()[2:]],
    "a custom tool": [{"role": "assistant", "content": None, "tool_calls": [CUSTOM]}, result(99), *turns()[2:]],
    "a call without a result": [*turns(), {"role": "assistant", "content": None, "tool_calls": [call(50), call(51)]}],
    "a call that was stopped": [*turns(), {"role": "assistant", "tool_calls": [call(50)]}, {"role": "user", "content": "No."}],
    "a refusal": [*turns(), {"role": "assistant", "content": None, "refusal": "no"}, {"role": "user", "content": "Do."}],
}


def as_text(messages: list) -> str:
    return json.dumps(messages, default=lambda message: message.model_dump())


@pytest.fixture(scope="module", params=[(target, strategy) for target in ["python", "litellm"] for strategy in STRATEGIES])
def printed(request, tmp_path_factory):
    target, strategy = request.param
    file = tmp_path_factory.mktemp("printed") / "shorter_history.py"
    file.write_text(ptc_eval("apply", strategy, "--for", target))
    return module(file)


@pytest.mark.parametrize("name", HISTORIES)
def test_any_history_is_taken(printed, name):
    history = HISTORIES[name]
    before = as_text(history)
    sent = printed.shorter(history)
    assert as_text(history) == before
    called = {call["id"] for message in sent for call in message.get("tool_calls") or []}
    assert called.issuperset(message["tool_call_id"] for message in sent if message["role"] == "tool")
    if name == "objects of OpenAI":
        assert sent == printed.shorter(turns(lambda calls: {"role": "assistant", "tool_calls": calls}))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_typescript_takes_the_types_of_the_library(strategy):
    (HERE / "built").mkdir(exist_ok=True)
    name = strategy.split(",")[0]
    (HERE / f"built/{name}.ts").write_text(ptc_eval("apply", strategy, "--for", "typescript"))
    (HERE / f"built/with_{name}.ts").write_text(
        f"""import OpenAI from "openai";
import {{ shorter }} from "./{name}.js";
const history: OpenAI.ChatCompletionMessageParam[] = [{{ role: "user", content: "Read all." }}];
export const sent: OpenAI.ChatCompletionMessageParam[] = shorter(history);
"""
    )
    options = "--strict --noUncheckedIndexedAccess --noEmit --target es2022 --module nodenext --skipLibCheck --types node"
    subprocess.run([HERE / "node_modules/.bin/tsc", *options.split(), f"built/with_{name}.ts"], check=True, cwd=HERE)
