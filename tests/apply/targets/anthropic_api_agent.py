"""An agent that keeps messages of Anthropic's API itself, with its library."""

from anthropic import Anthropic

import script
from python_agent import declared


def tools() -> list[dict]:
    functions = [declared(tool)["function"] for tool in script.TOOLS]
    return [{"input_schema": function.pop("parameters"), **function} for function in functions]


def run(url: str, applied) -> None:
    client = Anthropic(base_url=url, api_key="none", max_retries=0)
    sent = getattr(applied, "sent", list)
    own = getattr(applied, "EDITING", getattr(applied, "SUMMARIZING", {}))
    create = client.beta.messages.create if own else client.messages.create
    history = []
    for said in script.PEOPLE:
        # The opening in parts, as what is cached has to be.
        history.append({"role": "user", "content": said if history else [{"type": "text", "text": said}]})
        calls = True
        while calls:
            messages = sent(history)
            response = create(
                model="fake", system=script.SYSTEM, messages=messages, tools=tools(), max_tokens=100, **own
            )
            history.append({"role": "assistant", "content": response.content})
            calls = [part for part in response.content if part.type == "tool_use"]
            results = [
                {"type": "tool_result", "tool_use_id": call.id, "content": getattr(script, call.name)(**call.input)}
                for call in calls
            ]
            if results:
                history.append({"role": "user", "content": results})
