"""`mensura report`: one file a decision maker can read."""

import sys
from pathlib import Path

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import generalise_option, opened, reduce_option, store_option
from mensura.console import next_step, say


@click.command("report")
@click.argument("runs", nargs=-1, required=True, shell_complete=complete_run)
@click.option("-o", "--out", "path", type=click.Path(path_type=Path), default=Path("report.html"), show_default=True)
@click.option("--question", default="", help="The question that the report answers, in a sentence.")
@click.option("--title", default="", help="Its title.")
@generalise_option
@reduce_option
@store_option
def command(
    runs: tuple[str, ...],
    path: Path,
    question: str,
    title: str,
    generalise: str | None,
    reduce: str | None,
    store: str | None,
) -> None:
    """Report on RUNS in one self-contained file: the table with intervals, pictures, what may and may not be concluded.

    The name of the file says the form: .html, .md or .pdf (printed by Chromium). Where a run, or another of its study,
    was altered, the report says so first and the exit status is 1.

    \b
      mensura report last~2 last~1 last -o report.html --question "Does training help?"
    """
    from mensura.report import write_report_of
    from mensura.report.runs import Scope, build_report

    kept = opened(store)
    scope = Scope(generalise=generalise, reduce=reduce)
    report = build_report(runs, store=kept, question=question, title=title, scope=scope)
    names = [kept.runs.find(run).id for run in runs]
    replaced = path.is_file()
    written = write_report_of(names, report, path, store=kept, again=f"report {' '.join(names)}")
    say(f"{'Replaced' if replaced else 'Wrote'} {written} ({written.stat().st_size // 1024} KiB).")
    for words in [*report.lacking, *report.altered]:
        say(words)
    next_step(f"open {written} in a browser")
    if report.altered:
        sys.exit(1)
