"""`mensura run`: many sessions of one test."""

import sys
from typing import TYPE_CHECKING

import click

from mensura.cli.interruption import interruptible
from mensura.cli.options import (
    OPEN,
    as_option,
    confining,
    generalise_option,
    limiting,
    opened,
    read_cast,
    read_conditions,
    read_flags,
    reading,
    reduce_option,
    seed_option,
    setting_option,
)
from mensura.cli.printing import print_exhibits, print_result
from mensura.cli.progress import progress_bar
from mensura.console import next_step, show

if TYPE_CHECKING:
    from mensura.dialogue import Limits, Trace
    from mensura.subjects.sandbox.confinement import Confinement


@click.command("run", context_settings=OPEN)
@click.argument("test")
@as_option
@click.option(
    "--sessions",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many sessions; of a bank, how often each item is asked.",
)
@seed_option
@setting_option
@click.option("--where", multiple=True, metavar="NAME=VALUE", help="Only items with this tag, group, id or licence.")
@click.option("--limit", type=click.IntRange(1), default=None, help="At most this many items.")
@click.option("--together", is_flag=True, help="All items of a bank in one conversation, not each apart.")
@generalise_option
@reduce_option
@click.option("--on", default="here", show_default=True, help="Where: here, processes:N, ray, ray://HOST:PORT.")
@click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=None,
    help="How many sessions at once in this process, for language models and other subjects that are waited for; "
    "fewer while an endpoint says that it is asked too much.",
)
@click.option(
    "--trace",
    type=click.Choice(["none", "summary", "full"]),
    default=None,
    help="What is stored: full (with prompts), summary (answers, enough to resume), none (scores only).  "
    "[default: full, or the batch form where test and subject have one]",
)
@limiting
@confining
@click.option("--dry-run", is_flag=True, help="Say how much it would take, and run nothing.")
@reading
@click.pass_context
def command(
    ctx: click.Context,
    /,
    test: str,
    subjects: tuple[str, ...],
    sessions: int,
    seed: int | None,
    setting: str | None,
    where: tuple[str, ...],
    limit: int | None,
    together: bool,
    generalise: str | None,
    reduce: str | None,
    on: str,
    concurrency: int | None,
    trace: "Trace | None",
    limits: "Limits",
    confinement: "Confinement",
    dry_run: bool,
    store: str | None,
    as_json: bool,
) -> None:
    """Let subjects take TEST many times, store every answer, and estimate the scores.

    TEST is an id (coin, coin-v1) or a file (./mine.py:dice, ./items.jsonl); its parameters are flags:

    \b
      mensura run coin --as chance --sessions 20 --flips 40 --seed 1
      mensura run dilemma --as first=tit-for-tat --as second=defect --sessions 5
      mensura run ./mine.py:dice --as ./mine.py:respond --on processes:2
      mensura run ./items.jsonl --as chance --sessions 5 --where tag=easy
      mensura run coin --as llm:MODEL@http://localhost:8000/v1 --sessions 50 --dry-run
      mensura run ./items.jsonl --as llm:MODEL@http://localhost:8000/v1 --concurrency 32
    """
    from mensura.catalog.find import find_test, with_arguments
    from mensura.running import run as running
    from mensura.running.executors import executor
    from mensura.running.forecast import forecast_cost
    from mensura.running.results.exhibits import exhibits_of_runs

    test, parameters = with_arguments(test, read_flags(ctx.args))
    definition = find_test(test)
    values = definition.fill(parameters, setting=setting)
    roles = definition.cast_roles(values)
    # A team that is given as a parameter says who takes the test.
    cast = read_cast(subjects or (("team",) if values.get("team") else ()), roles)
    selection = running.Selection(read_conditions(where), limit, together)
    bank = None if together else definition.bank
    items = None if bank is None else len(bank.where(selection.where, limit=limit))
    if dry_run:
        plan = running.Plan.of(test, cast, parameters=parameters, setting=setting)
        cost = forecast_cost(definition, plan.cast, sessions=sessions, parameters=plan.parameters, items=items)
        show(cost.as_json(), [str(cost)], as_json=as_json)
        next_step("the same command without --dry-run")
        return
    kept = opened(store)
    with interruptible(as_json=as_json), progress_bar(sessions * (items or 1)) as progress:
        result = running.run(
            test,
            cast,
            store=kept,
            sessions=sessions,
            seed=seed,
            parameters=parameters,
            setting=setting,
            options=running.RunOptions(
                executor(on, concurrency=concurrency),
                trace,
                limits,
                progress,
                generalise=generalise,
                reduce=reduce,
                selection=selection,
                confinement=confinement,
            ),
        )
        shown = [] if as_json else exhibits_of_runs([result.head], store=kept, test=definition)
    print_result(result, as_json=as_json)
    print_exhibits(shown)
    next_step(f"mensura compare last~1 last, or mensura export {result.head.id} --to {result.head.id}.zip")
    if result.counts["finished"] < sum(result.counts.values()) or not (result.estimated or definition.score is None):
        sys.exit(3)
