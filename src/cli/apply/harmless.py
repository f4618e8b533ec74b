import functools
import logging


def harmless(place):
    """Sends the messages, the argument at this place, as they are if shortening them fails: it must not end the agent."""

    def decorate(shorten):
        @functools.wraps(shorten)
        def attempt(*arguments, **named):
            try:
                return shorten(*arguments, **named)
            except Exception:
                logging.getLogger(__name__).exception("the history could not be shortened and is sent whole")
                return [*arguments, *named.values()][place]

        return attempt

    return decorate
