"""`mensura generate forecasting-documents` and `mensura score forecasting-documents`: sentences and their kinds."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.exhibit import Exhibit, FileScores

if TYPE_CHECKING:
    from mensura.track_record.documents.coding import Coding

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
    from mensura.track_record.documents.coding import KINDS, write_sheets

    paths = write_sheets(document, folder, coders=coders)
    click.echo(f"{len(paths)} sheets are in {folder}. Each coder fills the column kind by themselves:", err=True)
    for kind, words in KINDS.items():
        click.echo(f"  {kind}  {words}", err=True)
    click.echo(
        "For kind 2, the column questions names the confirmable questions it stands for, separated by ;", err=True
    )
    files = " ".join(f"--coding {path}" for path in paths)
    click.echo(f"Next: mensura score forecasting-documents {files}", err=True)


@click.command("forecasting-documents")
@click.option("--coding", "codings", type=FILE, multiple=True, required=True, help="A coder's sheet; once per person.")
@click.option("--ledger", help="A ledger in which the linked questions should stand: a file or an SQLAlchemy URL.")
def score(codings: tuple[Path, ...], ledger: str | None) -> FileScores:
    """Measure how far two coders agree on the kinds of sentences, their summary of the document, and its links.

    \b
      mensura score forecasting-documents --coding ada.csv --coding bob.csv --report document.html
    """
    from mensura.track_record.documents.coding import read_codings
    from mensura.track_record.files.strict import strict
    from mensura.track_record.files.table import file_hashes

    told = _told(read_codings(codings), _known(ledger))
    agreed = told["agreement"]
    coders = f"{len(told['coders'])}: {', '.join(told['coders'])}"
    answer = f"Agreement needs two coders; there are {coders}." if agreed is None else agreed["words"]
    if not told["coders"]:
        answer = "No sentence has been coded yet: each coder fills in the column kind of a sheet."
    return FileScores(
        "What the document says that can be confirmed",
        answer,
        exhibits=_exhibits(told),
        sources=file_hashes(*codings),
        data=strict(told),
    )


def _known(ledger: str | None) -> set[str] | None:
    if ledger is None:
        return None
    from mensura.track_record.ledger.ledger import Ledger, ledger_url

    with Ledger(ledger_url(ledger)) as opened:
        return {life.question.name for life in opened.questions()}


def _told(coding: "Coding", known: set[str] | None) -> dict[str, Any]:
    import numpy as np

    from mensura.track_record.documents.coding import KINDS

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


def _exhibits(told: dict[str, Any]) -> list[Exhibit]:
    words = f"Shares of the sentences on which nobody differs, of {told['sentences']}."
    shares: list[list[Any]] = [
        [f"{one['kind']}. {one['words']}", *_share(one["share"])] for one in told["kinds"] if one["share"]
    ]
    disputed = [
        [one["number"], one["sentence"], ", ".join(f"{coder} {kind}" for coder, kind in one["kinds"].items())]
        for one in told["disputed"]
    ]
    bundles = [
        [one["number"], one["sentence"], ", ".join(one["questions"]), ", ".join(one["not_in_the_ledger"] or ()) or None]
        for one in told["bundles"]
    ]
    columns = ["no.", "sentence", "questions", "not in the ledger"]
    shown = [
        Exhibit("Kinds of sentences", words, ["kind", "share", "n"], shares),
        Exhibit("To be talked over", "Coders differ.", ["no.", "sentence", "kinds"], disputed),
        Exhibit("Could be explicit forecasts", "", ["sentence"], [[one] for one in told["could_be_forecasts"]]),
        Exhibit("Stand for bundles of confirmable questions", "", columns, bundles),
        Exhibit(
            "Not restated yet",
            "Nobody has restated these as confirmable questions.",
            ["sentence"],
            [[one] for one in told["kind_2_without_questions"]],
        ),
    ]
    return [exhibit for exhibit in shown if exhibit.rows]


def _share(share: dict[str, Any]) -> tuple[str, int]:
    return f"{share['value']:.0%} ({share['low']:.0%} to {share['high']:.0%})", share["n"]
