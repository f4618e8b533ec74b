"""An agent that keeps messages of the OpenAI API itself and asks OpenAI's API and Anthropic's through LiteLLM."""

import asyncio
import json

import litellm

import script
from python_agent import declared


def ask_as_proxy(applied, arguments: dict):
    """The answer to what a proxy would send."""
    data = asyncio.run(applied.handler.async_pre_call_hook(None, None, arguments, "acompletion"))
    return litellm.completion(**data)


def run_on_anthropic(url: str, applied) -> None:
    run(url, applied, "anthropic/claude-fake", "")


def run(url: str, applied, model="openai/fake", path="/v1") -> None:
    tools = [declared(tool) for tool in script.TOOLS]
    fixed = {"model": model, "api_base": url + path, "api_key": "none", "tools": tools, "num_retries": 0}
    fixed |= getattr(applied, "SUMMARIZING", {})
    complete = getattr(applied, "completion", litellm.completion)
    history = [{"role": "system", "content": script.SYSTEM}]
    for number, said in enumerate(script.PEOPLE):
        history.append({"role": "user", "content": said})
        calls = True
        while calls:
            arguments = {**fixed, "messages": list(history)}
            response = ask_as_proxy(applied, arguments) if hasattr(applied, "handler") and number == 1 else complete(**arguments)
            answer = response.choices[0].message.model_dump(exclude_none=True)
            history.append(answer)
            calls = answer.get("tool_calls") or []
            for call in calls:
                given = getattr(script, call["function"]["name"])(**json.loads(call["function"]["arguments"]))
                history.append({"role": "tool", "tool_call_id": call["id"], "content": given})
