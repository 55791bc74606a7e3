"""A progress bar with rate and time left, on stderr, only where someone looks."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mensura.running.job import Done


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[Done], None]]:
    """Show how many sessions are done, how many a second, how long it will still take, and how many failed."""
    if not sys.stderr.isatty() or total < 2:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("sessions"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("sessions", total=total, rate="", failed="")
        failures = 0

        def advance(done: Done) -> None:
            nonlocal failures
            failures += done.status != "finished"
            speed = bar.tasks[0].speed
            rate = f"{speed:.3g}/s" if speed else ""
            bar.update(task, advance=1, rate=rate, failed=f"{failures} failed" if failures else "")

        yield advance
