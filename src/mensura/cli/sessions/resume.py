"""`mensura resume`: resume a run that was interrupted."""

import sys
from typing import TYPE_CHECKING

import click

from mensura.cli.completion import complete_run
from mensura.cli.desk import open_desk
from mensura.cli.interruption import interruptible
from mensura.cli.options import concurrency_option, opened, paying, reading
from mensura.cli.printing import print_result
from mensura.cli.progress import progress_bar
from mensura.console import next_step

if TYPE_CHECKING:
    from mensura.subjects.model.cost.spending import Spending


@click.command("resume")
@click.argument("run", shell_complete=complete_run)
@click.option("--on", default="here", show_default=True, help="Where: here, processes:N, ray, ray://HOST:PORT.")
@concurrency_option
@paying
@reading
def command(run: str, on: str, concurrency: int | None, spending: "Spending", store: str | None, as_json: bool) -> None:
    """Resume RUN: open and lost sessions from their last answer, missing ones from the start.

    Nothing that was answered is asked again; of requests that were under way when it was stopped it says how
    many may be paid twice. A budget (--max-cost) stays the same unless another is given. A session that a subject
    crashed is an outcome and is not tried again.
    Sessions of people are not resumed: they go on by themselves when the person opens the same link again.

    \b
      mensura resume last
      mensura resume coin-1f3a9c2e --on processes:2
      mensura resume items-5b0e77a1 --concurrency 32 --max-cost 5
    """
    from mensura.running.executors import executor
    from mensura.running.plan import Plan
    from mensura.running.run import UNFINISHED, RunOptions, resume_run

    kept = opened(store)
    head = kept.runs.find(run)
    open_sessions = sum(kept.sessions.count(head.id).get(status, 0) for status in UNFINISHED)
    with (
        interruptible(lambda: f"mensura resume {run}", as_json=as_json),
        open_desk(kept, Plan.of_run(head).cast.values()) as show_desk,
        progress_bar(open_sessions) as progress,
    ):
        place = executor(on, concurrency=concurrency)
        options = RunOptions(place, progress=progress, spending=spending, show_desk=show_desk)
        result = resume_run(run, store=kept, options=options)
    print_result(result, as_json=as_json)
    next_step(f"mensura show {result.head.id}")
    if result.counts["finished"] < sum(result.counts.values()):
        sys.exit(3)
