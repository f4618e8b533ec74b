#!/usr/bin/env python3
"""Packs the inputs of a target into one file, fuzz/corpus/TARGET, and unpacks them: for each input the number of its
bytes on a line, the bytes, and the end of a line. `inputs` in packed.rs reads the same for the tests.

    fuzz/packed.py pack TARGET FOLDER      packs all files of the folder
    fuzz/packed.py unpack TARGET FOLDER    writes a file for each input, called by its hash"""

import hashlib
import sys
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"


def pack(target, folder):
    inputs = sorted(path.read_bytes() for path in Path(folder).iterdir())
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / target).write_bytes(b"".join(b"%d\n%s\n" % (len(data), data) for data in inputs))


def unpack(target, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (CORPUS / target).open("rb") as packed:
        while length := packed.readline():
            data = packed.read(int(length))
            packed.readline()
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


if __name__ == "__main__":
    command, target, folder = sys.argv[1:]
    {"pack": pack, "unpack": unpack}[command](target, folder)
