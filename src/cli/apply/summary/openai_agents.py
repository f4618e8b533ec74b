"""`SETTING`, as OpenAI's Responses API does it itself, with the OpenAI Agents SDK. Written by ptc-eval apply.

    pip install openai-agents

    agent = Agent(name, instructions=..., tools=tools, model_settings=SUMMARIZING)

The provider writes an encrypted summary into the answer, as an item `compaction`. Of a history that has one it reads only what
follows, so no turn is kept beside it. The Chat Completions API has no such option.
"""

from agents import ModelSettings

SUMMARIZING = ModelSettings(context_management=[{"type": "compaction", "compact_threshold": TOKENS}])
