"""`mensura tour`: a picture and two sentences from every system, on one page."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import click

from mensura.console import next_step, program, say
from mensura.errors import unknown
from mensura.stats.wording import listed

if TYPE_CHECKING:
    from mensura.report.tour import Visited

LINE_SECONDS = 10


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
    from mensura.report.tour import seen, stop_names, take_tour, tour_page

    known = stop_names()
    for name in systems:
        if name not in known:
            raise unknown("stop", name, known=known, see=f"There are {', '.join(known)}.")
    names = list(dict.fromkeys(systems)) or known
    began = time.monotonic()
    visited: list[Visited] = []
    interrupted = False
    try:
        with _progress(names, visited) as begun:
            for one in take_tour(names, begun=begun):
                visited.append(one)
    except KeyboardInterrupt:
        interrupted = True
        say(f"\nInterrupted: {seen(visited, names)} shown.")
    seconds = time.monotonic() - began
    page = tour_page(visited, names=names, seconds=seconds, program=program(), stopped=interrupted)
    path.write_text(page, encoding="utf-8")
    for words in [words for one in visited for words in (*one.lacking, *one.failed)]:
        say(words)
    click.echo(f"Wrote {path.resolve()}: {seen(visited, names)}.")
    next_step(f"open {path} in a browser")
    if interrupted:
        sys.exit(1)
    if any(one.failed for one in visited):
        sys.exit(3)


@contextmanager
def _progress(names: Sequence[str], visited: "Sequence[Visited]") -> Iterator[Callable[[str], None]]:
    """Show of how many systems there are pictures, and what is waited for: a bar, or lines where nobody watches."""
    from mensura.report.tour import seen

    start = time.monotonic()
    begun: list[str] = []

    def words() -> str:
        done = {one.name for one in visited}
        running = [name for name in begun if name not in done]
        waiting = f" Waiting for {listed(running)}." if running else ""
        return f"{seen(visited, names)} after {time.monotonic() - start:.0f} s.{waiting}"

    showing = _bar if sys.stderr.isatty() else _lines
    with showing(words, lambda: len(visited), len(names)):
        yield begun.append


@contextmanager
def _bar(words: Callable[[], str], done: Callable[[], int], total: int) -> Iterator[None]:
    """Draw a bar and a line of words again and again."""
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    def drawn() -> Group:
        return Group(Text(words()), ProgressBar(total=total, completed=done(), width=40))

    with Live(get_renderable=drawn, console=Console(stderr=True), transient=True, refresh_per_second=4):
        yield


@contextmanager
def _lines(words: Callable[[], str], done: Callable[[], int], total: int) -> Iterator[None]:
    """Write a line every ten seconds."""
    over = Event()

    def tell() -> None:
        while not over.wait(LINE_SECONDS):
            say(words())

    telling = Thread(target=tell, name="mensura-tour", daemon=True)
    telling.start()
    try:
        yield
    finally:
        over.set()
        telling.join()
