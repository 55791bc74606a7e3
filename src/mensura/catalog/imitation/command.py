"""`mensura imitation`: what is read from games that have been played."""

from pathlib import Path
from typing import Any

import click

from mensura.console import json_option, print_json, show
from mensura.errors import BadParameter


@click.group("imitation", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Read games of imitation that have been played.

    \b
      mensura imitation transcript last --out games.html   what was said, believed and marked
      mensura imitation series last > games.jsonl          beliefs, with the turns of planted blunders
      mensura imitation blunder games.jsonl                how far belief falls at a planted blunder
      mensura imitation code said.jsonl                    what kinds of answers were given to which questions
    """


store_option = click.option(
    "--store", envvar="MENSURA_STORE", default=None, metavar="URL", help="Where records are kept."
)


@command.command("transcript")
@click.argument("run")
@click.option("--game", "number", type=click.IntRange(1), default=None, help="Only this game of the run, from 1.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Write a standalone page.")
@store_option
@json_option
@click.pass_obj
def transcript(sessions: Any, run: str, number: int | None, out: Path | None, store: str | None, as_json: bool) -> None:
    """Show the games of a RUN that is over: messages, beliefs, verdicts, marked blunders, and the truth."""
    from mensura.catalog.imitation.showing.stored import games_of_sessions
    from mensura.catalog.imitation.showing.transcript import transcript_lines, transcript_page

    games = games_of_sessions(sessions(run, test="imitation", store=store), name=run)
    if number is not None and number > len(games):
        raise BadParameter(f"{run} has {len(games)} games; there is no game {number}.")
    chosen = games if number is None else games[number - 1 : number]
    if out is not None:
        out.write_text(transcript_page(chosen, title=f"Games of {run}"))
    lines = [f"Wrote {out}."] if out else ["\n".join(transcript_lines(game)) + "\n" for game in chosen]
    show([game.as_json() for game in chosen], lines, as_json=as_json)


@command.command("series")
@click.argument("run")
@store_option
@click.pass_obj
def series(sessions: Any, run: str, store: str | None) -> None:
    """Print the beliefs of each game of a RUN as a line, with the turns of planted blunders, for `blunder`."""
    from mensura.catalog.imitation.showing.stored import games_of_sessions, series_of

    games = games_of_sessions(sessions(run, test="imitation", store=store), name=run)
    for line in map(series_of, games):
        if line is not None:
            print_json(line)


@command.command("blunder")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--later", default=3, show_default=True, help="Turns within which belief may recover.")
@json_option
def blunder(files: tuple[Path, ...], later: int, as_json: bool) -> None:
    """Estimate what planted blunders do to belief: JSON lines with belief (before turn 1, after each) and errors."""
    from mensura.catalog.imitation.watson.blunder import blunder_effect, read_games

    found = blunder_effect(read_games(files), later=later)
    show(found.as_json(), [found.sentence], as_json=as_json)


@command.command("code")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--panel", type=click.Path(path_type=Path), help="Write a panel by which people code the same exchanges.")
@json_option
def code(file: Path, panel: Path | None, as_json: bool) -> None:
    """Code questions and answers by keywords: JSON lines of question and answer, and game where there are several.

    The keyword coder misses what has no keyword. With --panel a file for `mensura panel create` is written, so that
    people code each exchange by the same kinds, and their agreement is told.

    \b
      mensura imitation code said.jsonl --json
      mensura imitation code said.jsonl --panel coding.yaml
    """
    from mensura.catalog.imitation.coding.coded import code_file, write_panel

    found = code_file(file)
    if panel:
        write_panel(found, panel)
    show(found.as_json(), found.lines(), as_json=as_json)
