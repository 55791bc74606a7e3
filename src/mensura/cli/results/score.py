"""`mensura score`: stored runs again, or files by a test's own scorer."""

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import click

from mensura.cli.completion import complete_run
from mensura.cli.external import External
from mensura.cli.options import opened, reading, reduce_option
from mensura.cli.printing import print_file_scores, print_result
from mensura.cli.results.records import read_records
from mensura.console import next_step, say
from mensura.exhibit import FileScores


@click.command("stored")
@click.argument("run", shell_complete=complete_run)
@click.option(
    "--by",
    default=None,
    metavar="VERSION",
    help="Another version than the run's own: of the scoring (2), or of the test (coin-v2). The results name both.",
)
@click.option("--code", is_flag=True, help="First run answers that are programs, in a sandbox, on their tests.")
@reduce_option
@reading
def stored(run: str, by: str | None, code: bool, reduce: str | None, store: str | None, as_json: bool) -> None:
    """Score every finished session of RUN again, by the truths as stored now; old results are kept.

    A run is scored by the version that it was taken under; another one must be named.
    """
    from mensura.running.scoring.programs import run_programs
    from mensura.running.scoring.rescore import rescore

    kept = opened(store)
    if code:
        say(run_programs(run, store=kept).sentence)
    result = rescore(run, store=kept, by=by, reduce=reduce)
    print_result(result, as_json=as_json)
    next_step(f"mensura show {result.head.id}")


class Scorers(External):
    """Tests that score files bring a command that returns what it found; any other noun is a stored run."""

    entries = "mensura.scorers"
    fallback = stored

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        command = super().get_command(ctx, name)
        return command if command is None or command is self.fallback else reporting(command)


def reporting(scorer: click.Command) -> click.Command:
    """Let a scorer's command print what it returns, with `--json` for machines and `--report` for people."""
    command = copy(scorer)
    found_by: Callable[..., FileScores] = scorer.callback  # type: ignore[assignment]

    def show(report: Path | None, as_json: bool, **given: Any) -> None:
        from mensura.report import write_file_report

        found = found_by(**given)
        print_file_scores(found, as_json=as_json)
        written = {**found.also, **({report: found} if report else {})}
        for path, one in written.items():
            write_file_report(one, path)
            say(f"Wrote {path}.")
        next_step(f"open {report} in a browser" if report else f"mensura score {scorer.name} ... --report report.html")

    command.callback = show
    command.params = [*scorer.params, *OUT]
    return command


OUT = [
    click.Option(["--report"], type=click.Path(path_type=Path, dir_okay=False), help="Write the report to this file."),
    click.Option(["--json", "as_json"], is_flag=True, help="Print JSON on stdout."),
]


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
