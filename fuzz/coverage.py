#!/usr/bin/env python3
"""Prints what a fuzz run reached, as a row of Markdown: fuzz/coverage.py TARGET LOG"""

import re
import sys
from pathlib import Path

target, log = sys.argv[1:]
text = Path(log).read_text(errors="replace")
progress = re.findall(r"cov: (\d+) ft: (\d+)", text)
executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
if not progress or not executions:
    sys.exit(f"{log}: no progress of a fuzz run")
edges, features = progress[-1]
print("| target | executions | edges at first | edges | features |\n|---|---:|---:|---:|---:|")
print(f"| `{target}` | {int(executions[1]):,} | {int(progress[0][0]):,} | {int(edges):,} | {int(features):,} |")
