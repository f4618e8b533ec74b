"""`SETTING`, for agents in Python that keep messages as the OpenAI API has them. Written by ptc-eval apply.

INSTALL

    response = client.chat.completions.create(messages=shorter(history), model=..., tools=...)

`history` is the whole history, which the agent keeps. `--for` prints the same for other libraries.
"""
