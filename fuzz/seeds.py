#!/usr/bin/env python3
"""Fills fuzz/corpus/ with what the repository holds: programs, responses, scenarios and pairs of snapshots."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = ROOT / "crates" / "ptc-lisp" / "tests" / "language"
LARGEST = 20_000


def put(target, data):
    folder = ROOT / "fuzz" / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def programs():
    for path in sorted(LANGUAGE.glob("*.clj")):
        for block in path.read_text().split("\n\n"):
            yield "\n".join(line for line in block.splitlines() if not line.startswith(";"))
    for path in sorted(LANGUAGE.glob("*.tsv")):
        for line in path.read_text().splitlines():
            if not line.startswith("#"):
                yield line.split("\t")[0]


def small_files(*patterns):
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and path.stat().st_size <= LARGEST:
                yield path.read_bytes()


for number, program in enumerate(filter(str.strip, programs())):
    put("reader", program.encode())
    put("evaluator", program.encode())
    fence = ["```clojure", "```", "~~~clj"][number % 3]
    put("response", f"I look first.\n\n{fence}\n{program}\n{fence[:3]}\nDone.\n".encode())
for scenario in small_files("scenarios/**/*.yaml", "tests/malformed/*.yaml", "tests/malformed/*.jsonl"):
    put("scenario", scenario)
for snapshot in small_files("snapshots/**/*.snap"):
    lines = snapshot.split(b"\n")
    put("snapshot", snapshot + b"\0" + b"\n".join(line for n, line in enumerate(lines) if n % 7))
