"""Reads what Clojure and ptc-eval print, so that values can be compared and not texts alone.

A value is a tuple that opens with its kind: ("nil",) ("bool", b) ("int", n) ("float", text) ("string", s)
("keyword", s) ("symbol", s) ("regex", s) ("var", s) ("opaque",) ("list", items) ("vector", items)
("map", pairs) ("set", items). A character is a string of one character.
"""

import re

NAMED_CHARACTERS = {"newline": "\n", "space": " ", "tab": "\t", "return": "\r", "backspace": "\b", "formfeed": "\f"}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\"}
DELIMITERS = set('()[]{}"; \t\n\r,')


class Unreadable(Exception):
    """The text is no value."""


class Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def read(self):
        value = self.value()
        self.skip()
        if self.at != len(self.text):
            raise Unreadable(self.text[self.at :])
        return value

    def skip(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n\r,":
            self.at += 1

    def peek(self):
        if self.at >= len(self.text):
            raise Unreadable("end of text")
        return self.text[self.at]

    def items(self, closer):
        items = []
        while True:
            self.skip()
            if self.peek() == closer:
                self.at += 1
                return items
            items.append(self.value())

    def value(self):
        self.skip()
        start = self.peek()
        if start in "([{":
            self.at += 1
            return self.collection(start)
        if start == '"':
            self.at += 1
            return ("string", self.string())
        if start == "\\":
            return self.character()
        if start == "#":
            return self.dispatch()
        return atom(self.token())

    def collection(self, start):
        if start == "(":
            return ("list", self.items(")"))
        if start == "[":
            return ("vector", self.items("]"))
        flat = self.items("}")
        if len(flat) % 2:
            raise Unreadable("odd map")
        return ("map", list(zip(flat[::2], flat[1::2])))

    def string(self):
        out = []
        while True:
            c = self.peek()
            self.at += 1
            if c == '"':
                return "".join(out)
            if c != "\\":
                out.append(c)
                continue
            escape = self.peek()
            self.at += 1
            if escape == "u":
                out.append(chr(int(self.text[self.at : self.at + 4], 16)))
                self.at += 4
            else:
                out.append(ESCAPES.get(escape, "\\" + escape))

    def character(self):
        self.at += 1
        first = self.peek()
        self.at += 1
        word = first
        while self.at < len(self.text) and self.text[self.at] not in DELIMITERS:
            word += self.text[self.at]
            self.at += 1
        if len(word) == 1:
            return ("string", word)
        if word in NAMED_CHARACTERS:
            return ("string", NAMED_CHARACTERS[word])
        if word[0] == "u":
            return ("string", chr(int(word[1:5], 16)))
        raise Unreadable(word)

    def dispatch(self):
        rest = self.text[self.at :]
        if rest.startswith("#{"):
            self.at += 2
            return ("set", self.items("}"))
        if rest.startswith('#"'):
            return self.regex()
        if rest.startswith("#'"):
            self.at += 2
            return ("var", self.token().split("/")[-1])
        if rest.startswith("##"):
            self.at += 2
            return ("float", self.token())
        if rest.startswith("#<"):
            self.at = self.text.index(">", self.at) + 1
            return ("opaque",)
        self.at += 1
        tag = self.token()
        value = self.value()
        return ("opaque",) if tag in ("fn", "object", "error", "reduced") else ("tagged", tag, value)

    def regex(self):
        self.at += 2
        start = self.at
        while self.peek() != '"':
            self.at += 2 if self.peek() == "\\" else 1
        self.at += 1
        return ("regex", self.text[start : self.at - 1])

    def token(self):
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in DELIMITERS:
            self.at += 1
        if start == self.at:
            raise Unreadable(self.text[self.at :])
        return self.text[start : self.at]


def atom(token):
    if token == "nil":
        return ("nil",)
    if token in ("true", "false"):
        return ("bool", token == "true")
    if token.startswith(":"):
        return ("keyword", token[1:])
    if re.fullmatch(r"[+-]?\d+", token):
        return ("int", int(token))
    if re.fullmatch(r"[+-]?\d+N", token):
        return ("bigint", int(token[:-1]))
    if re.fullmatch(r"[+-]?\d+/\d+", token):
        return ("ratio", token)
    if re.fullmatch(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?M", token):
        return ("decimal", token[:-1])
    if re.fullmatch(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", token):
        return ("float", token)
    return ("symbol", token)


def read(text):
    """The value that `text` prints; raises Unreadable."""
    return Reader(text).read()


def exact(value):
    """A form in which equal texts are equal, but for the order of maps and sets and for characters."""
    return canonical(value, strict=True)


def loose(value):
    """A form in which equal values are equal: a list is its vector."""
    return canonical(value, strict=False)


def canonical(value, strict):
    kind = value[0]
    if kind in ("list", "vector"):
        items = tuple(canonical(item, strict) for item in value[1])
        return (kind if strict else "sequence", items)
    if kind == "map":
        pairs = [(canonical(k, strict), canonical(v, strict)) for k, v in value[1]]
        return ("map", tuple(sorted(pairs, key=repr)))
    if kind == "set":
        return ("set", tuple(sorted((canonical(item, strict) for item in value[1]), key=repr)))
    return value


def unordered(value):
    """A form in which sequences of the same items are equal, whatever their order."""
    kind = value[0]
    if kind in ("list", "vector", "set"):
        return ("bag", tuple(sorted((unordered(item) for item in value[1]), key=repr)))
    if kind == "map":
        return ("map", tuple(sorted(((unordered(k), unordered(v)) for k, v in value[1]), key=repr)))
    if kind == "string":
        return ("string", "".join(sorted(value[1])))
    return value
