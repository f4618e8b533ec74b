"""An agent of the OpenAI Agents SDK, on the Chat Completions API and on the Responses API."""

from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, RunConfig, Runner, function_tool
from agents import set_tracing_disabled
from openai import AsyncOpenAI

from script import PEOPLE, SYSTEM, TOOLS


def run(url: str, applied, kind=OpenAIChatCompletionsModel) -> None:
    set_tracing_disabled(True)
    model = kind("fake", AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0))
    tools = [function_tool(tool) for tool in TOOLS]
    settings = getattr(applied, "SUMMARIZING", ModelSettings())
    agent = Agent("finder", instructions=SYSTEM, model=model, tools=tools, model_settings=settings)
    config = RunConfig(call_model_input_filter=getattr(applied, "send_shorter", None))
    items = []
    for said in PEOPLE:
        items = [*items, {"role": "user", "content": said}]
        items = Runner.run_sync(agent, items, run_config=config, max_turns=50).to_input_list()


def run_on_responses(url: str, applied) -> None:
    run(url, applied, OpenAIResponsesModel)
