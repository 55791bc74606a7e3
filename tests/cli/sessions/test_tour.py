"""The tour: a picture and two sentences from each system, whatever is missing, fails or is interrupted."""

import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.errors import NotInstalled
from mensura.exhibit.tour_stop import TourStop
from mensura.extension import extensions
from mensura.report import tour

LIMIT = 240
SYSTEMS = [
    *("analogy", "arcade", "constraints", "crisis", "detection", "forecasting", "imitation", "lambda-star"),
    *("pagi-world", "puzzles", "sensemaking", "task-environments"),
]
WAITS = """
import time


def tour(take):
    time.sleep(600)
"""


def test_every_system_has_a_stop_and_every_other_test_is_a_small_one():
    assert [name for name in tour.stop_names() if name in SYSTEMS] == SYSTEMS
    assert {"coin-v1", "corridor-v1", "dilemma-v1"} <= set(tour.small_tests())
    assert not [name for name in tour.small_tests() if name.startswith(("analogy", "lambda-star", "crisis"))]
    for name in SYSTEMS:
        assert extensions(tour.GROUP)[name].load().__doc__


def test_the_page_shows_a_picture_and_two_sentences_from_a_run(tmp_path):
    page = tmp_path / "two.html"
    done = CliRunner().invoke(cli, ["tour", "puzzles", "imitation", "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert "2 pictures" in done.output
    said = page.read_text()
    assert "have one answer each that follows from what is shown" in said
    assert "A solver that looks for rules found 100 % of ten matrices, and guessing 20 %." in said
    assert "<svg" in said
    assert "it was right in 6 of 6 games." in said
    assert "Fine, thanks." in said
    assert "src=&#34;http" not in said
    assert 'src="http' not in said


def test_what_this_machine_lacks_is_named_with_its_command_and_stops_nothing_else(monkeypatch):
    def lacking(take):
        raise NotInstalled("Games need a console.", install="pip install console")

    def broken(take):
        raise ZeroDivisionError("no reason")

    def whole(take):
        return TourStop("Whole", "What is asked.", "What came out.", "<svg></svg>", "A picture.")

    made = {"arcade": lacking, "crisis": broken, "puzzles": whole}
    monkeypatch.setattr(tour, "load", lambda point: made[point.name])
    visited = [tour.visit(name) for name in made]
    said = tour.tour_page(visited, planned=3, seconds=1)
    assert "arcade is left out. Games need a console. Install it with: pip install console" in said
    assert "crisis raised ZeroDivisionError" in said
    assert "What came out." in said


def test_a_stop_that_crashes_is_named_and_the_others_are_shown(monkeypatch):
    whole = tour.sys.executable
    monkeypatch.setattr(tour.sys, "executable", "/bin/false")
    found = list(tour.take_tour(["puzzles"]))
    monkeypatch.setattr(tour.sys, "executable", whole)
    assert found == [tour.Visited("puzzles", failed=["puzzles ended: exit status 1"])]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent to a process of its own")
def test_an_interrupted_tour_writes_what_it_has_and_leaves_no_process_behind(tmp_path):
    # A stop of another package that never ends.
    (tmp_path / "waits.py").write_text(WAITS)
    noted = tmp_path / "waits-1.0.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text("Metadata-Version: 2.1\nName: waits\nVersion: 1.0\n")
    (noted / "entry_points.txt").write_text("[mensura.tour]\nwaits = waits:tour\n")
    page = tmp_path / "tour.html"
    command = [sys.executable, "-m", "mensura.cli.main", "tour", "imitation", "waits", "-o", str(page)]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        try:
            assert process.stderr.readline().startswith("1 of 2: ")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    assert process.returncode == 1
    assert "Interrupted: 1 of 2 stops are shown." in err
    assert "(1 picture)" in out
    assert "The tour was interrupted: 1 of its stops are not on this page." in page.read_text()
    end = time.monotonic() + LIMIT
    while _left(str(process.pid)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _left(str(process.pid))


def _left(parent):
    """List the stops that are still being taken."""
    listed = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True).stdout.splitlines()
    return [line for line in listed if "mensura.report.tour" in line and line.split()[0] in (parent, "1")]
