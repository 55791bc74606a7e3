"""The pages: one HTML file each, which loads nothing."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from mensura.catalog.arcade.screen import png
from mensura.catalog.arcade.showing.curves import TrainingCurve, curve_exhibits
from mensura.catalog.arcade.showing.episode_again import EpisodeAgain, rows_of
from mensura.catalog.arcade.starts.splitting import check_split
from mensura.catalog.arcade.starts.start import StartSet, start_json
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import room_in
from mensura.catalog.arcade.world.rules import Rules
from mensura.exhibit.template_page import template_asset, template_page

PACKAGE = __package__


def gallery_page(found: StartSet, *, title: str) -> str:
    """Return the page of a set of starts: of each its screen, frame, points, how it was made, and its split."""
    episode, shown = GameEpisode(found.game, Rules()), []
    for number, start in enumerate(found.starts, 1):
        episode.begin(start.state)
        episode.wait(1)
        picture = f"data:image/png;base64,{b64encode(png(episode.indexed(), episode.palette, level=9)).decode()}"
        told = {**start_json(start), "room": room_in(found.game, start.memory), "number": number}
        shown.append(told | {"picture": picture})
    splits = {name: sum(one["split"] == name for one in shown) for name in ("train", "test", "")}
    return _page(
        "gallery.html",
        "gallery.js",
        title=title,
        found=found,
        starts=shown,
        makers=sorted({start.by for start in found.starts} - {""}),
        splits={name: count for name, count in splits.items() if count},
        check=check_split(found),
    )


def replay_page(
    again: EpisodeAgain, details: Mapping[str, Any], parameters: Mapping[str, Any], *, title: str, who: str
) -> str:
    """Return the page of an episode that was played again, with what was earned from every start."""
    # A script ends at its closing tag, wherever in the data that stands.
    data = json.dumps({**again.data(), "game": details["game"]}).replace("<", "\\u003c")
    rows = sorted(rows_of(details).values(), key=lambda row: -row["mean"])
    return _page(
        "replay.html",
        "replay.js",
        title=title,
        who=who,
        again=again,
        data=data,
        rows=rows,
        game=details["game"],
        parameters=parameters,
        seed=details["played"].get("seed"),
    )


def curves_page(curves: Sequence[TrainingCurve], *, title: str) -> str:
    """Return the page of learning curves: values, returns, rooms and speed over frames."""
    return _page("curves.html", None, title=title, exhibits=curve_exhibits(curves))


def _page(template: str, script: str | None, **shown: Any) -> str:
    style = template_asset(PACKAGE, "page.css")
    return template_page(PACKAGE, template, style=style, script=script and template_asset(PACKAGE, script), **shown)
