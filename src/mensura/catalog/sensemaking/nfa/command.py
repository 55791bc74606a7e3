"""The commands of neural fidelity: make a panel of a submission, and turn its ratings into advice."""

import json
from pathlib import Path

import click

from mensura.errors import BadFile

PATH = click.Path(path_type=Path)


@click.command("neural-fidelity", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--submission", type=PATH, required=True, help="The performer's components, as YAML.")
@click.option("--out", type=PATH, required=True, help="Folder for the two panels.")
@click.option("--rater", "raters", multiple=True, metavar="NAME", help="A member of the panel; repeat for each.")
def generate(submission: Path, out: Path, raters: tuple[str, ...]) -> None:
    """Make the preliminary and the detailed panel of a submission, raters blind to who made it.

    \b
      mensura generate neural-fidelity --submission model.yaml --out panels --rater Ada --rater Ben --rater Eva
    """
    from mensura.catalog.sensemaking.nfa.panel import write_panels
    from mensura.catalog.sensemaking.nfa.submission import read_submission

    for path in write_panels(read_submission(submission), out, raters=raters):
        click.echo(str(path))
    click.echo(f"\nNext: mensura panel create {out / 'preliminary.yaml'}", err=True)


@click.command("neural-fidelity", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--submission", type=PATH, required=True, help="The performer's components, as YAML.")
@click.option("--panel", type=PATH, required=True, help="Results of the closed detailed panel, as JSON.")
@click.option("--month", type=int, help="Waypoint; by default the submission's own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
def score(submission: Path, panel: Path, month: int | None, as_json: bool) -> None:
    """Advise pass or fail per component, and say where the performer stands at a waypoint (Table 5).

    \b
      mensura score neural-fidelity --submission model.yaml --panel detailed.json --month 23
    """
    from mensura.catalog.sensemaking.nfa.submission import read_submission
    from mensura.catalog.sensemaking.nfa.verdict import advice_from_panel, standing

    read = read_submission(submission)
    try:
        results = json.loads(panel.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadFile(f"{panel} cannot be read as the results of a panel: {error}.") from error
    advice = advice_from_panel(results, read)
    where = standing(read, {each.component: each.passes for each in advice}, month=month)
    found = {
        "performer": read.performer,
        "model": read.model,
        "advice": [each.as_json() for each in advice],
        "uncited": {each.system: each.uncited() for each in read.components if each.uncited()},
        "standing": where.as_json(),
        "agreement": results.get("agreement"),
    }
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        for each in advice:
            verdict = {True: "pass", False: "fail", None: "unknown"}[each.passes]
            click.echo(f"{each.component}: {verdict}{' - ' + ' '.join(each.reasons) if each.reasons else ''}")
        click.echo(f"Month {where.month}: {'met' if where.met else 'not met'}")
    if not where.official:
        click.echo("Months 23 and 42 are assessed officially; this one is for guidance only.", err=True)
    click.echo("\nNext: mensura run neural-fidelity --advice ..., where the manager decides", err=True)
