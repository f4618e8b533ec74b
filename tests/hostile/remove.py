#!/usr/bin/env python3
"""Takes out each protection of protections.tsv, one at a time, and expects its test to fail.

    tests/hostile/remove.py [WORD…]     all protections, or those whose row contains one of the words

`code` must occur once in `file`. The part in ‹ › is what goes, and `without` what comes instead. In Rust it is an expression or a
statement: all go into one build, in which a variable switches them, so a protection costs a run of its test and no build. Works in a copy of the last commit, below
target/. CARGO names another cargo."""

import csv
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "target" / "without-protections"
# A test that takes longer waits for something that a protection would have ended.
SECONDS = 400


def rows(words):
    with open(COPY / "tests/hostile/protections.tsv", newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)):
            row = {name: value.replace("\\n", "\n").replace("\\t", "\t") for name, value in row.items()}
            row["number"] = str(number)
            if not words or any(word in "\t".join(row.values()) for word in words):
                yield row


def plain(code):
    return code.replace("‹", "").replace("›", "")


def removed(row):
    """The code without the protection."""
    before, rest = row["code"].split("‹")
    return before + row["without"] + rest.split("›")[1]


def switched(row):
    """The code with the protection unless the variable has the number of its row."""
    before, rest = row["code"].split("‹")
    part, after = rest.split("›")
    is_there = f'std::env::var_os("WITHOUT").is_none_or(|number| number != "{row["number"]}")'
    choice = f"if {is_there} {{ {part} }} else {{ {row['without']} }}"
    return before + (choice if part.endswith(";") else f"({choice})") + after


def is_switch(row):
    return row["file"].endswith(".rs")


def change(row, code):
    """Replaces the code of a protection in its file."""
    path = COPY / row["file"]
    text = path.read_text()
    if text.count(plain(row["code"])) != 1:
        sys.exit(f"{row['protection']}: not once in {row['file']}")
    path.write_text(text.replace(plain(row["code"]), code))


def build():
    """Builds the tests. Returns their program."""
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "test", "--locked", "--package", "ptc-eval", "--features", "live", "--test", "integration", "--no-run"]
    ran = subprocess.run(command, cwd=COPY, stderr=subprocess.PIPE, text=True)
    program = ran.stderr.rpartition("(")[2].partition(")")[0]
    if ran.returncode != 0 or not program:
        sys.exit(ran.stderr)
    return COPY / program


def passes(program, row, number):
    """Returns true if the test of a row passes, and the end of what it printed."""
    environment = dict(os.environ, WITHOUT=number, PTC_EVAL_HOSTILE=row["kinds"])
    command = [program, "--exact", row["test"], "--include-ignored"]
    started = subprocess.Popen(
        command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        out, _ = started.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        return False, "it did not end"
    if " 1 passed" not in out and " 1 failed" not in out:
        sys.exit(f"{row['protection']}: there is no test {row['test']}\n{out}")
    said = [line for line in out.splitlines() if line.strip() and not line.startswith(("running", "test ", "note:", "failures:"))]
    return started.returncode == 0, " ".join(said)[:300]


def main(words):
    subprocess.run(["git", "worktree", "remove", "--force", COPY], cwd=ROOT, stderr=subprocess.DEVNULL)
    shutil.rmtree(COPY, ignore_errors=True)
    subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", COPY, "HEAD"], cwd=ROOT, check=True)
    # A folder of its own: tests start the program that lies in it.
    os.environ.setdefault("CARGO_TARGET_DIR", str(COPY) + "-build")
    chosen = list(rows(words))
    for row in filter(is_switch, chosen):
        change(row, switched(row))
    program = build()
    green, checked = [], set()

    def check(row, program, number):
        passed, said = passes(program, row, number)
        print(f"{'GREEN' if passed else 'red  '}  {row['protection']}: {said}", flush=True)
        if passed:
            green.append(row["protection"])

    for row in chosen:
        # It has to pass with all protections, or its failure would prove nothing.
        if (row["test"], row["kinds"]) not in checked:
            checked.add((row["test"], row["kinds"]))
            passed, said = passes(program, row, "none")
            if not passed:
                sys.exit(f"{row['test']} fails with all protections: {said}")
        if is_switch(row):
            check(row, program, row["number"])
        else:
            there = (COPY / row["file"]).read_text()
            change(row, removed(row))
            check(row, program, "none")
            (COPY / row["file"]).write_text(there)
    subprocess.run(["git", "worktree", "remove", "--force", COPY], cwd=ROOT, check=True)
    print(f"{len(chosen)} protections, {len(green)} without a test that fails")
    sys.exit(1 if green else 0)


main(sys.argv[1:])
