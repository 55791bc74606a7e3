"""`mensura check`: does a test keep the contract?"""

import sys
from pathlib import Path
from shlex import quote

import click

from mensura.cli.completion import complete_test
from mensura.cli.nearest import check_flags
from mensura.cli.options import OPEN, read_flags
from mensura.cli.parameters import TestCommand
from mensura.console import json_option, next_step, say, show


@click.command("check", cls=TestCommand, context_settings=OPEN)
@click.argument("test", shell_complete=complete_test)
@click.option(
    "--sessions", type=click.IntRange(2), default=30, show_default=True, help="Sessions that a statistical check takes."
)
@click.option("--golden", type=click.Path(path_type=Path), default=None, help="Folder of golden transcripts.")
@click.option("--update-golden", is_flag=True, help="Write the golden transcript again instead of comparing.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, /, test: str, sessions: int, golden: Path | None, update_golden: bool, as_json: bool
) -> None:
    """Prove that TEST keeps the contract, before anyone takes it.

    It ends, replays alike at any time of day, resumes from every save, refuses nonsense with a sentence, says what
    every parameter is, scores chance as declared, and runs at one speed for the silent and the talkative. The check
    also tries to cheat: it looks for truths in keys, prompts, places, spaces and times, and behind every object that a
    subject is handed.

    \b
      mensura check ./urn.py:urn
      mensura check coin --golden tests/golden
    """
    from mensura.catalog.find import find_test, with_arguments
    from mensura.running.check import CheckOptions, check_test
    from mensura.running.check import update_golden as write_golden

    named, flags = with_arguments(test, read_flags(ctx.args))
    definition = find_test(named)
    check_flags(ctx, flags, definition)
    parameters = definition.fill(flags)
    if update_golden:
        folder = golden or Path("golden")
        say(f"Wrote {write_golden(definition, folder, **parameters)}.")
        next_step(f"mensura check {test} --golden {folder}")
        return
    report = check_test(definition, options=CheckOptions(sessions=sessions, golden=golden), **parameters)
    show(report.data(), [str(report)], as_json=as_json)
    for words in definition.bank.remarks if definition.bank else ():
        say(words)
    named = quote(test)
    next_step(
        f"mensura run {named} --as chance --sessions 20" if report.passed else f"correct it, then mensura check {named}"
    )
    if not report.passed:
        sys.exit(1)
