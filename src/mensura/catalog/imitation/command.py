"""`mensura imitation`: what is read from games that have been played."""

from pathlib import Path

import click

from mensura.console import json_option, show


@click.group("imitation", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Read games of imitation that have been played.

    \b
      mensura imitation blunder games.jsonl   how far belief falls at a planted blunder
    """


@command.command("blunder")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--later", default=3, show_default=True, help="Turns within which belief may recover.")
@json_option
def blunder(files: tuple[Path, ...], later: int, as_json: bool) -> None:
    """Estimate what planted blunders do to belief: JSON lines with belief (before turn 1, after each) and errors."""
    from mensura.catalog.imitation.watson.blunder import blunder_effect, read_games

    found = blunder_effect(read_games(files), later=later)
    show(found.as_json(), [found.sentence], as_json=as_json)
