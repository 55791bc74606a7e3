"""Data of others travel only with their licence beside them, and with a word on where they come from."""

from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
SETS = ["icarus", "digit_matrices", "forecasts/fivethirtyeight_checking", "forecasts/forecastbench", "lsat7"]


@pytest.mark.parametrize("name", SETS)
def test_each_set_has_its_licence_and_its_source(name):
    licences = [path for path in (DATA / name).iterdir() if "LICENSE" in path.name]
    assert licences
    assert any(word in licences[0].read_text() for word in ("Apache License", "Attribution", "MIT License"))
    told = (DATA / name / "README.md").read_text()
    assert "Source" in told
    assert any(licence in told for licence in ("Apache-2.0", "CC BY 4.0", "CC BY-SA 4.0", "MIT"))


def test_no_set_travels_that_is_not_named_here():
    held = {path.parent.relative_to(DATA) for path in DATA.rglob("*") if path.is_file()}
    assert all(any(folder.is_relative_to(name) for name in SETS) for folder in held)
