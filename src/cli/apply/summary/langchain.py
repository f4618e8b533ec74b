"""`SETTING`, as LangChain 1 does it itself. Written by ptc-eval apply.

    pip install langchain

    agent = create_agent(model, tools, middleware=[summarizing(model)])

The model writes a summary, which takes the place of older messages in the state of the agent. The library counts tokens
itself, and keeps messages: two for each turn with one call.
"""

from langchain.agents.middleware import SummarizationMiddleware


def summarizing(model):
    return SummarizationMiddleware(model, trigger=WHEN, keep=KEPT, trim_tokens_to_summarize=SEEN)
