"""`mensura run`: many sessions of one test."""

import sys
from shlex import quote
from typing import TYPE_CHECKING

import click

from mensura.cli.completion import complete_test
from mensura.cli.desk import open_desk
from mensura.cli.interruption import interruptible
from mensura.cli.nearest import check_flags
from mensura.cli.options import (
    OPEN,
    as_option,
    concurrency_option,
    confining,
    generalise_option,
    limiting,
    opened,
    paying,
    read_cast,
    read_conditions,
    read_control,
    read_flags,
    reading,
    reduce_option,
    seed_option,
    setting_option,
    trace_option,
)
from mensura.cli.parameters import TestCommand
from mensura.cli.printing import print_result
from mensura.cli.progress import progress_bar
from mensura.console import next_step, show
from mensura.errors import BadParameter
from mensura.stats.wording import several

if TYPE_CHECKING:
    from mensura.dialogue import Limits, Trace
    from mensura.subjects.model.cost.spending import Spending
    from mensura.subjects.sandbox.confinement import Confinement


@click.command("run", cls=TestCommand, context_settings=OPEN)
@click.argument("test", shell_complete=complete_test)
@as_option
@click.option(
    "--control",
    multiple=True,
    metavar="ROLE=SUBJECT",
    help="Take the same sessions again with this subject in a role, to compare: people in the machine's place.",
)
@click.option(
    "--sessions",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many sessions; of a bank, how often each item is asked; with --courses, in each course.",
)
@click.option(
    "--courses",
    type=click.IntRange(1),
    default=None,
    help="As many courses: a fresh subject takes the sessions of each in order and keeps what it learns, and intervals "
    "speak of courses.",
)
@seed_option
@setting_option
@click.option("--where", multiple=True, metavar="NAME=VALUE", help="Only items with this tag, group, id or licence.")
@click.option("--limit", type=click.IntRange(1), default=None, help="At most this many items.")
@click.option("--together", is_flag=True, help="All items of a bank in one conversation, not each apart.")
@generalise_option
@reduce_option
@click.option("--on", default="here", show_default=True, help="Where: here, processes:N, ray, ray://HOST:PORT.")
@concurrency_option
@trace_option
@limiting
@confining
@paying
@click.option("--dry-run", is_flag=True, help="Print how much it would take, and run nothing.")
@click.option(
    "--pilot",
    type=click.IntRange(2),
    default=None,
    help="With --dry-run: take this many sessions, drawn at random, and say from them what all would take. "
    "Their answers are kept, and `mensura resume` takes the rest.",
)
@reading
@click.pass_context
def command(
    ctx: click.Context,
    /,
    test: str,
    subjects: tuple[str, ...],
    control: tuple[str, ...],
    sessions: int,
    courses: int | None,
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
    spending: "Spending",
    dry_run: bool,
    pilot: int | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Let subjects take TEST many times, store every answer, and estimate the scores.

    TEST is an id (coin, coin-v1) or a file (./mine.py:dice, ./items.jsonl); its parameters are flags:

    \b
      mensura run coin --as chance --sessions 20 --flips 40 --seed 1
      mensura run dilemma --as first=tit-for-tat --as second=defect --sessions 5
      mensura run ./mine.py:dice --as ./mine.py:respond --on processes:2
      mensura run corridor --as q-learner --courses 20 --sessions 50
      mensura run ./items.jsonl --as chance --sessions 5 --where tag=easy
      mensura run coin --as llm:MODEL@http://localhost:8000/v1 --sessions 50 --dry-run
      mensura run ./items.jsonl --as llm:MODEL@http://localhost:8000/v1 --concurrency 32
    """
    from mensura.catalog.find import find_test, with_arguments
    from mensura.running import run as running
    from mensura.running.executors import executor
    from mensura.running.plan import Plan, Selection, chosen_items
    from mensura.subjects.spec import HUMAN

    if pilot and not dry_run:
        raise BadParameter("A pilot says what a run would take: --dry-run --pilot 20.")
    test, parameters = with_arguments(test, read_flags(ctx.args))
    definition = find_test(test)
    check_flags(ctx, parameters, definition)
    values = definition.fill(parameters, setting=setting)
    roles = definition.cast_roles(values)
    # A team that is given as a parameter says who takes the test.
    cast = read_cast(
        subjects or (("team",) if values.get("team") else ()), roles, played=definition.played, test=definition.name
    )
    if HUMAN in ([cast] if isinstance(cast, str) else cast.values()):
        given = " ".join(f"--as {quote(subject)}" for subject in subjects)
        raise BadParameter(
            f"People answer in a browser: mensura take {quote(test)} {given}. "
            f"For many people plan a study and invite them: mensura study new {quote(test)} -o study.yaml, then "
            "mensura study invite study.yaml"
        )
    beside = read_control(control, roles)
    selection = Selection(read_conditions(where), limit, together)
    if beside and (pilot or courses):
        raise BadParameter("A comparison by --control is of sessions taken apart: leave out --pilot and --courses.")
    plan = Plan.of(test, cast, parameters=parameters, setting=setting)
    items = chosen_items(plan, selection)
    if dry_run and not pilot:
        from mensura.running.cost.forecast import forecast_cost

        hashes = None if items is None else [item.hash for item in items]
        cost = forecast_cost(
            definition,
            plan.cast,
            sessions=sessions,
            parameters=plan.parameters,
            items=hashes,
            at_once=concurrency or 1,
        )
        show(cost.as_json(), [str(cost)], as_json=as_json)
        next_step("the same command without --dry-run, or with --pilot 20 to measure it")
        return
    kept = opened(store)
    with (
        interruptible(as_json=as_json),
        open_desk(kept, plan.cast.values()) as show_desk,
        progress_bar(
            pilot or (courses or 1) * (1 + bool(beside)) * sessions * (len(items) if items else 1)
        ) as progress,
    ):
        options = running.RunOptions(
            executor(on, concurrency=concurrency),
            trace,
            limits,
            progress,
            generalise=generalise,
            reduce=reduce,
            selection=selection,
            confinement=confinement,
            spending=spending,
            show_desk=show_desk,
        )
        if pilot:
            from mensura.running.cost.piloting import pilot_cost

            cost = pilot_cost(
                plan, pilot=pilot, store=kept, sessions=sessions, seed=seed, options=options, at_once=concurrency or 1
            )
            show(cost.as_json(), [str(cost)], as_json=as_json)
            next_step(f"mensura resume {cost.run}", when="to take the other sessions")
            return
        if courses:
            from mensura.running.course import Phase, run_courses

            if len(set(plan.cast.values())) > 1:
                raise BadParameter("One subject takes a course, in all its roles; give one --as.")
            phase = Phase("course", test, sessions, parameters=values)
            subject = next(iter(plan.cast.values()))
            result = run_courses([phase], subject, store=kept, courses=courses, seed=seed, options=options)["course"]
        else:
            result = running.run(
                test,
                cast,
                store=kept,
                sessions=sessions,
                seed=seed,
                parameters=parameters,
                setting=setting,
                options=options,
                control=beside,
            )
    print_result(result, as_json=as_json)
    left = sum(result.counts.get(status, 0) for status in running.UNFINISHED)
    if left:
        next_step(f"mensura resume {result.head.id}", when=f"to resume {several(left, 'unfinished session')}")
    else:
        next_step(f"mensura show {result.head.id}")
    if result.counts["finished"] < sum(result.counts.values()) or not (result.estimated or definition.score is None):
        sys.exit(3)
