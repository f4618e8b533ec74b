"""`SETTING`, as LangChain 1 does it itself. Written by ptc-eval apply.

    pip install langchain

    agent = create_agent(model, tools, middleware=[summarizing(model)])

The model writes a summary, which takes the place of older messages in the state of the agent, but for those before its first
answer, which the library alone would not keep. The library counts tokens itself, and keeps messages: two for each turn with one
call.
"""

from itertools import takewhile

from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage


class Summarizing(SummarizationMiddleware):
    """Summarizes all messages but those before the first answer."""

    def before_model(self, state, runtime):
        opening, others = divided(state["messages"])
        return joined(opening, super().before_model({**state, "messages": others}, runtime))

    async def abefore_model(self, state, runtime):
        opening, others = divided(state["messages"])
        return joined(opening, await super().abefore_model({**state, "messages": others}, runtime))


def divided(messages):
    """The messages before the first answer or summary, and the others."""
    opening = list(takewhile(is_of_a_person, messages))
    return opening, messages[len(opening) :]


def is_of_a_person(message):
    is_summary = message.additional_kwargs.get("lc_source") == "summarization"
    return not is_summary and not isinstance(message, AIMessage)


def joined(opening, update):
    """The change of the state with the opening in front, behind the entry that removes what was there before."""
    if update is None:
        return None
    remove, *others = update["messages"]
    return {"messages": [remove, *opening, *others]}


def summarizing(model):
    return Summarizing(model, trigger=WHEN, keep=KEPT, trim_tokens_to_summarize=SEEN)
