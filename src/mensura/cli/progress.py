"""Progress on stderr while a run is under way: a bar on a terminal, and what is waited for."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from mensura.console import printable, say
from mensura.machine_code import COMPILING

if TYPE_CHECKING:
    from mensura.running.job import Done
    from mensura.subjects.model.reaching.waits import Awaited

SHOWN_SECONDS = 2.0
"""A wait is shown on a terminal after this long, since most answers come sooner."""
TOLD_SECONDS = 10.0
"""Where stderr is not a terminal, a wait is reported after this long."""
AGAIN_SECONDS = 60.0
"""There it is written again after this long, so that a log shows that the run still waits."""
LOOK_SECONDS = 0.25


@contextmanager
def progress_bar(total: int) -> "Iterator[Callable[[Done], None]]":
    """Show what `_bar_of` shows, and say once that machine code is compiled, where that takes long."""
    over = Event()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            if words := COMPILING.words:
                say(words)
                return

    watching = Thread(target=look, name="mensura-compiling", daemon=True)
    watching.start()
    try:
        with _bar_of(total) as advance:
            yield advance
    finally:
        over.set()
        watching.join()


@contextmanager
def _bar_of(total: int) -> "Iterator[Callable[[Done], None]]":
    """Show how many sessions are done, how many a second, how long it will still take, and how many failed.

    Below it one line says which language model is waited for, why and for how long. Where stderr is not a terminal, a
    long wait is reported in a plain line instead.
    """
    if not sys.stderr.isatty():
        told: dict[tuple[str, bool], float] = {}

        def tell(wait: "Awaited | None", words: str) -> None:
            if wait is None:
                return
            about, now = (wait.name, bool(wait.fault)), time.monotonic()
            if about not in told or now - max(told.values()) >= AGAIN_SECONDS:
                told[about] = now
                say(words)

        with _watched(tell, after=TOLD_SECONDS):
            yield lambda done: None
        return
    if total < 2:
        line = StatusLine()
        with _watched(lambda wait, words: line.show(words), after=SHOWN_SECONDS):
            yield lambda done: None
        line.show("")
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    columns = (
        TextColumn("sessions"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
    )
    console = Console(stderr=True)
    bar = Progress(*columns, console=console)
    task = bar.add_task("sessions", total=total, rate="", failed="")
    failures = 0

    def advance(done: "Done") -> None:
        nonlocal failures
        failures += done.status != "finished"
        speed = bar.tasks[0].speed
        rate = f"{speed:.3g}/s" if speed else ""
        bar.update(task, advance=1, rate=rate, failed=f"{failures} failed" if failures else "")

    def drawn() -> Any:
        words = printable(status(after=SHOWN_SECONDS)[1])
        return Group(bar, Text(words, overflow="ellipsis", no_wrap=True)) if words else bar

    with Live(get_renderable=drawn, console=console, transient=True, refresh_per_second=4):
        yield advance


class StatusLine:
    """One line on a terminal that is written over; nothing is written as long as there is nothing to show."""

    def __init__(self) -> None:
        self._drawn = False

    def show(self, words: str) -> None:
        """Show some words in the place of those before; "" removes them."""
        if words or self._drawn:
            sys.stderr.write("\r\x1b[K" + printable(words)[: get_terminal_size().columns - 1])
            sys.stderr.flush()
        self._drawn = bool(words)


def status(*, after: float) -> "tuple[Awaited | None, str]":
    """Return what has been waited for longer than `after` seconds, and in words; None and "" where nothing has."""
    from mensura.subjects.model.reaching.waits import longest_wait

    wait, count = longest_wait()
    if wait is None or wait.seconds < after:
        return None, ""
    return wait, f"{wait}; {count} requests wait" if count > 1 else str(wait)


@contextmanager
def _watched(show: "Callable[[Awaited | None, str], None]", *, after: float) -> Iterator[None]:
    """Show, again and again, what has been waited for longer than `after` seconds."""
    over = Event()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            show(*status(after=after))

    watching = Thread(target=look, name="mensura-waits", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()
