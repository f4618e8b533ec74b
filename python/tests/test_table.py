"""Tables in pandas, polars and Arrow, and without any of them."""

import importlib
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ptc_eval

CALL = {"id": "c1", "type": "function", "function": {"name": "list_parcels", "arguments": "{}"}}
SAID = [
    {"role": "user", "content": "Which parcel weighs most?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "PARCEL-4417-KASSEL 8 kg, PARCEL-2203-BONN 3 kg"},
    {"role": "assistant", "content": "PARCEL-4417-KASSEL weighs most."},
]


@pytest.fixture(scope="module")
def found():
    return ptc_eval.advise([SAID])


def test_frames_have_the_same_values(found):
    for table in (found.strategies, found.requests, found.answers, found.conversations):
        in_pandas, in_polars = table.pandas(), table.polars()
        assert isinstance(in_pandas, pd.DataFrame) and isinstance(in_polars, pl.DataFrame)
        assert list(in_pandas) == in_polars.columns == table.columns
        assert len(in_pandas) == len(in_polars) == len(table) > 0
        for name in table.columns:
            assert in_polars[name].to_list() == table[name]
            assert [None if value is pd.NA or value != value else value for value in in_pandas[name]] == table[name]
    types = dict(zip(found.requests.columns, found.requests.polars().dtypes))
    assert (types["turn"], types["evidence"], types["valid"], types["lost"]) == (pl.Int64, pl.Float64, pl.Boolean, pl.String)
    assert found.requests.pandas().dtypes.astype(str)[["turn", "evidence", "valid"]].tolist() == ["int64", "float64", "bool"]


def test_arrow_reads_a_table_as_it_is(found, monkeypatch):
    for table in (found.strategies, found.requests, found.answers, found.conversations):
        assert pl.DataFrame(table).equals(table.polars())
        assert pa.table(table).to_pylist() == list(table.rows())
        assert pd.DataFrame.from_arrow(table).shape == table.pandas().shape
    hidden(monkeypatch, "pyarrow")
    for table in (found.strategies, found.requests, found.answers, found.conversations):
        assert pl.DataFrame(table).rows(named=True) == list(table.rows())


def test_types_of_an_empty_table_are_those_of_a_full_one():
    empty = ptc_eval.advise([SAID[:2]]).answers
    full = ptc_eval.advise([SAID]).answers
    assert (len(empty), len(full) > 0) == (0, True)
    assert empty.polars().schema == full.polars().schema
    assert pa.table(empty).schema == pa.table(full).schema
    assert empty.df().empty


def test_df_takes_what_is_installed(found, monkeypatch):
    assert isinstance(found.df(), pd.DataFrame)
    assert "<table" in found._repr_html_() and "recommend" in found._repr_html_()
    hidden(monkeypatch, "pandas")
    assert isinstance(found.df(), pl.DataFrame)
    hidden(monkeypatch, "polars")
    with pytest.raises(ImportError, match="neither pandas nor polars is installed"):
        found.df()
    assert "<td>full-history</td>" in found.strategies._repr_html_()
    assert next(found.strategies.rows())["strategy"] == "full-history"
    hidden(monkeypatch, "pyarrow")
    with pytest.raises(ImportError, match="neither pyarrow nor polars"):
        found.strategies.__arrow_c_stream__()


def hidden(monkeypatch, name: str) -> None:
    """A library that is not installed."""
    imported = importlib.import_module

    def without(wanted: str):
        if wanted == name:
            raise ImportError(name)
        return imported(wanted)

    monkeypatch.setattr(importlib, "import_module", without)


def test_the_package_needs_no_library():
    names = ("pandas", "numpy", "polars", "pyarrow")
    check = f"import sys, ptc_eval; assert not set({names}) & set(sys.modules)"
    import subprocess

    assert subprocess.run([sys.executable, "-c", check]).returncode == 0
