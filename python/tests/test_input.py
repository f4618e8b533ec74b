"""Conversations as Python has them."""

import dataclasses
import datetime
import decimal
import json
import logging
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ptc_eval

CALL = {"id": "call-1", "type": "function", "function": {"name": "find_parcel", "arguments": '{"id": "B-99"}'}}
OPENAI = [
    {"role": "system", "content": "You know parcels."},
    {"role": "user", "content": "Where is parcel B-99?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call-1", "content": "shelf 4417 in Kassel"},
    {"role": "assistant", "content": "On shelf 4417."},
]


def transcript(logs, **options):
    (found,) = ptc_eval.transcripts(logs, **options)
    return found


def said(found):
    """Role, text and calls of each message."""
    return [
        (message["role"], message.get("content", ""), [call["name"] for call in message.get("tool_calls", [])])
        for message in found["messages"]
    ]


EXPECTED = [
    ("user", "Where is parcel B-99?", []),
    ("assistant", "", ["find_parcel"]),
    ("tool", "shelf 4417 in Kassel", []),
    ("assistant", "On shelf 4417.", []),
]


def test_messages_of_openai():
    for logs in (OPENAI, [OPENAI], {"model": "gpt-5", "messages": OPENAI}, json.dumps({"messages": OPENAI}), iter([OPENAI])):
        found = transcript(logs)
        assert (said(found), found["system"]) == (EXPECTED, "You know parcels.")
    assert len(ptc_eval.advise(OPENAI).requests) > 0


def test_objects_of_the_client_of_openai():
    from openai.types.chat import ChatCompletion, ChatCompletionMessage

    answer = ChatCompletionMessage.model_validate(OPENAI[2])
    last = ChatCompletionMessage.model_validate(OPENAI[4])
    assert said(transcript([*OPENAI[:2], answer, OPENAI[3], last])) == EXPECTED
    choice = {"index": 0, "finish_reason": "stop", "message": OPENAI[4]}
    response = ChatCompletion.model_validate(
        {"id": "c", "object": "chat.completion", "created": 1_760_000_000, "model": "gpt-5", "choices": [choice]}
    )
    assert said(transcript([{"request": {"messages": OPENAI[:4]}, "response": response}])) == EXPECTED


def test_objects_of_the_client_of_anthropic():
    from anthropic.types import Message

    usage = {"input_tokens": 30, "output_tokens": 9, "cache_read_input_tokens": 10}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "usage": usage}
    call = {"type": "tool_use", "id": "t1", "name": "find_parcel", "input": {"id": "B-99"}}
    response = Message.model_validate({**message, "content": [call], "stop_reason": "tool_use"})
    last = Message.model_validate({**message, "content": [{"type": "text", "text": "On shelf 4417."}], "stop_reason": "end_turn"})
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "shelf 4417 in Kassel"}
    messages = [
        {"role": "user", "content": "Where is parcel B-99?"},
        {"role": "assistant", "content": response.content},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": last.content},
    ]
    found = transcript({"system": "You know parcels.", "messages": messages})
    assert (said(found), found["system"]) == (EXPECTED, "You know parcels.")
    assert said(transcript([messages])) == EXPECTED
    whole = transcript([messages[0], response, messages[2], last])
    assert said(whole) == EXPECTED


def test_messages_of_langchain():
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    messages = [
        SystemMessage("You know parcels."),
        HumanMessage("Where is parcel B-99?"),
        AIMessage("", tool_calls=[{"id": "call-1", "name": "find_parcel", "args": {"id": "B-99"}}]),
        ToolMessage("shelf 4417 in Kassel", tool_call_id="call-1", name="find_parcel"),
        AIMessage("On shelf 4417."),
    ]
    for logs in (messages, [messages], {"messages": messages}, [{"messages": messages}]):
        found = transcript(logs)
        assert (said(found), found["system"]) == (EXPECTED, "You know parcels.")


def frame_of_messages() -> pd.DataFrame:
    rows = []
    for key in ("monday", "tuesday"):
        for minute, message in enumerate(OPENAI):
            time = pd.Timestamp("2026-10-05T09:00:00Z") + pd.Timedelta(minutes=minute)
            rows.append({"conversation_id": key, "sent": time, **message, "content": (message["content"] or "").replace("4417", f"44{len(key)}") or None})
    return pd.DataFrame(rows).rename(columns={"sent": "timestamp"})


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_frame_with_a_row_for_each_message(library):
    frame = frame_of_messages()
    if library != "pandas":
        frame["tool_calls"] = [json.dumps(calls) if isinstance(calls, list) else None for calls in frame["tool_calls"]]
    frame = {"pandas": lambda: frame, "polars": lambda: pl.from_pandas(frame), "arrow": lambda: pa.Table.from_pandas(frame)}[library]()
    found = list(ptc_eval.transcripts(frame))
    assert [said(one)[1] for one in found] == [EXPECTED[1]] * 2
    assert [one["messages"][-1]["content"] for one in found] == ["On shelf 446.", "On shelf 447."]
    assert found[0]["messages"][0]["time"].startswith("2026-10-05T09:01:00")
    assert ptc_eval.advise(frame).conversations["log"] == ["monday", "tuesday"]


def test_a_frame_with_a_row_for_each_conversation():
    others = [dict(message, content=(message["content"] or "").replace("B-99", "C-12")) for message in OPENAI]
    frame = pd.DataFrame({"thread_id": [7, 9], "messages": [OPENAI, others]})
    assert ptc_eval.advise(frame).conversations["log"] == [7, 9]
    named = pd.DataFrame({"ticket": ["x", "y"], "messages": [json.dumps(OPENAI), json.dumps(others)]})
    assert ptc_eval.advise(named, by="ticket").conversations["log"] == ["x", "y"]
    series = pd.Series([OPENAI, others], index=["first", "second"])
    assert ptc_eval.advise(series).conversations["log"] == ["first", "second"]
    assert ptc_eval.advise(pl.Series([json.dumps(OPENAI), json.dumps(others)])).conversations["log"] == [0, 1]


def test_other_names_of_columns_are_named():
    frame = pd.DataFrame({"who": ["user"], "text": ["Which?"]})
    with pytest.raises(ValueError, match=r"the frame has the columns who, text; expected `role` and `content`"):
        ptc_eval.advise(frame)
    with pytest.raises(ValueError, match="there is no column 'ticket'; the frame has role, content"):
        ptc_eval.advise(pd.DataFrame({"role": ["user"], "content": ["Which?"]}), by="ticket")


def test_values_of_any_kind_in_scenarios(suite):
    @dataclasses.dataclass
    class Parcel:
        weight: decimal.Decimal
        sent: datetime.date

    data = {
        "series": pd.Series([1, 2, 3]),
        "array": np.arange(3),
        "number": np.int64(4),
        "share": np.float64("nan"),
        "missing": [pd.NA, pd.NaT, float("nan")],
        "time": pd.Timestamp("2026-10-05T09:00:00Z"),
        "pause": datetime.timedelta(minutes=2),
        "parcel": Parcel(decimal.Decimal("1.5"), datetime.date(2026, 10, 5)),
        "id": uuid.UUID(int=7),
    }
    wanted = {"series": [1, 2, 3], "array": [0, 1, 2], "number": 4, "share": None, "missing": [None] * 3}
    wanted |= {"time": "2026-10-05T09:00:00+00:00", "pause": 120.0, "parcel": {"weight": 1.5, "sent": "2026-10-05"}}
    wanted |= {"id": "00000000-0000-0000-0000-000000000007"}
    scenario = {"name": "s", "mission": "Give all.", "data": data, "responses": [{"program": "(return [data/series data/time data/parcel])"}]}
    scenario["expect"] = {"value": [wanted["series"], wanted["time"], wanted["parcel"]]}
    found = ptc_eval.evaluate([scenario], suite)
    assert found.conversations["failures"] == [0]
    from ptc_eval._input import json_of

    assert json_of(data, "data") == wanted


def test_what_cannot_be_taken_is_named(caplog):
    with pytest.raises(TypeError, match=r"conversation 1, message 2\.content: expected text, numbers, dates.* got object"):
        ptc_eval.advise([OPENAI, [OPENAI[0], {"role": "user", "content": object()}]])
    with pytest.raises(TypeError, match="conversation 0, message 2: expected a message with a role and content, got int"):
        ptc_eval.advise([[OPENAI[0], 5]])
    with pytest.raises(TypeError, match="expected the path of a log.* got int"):
        ptc_eval.advise(5)
    with pytest.raises(ValueError, match="there are no conversations"):
        ptc_eval.advise([])
    with pytest.raises(ptc_eval.PtcEvalError, match=r"without a conversation: 1 \(conversation 0\)"):
        ptc_eval.advise([OPENAI[:2]])
    # One of several is left out, and named.
    with caplog.at_level(logging.WARNING):
        found = ptc_eval.advise([OPENAI, OPENAI[:2]])
    assert found.conversations["log"] == [0]
    assert "conversation 1" in caplog.text and "conversation 1" in found.notes


def test_scenarios_and_conversations_need_a_suite_together(suite):
    scenario = {"name": "s", "mission": "Give 1.", "responses": [{"program": "(return 1)"}]}
    with pytest.raises(ValueError, match="there are scenarios and conversations"):
        ptc_eval.evaluate([scenario, OPENAI])
    assert len(ptc_eval.evaluate([scenario, OPENAI], suite).conversations) == 2
    with pytest.raises(ValueError, match="recorded conversations need a suite"):
        list(ptc_eval.records([{"name": "t", "messages": OPENAI[1:2]}]))
    with pytest.raises(ValueError, match="there are no scenarios"):
        ptc_eval.evaluate([], suite)
