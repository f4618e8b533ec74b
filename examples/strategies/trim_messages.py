"""LangChain's `trim_messages` as a strategy of ptc-eval.

    pip install -r requirements.txt

    variants:
      langchain: {command: [python3, strategies/trim_messages.py], options: {max_tokens: 4000}}

Options are those of `trim_messages`; tokens are those of ptc-eval.
"""

import json
import sys

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, trim_messages


def converted(index, message):
    """The message as LangChain has it. Its id is its place in the request."""
    fields = {"content": message["content"], "id": str(index)}
    match message["role"]:
        case "system":
            return SystemMessage(**fields)
        case "user":
            return HumanMessage(**fields)
        case "tool":
            return ToolMessage(**fields, tool_call_id=message["call"])
    calls = [
        {"id": call["id"], "name": call["name"], "args": {"arguments": call["arguments"]}}
        for call in message.get("tool_calls", [])
    ]
    return AIMessage(**fields, tool_calls=calls)


def trimmed(messages, options):
    def tokens(chosen):
        return sum(messages[int(message.id)]["tokens"] for message in chosen)

    settings = {"strategy": "last", "include_system": True, "start_on": "human"} | options
    history = [converted(index, message) for index, message in enumerate(messages)]
    kept = trim_messages(history, token_counter=tokens, **settings)
    return [messages[int(message.id)] for message in kept]


for line in sys.stdin.buffer:
    request = json.loads(line)
    messages = trimmed(request["messages"], request["options"])
    if any(message["role"] != "system" for message in messages):
        answer = {"messages": messages}
    else:
        answer = {"error": f"no message of the conversation fits into {request['options']['max_tokens']} tokens"}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
