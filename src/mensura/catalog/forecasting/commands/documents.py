"""`mensura generate forecasting-documents` and `mensura score forecasting-documents`: sentences and their kinds."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mensura.catalog.forecasting.use.documents import Coding

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("forecasting-documents")
@click.option("--text", "document", type=FILE, required=True, help="The document, as plain text.")
@click.option("--coder", "coders", multiple=True, required=True, help="Who codes it; once per person.")
@click.option("--to", "folder", type=click.Path(path_type=Path), required=True, help="Folder for one sheet per coder.")
def generate(document: Path, coders: tuple[str, ...], folder: Path) -> None:
    """Split a document into sentences and write a sheet for each coder to fill in.

    \b
      mensura generate forecasting-documents --text estimate.txt --coder ada --coder bob --to sheets
    """
    from mensura.catalog.forecasting.use.documents import KINDS, write_sheets

    paths = write_sheets(document, folder, coders=coders)
    click.echo(f"{len(paths)} sheets are in {folder}. Each coder fills the column kind by themselves:", err=True)
    for kind, words in KINDS.items():
        click.echo(f"  {kind}  {words}", err=True)
    click.echo("For kind 2, the column questions names the confirmable questions it stands for, parted by ;", err=True)
    files = " ".join(f"--coding {path}" for path in paths)
    click.echo(f"Next: mensura score forecasting-documents {files}", err=True)


@click.command("forecasting-documents")
@click.option("--coding", "codings", type=FILE, multiple=True, required=True, help="A coder's sheet; once per person.")
@click.option("--ledger", help="A ledger in which the linked questions should stand: a file or an SQLAlchemy URL.")
@click.option("--report", type=FILE, help="Write it up as this HTML file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(codings: tuple[Path, ...], ledger: str | None, report: Path | None, as_json: bool) -> None:
    """Say how far two coders agree on the kinds of sentences, what they make of the document, and what is linked.

    \b
      mensura score forecasting-documents --coding ada.csv --coding bob.csv
    """
    from mensura.catalog.forecasting.files.strict import write_json
    from mensura.catalog.forecasting.use.documents import read_codings

    coding = read_codings(codings)
    told = _told(coding, _known(ledger))
    if as_json:
        click.echo(write_json(told))
    else:
        _print(told)
    if report:
        from mensura.catalog.forecasting.report import draw

        report.write_text(draw("documents.html", told=told), encoding="utf-8")
        click.echo(f"It is written up in {report}.", err=True)
    else:
        files = " ".join(f"--coding {path}" for path in codings)
        click.echo(f"Next: mensura score forecasting-documents {files} --report document.html", err=True)


def _known(ledger: str | None) -> set[str] | None:
    if ledger is None:
        return None
    from mensura.catalog.forecasting.questions.ledger import Ledger, ledger_url

    with Ledger(ledger_url(ledger)) as opened:
        return {life.question.name for life in opened.questions()}


def _told(coding: "Coding", known: set[str] | None) -> dict[str, Any]:
    import numpy as np

    from mensura.catalog.forecasting.use.documents import KINDS

    agreement = None
    if len(coding.codes) == 2:
        found = coding.agreement(rng=np.random.default_rng(0))
        agreement = {"kappa": found.coefficient.as_json(), "words": found.sentence}
    shares, settled = coding.shares(), coding.settled()
    return {
        "sentences": len(coding.sentences),
        "coders": list(coding.codes),
        "agreement": agreement,
        "kinds": [
            {"kind": kind, "words": KINDS[kind], "share": shares[kind].as_json() if settled else None} for kind in KINDS
        ],
        "disputed": [
            {
                "number": number,
                "sentence": coding.sentences[number],
                "kinds": {coder: given[number] for coder, given in coding.codes.items() if number in given},
            }
            for number in coding.disputed()
        ],
        "could_be_forecasts": [coding.sentences[number] for number, kind in settled.items() if kind == 1],
        "bundles": [
            {
                "number": number,
                "sentence": coding.sentences[number],
                "questions": names,
                "not_in_the_ledger": None if known is None else [name for name in names if name not in known],
            }
            for number, names in sorted(coding.bundles.items())
        ],
        "kind_2_without_questions": [
            coding.sentences[number] for number, kind in settled.items() if kind == 2 and number not in coding.bundles
        ],
    }


def _print(told: dict[str, Any]) -> None:
    if told["agreement"] is not None:
        click.echo(told["agreement"]["words"])
    else:
        click.echo(f"Agreement needs two coders; there are {len(told['coders'])}: {', '.join(told['coders'])}.")
    for one in told["kinds"]:
        share = one["share"]
        numbers = "unknown" if share is None else f"{share['value']:.0%} [{share['low']:.0%}, {share['high']:.0%}]"
        click.echo(f"{one['kind']}  {numbers}  {one['words']}")
    for one in told["disputed"]:
        kinds = ", ".join(f"{coder} {kind}" for coder, kind in one["kinds"].items())
        click.echo(f"Talk over sentence {one['number']} ({kinds}): {one['sentence']}")
    for one in told["bundles"]:
        click.echo(f"Sentence {one['number']} stands for {', '.join(one['questions'])}: {one['sentence']}")
        if one["not_in_the_ledger"]:
            click.echo(f"  The ledger has no question {', '.join(one['not_in_the_ledger'])}.")
    for sentence in told["kind_2_without_questions"]:
        click.echo(f"Nobody has restated as confirmable questions: {sentence}")
