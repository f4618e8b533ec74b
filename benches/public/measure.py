#!/usr/bin/env python3
"""Ranks strategies and presets of products over logs, as tables in Markdown: what docs/benchmark.md shows.

    measure.py TITLE=PATH [TITLE=PATH ...]

A path is a log or a folder of logs of one agent. The logs of docs/benchmark.md are named in logs.tsv, by repository, commit and
path; their size tells whether a copy is whole. PTC_EVAL is the program to run, by default ptc-eval on the PATH.
"""

import json
import os
import re
import subprocess
import sys

PROGRAM = os.environ.get("PTC_EVAL", "ptc-eval")
# Settings beside the defaults: those that public experiments cover.
SETTINGS = ["observation-masking,keep_recent_turns=10", "fold,keep_recent_turns=10"]
# Turns kept by default.
KEPT = {"trim": 3, "observation-masking": 3, "summary": 3}


def printed(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def presets():
    """The strategy with options of each preset, by name."""
    rows = (line.split() for line in printed("list", "presets").splitlines() if line and not line[0].isspace())
    return {name: setting for name, setting in rows}


def public_record(setting):
    """What public experiments say of settings of this kind: the table at the end of docs/benchmark.md."""
    strategy, *_ = setting.split(",")
    kept = re.search(r"keep_recent_turns=(\d+)", setting)
    kept = int(kept[1]) if kept else KEPT.get(strategy)
    if strategy == "observation-masking":
        return "held up" if kept >= 10 else "lost in 1 of 2 agents"
    if strategy == "trim":
        return "lost"
    if strategy == "summary":
        return "held up" if kept >= 5 else "none so short"
    return "none"


def measured(row, model):
    """The cells of a strategy's row behind its name."""
    changes = [f"{100 * (float(ratio) - 1):+.1f}%" for ratio in (row[f"cost_ratio:{model}"], row["ratio"])]
    most = row["answers_short"]
    least = row.get("answers_short_least", most)
    return (*changes, str(most) if least == most else f"{least} to {most}", f"{row['request_worst']:,}")


def table(title, path, known):
    options = [f"--strategy={setting}" for setting in SETTINGS] + [f"--preset={name}" for name in known]
    found = json.loads(printed("advise", path, "--one-agent", "--format", "json", *options))
    rows, baseline = found["strategies"], found["baseline"]
    model = next(key.split(":", 1)[1] for key in rows[0] if key.startswith("cost_ratio:"))
    whole = next(row for row in rows if row["name"] == baseline)
    print(f"### {title}\n")
    print(
        f"{found['conversations']} conversation{'s' * (found['conversations'] > 1)}, {found['requests']:,} requests, {whole['input_tokens']:,} input tokens; priced as "
        f"{model}; `{baseline}` costs ${float(whole[f'cost:{model}']):,.2f}.\n"
    )
    print(f"| strategy | cost | tokens | lack a fact, of {whole['answers_needing']:,} | largest request | public record |")
    print("|---|---:|---:|---:|---:|---|")
    equal = {}
    for row in sorted(rows, key=lambda row: float(row[f"cost_ratio:{model}"])):
        equal.setdefault(measured(row, model), []).append(row["name"])
    for cells, names in equal.items():
        if baseline in names:
            names.remove(baseline)
            unchanged = f"; the same: {', '.join(names)}" if names else ""
            print(f"| **{baseline}**{unchanged} | – | – | {' | '.join(cells[2:])} | |")
            continue
        records = {"" if name in ("as-recorded", "full-history") else public_record(known.get(name, name)) for name in names}
        record = records.pop() if len(records) == 1 else ""
        print(f"| {', '.join(names)} | {' | '.join(cells)} | {record} |")
    print()


def main():
    known = presets()
    for argument in sys.argv[1:]:
        title, _, path = argument.partition("=")
        table(title, path, known)


if __name__ == "__main__":
    main()
