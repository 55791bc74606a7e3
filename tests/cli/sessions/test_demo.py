"""The demo: one question, an answer that a newcomer understands, and what to do next, whatever this machine lacks."""

import re
from html import unescape

import pytest

from mensura.cli.sessions import demo
from mensura.errors import MissingExtra, NotInstalled
from mensura.exhibit import exhibit


def words_of(page):
    """Return what a reader sees of a page, without pictures."""
    page = re.sub(r"<style.*?</style>|<svg.*?</svg>", "", page, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture
def told(tmp_path, monkeypatch, capsys):
    """Run the demo in an empty folder; return what it printed and what the report says."""

    def run_demo():
        monkeypatch.chdir(tmp_path)
        demo.main()
        printed = capsys.readouterr()
        return printed.out + printed.err, (tmp_path / "report.html").read_text()

    return run_demo


def test_the_demo_says_in_a_few_lines_who_is_best_and_whether_that_is_luck(told):
    printed, report = told()
    assert len(printed.splitlines()) <= 6
    said = words_of(report)
    for words in (printed, said):
        assert "Informed scores best, 1.0 points a coin ahead of Overconfident" in words
        assert "The lead is almost certainly real" in words
        assert "make tour" in words
        assert "mensura take coin --as human" in words
    assert "the lead would most likely be 0.4 to 1.7 points, and not 0" in said
    for name, score in {"Informed": "9.0", "Overconfident": "8.0", "Half-informed": "4.2", "Guesser": "−9.0"}.items():
        assert re.search(rf"{name} [a-z][^.]*? {re.escape(score)} −?\d", said), name
    assert "<svg" in report


def test_a_forecaster_that_this_machine_cannot_run_does_not_stop_the_others(told, monkeypatch):
    whole = demo.run

    def lacking(test, subject, **named):
        if subject == "overconfident":
            raise MissingExtra("Overconfident forecasters", package="bricks", extra="bricks")
        return whole(test, subject, **named)

    monkeypatch.setattr(demo, "run", lacking)
    printed, report = told()
    for words in (printed, words_of(report)):
        assert "Overconfident is left out" in words
        assert 'pip install "mensura[bricks]"' in words
        assert "Informed scores best" in words
        assert "ahead of Half-informed" in words


def test_a_machine_that_cannot_draw_still_gets_the_table(told, monkeypatch):
    def undrawn(chart):
        raise NotInstalled("Pictures need vl-convert.", install="pip install vl-convert-python")

    monkeypatch.setattr(exhibit, "as_svg", undrawn)
    printed, report = told()
    for words in (printed, words_of(report)):
        assert "A picture is left out. Pictures need vl-convert." in words
        assert "pip install vl-convert-python" in words
    assert "7.6 to 10.4" in report


@pytest.mark.browser
def test_the_report_is_one_and_a_half_screens_and_no_wider_than_a_phone(told, tmp_path, chromium):
    told()
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollHeight") <= 1200
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == 390
