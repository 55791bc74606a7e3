"""The tour: a picture and two sentences from each system, whatever is missing, fails or is interrupted."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.console import program
from mensura.errors import NotInstalled
from mensura.exhibit.tour_stop import TourStop
from mensura.extension import extensions
from mensura.report import tour

LIMIT = 240
PHONE = (330, 328)
"""The room for a picture on a phone, in pixels."""
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
    assert "2 of 2 systems" in done.output
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
    said = tour.tour_page(visited, names=list(made), seconds=1)
    top = said.partition("</header>")[0]
    assert "1 of 3 systems" in top
    assert "Arcade is missing: Games need a console. Install it with: <code>pip install console</code>" in top
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
            assert _line_with("1 of 2 systems", process.stderr).endswith("Waiting for waits.\n")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    assert process.returncode == 1
    assert "Interrupted: 1 of 2 systems shown." in err
    assert "1 of 2 systems." in out
    assert "The tour was interrupted before waits." in page.read_text()
    end = time.monotonic() + LIMIT
    while _left(str(process.pid)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _left(str(process.pid))


def test_a_small_test_shows_its_first_question_and_what_can_be_said_of_its_scores():
    shown = {stop.title: stop for stop in tour.visit(tour.SMALL).stops}
    assert len(shown) == len(tour.small_tests())
    assert "What is your probability of heads?" in shown["Coin"].picture
    assert "<li>A percent, from 0 to 100.</li>" in shown["Coin"].picture
    assert "<li>left</li><li>right</li>" in shown["Corridor"].picture
    assert "<li><b>approve</b> The tool is called now" in shown["Approval"].picture
    assert "<pre>rm -r photos</pre>" in shown["Approval"].picture
    assert "due" in shown["Inbox"].picture
    assert shown["Corridor"].found.startswith("optimal earned 0.94 on average, random-walk 0.")
    for form in ("Approval", "Display size", "Headphones", "Rating"):
        assert not shown[form].found
    page = tour.tour_page([tour.Visited(tour.SMALL, list(shown.values()))], names=[tour.SMALL], seconds=1)
    assert f"{len(shown)} small tests, each" in page
    assert "too little data" not in page
    assert "**" not in page


def test_letters_of_drawn_pictures_can_be_read_on_a_phone():
    for name in ("crisis", "constraints"):
        (stop,) = tour.visit(name).stops
        _, _, width, height = map(float, re.search(r'viewBox="([^"]*)"', stop.picture)[1].split())
        scale = min(PHONE[0] / width, PHONE[1] / height)
        assert min(float(size) * scale for size in re.findall(r'font-size="([\d.]+)"', stop.picture)) >= 10, name


def test_the_page_gives_commands_as_they_work_where_the_tour_was_started(tmp_path, monkeypatch):
    (tmp_path / "my clone" / ".venv" / "bin").mkdir(parents=True)
    script = tmp_path / "my clone" / ".venv" / "bin" / "mensura"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script.with_name("python")))
    monkeypatch.chdir(tmp_path / "my clone")
    assert program() == ".venv/bin/mensura"
    monkeypatch.chdir("/")
    assert program() == f"'{str(script)[1:]}'"
    monkeypatch.setenv("PATH", str(script.parent))
    assert program() == "mensura"
    stop = TourStop("Whole", "What is `asked`.", "What came out.", "<svg></svg>", "A picture.", "mensura take puzzles")
    page = tour.tour_page([tour.Visited("puzzles", [stop])], names=["puzzles"], seconds=1, program=".venv/bin/mensura")
    assert "<code>.venv/bin/mensura take puzzles</code>" in page
    assert "<code>.venv/bin/mensura list</code>" in page
    assert "What is <code>asked</code>." in page


def _line_with(words, stream):
    """Read lines up to one that has some words."""
    return next(line for line in stream if words in line)


def _left(parent):
    """List the stops that are still being taken."""
    listed = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True).stdout.splitlines()
    return [line for line in listed if "mensura.report.tour" in line and line.split()[0] in (parent, "1")]
