"""The demo: its report is written, whatever tests need that is not installed."""

from mensura.cli.sessions import demo
from mensura.errors import MissingExtra


def test_a_test_that_needs_more_than_is_installed_is_left_out_and_named(tmp_path, monkeypatch, capsys):
    whole = demo.run

    def lacking(test, *given, **named):
        if test == "corridor-v1":
            raise MissingExtra("Corridors", package="bricks", extra="bricks")
        return whole(test, *given, **named)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "run", lacking)
    monkeypatch.setattr(demo, "list_tests", lambda: ["coin-v1", "corridor-v1", "dilemma-v1"])
    demo.main()
    told = capsys.readouterr()
    assert 'corridor-v1 is left out. Corridors need bricks: pip install "mensura[bricks]"' in told.err
    report = (tmp_path / "report.html").read_text()
    assert "dilemma-v1" in report
    assert "corridor-v1" not in report
