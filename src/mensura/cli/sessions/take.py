"""`mensura take`: one session."""

import sys
from shlex import quote
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from mensura.cli.completion import complete_test
from mensura.cli.desk import open_desk
from mensura.cli.interruption import interruptible
from mensura.cli.nearest import check_flags
from mensura.cli.options import (
    OPEN,
    as_option,
    confining,
    opened,
    read_cast,
    read_flags,
    reading,
    seed_option,
    setting_option,
)
from mensura.cli.parameters import TestCommand
from mensura.cli.printing import print_result
from mensura.cli.progress import progress_bar
from mensura.console import next_step, say

if TYPE_CHECKING:
    from mensura.subjects.sandbox.confinement import Confinement


@click.command("take", cls=TestCommand, context_settings=OPEN)
@click.argument("test", shell_complete=complete_test)
@as_option
@seed_option
@setting_option
@click.option(
    "--after",
    metavar="RUN",
    help="An earlier run of the same person (such as last): training continues where it ended.",
)
@confining
@reading
@click.pass_context
def command(
    ctx: click.Context,
    /,
    test: str,
    subjects: tuple[str, ...],
    seed: int | None,
    setting: str | None,
    after: str | None,
    confinement: "Confinement",
    store: str | None,
    as_json: bool,
) -> None:
    """Let one subject take TEST once, and print its scores.

    \b
      mensura take coin --as human            in your browser
      mensura take coin --as terminal
      mensura take inbox --as chance --json
      mensura take ./mine.py:dice --as ./mine.py:respond
    """
    from mensura.catalog.find import find_test, with_arguments
    from mensura.running.plan import Plan
    from mensura.running.run import RunOptions, run
    from mensura.subjects.spec import HUMAN

    test, parameters = with_arguments(test, read_flags(ctx.args))
    definition = find_test(test)
    check_flags(ctx, parameters, definition)
    cast = read_cast(
        subjects,
        definition.cast_roles(definition.fill(parameters, setting=setting)),
        played=definition.played,
        test=definition.name,
    )
    about: dict[str, Any] = {"seed": seed, "parameters": parameters, "setting": setting}
    kept = opened(store)
    paths: list[str] = []

    def open_page(address: str) -> None:
        paths.append(urlsplit(address).path)
        _show(address)

    def continuing() -> str:
        return f"mensura serve, and there open {' and '.join(paths)}" if paths else "mensura resume last"

    with interruptible(continuing, as_json=as_json), progress_bar(1):
        given: dict[str, Any] = {"store": kept, "confinement": confinement, **about}
        if HUMAN in ([cast] if isinstance(cast, str) else cast.values()):
            from mensura.web.local import take_in_browser

            result = take_in_browser(test, cast, show=open_page, after=after, **given)
        elif after:
            from mensura.running.carry import run_after

            result = run_after(after, test, cast, **given)
        else:
            plan = Plan.of(test, cast, parameters=parameters, setting=setting)
            with open_desk(kept, plan.cast.values()) as show_desk:
                options = RunOptions(trace="full", confinement=confinement, show_desk=show_desk)
                result = run(test, cast, store=kept, options=options, **about)
    print_result(result, as_json=as_json)
    again = " ".join(f"--as {quote(subject)}" for subject in subjects)
    if definition.carry is not None and HUMAN in subjects:
        next_step(f"mensura take {quote(test)} {again}{f' --setting {quote(setting)}' if setting else ''} --after last")
    else:
        next_step(f"mensura run {quote(test)} {again} --sessions 20")
    if not result.counts["finished"]:
        sys.exit(3)


def _show(address: str) -> None:
    """Open the browser where there is one; the address is said in any case."""
    import webbrowser

    say(f"Open {address} (waiting until the test is over; Ctrl-C stops, and nothing answered is lost).")
    webbrowser.open(address)
