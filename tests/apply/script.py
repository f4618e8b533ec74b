"""The conversation that every agent of these tests has: what people say, what the model answers, what tools give."""

import json


def result(name: str, lines: int) -> str:
    """What both tools give."""
    return "\n".join(f"{name} {line}: naïve 🛫 {line * 37 % 101}" for line in range(lines)) or "nothing"


def look(name: str, lines: int) -> str:
    """Looks at something."""
    return result(name, lines)


def read(name: str, lines: int) -> str:
    """Reads something."""
    return result(name, lines)


TOOLS = [look, read]
SYSTEM = "Find the flight. Be brief."


def answer(number: int, *calls: tuple[str, int], text: str = "") -> dict:
    tool = "read" if number % 4 == 1 else "look"
    arguments = [{"name": name, "lines": lines} for name, lines in calls]
    calls = [{"id": f"call_{number}_{place}", "name": tool, "arguments": of} for place, of in enumerate(arguments)]
    return {"text": text, "calls": calls}


def searched(first: int, sizes: list[int]) -> list[dict]:
    """Answers that call, some of them twice and some with words."""
    answers = []
    for number, lines in enumerate(sizes, start=first):
        more = [("größer", 1)] if number % 3 == 0 else []
        answers.append(answer(number, (f"q{number}", lines), *more, text="I look." if number % 2 else ""))
    return answers


PHASES = [
    ("Which flight is it?", [*searched(0, [9, 0, 30, 4, 12, 1, 60]), answer(7, text="Is it this one: 'é'?")]),
    ("No.\nAn earlier one.", [*searched(8, [3, 40, 0, 25, 2, 70, 5, 8, 30]), answer(17, text="This one.")]),
    ("Thanks. And back?", [*searched(18, [20, 6, 1, 44]), answer(22, text="Tomorrow.")]),
]
PEOPLE = [said for said, _ in PHASES]
ANSWERS = [answer for _, answers in PHASES for answer in answers]


def openai(answer: dict) -> dict:
    """The answer as a message of the OpenAI API."""
    message = {"role": "assistant", "content": answer["text"]}
    calls = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": compact(call["arguments"])}}
        for call in answer["calls"]
    ]
    return message | ({"tool_calls": calls} if calls else {})


def anthropic(answer: dict) -> dict:
    """The answer as a message of Anthropic's API."""
    text = [{"type": "text", "text": answer["text"]}] if answer["text"] else []
    calls = [
        {"type": "tool_use", "id": call["id"], "name": call["name"], "input": call["arguments"]}
        for call in answer["calls"]
    ]
    return {"role": "assistant", "content": [*text, *calls]}


def responses(answer: dict) -> list[dict]:
    """The answer as items of OpenAI's Responses API."""
    text = [{"type": "output_text", "text": answer["text"], "annotations": []}]
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": text}
    calls = [
        {
            "type": "function_call",
            "id": f"fc_{call['id']}",
            "call_id": call["id"],
            "name": call["name"],
            "arguments": compact(call["arguments"]),
            "status": "completed",
        }
        for call in answer["calls"]
    ]
    return [*([said] if answer["text"] else []), *calls]


def compact(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
