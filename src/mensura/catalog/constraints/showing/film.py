"""Film: a computed run as drawings one after the other, or as a page that stands alone."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from mensura.catalog.constraints.showing.stage import FilmStage
from mensura.exhibit.alone_page import alone_page

MOST_DRAWINGS = 1200
SCRIPTS = (
    "element.js",
    "course.js",
    "canvas.js",
    "plots.js",
    "panel.js",
    "pane.js",
    "player.js",
    "form.js",
    "network.js",
)
"""Each after those that it needs."""
STYLES = ("alone.css", "network.css")


def write_page(runs: Sequence[Mapping[str, Any]], path: Path, *, title: str) -> None:
    """Write a page that shows runs by itself, without a laboratory and without a network.

    Parameters
    ----------
    runs
        One run or two, as `Computed.data` gives them.
    """
    page = alone_page(
        __package__, "network.html", scripts=SCRIPTS, styles=STYLES, data={"runs": list(runs)}, title=title
    )
    path.write_text(page, encoding="utf-8")


def drawings(run: Mapping[str, Any], *, between: int = 4, small: bool = False) -> Iterator[str]:
    """Draw a run as SVG, cycle by cycle, `between` drawings for each while its letters travel.

    Of a run so long that the film would never end only some cycles are drawn, evenly spread. For films that are
    shown small, letters are large and fewer.
    """
    count = sum(len({waking[0] for waking in act["wakings"]}) for act in run["acts"])
    rare, number = max(1, -(-count * between // MOST_DRAWINGS)), 0
    for act in run["acts"]:
        stage = FilmStage(act, "" if small else f"{run['name']}, {run['problem']}")
        for _, wakings in groupby(act["wakings"], key=lambda waking: waking[0]):
            stage.take(wakings)
            number += 1
            if number % rare == 0 or number == count:
                yield from (stage.draw(part / between) for part in range(between))
    if count:
        yield stage.draw(1.0)
