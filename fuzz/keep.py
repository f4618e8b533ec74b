#!/usr/bin/env python3
"""Keeps a few small inputs of fuzz/work/TARGET in fuzz/corpus/TARGET: those that together reach most code.

    fuzz/keep.py TARGET PROGRAM     where PROGRAM is the built target"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MOST, LARGEST, TOGETHER = 50, 16_000, 32_000

fuzz, (target, program) = Path(__file__).resolve().parent, sys.argv[1:]
work, corpus = fuzz / "work" / target, fuzz / "corpus" / target
with tempfile.TemporaryDirectory() as folder:
    control, small, chosen = (Path(folder) / name for name in ("control", "small", "chosen"))
    small.mkdir(), chosen.mkdir()
    for path in [*work.iterdir(), *(corpus.iterdir() if corpus.exists() else [])]:
        if path.stat().st_size <= LARGEST:
            shutil.copy(path, small)
    merge = [program, "-merge=1", f"-merge_control_file={control}", "-timeout=20", chosen, small]
    subprocess.run(merge, check=True, capture_output=True)
    lines = control.read_text().split("\n")
    files = [Path(line) for line in lines[2 : 2 + int(lines[0])]]
    reached = {}
    for line in lines:
        if line.startswith("COV "):
            number, *edges = map(int, line.split()[1:])
            reached.setdefault(number, set()).update(edges)
    # Small inputs are tried first, and each is noted with the edges that none before it reached.
    kept, size = [], 0
    worth = lambda number: len(reached[number]) / (500 + files[number].stat().st_size) ** 0.5
    for number in sorted(reached, key=worth, reverse=True):
        bytes = files[number].stat().st_size
        if len(kept) < MOST and size + bytes <= TOGETHER and reached[number]:
            kept.append(files[number])
            size += bytes
    shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True)
    for path in kept:
        shutil.copy(path, corpus)
    print(f"{target}: {len(kept)} of {len(files)} inputs, {size} bytes")
