"""`mensura compare`: is the difference real?"""

import click

from mensura.cli.options import json_option, store_option
from mensura.cli.printing import next_step, print_json, say


@click.command("compare")
@click.argument("first")
@click.argument("second")
@store_option
@json_option
def command(first: str, second: str, store: str | None, as_json: bool) -> None:
    """Say whether runs FIRST and SECOND differ: item by item if they met the same items, else as two samples.

    Runs made with the same --seed met the same items. `last` is the newest run, `last~1` the one before.

    \b
      mensura compare last~1 last
    """
    from mensura.running.compare import compare_runs
    from mensura.store import open_store

    with open_store(store) as opened:
        comparison = compare_runs(first, second, store=opened)
    for warning in comparison.warnings:
        say(f"Note: {warning}")
    if as_json:
        print_json(comparison.as_json())
    else:
        for name, finding in comparison.findings.items():
            click.echo(f"{name}: {finding.sentence}")
    if not comparison.findings:
        say("The two runs have no score in common: nothing can be compared.")
    if not comparison.paired:
        say("The runs did not meet the same items (give both the same --seed for a sharper comparison).")
    next_step(f"mensura export {comparison.second} --to {comparison.second}.zip")
