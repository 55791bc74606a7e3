"""`mensura show`: everything that is known of a stored run."""

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import generalise_option, opened, reading, reduce_option
from mensura.cli.printing import print_details
from mensura.console import next_step, print_json


@click.command("show")
@click.argument("run", default="last", shell_complete=complete_run)
@generalise_option
@reduce_option
@reading
def command(run: str, generalise: str | None, reduce: str | None, store: str | None, as_json: bool) -> None:
    """Show everything that is known of RUN (the newest one unless named), as it is stored.

    That is its scores with their methods, the tables of its test, how it was taken, and what proves its record.

    \b
      mensura show
      mensura show coin-1f3a9c2e
      mensura show last~1 --json
    """
    from mensura.running.reference import installed_test
    from mensura.running.results.exhibits import exhibits_of_runs
    from mensura.running.results.summary import summarise_run

    kept = opened(store)
    head = kept.runs.find(run)
    result = summarise_run(head, store=kept, generalise=generalise, reduce=reduce)
    exhibits = exhibits_of_runs([head], store=kept, test=installed_test(head))
    if as_json:
        print_json(result.as_json() | {"exhibits": [exhibit.as_json() for exhibit in exhibits]})
    else:
        print_details(result, exhibits)
    next_step(f"mensura report {head.id} -o report.html", f"mensura export {head.id} --to {head.id}.zip")
