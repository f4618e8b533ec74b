"""`SETTING`, as Pydantic AI 2 asks providers to do it. Written by ptc-eval apply.

    pip install "pydantic-ai-slim[anthropic,openai]"

    agent = Agent("anthropic:...", tools=tools, capabilities=[OF_ANTHROPIC])
    agent = Agent("openai-responses:...", tools=tools, capabilities=[OF_OPENAI])

The provider writes a summary into the answer. Of a history that has one it reads only what follows, so no turn is kept beside it.
"""

from pydantic_ai.models.anthropic import AnthropicCompaction
from pydantic_ai.models.openai import OpenAICompaction

OF_ANTHROPIC = AnthropicCompaction(token_threshold=TOKENS)
OF_OPENAI = OpenAICompaction(token_threshold=TOKENS)
