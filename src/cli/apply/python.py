"""`SETTING`, for agents in Python that keep messages as the OpenAI API has them. Written by ptc-eval apply.

INSTALL

    response = client.chat.completions.create(messages=shorter(history), model=..., tools=...)

`history` is the whole history, which the agent keeps. `--for` prints the same for other libraries.
"""


def as_map(message):
    """The message as a map, also one that is an object of the library, such as `response.choices[0].message`."""
    return message if isinstance(message, dict) else message.model_dump(exclude_none=True)
