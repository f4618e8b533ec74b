"""Evaluates scenarios or transcripts on a Spark cluster: a line of JSON each, or a folder with logs of any agent.

    spark-submit spark.py SCENARIOS.jsonl|LOGS REPORT_DIR [--suite FOLDER] [--rdd]

The workers need the package ptc_eval, the program, and the suite's folder at the same path. Logs need a suite, which
`ptc-eval advise SAMPLE --save FOLDER` makes of some of them.
"""

import argparse
import itertools
import json
import os
from collections.abc import Iterator
from typing import Optional

import pandas as pd
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

import ptc_eval

# Records that are handed to Spark at once.
BATCH = 256
# One thread: Spark has a task for each core.
OPTIONS = ["--jobs", "1"]


def lines(spark: SparkSession, path: str) -> DataFrame:
    """Those of a file, or the conversations of all logs in a folder, which the driver reads."""
    if not os.path.isdir(path):
        return spark.read.text(path)
    conversations = [(json.dumps(one),) for one in ptc_eval.transcripts(path)]
    return spark.createDataFrame(conversations, "value string")


def with_pandas(spark: SparkSession, path: str, suite: Optional[str] = None) -> Iterator[str]:
    """The records of a file, through data frames."""

    def evaluate(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        scenarios = itertools.chain.from_iterable(batch["value"] for batch in batches)
        records = ptc_eval.records(scenarios, suite, options=OPTIONS)
        while batch := list(itertools.islice(records, BATCH)):
            yield pd.DataFrame({"record": batch})

    records = lines(spark, path).mapInPandas(evaluate, "record string").persist(StorageLevel.DISK_ONLY)
    records.count()  # All partitions at once; the iterator alone would evaluate one after the other.
    return (row.record for row in records.toLocalIterator())


def with_rdd(spark: SparkSession, path: str, suite: Optional[str] = None) -> Iterator[str]:
    """The same through an RDD, which needs no pandas on the workers."""
    texts = lines(spark, path).repartition(spark.sparkContext.defaultParallelism).rdd.map(lambda row: row.value)
    records = texts.mapPartitions(lambda part: ptc_eval.records(part, suite, options=OPTIONS))
    records.persist(StorageLevel.DISK_ONLY).count()
    return records.toLocalIterator()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios")
    parser.add_argument("report_dir")
    parser.add_argument("--suite")
    parser.add_argument("--rdd", action="store_true")
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("ptc-eval").getOrCreate()
    records = (with_rdd if arguments.rdd else with_pandas)(spark, arguments.scenarios, arguments.suite)
    summary = ptc_eval.merge(records, arguments.report_dir)
    print(summary["scenarios"], "scenarios; recommended:", summary["recommended"])
    raise SystemExit(summary["exit_code"])


if __name__ == "__main__":
    main()
