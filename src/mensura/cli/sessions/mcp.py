"""`mensura mcp`: a test for any agent that speaks the Model Context Protocol."""

from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from mensura.cli.completion import complete_test
from mensura.cli.nearest import check_flags
from mensura.cli.options import OPEN, as_option, limiting, read_flags, seed_option, setting_option, store_option
from mensura.cli.parameters import TestCommand
from mensura.console import next_step, say

if TYPE_CHECKING:
    from mensura.dialogue import Limits


@click.command("mcp", cls=TestCommand, context_settings=OPEN)
@click.argument("test", shell_complete=complete_test)
@click.option("--role", default=None, help="The role that the agent plays.  [default: the first]")
@as_option
@seed_option
@setting_option
@click.option("--resume", default=None, metavar="RUN", help="Resume a run that an agent has left.")
@click.option("--name", default="mcp", show_default=True, help="What the record calls the agent.")
@limiting
@store_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    test: str,
    role: str | None,
    subjects: tuple[str, ...],
    seed: int | None,
    setting: str | None,
    resume: str | None,
    name: str,
    limits: "Limits",
    store: str | None,
) -> None:
    """Serve one session of TEST over the Model Context Protocol, on stdin and stdout.

    The acts of the test are the tools; a test that is answered otherwise has one tool, `answer`. Every call is stored
    before its result is given, and the session is scored when it ends. Put the command into your agent's settings:

    \b
      mensura mcp crisis --condition agent --package crisis-1 --store lab.db
      mensura mcp inbox --setting short
      mensura mcp dilemma --role first --as second=tit-for-tat
    """
    from mensura.catalog.find import find_test
    from mensura.running.mcp.plugged import go_on, plug_in
    from mensura.running.mcp.server import serve_session
    from mensura.store import open_store
    from mensura.subjects.outside.bridge import Bridge

    definition = find_test(test)
    bridge = Bridge(name)
    given: dict[str, Any] = {"seed": seed, "setting": setting, "others": subjects, "role": role, "limits": limits}
    flags, runs = read_flags(ctx.args), list[str]()
    check_flags(ctx, flags, definition)

    def work() -> None:
        # Opened by the thread that uses it.
        with open_store(store) as opened:
            if resume is not None:
                result = go_on(resume, bridge, store=opened, begun=runs.append)
            else:
                result = plug_in(test, bridge, parameters=flags, store=opened, begun=runs.append, **given)
        final = result.scores.get("final") or next(iter(result.scores.values()), None)
        say(f"{bridge.late} {f'Scored: {final}' if final is not None else 'Nothing was scored.'}".strip())

    def ready() -> None:
        say(f"{definition.id} waits for an agent on stdin and stdout; Ctrl-C stops it.")

    serve_session(work, bridge, about=definition.about, ready=ready)
    if runs and not bridge.over:
        say(f"The agent left before the end; {runs[0]} stays open.")
        next_step(f"mensura mcp {quote(test)} --resume {runs[0]}")
    elif runs:
        next_step(f"mensura score {runs[0]}", f"mensura export {runs[0]} --to {runs[0]}.zip")
