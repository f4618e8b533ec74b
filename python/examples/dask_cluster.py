"""Evaluates scenarios or transcripts on a Dask cluster: a line of JSON each.

    python dask_cluster.py SCENARIOS.jsonl REPORT_DIR [--suite FOLDER] [--scheduler ADDRESS]

The workers need the package ptc_eval, the program, and the suite's folder at the same path. Without a scheduler the
processes of this machine are the workers.
"""

import argparse
import itertools
from collections.abc import Iterable, Iterator
from typing import Optional

from distributed import Client, as_completed

import ptc_eval

# Scenarios that a worker gets at once.
BATCH = 256


def evaluate(batch: list[str], suite: Optional[str]) -> list[str]:
    # One thread: the cluster has a worker for each core.
    return list(ptc_eval.evaluate(batch, suite, options=["--jobs", "1"]))


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
    with client, open(arguments.scenarios, encoding="utf-8") as lines:
        summary = ptc_eval.merge(records(client, lines, arguments.suite), arguments.report_dir)
    print(summary["scenarios"], "scenarios; recommended:", summary["recommended"])
    raise SystemExit(summary["exit_code"])


if __name__ == "__main__":
    main()
