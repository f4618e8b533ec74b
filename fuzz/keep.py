#!/usr/bin/env python3
"""Packs a few small inputs of fuzz/work/TARGET into fuzz/corpus/TARGET: those that together reach most code.

    fuzz/keep.py TARGET PROGRAM     where PROGRAM is the built target"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from packed import pack

MOST, LARGEST, TOGETHER = 50, 16_000, 32_000

target, program = sys.argv[1:]
work = Path(__file__).resolve().parent / "work" / target
with tempfile.TemporaryDirectory() as folder:
    control, small, chosen, kept = (Path(folder) / name for name in ("control", "small", "chosen", "kept"))
    small.mkdir(), chosen.mkdir(), kept.mkdir()
    for path in work.iterdir():
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
    count, size = 0, 0
    worth = lambda number: len(reached[number]) / (500 + files[number].stat().st_size) ** 0.5
    for number in sorted(reached, key=worth, reverse=True):
        bytes = files[number].stat().st_size
        if count < MOST and size + bytes <= TOGETHER and reached[number]:
            shutil.copy(files[number], kept)
            count, size = count + 1, size + bytes
    pack(target, kept)
    print(f"{target}: {count} of {len(files)} inputs, {size} bytes")
