"""A run as a film and as a page that stands alone."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from mensura.catalog.constraints.command import command
from mensura.catalog.constraints.showing.computing import compute
from mensura.catalog.constraints.showing.film import drawings, write_page
from mensura.catalog.constraints.showing.stage import VALUES
from mensura.errors import BadParameter


def call(*words):
    return CliRunner().invoke(command, ["film", *map(str, words)], catch_exceptions=False)


def test_drawings_show_values_violations_and_letters():
    run = compute("abt", problem="queens:n=4").data()
    shown = list(drawings(run, between=2))
    cycles = 1 + run["acts"][0]["report"]["cycles"]
    assert len(shown) == 2 * cycles + 1
    # All four queens begin in the first column: every pair attacks, and six letters go down.
    assert shown[0].count("<circle") == 4 + 6
    assert shown[0].partition("#c62828")[2].partition("</g>")[0].count("<line") == 6
    assert "6 violated" in shown[0]
    assert "0 violated" in shown[-1]
    assert "33 messages · 120 checks" in shown[-1]


def test_a_long_run_becomes_a_film_of_bearable_length(monkeypatch):
    monkeypatch.setattr("mensura.catalog.constraints.showing.film.MOST_DRAWINGS", 20)
    run = compute("dsa", problem="colouring:n=5,links=6", stop="cycles=60").data()
    shown = list(drawings(run, between=2))
    assert len(shown) <= 24
    assert f"{run['acts'][0]['report']['messages']['total']} messages" in shown[-1]


def test_a_gif_is_written(tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="films need the extra film").get_ffmpeg_exe()
    path = tmp_path / "queens.gif"
    done = call("--problem", "queens:n=4", "--as", "abt", "-o", path, "--between", 1)
    assert done.exit_code == 0, done.output
    assert "abt: solved." in done.stderr
    probe = [ffmpeg, "-i", str(path), "-map", "0:v", "-f", "null", "-"]
    said = subprocess.run(probe, capture_output=True, text=True, check=True).stderr
    assert "640x560" in said
    assert f"frame={13:5d}" in said


def test_an_algorithm_of_ones_own_is_shown_beside_ours(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from mensura.catalog.constraints import Agent\n\n"
        "class First(Agent):\n    def start(self):\n        yield self.assign(self.variable, self.domain[0])\n"
    )
    path = tmp_path / "both.html"
    done = call("queens:n=4", "--as", "abt", "--as", f"{tmp_path}/mine.py:First", "-o", path)
    assert done.exit_code == 0, done.output
    assert "First: quiet but wrong." in done.stderr
    assert '"name":"First"' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["--as", "abt", "-o", "a.gif"], "FILE"),
        (["queens:n=4", "--as", "abt", "-o", "a.avi"], "a.avi"),
        (["queens:n=4", "--as", "abt", "--as", "awcs", "-o", "a.gif"], "shows 1"),
        (["queens:n=4", "--as", "human", "-o", "a.gif"], "human"),
    ],
)
def test_what_cannot_be_filmed_is_refused(words, match):
    with pytest.raises(BadParameter, match=match):
        call(*words)


@pytest.mark.browser
def test_a_thousand_agents_are_drawn_on_a_page_that_stands_alone(chromium, tmp_path):
    # How many frames a second it holds is measured by `python -m benchmarks.constraints.frames`; here it draws some.
    path, faults = tmp_path / "run.html", []
    runs = [compute("awcs", problem="scale-free:n=1000,m=10,t=0.2,md=4", stop="cycles=2").data()]
    write_page(runs, path, title="A thousand <agents>")
    assert "http://" not in path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(Path(path).as_uri())
    page.wait_for_selector("[data-state=ready]")
    assert page.inner_text("h1") == "A thousand <agents>"
    values = {int(colour[1:], 16) for colour in VALUES}
    assert not values & set(drawn(page))
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    page.wait_for_function("Number(document.querySelector('.network').dataset.frames) > 0")
    page.get_by_role("button", name="Pause", exact=True).press("Enter")
    page.get_by_role("button", name="To the end").press("Enter")
    # All agents have values, and their colours.
    assert values <= set(drawn(page))
    page.close()
    assert faults == []


def drawn(page):
    """Return the colours that cover more than a speck of the picture."""
    return page.evaluate(
        """() => {
          const canvas = document.querySelector(".nw-canvas");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const counts = new Map();
          for (let i = 0; i < data.length; i += 4) {
            const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
            counts.set(colour, (counts.get(colour) ?? 0) + 1);
          }
          return [...counts].filter(([, count]) => count > 100).map(([colour]) => colour);
        }"""
    )
