"""The commands of neural fidelity: make a panel of a submission, and turn its ratings into reports."""

import json
from pathlib import Path
from typing import Any

import click

from mensura.errors import BadFile, BadParameter

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
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
@click.option("--report", "page", type=PATH, help="Write a self-contained page.")
def score(
    submission: Path,
    preliminary: Path | None,
    panel: Path | None,
    decision: str | None,
    month: int | None,
    for_performer: bool,
    store: str | None,
    as_json: bool,
    page: Path | None,
) -> None:
    """Report on a submission: grades of the preliminary panel, or pass and fail with the waypoint (Table 5).

    \b
      mensura score neural-fidelity --submission model.yaml --preliminary preliminary.json --report first.html
      mensura score neural-fidelity --submission model.yaml --panel detailed.json --month 23 --json
      mensura score neural-fidelity --submission model.yaml --panel detailed.json --decision last --report out.html
    """
    from mensura.catalog.sensemaking.neural_fidelity.report import detailed_report, preliminary_report, write_page
    from mensura.catalog.sensemaking.neural_fidelity.submission import read_submission
    from mensura.catalog.sensemaking.neural_fidelity.verdict import advice_from_panel

    if (preliminary is None) == (panel is None):
        raise BadParameter("Give the results of one panel: --preliminary FILE, or --panel FILE of the detailed one.")
    read = read_submission(submission)
    decided = None if decision is None else _decision(decision, store)
    if for_performer and not (decided or {}).get("shared"):
        raise BadParameter("The manager has not shared this assessment with the performer; it is for the panel only.")
    if preliminary is not None:
        report = preliminary_report(read, _results(preliminary), month=month)
    else:
        assert panel is not None
        results = _results(panel)
        advice = advice_from_panel(results, read)
        report = detailed_report(read, advice, results=results, decision=decided, month=month)
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False))
    else:
        _print(report)
    if page is not None:
        write_page(report, page)
        click.echo(f"Wrote {page}.", err=True)
    _say_next(report, panel)


def _results(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadFile(f"{path} cannot be read as the results of a panel: {error}.") from error


def _decision(run: str, store: str | None) -> dict[str, Any]:
    """What the last finished session of a stored run decided."""
    from mensura.catalog.sensemaking.neural_fidelity.report import decision_of

    records = click.get_current_context().meta.get("mensura.records")
    found = [] if records is None else records(run, lambda record: record.given(), test=TEST, store=store)
    if not found:
        raise BadParameter(f"{run} has no finished session in which a manager decided.")
    return decision_of(found[-1])


def _print(report: dict[str, Any]) -> None:
    if report["kind"] == "preliminary":
        for row in report["components"]:
            grades = ", ".join(
                f"{key.replace('_', ' ')} {'unknown' if value is None else f'{value:.1f}'}"
                for key, value in row["grades"].items()
            )
            click.echo(f"{row['component']}: {grades}")
        return
    for row in report["advice"]:
        verdict = {True: "pass", False: "fail", None: "unknown"}[row["pass"]]
        decided = f"; decided: {row['decision']}" if row["decision"] else ""
        click.echo(
            f"{row['component']}: {verdict}{' - ' + ' '.join(row['reasons']) if row['reasons'] else ''}{decided}"
        )
    where = report["standing"]
    click.echo(f"Month {where['month']}: {'met' if where['met'] else 'not met'}, by {where['rests_on']}")


def _say_next(report: dict[str, Any], panel: Path | None) -> None:
    if report["kind"] == "preliminary":
        click.echo("\nNext: mensura panel create panels/detailed.yaml", err=True)
        return
    if not report["standing"]["official"]:
        click.echo("Months 23 and 42 are assessed officially; this one is for guidance only.", err=True)
    if report["shared"] is None:
        click.echo(
            f"\nNext: mensura take neural-fidelity --as human --submission FILE --panel {panel}, where the manager "
            "decides",
            err=True,
        )
    elif report["shared"]:
        click.echo("\nNext: the same command with --for-performer --report out.html", err=True)
