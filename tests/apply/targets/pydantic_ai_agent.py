"""An agent of Pydantic AI, with OpenAI's API and with Anthropic's."""

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from script import PEOPLE, SYSTEM, TOOLS


def run(url: str, applied) -> None:
    client = AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    run_with(OpenAIChatModel("fake", provider=OpenAIProvider(openai_client=client)), applied)


def run_on_anthropic(url: str, applied) -> None:
    client = AsyncAnthropic(base_url=url, api_key="none", max_retries=0)
    own = getattr(applied, "OF_ANTHROPIC", None)
    run_with(AnthropicModel("claude-fake", provider=AnthropicProvider(anthropic_client=client)), applied, own)


def run_on_responses(url: str, applied) -> None:
    client = AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    run_with(OpenAIResponsesModel("fake", provider=OpenAIProvider(openai_client=client)), applied, applied.OF_OPENAI)


def run_with(model, applied, own=None) -> None:
    capabilities = [own or applied.ShorterHistory()] if applied else []
    agent = Agent(model, system_prompt=SYSTEM, tools=TOOLS, capabilities=capabilities)
    messages = []
    for said in PEOPLE:
        messages = agent.run_sync(said, message_history=messages).all_messages()
