"""Spark on a cluster of two workers on this machine; skipped without PySpark or Java."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

pyspark = pytest.importorskip("pyspark", reason="skipped: PySpark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("skipped: Java is not installed", allow_module_level=True)

import ptc_eval  # noqa: E402
import spark as example  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402


@pytest.fixture(scope="module")
def session():
    folders = [Path(ptc_eval.__file__).parents[1], Path(example.__file__).parent, Path(__file__).parent]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("test")
    settings = {
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(map(str, folders)),
        "spark.executorEnv.PTC_EVAL": os.environ["PTC_EVAL"],
        "spark.ui.enabled": "false",
        "spark.sql.files.maxPartitionBytes": "10000",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_data_frames_make_the_reports_of_one_run(session, lines, suite, same_as_one_run):
    same_as_one_run(example.with_pandas(session, str(lines), str(suite)))


def test_an_rdd_makes_the_reports_of_one_run(session, lines, suite, same_as_one_run):
    same_as_one_run(example.with_rdd(session, str(lines), str(suite)))


@pytest.mark.parametrize("way", [example.with_pandas, example.with_rdd])
def test_a_folder_of_logs_is_evaluated(session, logs, suite_of_logs, tmp_path, way):
    summary = ptc_eval.merge(way(session, str(logs), str(suite_of_logs)), tmp_path / "merged")
    assert (summary["scenarios"], summary["exit_code"]) == (12, 0)


def test_a_worker_that_dies_changes_nothing(session, lines, suite, tmp_path, same_as_one_run):
    marker = str(tmp_path / "killed")

    def dying(part):
        for number, record in enumerate(ptc_eval.records(part, str(suite))):
            if number == 5 and not os.path.exists(marker):
                open(marker, "w").close()
                os.kill(executor(), signal.SIGKILL)
            yield record

    same_as_one_run(session.sparkContext.textFile(str(lines), 4).mapPartitions(dying).collect())
    assert os.path.exists(marker)


def executor() -> int:
    """The process of Spark above this worker of Python."""
    process = os.getpid()
    while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_bytes():
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return process
