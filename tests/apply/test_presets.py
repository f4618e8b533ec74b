"""What the real code of products leaves of a history is what their presets send: each message, for each request."""

import asyncio
import re
from types import SimpleNamespace

import pytest
from google.adk.agents.llm_agent import LlmAgent
from google.adk.apps.app import EventsCompactionConfig
from google.adk.apps.compaction import _run_compaction_for_token_threshold_config
from google.adk.apps.llm_event_summarizer import LlmEventSummarizer
from google.adk.events.event import Event
from google.adk.flows.llm_flows.context._contents import _get_contents
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.genai.types import Content, FunctionCall, FunctionResponse, Part
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    CompactionEdit,
    CompactionSummary,
    ModelOutput,
    compaction,
    get_model,
)
from inspect_ai.tool import ToolCall
from langchain.agents.middleware.context_editing import ClearToolUsesEdit
from langchain.agents.middleware.summarization import SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately
from strands.agent.conversation_manager import SlidingWindowConversationManager, SummarizingConversationManager
from strands.models.model import Model

from conftest import module, ptc_eval, shown

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
    cleared = ["cleared", "omitted", "removed"]
    return "cleared" if any(word in message for word in cleared) else message[:40]


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


def after_langchain(middleware, turns: int):
    """The history before each request of an agent with a middleware."""
    history = [HumanMessage(TASK, id="h")]
    for number in range(turns + 1):
        if update := middleware.before_model({"messages": history}, None):
            history = update["messages"][1:]
        yield history
        if number < turns:
            history = [*history, *turn_of_langchain(number)]


def test_summarization_of_langchain(tmp_path):
    turns = 30
    requests = shown(log(turns), tmp_path / "log.json", "langchain-summarization,trigger={tokens: 2000},writer=size,tokens=25")
    model = FakeListChatModel(responses=[SUMMARY])
    middleware = SummarizationMiddleware(model, trigger=("tokens", 2000), keep=("messages", 20))
    for number, history in enumerate(after_langchain(middleware, turns)):
        assert lines(requests[number]) == of_langchain(history), number


def test_langchain_asks_for_nothing_without_words_of_a_person(tmp_path):
    """What is replaced here has 5,000 tokens behind the only words of a person, so by default no text says anything of it."""
    parts = len(PARTS)
    for seen, summarized in [({}, "Previous conversation was too long"), ({"trim_tokens_to_summarize": None}, SUMMARY)]:
        model = FakeListChatModel(responses=[SUMMARY])
        middleware = SummarizationMiddleware(model, trigger=("tokens", 5000), keep=("messages", 2), **seen)
        history = [HumanMessage(TASK, id="h"), *(message for number in range(60) for message in turn_of_langchain(number % parts))]
        assert summarized in middleware.before_model({"messages": history}, None)["messages"][1].content


@pytest.mark.parametrize("keeps_opening", ["true", "false"])
@pytest.mark.parametrize("kept", ["keep_recent_turns=3", "keep_recent_turns=1,keep_recent_tokens=1000"])
def test_printed_summaries_of_langchain(keeps_opening, kept, tmp_path):
    """What apply prints leaves what is rendered."""
    turns = 40
    setting = f"summary,tokens=25,{kept},keep_opening={keeps_opening},trigger={{tokens: 2000}}"
    requests = shown(log(turns), tmp_path / "log.json", setting)
    printed = tmp_path / "summarizing.py"
    printed.write_text(ptc_eval("apply", setting, "--for", "langchain"))
    middleware = module(printed).summarizing(FakeListChatModel(responses=[SUMMARY]))
    summaries = 0
    for number, history in enumerate(after_langchain(middleware, turns)):
        assert lines(requests[number]) == of_langchain(history), number
        summaries += "summary" in lines(requests[number])
    assert summaries > 20
    assert ("task" in lines(requests[turns])) == (keeps_opening == "true")


def test_google_adk(tmp_path):
    """Its sizes are those of characters, so its threshold is met with the same turn and another number."""
    turns = 30
    requests = shown(log(turns), tmp_path / "log.json", "google-adk,trigger={tokens: 2370},tokens=25")
    for number, contents in enumerate(asyncio.run(after_adk(turns))):
        assert lines(requests[number]) == contents, number


async def after_adk(turns: int) -> list[list[str]]:
    sessions = InMemorySessionService()
    session = await sessions.create_session(app_name="reader", user_id="u")
    config = EventsCompactionConfig(
        token_threshold=2000,
        event_retention_size=6,
        summarizer=LlmEventSummarizer(WriterOfAdk(model="writer")),
        # Required, and never met by a single invocation.
        compaction_interval=1000,
        overlap_size=0,
    )
    agent = LlmAgent(name="reader", model="writer")

    async def add(time: float, author: str, role: str, part: Part):
        event = Event(author=author, invocation_id="i", timestamp=time, content=Content(role=role, parts=[part]))
        await sessions.append_event(session, event)

    await add(1, "user", "user", Part(text=TASK))
    requests = []
    for number in range(turns + 1):
        await _run_compaction_for_token_threshold_config(
            config=config, session=session, session_service=sessions, agent=agent, agent_name="reader"
        )
        requests.append([known(text_of_adk(content)) for content in _get_contents(None, session.events, "reader")])
        call = FunctionCall(id=f"c{number}", name="read", args={"part": number})
        await add(2 * number + 2, "reader", "model", Part(function_call=call))
        result = FunctionResponse(id=f"c{number}", name="read", response={"result": PARTS[number]})
        await add(2 * number + 3, "reader", "user", Part(function_response=result))
    return requests


class WriterOfAdk(BaseLlm):
    async def generate_content_async(self, request, stream=False):
        yield LlmResponse(content=Content(role="model", parts=[Part(text=SUMMARY)]))


def text_of_adk(content: Content) -> str:
    part = content.parts[0]
    if part.function_call:
        return f'"part": {part.function_call.args["part"]}'
    return part.function_response.response["result"] if part.function_response else part.text


@pytest.mark.parametrize(
    "preset, strategy",
    [("inspect,tokens=25", CompactionSummary(threshold=2000)), ("inspect-edit", CompactionEdit(threshold=2000))],
)
def test_inspect(preset, strategy, tmp_path):
    # It clears again some turns later than the preset, because its placeholders are longer.
    turns = 26
    requests = shown(log(turns), tmp_path / "log.json", f"{preset},trigger={{tokens: 2120}}")
    for number, messages in enumerate(asyncio.run(after_inspect(strategy, turns))):
        assert lines(requests[number]) == messages, number


async def after_inspect(strategy, turns: int) -> list[list[str]]:
    model = get_model("mockllm/model", custom_outputs=[ModelOutput.from_content("mockllm/model", SUMMARY)] * turns)
    history = [ChatMessageUser(content=TASK, source="input")]
    compact = compaction(strategy, prefix=list(history), model=model)
    requests = []
    for number in range(turns + 1):
        sent, summary = await compact.compact_input(history)
        history += [summary] if summary else []
        requests.append([known(text_of_inspect(message)) for message in sent])
        call = ToolCall(id=f"c{number}", function="read", arguments={"part": number})
        history.append(ChatMessageAssistant(content="", tool_calls=[call]))
        history.append(ChatMessageTool(content=PARTS[number], tool_call_id=f"c{number}", function="read"))
    return requests


def text_of_inspect(message) -> str:
    calls = getattr(message, "tool_calls", None)
    return f'"part": {calls[0].arguments["part"]}' if calls else message.text


class WriterOfStrands(Model):
    def get_config(self):
        return {"context_window_limit": 10_000}

    def update_config(self, **config):
        pass

    async def structured_output(self, *arguments, **named):
        yield {}

    async def stream(self, messages, **named):
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockDelta": {"delta": {"text": SUMMARY}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


def test_summarizing_of_strands(tmp_path):
    """30% of 27 messages are four turns of 13, and so are 30% of their tokens. Of 29 messages it would be another number."""
    turns = 30
    requests = shown(log(turns), tmp_path / "log.json", "strands,trigger={tokens: 1600},tokens=25")
    manager = SummarizingConversationManager(proactive_compression=True)
    model = WriterOfStrands()
    agent = SimpleNamespace(messages=[{"role": "user", "content": [{"text": TASK}]}], model=model, aux_model=model)
    for number in range(turns + 1):
        tokens = 7000 * len(agent.messages) // 27
        manager._on_before_model_call_threshold(SimpleNamespace(agent=agent, projected_input_tokens=tokens))
        left = [known(text_of_strands(message)) for message in agent.messages]
        assert lines(requests[number]) == left, number
        if number < turns:
            agent.messages += turn_of_strands(number)


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
