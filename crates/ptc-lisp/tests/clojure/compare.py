#!/usr/bin/env python3
"""Compares ptc-eval with Clojure 1.11, program by program. See README.md."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import deviations  # noqa: E402
import edn  # noqa: E402

ROOT = os.path.abspath(os.path.join(HERE, *[".."] * 4))
JARS = ["clojure", "spec.alpha", "core.specs.alpha"]
JAR_DIRECTORY = os.environ.get("CLOJURE_JARS", "/usr/share/java")
BATCH = 4000
FAILURES = ("DIFFERENT", "TEXT", "STALE")
# Lines under a program: what it printed and how it ended, and Clojure's answer where that is another one.
RECORDED = (";out>", ";=>", ";!>", ";clojure>", ";deviation>")


@dataclass
class Program:
    """`data` is EDN text: what `data/x` names read. `recorded` is None where nothing can be recorded."""

    id: str
    text: str
    data: str = "{}"
    recorded: list | None = None


@dataclass
class Outcome:
    """`value` is printed text; None when the program failed with `error`."""

    value: str | None
    error: str | None
    out: str = ""
    parsed: tuple | None = field(default=None, repr=False)

    def __post_init__(self):
        if self.value is not None:
            try:
                self.parsed = edn.read(self.value)
            except (edn.Unreadable, ValueError, IndexError):
                self.parsed = ("unreadable", self.value)


def main():
    options = arguments()
    programs = [program for path in options.files for program in read_programs(path)]
    clojure = in_batches(run_clojure, programs)
    ours = in_batches(lambda batch: run_ours(batch, options.binary), programs)
    tally, shown = Counter(), 0
    for program in programs:
        theirs, mine = clojure[program.id], ours[program.id]
        verdict, reason = judge(program, theirs, mine)
        if options.record and program.recorded is not None and verdict in ("same", "explained"):
            program.recorded = record(theirs, mine, reason)
        elif program.recorded not in (None, record(theirs, mine, reason)) and verdict in ("same", "explained"):
            verdict = "STALE"
        tally[verdict if reason is None else f"{verdict}: {reason}"] += 1
        if verdict in FAILURES or (options.explained and verdict == "explained"):
            shown += 1
            if shown <= options.limit:
                print(describe(verdict, reason, program, theirs, mine))
    for name, count in sorted(tally.items(), key=lambda entry: (-entry[1], entry[0])):
        print(f"{count:6}  {name}")
    failures = sum(count for name, count in tally.items() if name.startswith(FAILURES))
    print(f"{len(programs):6}  programs, {failures} to look at")
    if options.record:
        for path in filter(has_recordings, options.files):
            write_programs(path, [program for program in programs if program.id.startswith(os.path.basename(path))])
    return 1 if failures else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help=".tsv, .clj (goldens or programs/) or .jsonl of programs")
    parser.add_argument("--binary", default=os.path.join(ROOT, "target/debug/ptc-eval"))
    parser.add_argument("--explained", action="store_true", help="list the documented deviations too")
    parser.add_argument("--record", action="store_true", help="write the outcomes into the files of programs/")
    parser.add_argument("--limit", type=int, default=200, help="disagreements to show")
    return parser.parse_args()


def judge(program, theirs, mine):
    """(same | explained | TEXT | DIFFERENT, reason)."""
    same_value, same_text = agreement(theirs, mine)
    if same_value and same_text:
        return "same", None
    reason = deviations.reason(program.text, theirs, mine)
    if reason:
        return "explained", reason
    return ("TEXT" if same_value else "DIFFERENT"), None


def agreement(theirs, mine):
    if theirs.value is None or mine.value is None:
        both_fail = theirs.value is None and mine.value is None
        return both_fail, both_fail
    same_value = edn.loose(theirs.parsed) == edn.loose(mine.parsed)
    same_out = theirs.out in (mine.out, trimmed(mine.out))
    return same_value, edn.exact(theirs.parsed) == edn.exact(mine.parsed) and same_out


def describe(verdict, reason, program, theirs, mine):
    lines = [f"{verdict} {program.id}" + (f" ({reason})" if reason else ""), indented(program.text)]
    for name, outcome in (("clojure", theirs), ("ours", mine)):
        lines.append(f"    {name:8}{outcome.value if outcome.value is not None else '!' + outcome.error}")
    if theirs.out != mine.out:
        lines += [f"    {name:8}printed {outcome.out!r}" for name, outcome in (("clojure", theirs), ("ours", mine))]
    return "\n".join(lines)


def indented(text):
    return "\n".join("  " + line for line in text.strip().split("\n"))


def read_programs(path):
    """The programs of a file, by its ending and what it holds."""
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".tsv"):
        return tsv_programs(name, text)
    if path.endswith(".jsonl"):
        return jsonl_programs(name, text)
    return separated_programs(name, text) if has_recordings(path) else golden_programs(name, text)


def has_recordings(path):
    """True for the files of programs/, where every program stands under a heading."""
    with open(path, encoding="utf-8") as file:
        return path.endswith(".clj") and file.read(4) == ";;;;"


def tsv_programs(name, text):
    rows = [line.split("\t")[0] for line in text.splitlines() if line.strip()]
    return [Program(f"{name}:{number}", row) for number, row in enumerate(rows, 1)]


def jsonl_programs(name, text):
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [Program(f"{name}:{row.get('id', number)}", row["program"]) for number, row in enumerate(rows, 1)]


def separated_programs(name, text):
    """Programs under a heading `;;;;` or `;;;; NAME` each; a line `;data> MAP` says what `data/x` reads."""
    programs = []
    for number, part in enumerate(("\n" + text).split("\n;;;;")[1:], 1):
        title, *lines = part.rstrip("\n").split("\n")
        body = [line for line in lines if not line.startswith(RECORDED)]
        data = [line[len(";data> ") :] for line in lines if line.startswith(";data> ")]
        recorded = [line for line in lines if line.startswith(RECORDED)]
        programs.append(
            Program(f"{name}:{number}{title.rstrip()}", "\n".join(body), data[0] if data else "{}", recorded)
        )
    return programs


def record(theirs, mine, deviation):
    """The lines under a program: our outcome, and Clojure's where a documented deviation explains another one."""
    lines = [f";out> {line}".rstrip() for line in mine.out.split("\n")] if mine.out else []
    lines.append(f";=> {mine.value}" if mine.value is not None else f";!> {mine.error.split()[0]}")
    if deviation:
        answer = theirs.value if theirs.value is not None else "!" + theirs.error
        lines += [f";clojure> {stable(answer)}", f";deviation> {deviation}"]
    return lines


def stable(text):
    """The first line without the addresses and counters that differ from run to run."""
    return re.sub(r"0x[0-9a-f]+|__\d+|eval\d+|@[0-9a-f]+", "…", text.split("\n")[0])[:300].rstrip()


def write_programs(path, programs):
    with open(path, "w", encoding="utf-8") as file:
        for program in programs:
            title = re.sub(r"^[^:]*:\d+", "", program.id)
            file.write("\n".join([f";;;;{title}", program.text, *program.recorded]) + "\n")


def golden_programs(name, text):
    """The programs of a golden file. They share definitions, so each is given all before it that define."""
    programs, current, before, expects = [], [], [], False
    data = next((line[len(";data> ") :] for line in text.splitlines() if line.startswith(";data> ")), "{}")
    for number, line in enumerate([*text.splitlines(), ""], 1):
        ends = line.startswith((";=>", ";!>", ";out>", ";return>", ";fail>", ";ticks>")) or not line.strip()
        if not ends:
            if not line.startswith((";data>", ";tools>")):
                current.append(line)
            continue
        body = "\n".join(current)
        if any(part.strip() and not part.strip().startswith(";") for part in current):
            programs.append(Program(f"{name}:{number - len(current)}", "\n".join([*before, body]), data))
            if "(def" in body and not line.startswith(";!>"):
                before.append(body)
        current = []
    return programs


def in_batches(run, programs):
    outcomes = {}
    for start in range(0, len(programs), BATCH):
        outcomes.update(run(programs[start : start + BATCH]))
    return outcomes


def run_clojure(programs):
    """The outcomes in one JVM, started again behind a program that ends it."""
    outcomes = {}
    with tempfile.TemporaryDirectory() as directory:
        results = os.path.join(directory, "results")
        rest = programs
        while rest:
            source = os.path.join(directory, "programs")
            with open(source, "w", encoding="utf-8") as file:
                file.writelines(f"[{quoted(p.id)} {quoted(p.text)} {p.data}]\n" for p in rest)
            subprocess.run(java(source, results), check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found = read_results(results)
            outcomes.update(found)
            rest = [p for p in rest if p.id not in outcomes]
            if rest:
                outcomes[rest[0].id] = Outcome(None, "the JVM ended")
                rest = rest[1:]
    return outcomes


def java(source, results):
    classpath = ":".join(os.path.join(JAR_DIRECTORY, f"{jar}.jar") for jar in JARS)
    if not os.path.exists(os.path.join(JAR_DIRECTORY, "clojure.jar")):
        sys.exit(f"no clojure.jar in {JAR_DIRECTORY}: apt-get install clojure, or set CLOJURE_JARS")
    driver = os.path.join(HERE, "oracle.clj")
    return ["java", "-Xmx1g", "-XX:TieredStopAtLevel=1", "-cp", classpath, "clojure.main", driver, source, results]


def read_results(path):
    outcomes = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                outcomes[row["id"]] = Outcome(row["value"], row["error"], trimmed(row["out"]))
    return outcomes


def trimmed(out):
    """Without the last line break, which our captured `println` does not have, but a `print` may."""
    return out[:-1] if out.endswith("\n") else out


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n")
    return f'"{escaped}"'


def run_ours(programs, binary):
    lines = [json.dumps({"id": p.id, "program": p.text, "data": as_json(p.data)}) for p in programs]
    ended = subprocess.run(
        [binary, "lisp", "--jsonl"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
    )
    outcomes = {}
    for line in ended.stdout.splitlines():
        row = json.loads(line)
        error = row["error"] and f"{row['error']['kind']} {row['error']['message']}"
        outcomes[row["id"]] = Outcome(row["value"], error, "\n".join(row["prints"]))
    missing = [p.id for p in programs if p.id not in outcomes]
    if missing:
        sys.exit(f"{binary} gave no answer to {missing[0]}: {ended.stderr[-500:]}")
    return outcomes


def as_json(text):
    """EDN data of keywords, strings, numbers, vectors and maps as the JSON that ptc-eval is given."""
    return plain(edn.read(text))


def plain(value):
    kind = value[0]
    if kind == "map":
        return {key[1]: plain(item) for key, item in value[1]}
    if kind in ("vector", "list"):
        return [plain(item) for item in value[1]]
    if kind == "nil":
        return None
    return float(value[1]) if kind == "float" else value[1]


if __name__ == "__main__":
    sys.exit(main())
