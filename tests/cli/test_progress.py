"""Progress bars: only where someone looks, with rate and time left."""

import io
import re
import time

from mensura.cli.progress import progress_bar
from mensura.dialogue import Address
from mensura.machine_code import Compiling
from mensura.running.job import Done
from mensura.subjects.model.reaching.waits import waiting


class Screen(io.StringIO):
    """A terminal that keeps what is drawn."""

    def isatty(self):
        return True


def done(status="finished"):
    return Done("s", Address(), status)


def test_a_bar_shows_how_many_are_done_how_fast_and_how_many_failed(monkeypatch):
    screen = Screen()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.stderr", screen)
    with progress_bar(4) as advance:
        for status in ("finished", "crashed", "finished"):
            advance(done(status))
    drawn = screen.getvalue()
    assert "3/4" in drawn
    assert "1 failed" in drawn
    assert "/s" in drawn


def test_nothing_is_drawn_where_nobody_looks_or_one_session_is_taken(monkeypatch):
    for screen, total in ((io.StringIO(), 5), (Screen(), 1)):
        monkeypatch.setattr("sys.stderr", screen)
        with progress_bar(total) as advance:
            advance(done())
        assert screen.getvalue() == ""


def test_compiling_that_takes_long_is_said_once_and_what_is_quick_is_not(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    monkeypatch.setattr("mensura.cli.progress.COMPILING", compiling := Compiling())
    with progress_bar(2):
        compiling.begin("mensura.catalog.puzzles.solving.fill")
        compiling.end("mensura.catalog.puzzles.solving.fill")
        monkeypatch.setattr("mensura.machine_code.SAID_SECONDS", 0.0)
        assert compiling.words == ""
        for name in ("fill", "search"):
            compiling.begin(f"mensura.catalog.puzzles.solving.{name}")
        until(lambda: pipe.getvalue())
    assert pipe.getvalue() == (
        "Compiling the loops of puzzles for this machine. This is done once and can take a minute.\n"
    )


def test_a_long_wait_is_one_line_that_is_gone_at_the_end(monkeypatch):
    screen = Screen()
    monkeypatch.setattr("mensura.cli.progress.SHOWN_SECONDS", 0.0)
    monkeypatch.setattr("sys.stderr", screen)
    with progress_bar(1), waiting("small", "http://here/v1") as wait:
        until(lambda: re.search(r"Waiting \d+ s for small at http://here/v1", screen.getvalue()))
        wait.pause("status 503, try 2 of 9", 30)
        again = r"Asking small again in \d+ s, after \d+ s: status 503, try 2 of 9"
        until(lambda: re.search(again, screen.getvalue()))
    drawn = screen.getvalue()
    assert "\n" not in drawn
    assert drawn.endswith("\r\x1b[K"), "the line is removed"


def test_a_long_wait_stands_below_the_bar(monkeypatch):
    screen = Screen()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("mensura.cli.progress.SHOWN_SECONDS", 0.0)
    monkeypatch.setattr("sys.stderr", screen)
    with progress_bar(4), waiting("small", "http://here/v1"), waiting("small", "http://here/v1"):
        until(lambda: "s for small at http://here/v1" in screen.getvalue())
    assert "2 requests wait" in screen.getvalue()
    assert "0/4" in screen.getvalue()


def test_a_long_wait_is_told_once_where_nobody_looks(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr("mensura.cli.progress.TOLD_SECONDS", 0.0)
    monkeypatch.setattr("sys.stderr", pipe)
    with progress_bar(4), waiting("small", "http://here/v1") as wait:
        until(lambda: "Waiting" in pipe.getvalue())
        wait.pause("http://here/v1 answered with status 503, try 2 of 9", 30)
        until(lambda: "503" in pipe.getvalue())
        wait.ask()
        time.sleep(1)
    lines = pipe.getvalue().splitlines()
    assert len(lines) == 2
    assert re.fullmatch(r"Waiting \d+ s for small at http://here/v1", lines[0])


def test_a_log_shows_again_and_again_that_a_run_still_waits(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr("mensura.cli.progress.TOLD_SECONDS", 0.0)
    monkeypatch.setattr("mensura.cli.progress.AGAIN_SECONDS", 0.5)
    monkeypatch.setattr("sys.stderr", pipe)
    with progress_bar(4), waiting("small", "http://here/v1"):
        until(lambda: pipe.getvalue().count("for small at http://here/v1") >= 3)


def until(condition):
    last = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.01)
