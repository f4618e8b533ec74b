"""An agent of LangChain's create_agent."""

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

from script import PEOPLE, SYSTEM, TOOLS


def run(url: str, applied) -> None:
    model = ChatOpenAI(model="fake", base_url=f"{url}/v1", api_key="none", max_retries=0)
    middleware = [applied.ShorterHistory()] if applied else []
    agent = create_agent(model, TOOLS, system_prompt=SYSTEM, middleware=middleware)
    messages = []
    for said in PEOPLE:
        messages = [*messages, {"role": "user", "content": said}]
        messages = agent.invoke({"messages": messages}, {"recursion_limit": 100})["messages"]
