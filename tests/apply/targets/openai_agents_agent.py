"""An agent of the OpenAI Agents SDK."""

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from script import PEOPLE, SYSTEM, TOOLS


def run(url: str, applied) -> None:
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    model = OpenAIChatCompletionsModel("fake", client)
    agent = Agent("finder", instructions=SYSTEM, model=model, tools=[function_tool(tool) for tool in TOOLS])
    config = RunConfig(call_model_input_filter=applied.send_shorter) if applied else RunConfig()
    items = []
    for said in PEOPLE:
        items = [*items, {"role": "user", "content": said}]
        items = Runner.run_sync(agent, items, run_config=config, max_turns=50).to_input_list()
