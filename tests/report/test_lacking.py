"""What a machine lacks is named with the command that installs it, and stops no other part of report, study or page."""

import altair
import pytest
from click.testing import CliRunner

from mensura.catalog.coin.dialogue import coin
from mensura.cli.main import cli
from mensura.errors import NotInstalled
from mensura.exhibit import Exhibit, Figure
from mensura.exhibit.exhibit import as_svg
from mensura.running.run import run
from mensura.store import open_store

INSTALL = "pip install bricks"


def lacking(*given):
    raise NotInstalled("Bricks are not installed.", install=INSTALL)


@pytest.fixture
def url(tmp_path):
    """A store with two runs of the coin."""
    path = tmp_path / "mensura.db"
    with open_store(path) as store:
        for name in ("stated", "chance"):
            run("coin", name, store=store, sessions=6, seed=1)
    return str(path)


def report(url, tmp_path):
    """Write the report as a user does; return what was printed, and the page."""
    page = tmp_path / "report.html"
    done = CliRunner().invoke(cli, ["report", "last~1", "last", "-o", str(page), "--store", url])
    assert done.exit_code == 0, done.output
    return done.output, page.read_text()


def test_a_report_leaves_out_what_a_test_cannot_show_here(url, tmp_path, monkeypatch):
    def exhibits(groups):
        yield Exhibit("Shown before", "What comes before is shown.")
        lacking()

    monkeypatch.setitem(vars(coin), "exhibits", exhibits)
    printed, page = report(url, tmp_path)
    for said in (printed, page):
        assert "What coin-v1 shows of its sessions is left out. Bricks are not installed." in said
        assert INSTALL in said
    assert "What comes before is shown." in page
    assert "stated does best" in page


def test_a_report_leaves_out_a_picture_that_cannot_be_drawn_here(url, tmp_path, monkeypatch):
    dots = altair.Chart(altair.InlineData([{"x": 1}])).mark_point().encode(x="x:Q")
    figures = [Figure(lacking, "No picture."), Figure(dots, "A picture of a dot.")]
    monkeypatch.setitem(vars(coin), "exhibits", lambda groups: [Exhibit("Own", figures=figures)])
    printed, page = report(url, tmp_path)
    assert "A picture is left out. Bricks are not installed. Install it with: pip install bricks" in printed
    assert "A picture is left out. Bricks are not installed." in page
    assert as_svg(dots)[:60] in page


def test_a_study_takes_the_conditions_that_this_machine_can_take(tmp_path, monkeypatch):
    monkeypatch.setitem(coin.subjects, "half", lambda: lacking())
    plan = tmp_path / "study.yaml"
    plan.write_text(
        "name: coins\ntests: [coin]\ncasts:\n  stated: stated\n  half: half\n  chance: chance\n"
        "stop: {most: 3}\nseed: 1\n"
    )
    url = str(tmp_path / "mensura.db")
    done = CliRunner().invoke(cli, ["study", "run", str(plan), "--store", url])
    assert done.exit_code == 3, done.output
    assert (
        "The condition half is left out. Bricks are not installed. Install it with: pip install bricks" in done.output
    )
    assert "study resume" in done.output
    with open_store(url) as store:
        taken = {", ".join(head.who): store.sessions.count(head.id).get("finished", 0) for head in store.runs.all()}
    assert taken["stated"] == taken["chance"] == 3
    assert taken.get("half", 0) == 0
    # Once it is installed, the rest is taken.
    monkeypatch.undo()
    done = CliRunner().invoke(cli, ["study", "resume", str(plan), "--store", url])
    assert done.exit_code == 0, done.output
    with open_store(url) as store:
        assert [store.sessions.count(head.id)["finished"] for head in store.runs.all()] == [3, 3, 3]
