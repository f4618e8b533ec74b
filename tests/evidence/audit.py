"""Draws verdicts at random for a reader: alarms (answers under a strategy that lack a fact) and as many quiet answers (their
request leaves something out, and they lack nothing).

    ptc-eval advise LOGS --no-bills --one-agent --save kept
    ptc-eval run kept --format full-records | python3 tests/evidence/audit.py SEED NUMBER [finding|judging]

Rules are made for false alarms in one half of the logs, and judged by the other half: the CRC-32 of a log's name decides.
Each verdict shows the answer. Below an alarm is what its request lacks, with the lines that had it. Below a quiet answer are its
words that are in the history and not in the request.
"""

import json
import random
import re
import sys
import zlib

WIDTH = 240
# Maximum lost texts and words of a verdict.
MOST = 8
WORD = re.compile(r"[\w./:@-]*\w")


class Run:
    """A scenario with the texts of its messages."""

    def __init__(self, record):
        self.record = record
        pieces = record["texts"]["pieces"]
        text = lambda runs: "".join("".join(pieces[at : at + count]) for at, count in zip(runs[::2], runs[1::2]))
        self.messages = [self.message(message, text) for message in record["texts"]["messages"]]

    def message(self, message, text):
        content = text(message["runs"]) if "runs" in message else self.record.get("system") or ""
        calls = [f"{call['name']} {call['arguments']}" for call in message.get("tool_calls", [])]
        return message["role"].upper(), "\n".join([content, *calls])

    def requests(self, strategy):
        """The turn, the messages and the evidence of each request."""
        sent = []
        for request in strategy["requests"]:
            kept, *added = request[1]
            sent = sent[:kept] + added
            yield request[0], sent, request[6]

    def whole(self):
        return next(one for one in self.record["strategies"] if one["name"] == "full-history")

    def answers(self):
        """The message number of each turn's answer, from the request after it."""
        sent = [messages for _, messages, _ in self.requests(self.whole())]
        return [next((n for n in after[len(before) :] if self.messages[n][0] == "ASSISTANT"), None) for before, after in zip(sent, sent[1:])]


def verdicts(run):
    whole = [messages for _, messages, _ in run.requests(run.whole())]
    for strategy in run.record["strategies"]:
        if strategy["name"] not in ("full-history", "as-recorded"):
            for turn, messages, evidence in run.requests(strategy):
                if messages != whole[turn - 1] and turn <= len(run.answers()):
                    is_short = evidence.get("own", 0) + evidence.get("gone", 0) > 0
                    yield is_short, strategy["name"], turn


def lines_with(run, messages, word, most):
    """Lines with a word, each with its place in the history."""
    found = []
    for place, number in enumerate(messages):
        role, text = run.messages[number]
        for line in text.splitlines():
            at = line.find(word)
            if at >= 0:
                found.append(f"      {role} {place}: {line[max(0, at - WIDTH // 2) : at + WIDTH // 2].strip()}")
    return found[:most]


def show(run, strategy, turn):
    requests = next(one for one in run.record["strategies"] if one["name"] == strategy)
    messages, evidence = next((sent, lacks) for number, sent, lacks in run.requests(requests) if number == turn)
    whole = next(sent for number, sent, _ in run.requests(run.whole()) if number == turn)
    answer = run.messages[run.answers()[turn - 1]][1]
    print(f"=== {run.record['name']}@{turn} under {strategy}, {len(whole)} messages\n{answer[: 6 * WIDTH]}\n")
    lost_texts = evidence.get("lost", [])
    for lost in lost_texts[:MOST]:
        print(f"  lacks ({lost['grade']}, turn {lost['turn']}): {lost['what'][:WIDTH]}")
        print(*lines_with(run, whole, lost["what"].splitlines()[0], 2), sep="\n")
    print(f"  and {len(lost_texts) - MOST} more" if len(lost_texts) > MOST else "")
    if not evidence.get("own", 0) + evidence.get("gone", 0):
        history, request = ("\n".join(run.messages[number][1] for number in numbers) for numbers in (whole, messages))
        words = dict.fromkeys(word for word in WORD.findall(answer) if word in history and word not in request)
        for word in list(words)[: 3 * MOST]:
            print(f"  not in the request: {word[:WIDTH]}")
            print(*lines_with(run, whole, word, 1), sep="\n")
    print()


def half(name):
    return "judging" if zlib.crc32(name.encode()) % 2 else "finding"


def main(seed, number, wanted=None):
    records = (json.loads(line).get("scenario") for line in sys.stdin)
    runs = [Run(record) for record in records if record and wanted in (None, half(record["name"]))]
    for is_short in (True, False):
        found = [(at, name, turn) for at, run in enumerate(runs) for short, name, turn in verdicts(run) if short == is_short]
        drawn = random.Random(seed).sample(found, min(number, len(found)))
        print(f"##### {'alarms' if is_short else 'quiet'}: {len(drawn)} of {len(found)}\n")
        for at, name, turn in drawn:
            show(runs[at], name, turn)


main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
