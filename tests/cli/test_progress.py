"""Progress bars: only where someone looks, with rate and time left."""

import io

from mensura.cli.progress import progress_bar
from mensura.dialogue import Address
from mensura.running.job import Done


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
