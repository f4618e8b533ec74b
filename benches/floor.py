#!/usr/bin/env python3
"""Prints the CPU time of ptc-eval on generated inputs, and as a multiple of what any program must do for them (floor.rs).

    cargo build --release --bin ptc-eval --example floor --example generate_suite
    benches/floor.py [LOGS ...]

LOGS are folders of your own logs, measured too. The token counts of earlier runs are removed before each run. A time is the least of
three runs, of user and system together.
"""

import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

RUNS = 3
BUILT = pathlib.Path(os.environ.get("BUILT", pathlib.Path(__file__).parents[1] / "target/release")).resolve()
PROGRAM = BUILT / "ptc-eval"
STRATEGIES = [
    "full-history", "single-user-coalesced", "per-turn-summary", "rolling-window", "aggressive", "turn-log", "trim",
    "observation-masking",
]


def cpu(arguments, folder):
    """Least CPU seconds and most MiB of the command."""
    least, most = math.inf, 0
    for _ in range(RUNS):
        shutil.rmtree(folder / "cache", ignore_errors=True)
        environment = {**os.environ, "PTC_EVAL_CACHE": str(folder / "cache"), "CI": "", "PTC_EVAL_TODAY": "2026-11-28"}
        process = subprocess.Popen(
            list(map(str, arguments)), cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        assert os.waitstatus_to_exitcode(status) in (0, 1), arguments
        least, most = min(least, usage.ru_utime + usage.ru_stime), max(most, usage.ru_maxrss // 1024)
    return least, most


def generate(path, *size):
    with path.open("wb") as out:
        subprocess.run([BUILT / "examples/generate_suite", "-", *map(str, size)], stdout=out, check=True)
    return path


def row(title, arguments, inputs, folder):
    """Prints a row of the table. Returns the CPU seconds of ptc-eval."""
    ours, memory = cpu([PROGRAM, *arguments], folder)
    floor, _ = cpu([BUILT / "examples/floor", *inputs], folder)
    print(f"| {title} | {ours:.2f} | {floor:.3f} | {ours / floor:.1f} | {memory} |", flush=True)
    return ours


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print("| input | s of CPU | floor | ratio | MiB |\n|---|--:|--:|--:|--:|")
        scenarios = folder / "scenarios"
        scenarios.mkdir()
        (scenarios / "suite.yaml").write_text(f"strategies: [{', '.join(STRATEGIES)}]\nmodels: [gpt-5, claude-sonnet-4-5]\n")
        lines = generate(scenarios / "all.jsonl", 1_000, 10)
        subprocess.run([PROGRAM, "run", "-q", "--accept"], cwd=folder, capture_output=True)
        row("`run`, 1,000 scenarios of 10 turns, 8 strategies", ["run", "-q"], [lines, folder / "snapshots"], folder)
        logs = generate(folder / "logs.jsonl", 1_000, 20, "logs")
        row("`advise`, 1,000 logs of 20 turns", ["advise", logs], [logs], folder)
        long = {}
        for turns in (2_000, 2_500, 10_000):
            log = generate(folder / f"{turns}.jsonl", 1, turns, "logs")
            long[turns] = row(f"`advise`, one log of {turns:,} turns", ["advise", log], [log], folder)
        for logs in sys.argv[1:]:
            path = pathlib.Path(logs).resolve()
            row(f"`advise {path.name}`", ["advise", "--one-agent", path], [path], folder)
        exponent = math.log(long[10_000] / long[2_500]) / math.log(4)
        print(f"\nFrom 2,500 to 10,000 turns the time grows with the turns to the power of {exponent:.2f}.")


if __name__ == "__main__":
    main()
