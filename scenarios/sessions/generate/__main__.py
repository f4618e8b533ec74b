"""Writes the sessions of scenarios/sessions, the same bytes each time: `python3 scenarios/sessions/generate`.

With `--check` it writes nothing, and fails if a file is not what it would write.
"""

import pathlib
import sys

import cluster
import coding
import scripted
from dice import Dice

FOLDER = pathlib.Path(__file__).parent.parent
FILES = {
    "data/freight-desk.json": lambda: coding.freight(Dice(11)).text(),
    "data/clinic-desk.json": lambda: coding.clinic(Dice(23)).text(),
    "data/harvest-book.json": lambda: coding.harvest(Dice(37)).text(),
    "data/night-shift.json": lambda: cluster.night(Dice(53)).text(),
    "station-limits.yaml": lambda: scripted.fleet(Dice(71)),
    "claims-desk.yaml": lambda: scripted.desk(Dice(97)),
}


def main(check):
    other = []
    for name, text in FILES.items():
        path, text = FOLDER / name, text()
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            other.append(name)
            if not check:
                path.write_text(text, encoding="utf-8", newline="\n")
    print("changed: " + ", ".join(other) if other else "all files are as they were")
    return 1 if check and other else 0


sys.exit(main(sys.argv[1:] == ["--check"]))
