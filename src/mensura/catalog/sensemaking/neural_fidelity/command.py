"""The commands of neural fidelity: make a panel of a submission, and turn its ratings into reports."""

from pathlib import Path
from typing import Any

import click

from mensura.errors import BadParameter
from mensura.exhibit import FileScores

PATH = click.Path(path_type=Path)
TEST = "neural-fidelity-v1"


@click.command("neural-fidelity", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--submission", type=PATH, required=True, help="The performer's components, as YAML.")
@click.option("--out", type=PATH, required=True, help="Folder for the two panels.")
@click.option("--rater", "raters", multiple=True, metavar="NAME", help="A member of the panel; repeat for each.")
def generate(submission: Path, out: Path, raters: tuple[str, ...]) -> None:
    """Make the preliminary and the detailed panel of a submission, raters blind to who made it.

    \b
      mensura generate neural-fidelity --submission model.yaml --out panels --rater Ada --rater Ben --rater Eva
    """
    from mensura.catalog.sensemaking.neural_fidelity.panel import write_panels
    from mensura.catalog.sensemaking.neural_fidelity.submission import read_submission

    for path in write_panels(read_submission(submission), out, raters=raters):
        click.echo(str(path))
    click.echo(f"\nNext: mensura panel create {out / 'preliminary.yaml'}", err=True)


@click.command("neural-fidelity", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--submission", type=PATH, required=True, help="The performer's components, as YAML.")
@click.option("--preliminary", type=PATH, help="Results of the closed preliminary panel, as JSON.")
@click.option("--panel", type=PATH, help="Results of the closed detailed panel, as JSON.")
@click.option("--decision", metavar="RUN", help="The stored run in which the manager decided and experts reviewed.")
@click.option("--month", type=int, help="Waypoint; by default the submission's own.")
@click.option("--for-performer", is_flag=True, help="For the performer's eyes: only where the manager shares it.")
@click.option("--store", envvar="MENSURA_STORE", metavar="URL", help="Where stored runs are.  [default: mensura.db]")
def score(
    submission: Path,
    preliminary: Path | None,
    panel: Path | None,
    decision: str | None,
    month: int | None,
    for_performer: bool,
    store: str | None,
) -> FileScores:
    """Report on a submission: grades of the preliminary panel, or pass and fail with the waypoint (Table 5).

    \b
      mensura score neural-fidelity --submission model.yaml --preliminary preliminary.json --report first.html
      mensura score neural-fidelity --submission model.yaml --panel detailed.json --month 23 --json
      mensura score neural-fidelity --submission model.yaml --panel detailed.json --decision last --report out.html
    """
    from mensura.catalog.sensemaking.neural_fidelity.exhibits import detailed_scores, preliminary_scores
    from mensura.catalog.sensemaking.neural_fidelity.submission import read_submission
    from mensura.catalog.sensemaking.neural_fidelity.verdict import advice_from_panel, read_results

    if (preliminary is None) == (panel is None):
        raise BadParameter("Give the results of one panel: --preliminary FILE, or --panel FILE of the detailed one.")
    read = read_submission(submission)
    decided = None if decision is None else _decision(decision, store)
    if for_performer and not (decided or {}).get("shared"):
        raise BadParameter("The manager has not shared this assessment with the performer; it is for the panel only.")
    if preliminary is not None:
        return preliminary_scores(read, read_results(preliminary), month=month)
    assert panel is not None
    results = read_results(panel)
    return detailed_scores(read, advice_from_panel(results, read), results=results, decision=decided, month=month)


def _decision(run: str, store: str | None) -> dict[str, Any]:
    """What the last finished session of a stored run decided."""
    from mensura.catalog.sensemaking.neural_fidelity.scoring import decision_of

    records = click.get_current_context().meta.get("mensura.records")
    found = [] if records is None else records(run, lambda record: record.given(), test=TEST, store=store)
    if not found:
        raise BadParameter(f"{run} has no finished session in which a manager decided.")
    return decision_of(found[-1])
