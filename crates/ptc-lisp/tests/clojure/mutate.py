#!/usr/bin/env python3
"""Writes variants of checked expressions, one JSON object {id, program} a line, for compare.py.

Each argument of each call in the files given is replaced by values that its author did not think of: nil, empty,
of another kind, out of range. Where generate.py keeps to the types of arguments, this does the opposite. The same
seed gives the same programs.
"""

import argparse
import json
import random
import re

ODD = """
nil true 0 1 -1 2 7 100 -3 1.0 2.5 -0.5 0.0 1e20 ##NaN ##Inf "" "a" "abc" "12" "a b" " x " :a :b :k/n
[] [1] [nil] [1 2 3] [:a 1] [[:a 1] [:b 2]] [[1 2] [3 4]] ["b" "a"] [3 1 2] [1 :a "s"] [nil 1 nil 2]
() '(1 2) (list 3 2 1) (map inc [1 2]) (range 3) (range 0) (seq [1 2]) (rest [1]) (filter odd? [2]) (concat [1] nil)
{} {:a 1} {:a 1 :b 2} {:a nil} {:b {:a 1}} {nil 1} {1 2} {"a" 1} {[1] 2} (seq {:a 1}) (sorted-map :b 1 :a 2)
#{} #{1} #{:a :b} #{nil} (sorted-set 2 1) \\a \\space #"a" #"(\\w)(\\d)?" inc identity :x odd? (fn [x] x) (fn [& xs] xs) #(vector %1 %2)
(first {:a 1}) (juxt inc dec) (partial + 1) {:a [1 2 {:b 3}]} [{:a 1} {:a 2}] [#{1}] "héllo" (repeat 2 :z) (constantly nil) even? str count
""".split("\n")
SKIP = re.compile(r"tool/|data/|json/|where|all-of|any-of|none-of|sum|avg|pluck|extract|re-split|-by |\bdef|return|fail|Date|Instant|LocalDate|iterate|\(range\)|repeatedly|cycle|combinations|upcase|downcase|parse-int|entries|Duration|catch")
LITERAL_HEADS = {"let", "for", "loop", "fn", "defn", "doseq", "letfn", "dotimes", "if-let", "when-let", "if-some", "when-some", "when-first", "quote", "case", "ns", "require"}


def spans(text):
    """The ranges of the arguments of calls: (start, end), calls inside one another included."""
    found, at = [], 0

    def skip(at):
        while at < len(text) and text[at] in " \t\n,":
            at += 1
        return at

    def form(at, inside):
        at = skip(at)
        start = at
        if at >= len(text):
            raise ValueError("end")
        while text[at] in "'^@`~#" and not text.startswith(('#"', "#{", "#("), at):
            at += 1
        if text.startswith("#", at):
            at += 1
        c = text[at]
        if c in "([{":
            at = items(at + 1, {"(": ")", "[": "]", "{": "}"}[c], c == "(")
        elif c == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
            at += 1
        elif c == "\\":
            at += 2
            while at < len(text) and text[at] not in ' \t\n,()[]{}"':
                at += 1
        else:
            while at < len(text) and text[at] not in ' \t\n,()[]{}";':
                at += 1
        if at == start:
            raise ValueError("stuck")
        if inside:
            found.append((start, at))
        return at

    def items(at, closer, is_call):
        number, head = 0, None
        while True:
            at = skip(at)
            if text[at] == closer:
                return at + 1
            start = at
            at = form(at, is_call and number > 0 and not (head in LITERAL_HEADS and number == 1))
            head = head or text[start:at]
            number += 1

    while skip(at) < len(text):
        at = form(at, False)
    return found


def odd_values():
    values = []
    for line in ODD:
        at, line = 0, line.strip()
        depth, current, quoted = 0, "", False
        for c in line + " ":
            if c == '"' and not current.endswith("\\"):
                quoted = not quoted
            if not quoted and c in "([{":
                depth += 1
            if not quoted and c in ")]}":
                depth -= 1
            if c == " " and depth == 0 and not quoted:
                if current:
                    values.append(current)
                current = ""
            else:
                current += c
    return values


def expressions(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            text = line.rstrip("\n").split("\t")[0]
            if text and not SKIP.search(text) and len(text) < 160:
                yield text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help=".tsv files of expressions")
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, values = random.Random(options.seed), odd_values()
    corpus = [text for path in options.files for text in expressions(path)]
    seen = set()
    while len(seen) < options.count:
        text = chance.choice(corpus)
        try:
            places = spans(text)
        except (ValueError, IndexError):
            continue
        for _ in range(chance.choice([1, 1, 2])):
            if places:
                start, end = chance.choice(places)
                text = text[:start] + chance.choice(values) + text[end:]
                places = [(s, e) for s, e in places if e <= start]
        if text not in seen:
            seen.add(text)
            print(json.dumps({"id": f"m{options.seed}-{len(seen)}", "program": text}, ensure_ascii=False))


if __name__ == "__main__":
    main()
