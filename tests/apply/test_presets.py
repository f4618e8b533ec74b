"""What the real code of products leaves of a history is what their presets send: each message, for each request."""

import re

from langchain.agents.middleware.context_editing import ClearToolUsesEdit
from langchain.agents.middleware.summarization import SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately
from strands.agent.conversation_manager import SlidingWindowConversationManager

from conftest import shown

TASK = "Read all parts."
SUMMARY = "The parts were read."
# Results of 400 characters are about 100 tokens by any count.
PARTS = [f"part {number:02}: " + "one two six ten " * 25 for number in range(40)]


def log(turns: int) -> dict:
    """One call in each turn."""
    messages = [{"role": "user", "content": TASK}]
    for number in range(turns):
        call = {"id": f"c{number}", "name": "read", "arguments": {"part": number}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "call": f"c{number}", "content": PARTS[number]})
    return {"messages": [*messages, {"role": "assistant", "content": "All read."}]}


def lines(request: str) -> list[str]:
    """The messages of a request that is shown, each by its first words."""
    messages = [part.strip() for part in re.split(r"^\[(?:SYSTEM|USER|ASSISTANT|TOOL)\]\n", request, flags=re.M)]
    return [known(message) for message in messages if message]


def known(message: str) -> str:
    """A message by what it is: the task, a call, a result, a summary, or what stands in the place of a result."""
    if part := re.match(r"part \d\d", message):
        return part.group()
    if call := re.search(r'"part": ?(\d+)', message):
        return f"call {call.group(1)}"
    if message == TASK:
        return "task"
    if "summary" in message.lower() or SUMMARY in message:
        return "summary"
    return "cleared" if "cleared" in message or "omitted" in message else message[:40]


def of_langchain(messages: list) -> list[str]:
    def text(message):
        if isinstance(message, AIMessage) and message.tool_calls:
            return f'"part": {message.tool_calls[0]["args"]["part"]}'
        return message.content

    return [known(text(message)) for message in messages]


def turn_of_langchain(number: int) -> list:
    call = {"id": f"c{number}", "name": "read", "args": {"part": number}}
    answer = AIMessage("", tool_calls=[call], id=f"a{number}")
    return [answer, ToolMessage(PARTS[number], tool_call_id=f"c{number}", id=f"t{number}")]


def text_of_strands(message: dict) -> str:
    block = message["content"][0]
    if "toolUse" in block:
        return f'"part": {block["toolUse"]["input"]["part"]}'
    return block["toolResult"]["content"][0]["text"] if "toolResult" in block else block["text"]


def turn_of_strands(number: int) -> list:
    call = {"toolUseId": f"c{number}", "name": "read", "input": {"part": number}}
    result = {"toolUseId": f"c{number}", "status": "success", "content": [{"text": PARTS[number]}]}
    return [{"role": "assistant", "content": [{"toolUse": call}]}, {"role": "user", "content": [{"toolResult": result}]}]


def test_context_editing_of_langchain(tmp_path):
    """Both count past the trigger in the same request, whatever they count."""
    turns = 12
    requests = shown(log(turns), tmp_path / "log.json", "langchain-context-editing,trigger={tokens: 580}")
    edit = ClearToolUsesEdit(trigger=580)
    history = [HumanMessage(TASK)]
    for number in range(turns + 1):
        copies = [message.model_copy(deep=True) for message in history]
        edit.apply(copies, count_tokens=count_tokens_approximately)
        assert lines(requests[number]) == of_langchain(copies), number
        if number < turns:
            history += turn_of_langchain(number)


def test_summarization_of_langchain(tmp_path):
    turns = 30
    requests = shown(log(turns), tmp_path / "log.json", "langchain-summarization,trigger={tokens: 2000},tokens=25")
    model = FakeListChatModel(responses=[SUMMARY])
    middleware = SummarizationMiddleware(model, trigger=("tokens", 2000), keep=("messages", 20))
    history = [HumanMessage(TASK, id="h")]
    for number in range(turns + 1):
        if update := middleware.before_model({"messages": history}, None):
            history = update["messages"][1:]
        assert lines(requests[number]) == of_langchain(history), number
        if number < turns:
            history = [*history, *turn_of_langchain(number)]


def test_sliding_window_of_strands(tmp_path):
    turns = 30
    requests = shown(log(turns), tmp_path / "log.json", "strands-sliding-window")

    class Agent:
        messages = [{"role": "user", "content": [{"text": TASK}]}]

    manager = SlidingWindowConversationManager()
    for number in range(turns + 1):
        manager.apply_management(Agent)
        left = [known(text_of_strands(message)) for message in Agent.messages]
        # The preset keeps the first message, without which providers refuse a request that begins with an answer.
        assert lines(requests[number]) == ["task", *(message for message in left if message != "task")], number
        if number < turns:
            Agent.messages += turn_of_strands(number)
