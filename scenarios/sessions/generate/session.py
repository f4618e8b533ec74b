"""A session of an agent while it is written: messages, the time of each, bills, and the agent's own compactions."""

import datetime
import json
import re

TTL = 300
# Limits the letters in each piece of a word, as the provider's tokenizer does.
PIECE = {"claude-opus-5-5": 4, "claude-sonnet-5-5": 5}


def tokens(text, letters):
    """Counts tokens as the provider of these sessions does: not as any public tokenizer."""
    pattern = r" ?[^\W\d_]{1,%d}|\d{1,3}|_|[^\w\s]{1,3}|\s+" % letters
    return len(re.findall(pattern, text))


class Session:
    """`unlogged` tokens stand before each request and are in no log, as the tools of coding agents."""

    def __init__(self, dice, start, system, tools, model=None, unlogged=0):
        self.dice, self.system, self.tools = dice, system, tools
        self.clock = datetime.datetime.fromisoformat(start)
        self.messages, self.compactions, self.calls = [], [], 0
        self.model, self.unlogged, self.sent_from = model, unlogged, 0
        self.cache = None

    def person(self, text, after=0):
        """A person writes something, seconds after the last message."""
        self.wait(after)
        self.add(role="user", content=text)

    def turn(self, text, *calls, took=None):
        """An answer with calls (name, arguments, result), which take so many seconds together."""
        seconds = self.dice.between(40, 260) / 10
        named = []
        for name, arguments, _ in calls:
            self.calls += 1
            named.append({"id": f"call-{self.calls}", "name": name, "arguments": arguments})
        answer = {"role": "assistant", "content": text}
        if named:
            answer["tool_calls"] = named
        answer["duration"] = seconds
        if self.model:
            answer["usage"] = self.bill(answer)
        self.add(**answer)
        self.wait(seconds)
        self.wait(self.dice.between(1, 9) if took is None else took)
        for call, (_, _, result) in zip(named, calls):
            text, failed = result if isinstance(result, tuple) else (result, False)
            self.add(role="tool", call=call["id"], content=text, **({"is_error": True} if failed else {}))

    def compact(self, summary, reinjected):
        """The agent's window is full: a summary takes the place of all messages, and some files are sent again."""
        self.compactions.append({
            "before": len(self.messages), "kind": "summary", "removed": [[0, len(self.messages) - 1]],
            "text": summary, "trigger": "auto", "time": self.now(),
            "tokens_before": self.size(self.messages[self.sent_from:])})
        self.sent_from, self.cache = len(self.messages), None
        for text in reinjected:
            self.add(role="user", content=text, is_observation=True, reinjected=True)

    def switch(self, model):
        """Another model answers from here on. Caches belong to a model."""
        self.model, self.cache = model, None

    def bill(self, answer):
        """The provider reads what it wrote if the last answer ended within five minutes, and writes the rest."""
        texts = self.messages[self.sent_from:]
        summary = self.compactions[-1]["text"] if self.compactions else ""
        total = self.unlogged + self.size(texts) + tokens(summary, PIECE[self.model])
        alive = self.cache and (self.clock - self.cache[1]).total_seconds() <= TTL
        read = self.cache[0] if alive else 0
        self.cache = (total, self.clock + datetime.timedelta(seconds=answer["duration"]))
        output = self.size([answer])
        return {"model": self.model, "input_tokens": total, "cached_tokens": read,
                "cache_write_tokens": total - read, "output_tokens": output}

    def size(self, messages):
        letters = PIECE[self.model] if self.model else 4
        calls = [json.dumps(call["arguments"]) + call["name"] for m in messages for call in m.get("tool_calls", [])]
        return sum(tokens(m["content"], letters) + 4 for m in messages) + sum(tokens(c, letters) + 8 for c in calls)

    def add(self, **message):
        self.messages.append({**message, "time": self.now()})

    def wait(self, seconds):
        self.clock += datetime.timedelta(seconds=seconds)

    def now(self):
        return self.clock.isoformat(timespec="milliseconds") + "Z"

    def text(self):
        """The transcript, a message a line."""
        line = lambda value: json.dumps(value, ensure_ascii=False)
        parts = [f'"system": {line(self.system)}']
        parts.append('"tools": [\n' + ",\n".join(line(tool) for tool in self.tools) + "\n]")
        parts.append('"messages": [\n' + ",\n".join(line(message) for message in self.messages) + "\n]")
        if self.compactions:
            parts.append('"compactions": [\n' + ",\n".join(line(one) for one in self.compactions) + "\n]")
        parts.append('"outcome": {"success": true}')
        return "{" + ",\n".join(parts) + "}\n"
