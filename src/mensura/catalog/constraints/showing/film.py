"""Film: a computed run as drawings one after the other, or as a page that stands alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from mensura.catalog.constraints.showing.stage import FilmStage
from mensura.dialogue.canonical import canonical

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
    folder = files(__package__) / "pages"
    read = {name: (folder / name).read_text(encoding="utf-8") for name in (*SCRIPTS, *STYLES, "network.html")}
    # In one script nothing is imported or exported; names are the same in all files.
    script = "\n".join(
        re.sub(r"^(import .*|export \{.*)$|^export ", "", read[name], flags=re.MULTILINE) for name in SCRIPTS
    )
    body = re.sub(r"\{#.*?#\}", "", read["network.html"], flags=re.DOTALL)
    data = canonical({"runs": list(runs)}).replace("<", "\\u003c")
    head = (
        f'<meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{''.join(read[name] for name in STYLES)}</style>"
    )
    main = f'<main><h1>{escape(title)}</h1><div class="own">{body}'
    last = (
        f'<script type="application/json" class="own-data">{data}</script></div></main><script type="module">{script}'
    )
    page = f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{main}{last}</script></body></html>\n'
    path.write_text(page, encoding="utf-8")


def drawings(run: Mapping[str, Any], *, between: int = 4) -> Iterator[str]:
    """Draw a run as SVG, cycle by cycle, `between` drawings for each while its letters travel.

    Of a run so long that the film would never end only some cycles are drawn, evenly spread.
    """
    count = sum(len({waking[0] for waking in act["wakings"]}) for act in run["acts"])
    rare, number = max(1, -(-count * between // MOST_DRAWINGS)), 0
    for act in run["acts"]:
        stage = FilmStage(act, f"{run['name']}, {run['problem']}")
        for _, wakings in groupby(act["wakings"], key=lambda waking: waking[0]):
            stage.take(wakings)
            number += 1
            if number % rare == 0 or number == count:
                yield from (stage.draw(part / between) for part in range(between))
    if count:
        yield stage.draw(1.0)
