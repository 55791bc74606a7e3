"""Runs and estimates show themselves in notebooks."""

import pytest

from mensura.running.run import RunOptions, run
from mensura.store import open_store


@pytest.fixture
def result(tmp_path):
    """Run the coin test under a condition whose name is an attack."""
    with open_store(tmp_path / "n.db") as store:
        options = RunOptions(condition="<script>alert(1)</script>")
        return run("coin", "stated", store=store, sessions=3, seed=1, options=options)


def test_a_run_shows_who_took_what_and_every_score_with_its_interval(result):
    html = result._repr_html_()
    assert "<b>coin-v1</b> taken by stated" in html
    assert "3 finished" in html
    for name, estimate in result.scores.items():
        assert f"<td>{name}</td><td>{estimate._repr_html_()}</td>" in html
        assert f"n = {estimate.n}" in html


def test_names_are_shown_and_not_run(result):
    assert "<script>" not in result._repr_html_()
    assert "&lt;script&gt;" in result._repr_html_()
