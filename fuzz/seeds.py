#!/usr/bin/env python3
"""Fills fuzz/work/ with what the repository holds: programs, responses, scenarios, pairs of snapshots, logs, data
files, what fuzzing found before, and records that target/debug/ptc-eval writes."""

import hashlib
import json
import re
import string
import subprocess
import tempfile
from pathlib import Path

from packed import CORPUS, unpack

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = ROOT / "crates" / "ptc-lisp" / "tests" / "language"
LARGEST = 20_000


def put(target, data):
    folder = ROOT / "fuzz" / "work" / target
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


for packed in CORPUS.iterdir():
    unpack(packed.name, ROOT / "fuzz" / "work" / packed.name)
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
logs = [path for path in sorted(ROOT.glob("crates/agent-logs/tests/logs/*/*")) if path.suffix != ".golden"]
PROGRAM = ROOT / "target" / "debug" / "ptc-eval"
formats = subprocess.run([PROGRAM, "list", "formats"], capture_output=True, text=True, check=True).stdout
# The letter of each format, in the order of their rows.
letters = dict(zip((row.split()[0] for row in formats.splitlines()), string.ascii_letters))
for path in logs:
    put("import", path.read_bytes())
    if letter := letters.get(path.parent.name):
        put("import", letter.encode() + path.read_bytes())
        put(f"formats/{path.parent.name}", path.read_bytes())
for catalogue in re.findall(r'r#"(.*?)"#', (ROOT / "tests" / "price_files.rs").read_text(), re.S):
    put("prices", (b"j" if catalogue[0] in "{[" else b"y") + catalogue.encode())
for file in small_files("tests/malformed/prices*.yaml"):
    put("prices", b"y" + file)
for kind, name in enumerate(["csv", "json", "jsonl", "yaml", "txt"]):
    for data in small_files(f"scenarios/**/*.{name}", f"examples/**/*.{name}", f"tests/malformed/**/*.{name}"):
        put("csv", bytes([kind]) + data)
for cells in ["a,b\n1,2.5\n,true\n", 'a,"b\nc"\n"x ""y""",-0\n', "a,a\n1,2\n", "a;b\r\n1e5,\r\n", "\ufeffa\n1\n1,2\n"]:
    put("csv", b"\0" + cells.encode())
for message in [{"content": "(return 1)"}, {"content": None, "refusal": "no"}, {"content": " \u2028\ufeff\ta\r\n\n"}, {}]:
    for reason in ["stop", "length", "content_filter", None]:
        usage = {"prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 1}}
        choice = {"message": message, "finish_reason": reason}
        put("endpoint", json.dumps({"model": "m", "choices": [choice], "usage": usage}).encode())
        usage = {"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 1, "cache_creation_input_tokens": 2}
        block = {"type": "text", "text": message.get("content")}
        put("endpoint", json.dumps({"content": [block, block], "stop_reason": reason, "usage": usage}).encode())
put("endpoint", json.dumps({"error": {"message": "busy"}}).encode())
lines = [json.dumps({"name": name, "mission": name, "data": {"n": [1, 2]}, "responses": answers}) for name, answers in [
    ("a", ["(return (count data/n))"]),
    ("b", ["(def x 1)", "(println x)", "(return 17)"]),
    ("c", ["(fail 1)"]),
    ("d", ["(oops"]),
]] + ["{"]
with tempfile.TemporaryDirectory() as folder:
    for options in ["records"], ["full-records", "--strategy", "trim"]:
        for count in 1, 2, 5:
            command = [PROGRAM, "run", "-", "--format", *options]
            ran = subprocess.run(command, input="\n".join(lines[-count:]).encode(), capture_output=True, cwd=folder)
            records = ran.stdout.splitlines()
            put("merge", b"r" + ran.stdout)
            put("merge", b"s" + b"\n".join(record[: record.rindex(b',"checksum"')] for record in records))
