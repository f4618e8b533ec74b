"""`SETTING`, as a filter of the OpenAI Agents SDK. Written by ptc-eval apply.

INSTALL

    await Runner.run(agent, items, run_config=RunConfig(call_model_input_filter=send_shorter))

The run keeps the whole history; only what the model is sent is shorter. A history that the provider keeps, with
`conversation_id` or `previous_response_id`, cannot be shortened here.
"""

from agents.run import CallModelData, ModelInputData


def send_shorter(data: CallModelData) -> ModelInputData:
    """Sends the model a shorter history."""
    return ModelInputData(input=sent(data.model_data.input), instructions=data.model_data.instructions)


@harmless(0)
def sent(items):
    """The items that are sent in place of these."""
    chosen = shorter(plain(items))
    return [item for message in chosen for item in own_items(message)]


def plain(items):
    """The items as messages of the OpenAI API. What an answer has beside its text is one message with it."""
    messages = []
    for item in items:
        type_of, role = item.get("type", "message"), item.get("role")
        if type_of.endswith("_output"):
            message = {"role": "tool", "tool_call_id": item.get("call_id"), "content": text_of_parts(item.get("output"))}
        elif type_of == "message" and role != "assistant":
            message = {"role": role, "content": texts(item["content"])}
        else:
            if not messages or messages[-1]["role"] != "assistant":
                messages.append({"role": "assistant", "content": "", "tool_calls": [], "own": []})
            message = messages[-1]
            if type_of == "message":
                message["content"] += text_of_parts(item["content"])
            elif type_of == "function_call":
                function = {"name": item["name"], "arguments": item["arguments"]}
                message["tool_calls"].append({"id": item["call_id"], "function": function})
            message["own"].append(item)
            continue
        messages.append({**message, "own": [item], "was": message["content"]})
    return messages


def own_items(message):
    if message["role"] == "assistant" or message.get("was") == message["content"]:
        return message["own"]
    if message["role"] == "tool":
        return [{**message["own"][0], "output": message["content"]}]
    own = message.get("own", [{"role": "user"}])[0]
    return [{**own, "content": message["content"] if isinstance(message["content"], str) else input_texts(message)}]


def texts(content):
    """The content with parts of text as the chat API has them."""
    if isinstance(content, str):
        return content
    return [{**part, "type": "text"} if part["type"] == "input_text" else part for part in content]


def input_texts(message):
    return [{**part, "type": "input_text"} if part["type"] == "text" else part for part in message["content"]]


def text_of_parts(content):
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text") or "" for part in content or [])
