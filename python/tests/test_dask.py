"""Dask on two processes of this machine; skipped without Dask."""

import os
import signal
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="skipped: Dask is not installed")

import dask_cluster as example  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402


def add_path(folder: str) -> None:
    import sys

    sys.path.insert(0, folder)


def test_a_cluster_makes_the_reports_of_one_run_though_a_worker_dies(lines, suite, same_as_one_run):
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        client.run(add_path, str(Path(example.__file__).parent))
        workers = client.run(os.getpid)

        def records():
            for number, record in enumerate(
                example.records(client, lines.read_text().splitlines(), str(suite), batch=10)
            ):
                if number == 20:
                    os.kill(next(iter(workers.values())), signal.SIGKILL)
                yield record

        same_as_one_run(records())


def test_a_folder_of_logs_is_evaluated(logs, suite_of_logs, tmp_path):
    import ptc_eval

    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.run(add_path, str(Path(example.__file__).parent))
        records = example.records(client, example.lines(str(logs)), str(suite_of_logs), batch=5)
        summary = ptc_eval.merge(records, tmp_path / "merged")
    assert (summary["scenarios"], summary["exit_code"]) == (12, 0)
