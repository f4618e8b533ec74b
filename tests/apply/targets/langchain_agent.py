"""An agent of LangChain's create_agent, with OpenAI's API and with Anthropic's."""

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI

from script import PEOPLE, SYSTEM, TOOLS


def run(url: str, applied) -> None:
    run_with(ChatOpenAI(model="fake", base_url=f"{url}/v1", api_key="none", max_retries=0), applied)


def run_on_anthropic(url: str, applied) -> None:
    run_with(ChatAnthropic(model="claude-fake", base_url=url, api_key="none", max_retries=0), applied)


def run_with(model, applied) -> None:
    middleware = [applied.ShorterHistory()] if hasattr(applied, "ShorterHistory") else []
    middleware += [applied.summarizing(model)] if hasattr(applied, "summarizing") else []
    agent = create_agent(model, TOOLS, system_prompt=SYSTEM, middleware=middleware)
    messages = []
    for said in PEOPLE:
        messages = [*messages, {"role": "user", "content": said}]
        messages = agent.invoke({"messages": messages}, {"recursion_limit": 100})["messages"]
