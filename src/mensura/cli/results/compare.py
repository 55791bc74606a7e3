"""`mensura compare`: is the difference real?"""

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import generalise_option, opened, reading, reduce_option
from mensura.cli.printing import print_exhibits
from mensura.console import next_step, print_json, say


@click.command("compare")
@click.argument("first", shell_complete=complete_run)
@click.argument("second", shell_complete=complete_run)
@generalise_option
@reduce_option
@reading
def command(
    first: str, second: str, generalise: str | None, reduce: str | None, store: str | None, as_json: bool
) -> None:
    """Say whether runs FIRST and SECOND differ: item by item where they met the same items, else as two samples.

    Items are known by their content: fixed items pair under any seed, newly drawn items only under the same --seed.
    `last` is the newest run, `last~1` the one before.

    \b
      mensura compare last~1 last
    """
    from mensura.running.reference import installed_test
    from mensura.running.results.compare import compare_runs
    from mensura.running.results.exhibits import exhibits_of_runs

    kept = opened(store)
    comparison = compare_runs(first, second, store=kept, generalise=generalise, reduce=reduce)
    heads = [kept.runs.find(comparison.first), kept.runs.find(comparison.second)]
    shown = [] if as_json else exhibits_of_runs(heads, store=kept, test=installed_test(heads[0]))
    for warning in comparison.warnings:
        say(f"Note: {warning}")
    if as_json:
        print_json(comparison.as_json())
    else:
        for name, finding in comparison.findings.items():
            click.echo(f"{finding.sentence} Method: {finding.difference.method}.")
            if name in comparison.with_excluded:
                click.echo(f"With the excluded sessions: {comparison.with_excluded[name].sentence}")
        print_exhibits(shown)
        for sentence in dict.fromkeys(comparison.generalises.values()):
            say(sentence)
    if not comparison.findings and not comparison.with_excluded:
        say("The two runs have no score in common: nothing can be compared.")
    elif comparison.findings and not comparison.paired:
        say("Two samples were compared, not pairs. Fixed items, or the same --seed, give a sharper comparison.")
    next_step(f"mensura export {comparison.second} --to {comparison.second}.zip")
