"""The hooks that `ptc-eval apply` prints for coding agents, called with messages in the shape of each product."""

import json
import subprocess

import pytest

from conftest import HERE, ptc_eval

BUILT = HERE.parents[1] / "target/hooks"
LONG = "one two six ten " * 40

# Calls the hook as the product does, and prints what it would send.
CALLS = {
    "pi": """
        let hook: any;
        shorter({ on: (_: string, handler: any) => { hook = handler; } });
        const sent = await hook({ messages });
        console.log(JSON.stringify(sent ? sent.messages : messages));
    """,
    "opencode": """
        const hooks: any = await Shorter();
        const output = { messages };
        await hooks["experimental.chat.messages.transform"]({}, output);
        console.log(JSON.stringify(output.messages));
    """,
    "claude-code": """
        let hook: any;
        register((_: string, handler: any) => { hook = handler; });
        const answer = await hook({}, { messages }, () => ({ messages: "usual" }));
        console.log(JSON.stringify(answer.messages));
    """,
}
IMPORTS = {"pi": "shorter", "opencode": "{ Shorter }", "claude-code": "{ register }"}


def sent(target: str, setting: str, messages) -> list:
    """The messages that the product would send."""
    BUILT.mkdir(parents=True, exist_ok=True)
    (BUILT / "package.json").write_text('{"type": "module"}')
    (BUILT / "hook.ts").write_text(ptc_eval("apply", setting, "--for", target))
    call = f"import {IMPORTS[target]} from './hook.js';\nconst messages: any = {json.dumps(messages)};\n{CALLS[target]}"
    (BUILT / "call.ts").write_text(call)
    options = "--target es2022 --module nodenext --skipLibCheck --types node --typeRoots".split()
    tsc = [HERE / "node_modules/.bin/tsc", *options, HERE / "node_modules/@types", BUILT / "call.ts"]
    subprocess.run(tsc, check=True, cwd=HERE)
    ran = subprocess.run(["node", BUILT / "call.js"], check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)


def of_pi(turns: int) -> list:
    messages = [{"role": "user", "content": "Read all parts."}]
    for number in range(turns):
        call = {"type": "toolCall", "id": f"c{number}", "name": "read", "arguments": {"part": number}}
        messages.append({"role": "assistant", "content": [{"type": "text", "text": ""}, call]})
        result = [{"type": "text", "text": f"part {number} {LONG}"}]
        messages.append({"role": "toolResult", "toolCallId": f"c{number}", "toolName": "read", "content": result})
    return messages


def of_opencode(turns: int) -> list:
    parts = []
    for number in range(turns):
        state = {"status": "completed", "input": {"part": number}, "output": f"part {number} {LONG}"}
        parts += [{"type": "step-start"}, {"type": "tool", "callID": f"c{number}", "tool": "read", "state": state}]
    user = {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Read all parts."}]}
    return [user, {"info": {"role": "assistant"}, "parts": parts}]


def of_claude_code(turns: int) -> list:
    messages = [{"role": "user", "text": "Read all parts.", "toolUses": [], "toolResults": []}]
    for number in range(turns):
        use = {"tool_use_id": f"c{number}", "tool": "Read", "input": {"part": number}}
        messages.append({"role": "assistant", "text": "", "toolUses": [use], "toolResults": []})
        result = {"tool_use_id": f"c{number}", "text": f"part {number} {LONG}", "isError": False}
        messages.append({"role": "user", "text": "", "toolUses": [], "toolResults": [result]})
    return messages


def results(target: str, messages: list) -> list[str]:
    if target == "pi":
        return [own["content"][0]["text"] for own in messages if own["role"] == "toolResult"]
    if target == "opencode":
        return [part["state"]["output"] for own in messages for part in own["parts"] if part["type"] == "tool"]
    return [result["text"] for own in messages for result in own["toolResults"]]


HISTORIES = {"pi": of_pi, "opencode": of_opencode, "claude-code": of_claude_code}


@pytest.mark.parametrize(
    ("target", "setting"),
    [
        ("pi", "clear-tool-results,keep=2,trigger={tokens: 100}"),
        ("pi", "observation-masking,keep_recent_turns=2"),
        ("opencode", "clear-tool-results,keep=2,trigger={tokens: 100}"),
        ("opencode", "observation-masking,keep_recent_turns=2"),
        ("claude-code", "clear-tool-results,keep=2"),
    ],
)
def test_old_results_are_left_out(target, setting):
    before = HISTORIES[target](6)
    after = sent(target, setting, before)
    left = results(target, after)
    assert all("omitted" in text for text in left[:4]) and left[4:] == results(target, before)[4:]
    assert len(after) == len(before)


@pytest.mark.parametrize("target", ["pi", "opencode"])
def test_fold_leaves_out_what_pays(target):
    before = HISTORIES[target](30)
    after = results(target, sent(target, "fold", before))
    assert "omitted" in after[0] and after[-5:] == results(target, before)[-5:]


@pytest.mark.parametrize("target", ["pi", "opencode", "claude-code"])
def test_a_shape_that_is_not_known_is_left_alone(target):
    broken = [None, 7]
    setting = "clear-tool-results,keep=2" + ("" if target == "claude-code" else ",trigger={tokens: 1}")
    assert sent(target, setting, broken) in (broken, "usual")


def test_a_mod_gives_way_where_it_frees_little():
    assert sent("claude-code", "clear-tool-results,keep=5", of_claude_code(6)) == "usual"


def test_typescript_starts_without_a_tokenizer(tmp_path):
    built = HERE / "built"
    built.mkdir(exist_ok=True)
    (built / "alone.ts").write_text(ptc_eval("apply", "fold", "--for", "typescript"))
    options = "--strict --target es2022 --module nodenext --skipLibCheck --types node".split()
    subprocess.run([HERE / "node_modules/.bin/tsc", *options, "--outDir", tmp_path, built / "alone.ts"], check=True, cwd=HERE)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    messages = [{"role": "user", "content": "Read all."}]
    for number in range(60):
        function = {"name": "read", "arguments": json.dumps({"part": number})}
        calls = [{"id": f"c{number}", "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": f"part {number} {LONG}"})
    call = f"import {{ shorter }} from './alone.js';\nconsole.log(JSON.stringify(shorter({json.dumps(messages)})));"
    (tmp_path / "call.js").write_text(call)
    ran = subprocess.run(["node", tmp_path / "call.js"], check=True, capture_output=True, text=True)
    shortened = json.loads(ran.stdout)
    assert len(shortened) == len(messages) and len(ran.stdout) < len(json.dumps(messages)) - 10_000
    assert ran.stderr == ""
