"""`mensura calibrate`: how hard items are and how able persons are, on one scale."""

from pathlib import Path
from shlex import quote
from typing import Literal

import click

from mensura.cli.options import opened, reading
from mensura.cli.printing import print_exhibits
from mensura.console import next_step, print_json, say

SHOWN = 30
"""Rows of a table in the terminal unless more are asked for."""


@click.command("calibrate")
@click.argument("responses", nargs=-1, required=True)
@click.option(
    "--model",
    default="2pl",
    show_default=True,
    help="rasch (one slope), 2pl, or 3pl (with guessing; its intervals rest on a prior).",
)
@click.option("--score", default=None, help="Which score of the runs to use.  [default: the one that most items have]")
@click.option(
    "--persons",
    type=click.Choice(["subjects", "sessions"]),
    default="subjects",
    show_default=True,
    help="What is one person in runs: each human, program and model; or each session, if every one was someone else's.",
)
@click.option(
    "--differential",
    type=click.Choice(["people", "presentation"]),
    default="people",
    show_default=True,
    help="Find items that are harder at the same ability: for people or machines; or also in one of two presentations.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), default=None, help="Write the bank with calibrations.")
@click.option("--bank", default=None, metavar="FILE", help="The bank to write.  [default: that of the runs]")
@click.option("--report", type=click.Path(path_type=Path), default=None, help="Write a report with all pictures.")
@click.option("--limit", type=click.IntRange(min=1), default=SHOWN, show_default=True, help="Rows of each table.")
@reading
def command(
    responses: tuple[str, ...],
    model: str,
    score: str | None,
    persons: Literal["subjects", "sessions"],
    differential: str,
    out: Path | None,
    bank: str | None,
    report: Path | None,
    limit: int,
    store: str | None,
    as_json: bool,
) -> None:
    """Calibrate the items of RESPONSES: runs of any test with right and wrong answers, or one CSV of 0 and 1.

    \b
      mensura calibrate last~2 last~1 last --model 2pl -o bank.jsonl
      mensura calibrate answers.csv --model rasch --json
      mensura calibrate answers.csv --differential presentation --bank items.jsonl
    """
    from mensura.exhibit.response import measurement_exhibits
    from mensura.running.calibrating.bank_file import bank_of, write_bank
    from mensura.running.calibrating.responses import read_responses, responses_of
    from mensura.running.items.table import item_table
    from mensura.stats.response.responses import read_model

    chosen = read_model(model)
    is_file = len(responses) == 1 and responses[0].lower().endswith(".csv")
    table = None if is_file else item_table(responses, store=opened(store), score=score)
    given = read_responses(responses[0]) if table is None else responses_of(table, persons=persons)
    if differential == "presentation":
        given = given.between_presentations([bank_of(table, named=bank)] if bank else [])
    found = given.measure(chosen)
    if as_json:
        print_json(found.as_json())
    else:
        print_exhibits(measurement_exhibits(found, limit=limit))
    for words in (found.calibrated.sentence, *found.remarks):
        say(words)
    if report is not None:
        from mensura.report import write_file_report
        from mensura.running.calibrating.report import calibration_report

        write_file_report(calibration_report(found, sources=responses), report)
        say(f"Wrote {report}.")
    if out is not None:
        many = write_bank(bank_of(table, named=bank), found.calibrated.items, out)
        say(f"Wrote {out}: {many} items with a calibration.")
        next_step(f"mensura take ./{out} --adaptive --precision 0.3 --as human")
    else:
        named = " --bank items.jsonl" if is_file else ""
        next_step(f"mensura calibrate {' '.join(map(quote, responses))} --model {chosen}{named} -o bank.jsonl")
