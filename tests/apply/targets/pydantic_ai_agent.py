"""An agent of Pydantic AI."""

from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from script import PEOPLE, SYSTEM, TOOLS


def run(url: str, applied) -> None:
    client = AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    model = OpenAIChatModel("fake", provider=OpenAIProvider(openai_client=client))
    capabilities = [applied.ShorterHistory()] if applied else []
    agent = Agent(model, system_prompt=SYSTEM, tools=TOOLS, capabilities=capabilities)
    messages = []
    for said in PEOPLE:
        messages = agent.run_sync(said, message_history=messages).all_messages()
