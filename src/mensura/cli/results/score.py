"""`mensura score`: stored runs again, or files by a test's own scorer."""

import click

from mensura.cli.external import External
from mensura.cli.options import store_option
from mensura.cli.printing import print_result
from mensura.cli.results.records import read_records
from mensura.console import json_option, next_step


@click.command("stored")
@click.argument("run")
@click.option(
    "--by",
    default=None,
    metavar="VERSION",
    help="Another version than the run's own: of the scoring (2), or a test's id (coin-v2). The results carry both.",
)
@store_option
@json_option
def stored(run: str, by: str | None, store: str | None, as_json: bool) -> None:
    """Score every session of RUN again that is over, by the truths as stored now; old results are kept.

    A run is scored by the version that it was taken under; another one must be named.
    """
    from mensura.running.scoring.rescore import rescore
    from mensura.store import open_store

    with open_store(store) as opened:
        result = rescore(run, store=opened, by=by)
    print_result(result, as_json=as_json)
    next_step(f"mensura export {result.head.id} --to {result.head.id}.zip")


class Scorers(External):
    """Tests that score files bring a command; any other noun is a stored run."""

    entries = "mensura.scorers"
    fallback = stored


@click.command(
    "score", cls=Scorers, context_settings={"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]}
)
@click.pass_context
def command(context: click.Context) -> None:
    """Score a stored RUN again (`mensura score last`), or files of answers by a test's own scorer.

    \b
      mensura score last --json
      mensura score forecasting --forecasts F.csv --outcomes O.csv
    """
    # Tests know nothing of stores; a command that can score stored sessions asks for them by this.
    context.meta["mensura.records"] = read_records
