"""`mensura compare`: is the difference real?"""

from math import isnan
from typing import TYPE_CHECKING

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import generalise_option, opened, reading, reduce_option
from mensura.cli.printing import print_exhibits
from mensura.console import next_step, print_json, say

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead


@click.command("compare", context_settings={"allow_extra_args": True})
@click.argument("first", shell_complete=complete_run)
@click.argument("second", shell_complete=complete_run)
@generalise_option
@reduce_option
@reading
@click.pass_context
def command(
    ctx: click.Context,
    /,
    first: str,
    second: str,
    generalise: str | None,
    reduce: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Compare runs FIRST and SECOND: item by item where they met the same items, else as two samples.

    Items are known by their content: fixed items pair under any seed, newly drawn items only under the same --seed.
    `last` is the newest run, `last~1` the one before.

    \b
      mensura compare last~1 last
    """
    from mensura.running.reference import installed_test
    from mensura.running.results.compare import compare_runs
    from mensura.running.results.exhibits import exhibits_of_runs

    if ctx.args:
        runs = " ".join([first, second, *ctx.args])
        raise click.UsageError(f"`mensura compare` takes two runs. For more: mensura report {runs}", ctx)
    kept = opened(store)
    comparison = compare_runs(first, second, store=kept, generalise=generalise, reduce=reduce)
    heads = [kept.runs.find(comparison.first), kept.runs.find(comparison.second)]
    shown = [] if as_json else exhibits_of_runs(heads, store=kept, test=installed_test(heads[0]))
    known = {name: one for name, one in comparison.findings.items() if not isnan(one.difference.value)}
    for warning in comparison.warnings:
        say(f"Note: {warning}")
    if as_json:
        print_json(comparison.as_json())
    else:
        for name, finding in comparison.findings.items():
            click.echo(
                f"{finding.sentence} Method: {finding.difference.method}." if name in known else finding.sentence
            )
            if name in comparison.with_excluded:
                click.echo(f"With the excluded sessions: {comparison.with_excluded[name].sentence}")
        print_exhibits(shown)
        for sentence in dict.fromkeys(comparison.generalises[name] for name in known):
            say(sentence)
    if not comparison.findings and not comparison.with_excluded:
        say("The two runs have no score in common: nothing can be compared.")
        for words in filter(None, (_unfinished(head, kept) for head in heads)):
            say(words)
    elif known and not comparison.paired:
        say("Two samples were compared, not pairs. Fixed items, or the same --seed, give a sharper comparison.")
    next_step(f"mensura report {comparison.first} {comparison.second} -o comparison.html")


def _unfinished(head: "RunHead", store: "Store") -> str:
    """Return that a run has no finished session yet, and how to continue it; "" where it has one."""
    from mensura.running.run import UNFINISHED
    from mensura.subjects.spec import HUMAN

    counts = store.sessions.count(head.id)
    left = sum(counts.get(status, 0) for status in UNFINISHED)
    if not left or counts.get("finished"):
        return ""
    people = HUMAN in head.cast.values()
    how = "mensura serve, and there open its link again" if people else f"mensura resume {head.id}"
    are = "session is" if left == 1 else "sessions are"
    return f"The run {head.id} has no score yet: {left} {are} unfinished. To continue: {how}"
