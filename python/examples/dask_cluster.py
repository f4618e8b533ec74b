"""Evaluates scenarios or transcripts on a Dask cluster: a line of JSON each, or a folder with logs of any agent.

    python dask_cluster.py SCENARIOS.jsonl|LOGS REPORT_DIR [--suite FOLDER] [--scheduler ADDRESS]

The workers need the package ptc_eval, the program, and the suite's folder at the same path. Logs need a suite, which
`ptc-eval advise SAMPLE --save FOLDER` makes of some of them. Without a scheduler the
processes of this machine are the workers.
"""

import argparse
import itertools
import json
import os
from collections.abc import Iterable, Iterator
from typing import Optional

from distributed import Client, as_completed

import ptc_eval

# Scenarios that a worker gets at once.
BATCH = 256


def lines(path: str) -> Iterator[str]:
    """Those of a file, or the conversations of all logs in a folder, as they are read."""
    if os.path.isdir(path):
        yield from map(json.dumps, ptc_eval.transcripts(path))
    else:
        with open(path, encoding="utf-8") as file:
            yield from file


def evaluate(batch: list[str], suite: Optional[str]) -> list[str]:
    # One thread: the cluster has a worker for each core.
    return list(ptc_eval.records(batch, suite, options=["--jobs", "1"]))


def records(client: Client, lines: Iterable[str], suite: Optional[str] = None, batch: int = BATCH) -> Iterator[str]:
    """The records of scenarios, as batches are done. Few batches are on their way at a time."""
    lines = iter(lines)
    batches = iter(lambda: list(itertools.islice(lines, batch)), [])
    futures = (client.submit(evaluate, batch, suite, pure=False) for batch in batches)
    running = as_completed(itertools.islice(futures, 4 * len(client.nthreads())))
    for done in running:
        yield from done.result()
        running.update(itertools.islice(futures, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios")
    parser.add_argument("report_dir")
    parser.add_argument("--suite")
    parser.add_argument("--scheduler")
    arguments = parser.parse_args()
    client = Client(arguments.scheduler) if arguments.scheduler else Client(threads_per_worker=1)
    with client:
        found = records(client, lines(arguments.scenarios), arguments.suite)
        summary = ptc_eval.merge(found, arguments.report_dir)
    print(summary["scenarios"], "scenarios; recommended:", summary["recommended"])
    raise SystemExit(summary["exit_code"])


if __name__ == "__main__":
    main()
