"""Prints what the provider of the generated sessions billed, and would have billed: `python3 scenarios/sessions/generate/bills.py`.

Nothing here is shared with ptc-eval, so that its figures can be held against these.
"""

import datetime
import json
import pathlib
import sys

# Dollars per million tokens: input read, written for five minutes, written for an hour, output.
PRICES = {"claude-opus-5-5": (0.2, 5, 8, 20), "claude-sonnet-5-5": (0.1, 2.5, 4, 10)}


def requests(transcript):
    """Each bill with the seconds since the answer before, and why the cache cannot have what that one left, whatever the time."""
    compacted = {one["before"] for one in transcript.get("compactions", [])}
    model, ended, reason = None, None, "first request"
    for index, message in enumerate(transcript["messages"]):
        if index in compacted:
            reason = "compacted"
        if message["role"] != "assistant":
            continue
        time, usage = datetime.datetime.fromisoformat(message["time"].rstrip("Z")), message["usage"]
        if model and usage["model"] != model:
            reason = "model switched"
        yield usage, (time - ended).total_seconds() if ended else None, reason
        model, ended, reason = usage["model"], time + datetime.timedelta(seconds=message["duration"]), None


def bill(transcript, ttl, long):
    """Dollars, and the tokens and dollars lost by cause."""
    total, causes, left = 0.0, {}, 0
    for usage, pause, reason in requests(transcript):
        read_price, short_price, long_price, output_price = (price / 1e6 for price in PRICES[usage["model"]])
        write_price = long_price if long else short_price
        cause = reason or ("expired" if pause > ttl else None)
        read = 0 if cause else left
        if ttl == 300:
            assert read == usage["cached_tokens"], (read, usage)
        total += read * read_price + (usage["input_tokens"] - read) * write_price + usage["output_tokens"] * output_price
        if cause and cause != "first request":
            missed = min(left, usage["input_tokens"])
            number, tokens, lost = causes.get(cause, (0, 0, 0.0))
            causes[cause] = (number + 1, tokens + missed, lost + missed * (write_price - read_price))
        left = usage["input_tokens"]
    return total, causes


def main():
    for path in sorted((pathlib.Path(__file__).parent.parent / "data").glob("*.json")):
        transcript = json.loads(path.read_text(encoding="utf-8"))
        if not any("usage" in message for message in transcript["messages"]):
            continue
        short, causes = bill(transcript, 300, False)
        long, _ = bill(transcript, 3600, True)
        print(f"{path.stem}: billed ${short:.4f}; with 1 h instead of 5 min {long - short:+.4f}")
        for cause, (number, tokens, lost) in causes.items():
            print(f"  {cause}: {number} requests, {tokens:,} tokens, ${lost:.4f}")


sys.exit(main())
