"""Tables of results, for pandas, polars and Arrow."""

import sys

import pytest

import mensura as m
from mensura.errors import MissingExtra, UnknownName

KINDS = ("scores", "sessions", "items")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    store = tmp_path_factory.mktemp("frames") / "x.db"
    return m.run("coin", ["stated", "chance"], sessions=3, seed=1, parameters={"flips": 4}, store=store)


def plain(rows):
    """Return rows with one sign for what is unknown: pandas has NaN where others have nothing."""
    return [{key: None if value != value else value for key, value in row.items()} for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_arrow_and_polars_hold_what_pandas_holds(runs, kind):
    pytest.importorskip("polars", reason='pip install "mensura[polars]"')
    expected = plain(runs.to_frame(kind).to_dict("records"))
    assert len(expected) >= 2
    assert plain(runs.to_frame(kind, form="polars").to_dicts()) == expected
    assert plain(runs.to_frame(kind, form="arrow").to_pylist()) == expected


def test_items_and_comparisons_have_the_same_forms(runs):
    for rows in ("items", "cells", "subjects"):
        expected = m.items(runs, rows=rows)
        assert m.items(runs, rows=rows, form="arrow").num_rows == len(expected) >= 2
    found = m.compare(runs[0], runs[1])
    assert found.to_frame(form="arrow").column_names == list(found.to_frame().columns)


@pytest.mark.parametrize(
    ("form", "package", "extra"),
    [("pandas", "pandas", "frames"), ("polars", "polars", "polars"), ("arrow", "pyarrow", "datasets")],
)
def test_a_form_without_its_package_names_the_extra(runs, monkeypatch, form, package, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf'Tables for {form} need {package}: pip install "mensura\[{extra}\]"'):
        runs.to_frame(form=form)


@pytest.mark.parametrize("form", ["polars", "arrow"])
def test_other_forms_do_without_pandas(runs, monkeypatch, form):
    pytest.importorskip({"polars": "polars", "arrow": "pyarrow"}[form])
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert len(runs.to_frame(form=form)) >= 2


def test_an_unknown_form_is_refused_with_those_that_there_are(runs):
    with pytest.raises(UnknownName, match="pandas, polars, arrow"):
        runs.to_frame(form="csv")


def test_a_chart_of_a_comparison_draws_the_numbers_of_its_table(runs):
    found = m.compare(runs[0], runs[1])
    drawn = found.chart().to_dict()
    rows = next(values for values in drawn["datasets"].values() if "score" in values[0])
    assert [row["value"] for row in rows] == pytest.approx(list(found.to_frame()["difference"]))
