"""Tables: named columns of one length, for pandas, polars and everything else that takes Arrow."""

import html
import importlib
import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Optional, Union

class Column(NamedTuple):
    """Values of one type: `int`, `float`, `bool`, `str`, or `list` for lists of texts."""

    type: type
    #: An array for numbers, where NaN is a missing float. Other columns are lists, with `None` for a missing value.
    values: Union["array[int]", "array[float]", list[Any]]


#: Rows that a notebook shows of a table for which there is no library of data frames.
_SHOWN = 10


class Table:
    """Named columns of one length.

    `df()` is a data frame of pandas, or of polars if there is no pandas. Libraries that take Arrow read the table itself, such as
    `polars.DataFrame(table)` and `pyarrow.table(table)`.
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = dict(columns)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return max((len(column.values) for column in self._columns.values()), default=0)

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column."""
        values = self._columns[name].values
        if isinstance(values, array) and values.typecode == "d":
            return [None if math.isnan(value) else value for value in values]
        return list(values)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, each as a dictionary."""
        for row in zip(*(self[name] for name in self._columns)):
            yield dict(zip(self._columns, row))

    def df(self) -> Any:
        """A data frame of pandas, or of polars if there is no pandas."""
        if _library("pandas") is not None:
            return self.pandas()
        if _library("polars") is not None:
            return self.polars()
        raise ImportError("neither pandas nor polars is installed; rows() gives the rows without them")

    def pandas(self) -> Any:
        """A `pandas.DataFrame`. Columns of whole numbers with missing values have the type `Int64`."""
        pandas: Any = importlib.import_module("pandas")
        numpy: Any = importlib.import_module("numpy")
        series = {}
        for name, (kind, values) in self._columns.items():
            if isinstance(values, array):
                series[name] = numpy.array(values)
            elif kind is int:
                series[name] = pandas.array(values, dtype="Int64")
            else:
                series[name] = pandas.Series(values, dtype=bool if kind is bool else None if values else object)
        return pandas.DataFrame(series)

    def polars(self) -> Any:
        """A `polars.DataFrame`."""
        polars: Any = importlib.import_module("polars")
        types = {int: polars.Int64, float: polars.Float64, bool: polars.Boolean, str: polars.String, list: polars.List(polars.String)}
        series = []
        for name, (kind, values) in self._columns.items():
            column = polars.Series(name, values, dtype=types[kind])
            series.append(column.fill_nan(None) if kind is float else column)
        return polars.DataFrame(series)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as a stream of Arrow: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html"""
        if (pyarrow := _library("pyarrow")) is not None:
            types = {int: "int64", float: "float64", bool: "bool", str: "string", list: pyarrow.list_(pyarrow.string())}
            columns = {name: pyarrow.array(self[name], types[column.type]) for name, column in self._columns.items()}
            frame = pyarrow.table(columns)
        elif _library("polars") is not None:
            frame = self.polars()
        else:
            raise ImportError("neither pyarrow nor polars is installed, one of which writes the Arrow stream")
        return frame.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        if _library("pandas") is not None or _library("polars") is not None:
            return str(self.df()._repr_html_())
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        rows = []
        for _, row in zip(range(_SHOWN), self.rows()):
            cells = ("" if value is None else html.escape(str(value)) for value in row.values())
            rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        more = f"<p>{len(self)} rows</p>" if len(self) > _SHOWN else ""
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>{more}"


def of_rows(rows: Sequence[Mapping[str, Any]]) -> Table:
    """A table of objects with the same keys."""
    names = list(rows[0]) if rows else []
    return Table({name: column_of([row.get(name) for row in rows]) for name in names})


def column_of(values: list[Any]) -> Column:
    """A column of the type that the values have; of floats if all are missing."""
    there = [value for value in values if value is not None]
    kinds = {type(value) for value in there}
    if kinds == {int}:
        return Column(int, array("q", values) if len(there) == len(values) else values)
    if kinds and kinds <= {int, float} or not kinds:
        return Column(float, array("d", [math.nan if value is None else value for value in values]))
    return Column(kinds.pop() if len(kinds) == 1 else str, values)


def _library(name: str) -> Optional[Any]:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
