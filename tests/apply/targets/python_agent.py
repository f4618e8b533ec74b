"""An agent that keeps messages of the OpenAI API itself, with the library of OpenAI."""

import json

from openai import OpenAI

import script


def declared(tool) -> dict:
    properties = {"name": {"type": "string"}, "lines": {"type": "integer"}}
    parameters = {"type": "object", "properties": properties, "required": ["name", "lines"]}
    return {"type": "function", "function": {"name": tool.__name__, "description": tool.__doc__, "parameters": parameters}}


def run(url: str, applied) -> None:
    client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    shorter = applied.shorter if applied else list
    tools = [declared(tool) for tool in script.TOOLS]
    history = [{"role": "system", "content": script.SYSTEM}]
    for said in script.PEOPLE:
        history.append({"role": "user", "content": said})
        calls = True
        while calls:
            response = client.chat.completions.create(model="fake", messages=shorter(history), tools=tools)
            answer = response.choices[0].message.model_dump(exclude_none=True)
            history.append(answer)
            calls = answer.get("tool_calls", [])
            for call in calls:
                given = getattr(script, call["function"]["name"])(**json.loads(call["function"]["arguments"]))
                history.append({"role": "tool", "tool_call_id": call["id"], "content": given})
