"""What each way to shorten the history of an agent costs and loses, on its logs or on scripted runs.

`advise(logs)` says what to change, and `evaluate(scenarios, suite)` compares the strategies of a suite. Both return a `Result` with
tables for pandas, polars and everything else that takes Arrow. `records` and `merge` are for engines such as Spark.
"""

import importlib.metadata

from ._program import PtcEvalError, binary
from ._result import Result
from ._run import Scenario, advise, evaluate, merge, read_records, records, transcripts
from ._table import Table

__all__ = [
    "PtcEvalError",
    "Result",
    "Scenario",
    "Table",
    "__version__",
    "advise",
    "binary",
    "evaluate",
    "merge",
    "read_records",
    "records",
    "transcripts",
]

try:
    __version__ = importlib.metadata.version("ptc-eval")
except importlib.metadata.PackageNotFoundError:
    # A clone on PYTHONPATH, which nothing installed.
    __version__ = "unknown"
