"""`mensura tour`: a picture and two sentences from every system, on one page."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mensura.console import next_step, say
from mensura.errors import unknown


@click.command("tour")
@click.argument("systems", nargs=-1)
@click.option(
    "-o",
    "--out",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("tour.html"),
    show_default=True,
    help="Where the page is written.",
)
def command(systems: tuple[str, ...], path: Path) -> None:
    """Run every system in its quickest setting and show a picture and two sentences from each, on one page.

    SYSTEMS are the stops to visit; without any, all of them, in about two minutes. Ctrl-C writes what there is by then.
    What this machine lacks is named with the command that installs it.

    \b
      mensura tour
      mensura tour puzzles arcade -o two.html
    """
    from mensura.report.tour import stop_names, take_tour, tour_page
    from mensura.stats.wording import several

    known = stop_names()
    for name in systems:
        if name not in known:
            raise unknown("stop", name, known=known, see=f"There are {', '.join(known)}.")
    names = list(systems) or known
    began = time.monotonic()
    visited, interrupted = [], False
    try:
        with _progress(len(names)) as (begun, done):
            for one in take_tour(names, begun=begun):
                visited.append(one)
                done(one.name)
    except KeyboardInterrupt:
        interrupted = True
        say(f"\nInterrupted: {len(visited)} of {len(names)} stops are shown.")
    page = tour_page(visited, planned=len(names), seconds=time.monotonic() - began)
    path.write_text(page, encoding="utf-8")
    for words in [words for one in visited for words in (*one.lacking, *one.failed)]:
        say(words)
    click.echo(f"Wrote {path.resolve()} ({several(sum(len(one.stops) for one in visited), 'picture')}).")
    next_step(f"open {path} in a browser")
    if interrupted:
        sys.exit(1)
    if any(one.failed for one in visited):
        sys.exit(3)


@contextmanager
def _progress(total: int) -> Iterator[tuple[Callable[[str], None], Callable[[str], None]]]:
    """Show how many stops are done and which are being visited; a line for each where nobody looks at a terminal."""
    if not sys.stderr.isatty():
        finished: list[str] = []

        def tell(name: str) -> None:
            finished.append(name)
            say(f"{len(finished)} of {total}: {name}")

        yield lambda name: None, tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.fields[now]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("tour", total=total, now="")
        visiting: list[str] = []

        def begun(name: str) -> None:
            visiting.append(name)
            bar.update(task, now=", ".join(visiting))

        def done(name: str) -> None:
            visiting.remove(name)
            bar.update(task, advance=1, now=", ".join(visiting))

        yield begun, done
