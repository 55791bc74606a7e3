"""`mensura arcade starts gallery`, `replay` and `curves`: standalone pages."""

from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

import click

from mensura.console import next_step, say

FILE = click.Path(path_type=Path)

page_option: Callable[[Any], Any] = click.option(
    "-o", "--out", type=FILE, required=True, help="The page to write, an HTML file that loads nothing."
)
store_option: Callable[[Any], Any] = click.option(
    "--store", envvar="MENSURA_STORE", default=None, metavar="URL", help="Where records are kept."
)


@click.command("gallery")
@click.argument("file", type=FILE)
@click.option("--game", default="", help="The game, for published files that do not say.")
@page_option
def gallery(file: Path, game: str, out: Path) -> None:
    """Show the starts of FILE on a page: screen, frame, points, how each was made, and its split."""
    from mensura.catalog.arcade.showing.pages import gallery_page
    from mensura.catalog.arcade.starts.file import read_starts

    found = read_starts(file, game=game)
    _write(out, gallery_page(found, title=f"Starts of {found.game.replace('_', ' ')}: {file.name}"))
    next_step(f"mensura arcade starts card {quote(str(file))}")


@click.command("replay")
@click.argument("run")
@click.option("--start", default="", help="The id of a start, or null; else the one with the most points.")
@click.option("--episode", "number", default=1, show_default=True, help="Which of its episodes, from 1.")
@click.option("--every", default=4, show_default=True, type=click.IntRange(1), help="Show one frame out of this many.")
@click.option("--starts", "file", type=FILE, default=None, help="The set of starts, if it is no longer where it was.")
@store_option
@page_option
@click.pass_obj
def replay(
    sessions: Any, run: str, start: str, number: int, every: int, file: Path | None, store: str | None, out: Path
) -> None:
    """Play an episode of RUN again, from its start by its actions, and show it on a page.

    No picture is ever stored. That the episode comes to the points of the record proves that it is the same.
    """
    from mensura.catalog.arcade.showing.episode_again import play_again, rows_of
    from mensura.catalog.arcade.showing.pages import replay_page
    from mensura.catalog.arcade.showing.taken import TEST, taken_of

    taken = taken_of(sessions.scored(run, test=TEST, store=store), run=run)[0]
    states = taken.states(file)
    rows = rows_of(taken.details)
    chosen = start or max(rows, key=lambda name: max(rows[name]["episodes"]))
    again = play_again(taken.details, states, start=chosen, number=number, every=every)
    title = f"{taken.details['game'].replace('_', ' ')}, episode {again.number} from {again.start}"
    _write(out, replay_page(again, taken.details, taken.parameters, title=title, who=taken.who))
    next_step("mensura arcade replay RUN --start ID: " + ", ".join(list(rows)[:4]) + " ...")


@click.command("curves")
@click.argument("files", nargs=-1, required=True, type=FILE)
@page_option
def curves(files: tuple[Path, ...], out: Path) -> None:
    """Draw how the learners in FILES learned: saves of `mensura arcade train`, or the JSON that it prints."""
    from mensura.catalog.arcade.showing.curves import read_curve
    from mensura.catalog.arcade.showing.pages import curves_page

    _write(out, curves_page([read_curve(file) for file in files], title="Learning curves"))
    next_step("mensura study run examples/arcade_checkpoints.py --budget 10e6")


def _write(out: Path, page: str) -> None:
    out.write_text(page, encoding="utf-8")
    say(f"Wrote {out}, {len(page) / 1e6:.1f} MB.")
    click.echo(str(out))
