"""`mensura study`: planned before the data, carried out, analysed as planned."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mensura.cli.options import confining, generalise_option, opened, reading
from mensura.cli.people.study_people import PEOPLE
from mensura.cli.printing import print_exhibits
from mensura.console import next_step, print_json, say, show

if TYPE_CHECKING:
    from mensura.running.study import Study
    from mensura.running.study.conduct import Progress
    from mensura.subjects.sandbox.confinement import Confinement

FILE = click.argument("file", type=click.Path(path_type=Path))


@click.group("study")
def command() -> None:
    """Carry out a study that a small YAML or Python FILE describes.

    \b
      mensura study run FILE         run its programs, open it for people
      mensura study status FILE      how far it is
      mensura study invite FILE -n 20   links for people, spread evenly over the conditions
      mensura study resume FILE      resume after an interruption
      mensura study analyse FILE -o report.html

    \b
    With people who come in cohorts (the part `procedure` of FILE):
      mensura study cohorts FILE     which condition meets when
      mensura study enrol FILE --from people.csv
      mensura study pay FILE         half hours and milestones
      mensura study encode --first A.csv --second B.csv
      mensura study bias FILE --score NAME
      mensura study archive FILE --to A --to B
      mensura study release FILE -o out.zip --to WHOM --why WHY --training PROOF
    """


for part in PEOPLE:
    command.add_command(part)


def _conduct(file: Path, on: str, store: str | None, as_json: bool, confinement: "Confinement | None" = None) -> None:
    from mensura.cli.progress import progress_bar
    from mensura.running.executors import executor
    from mensura.running.run import RunOptions
    from mensura.running.study import conduct, exhibits_of, read_study
    from mensura.subjects.sandbox.confinement import Confinement

    study = read_study(file)
    cells = study.cells()
    total = sum(not cell.cast.people for cell in cells) * study.stopping.most
    say(f"{study.name}: {len(cells)} cells, up to {study.stopping.most} sessions each. Plan {study.hash}.")
    kept = opened(store)
    with progress_bar(total) as progress:
        options = RunOptions(executor(on), progress=progress, confinement=confinement or Confinement())
        state = conduct(study, store=kept, options=options)
        exhibits = exhibits_of(study, store=kept) if state.finished and not as_json else []
    show(state.as_json(), _lines(state), as_json=as_json)
    print_exhibits(exhibits)
    people = any(cell.cast.people for cell in cells)
    next_step(f"mensura study {_invite_by(study, file) if people else f'analyse {file} -o report.html'}")


@command.command("run")
@FILE
@click.option("--on", default="here", show_default=True, help="Where: here, processes:N, ray, ray://HOST:PORT.")
@confining
@reading
def run(file: Path, on: str, confinement: "Confinement", store: str | None, as_json: bool) -> None:
    """Run the programs of the study in FILE and open it for people; the plan is hashed before the first session."""
    _conduct(file, on, store, as_json, confinement)


@command.command("resume")
@FILE
@click.option("--on", default="here", show_default=True, help="Where: here, processes:N, ray, ray://HOST:PORT.")
@reading
def resume(file: Path, on: str, store: str | None, as_json: bool) -> None:
    """Resume the study in FILE where it was interrupted; nothing is done twice."""
    _conduct(file, on, store, as_json)


@command.command("status")
@FILE
@reading
def status(file: Path, store: str | None, as_json: bool) -> None:
    """Say how far the study in FILE is."""
    from mensura.running.study import progress_of, read_study

    study = read_study(file)
    state = progress_of(study, store=opened(store))
    show(state.as_json(), _lines(state), as_json=as_json)
    people = [one for one in state.cells if one.cell.cast.people]
    if any(not one.runs for one in state.cells):
        next_step(f"mensura study run {file}")
    elif people and not any(one.counts for one in people):
        next_step(f"mensura study {_invite_by(study, file)}")
    elif any(one.counts.get("open") for one in people):
        next_step("mensura serve, and open /lab/observe")
    else:
        next_step(f"mensura study {'analyse' if state.finished else 'resume'} {file}")


@command.command("invite")
@FILE
@click.option("-n", "--number", default=1, show_default=True, help="How many people.")
@click.option("--url", default="http://localhost:8000", show_default=True, help="Where `mensura serve` is reached.")
@reading
def invite_people(file: Path, number: int, url: str, store: str | None, as_json: bool) -> None:
    """Make links for people, each in the condition with the fewest usable sessions. A link is shown only once."""
    from mensura.running.study import invite, read_study

    invited = invite(read_study(file), number, store=opened(store))
    links = [{"number": one.number, "cell": one.cell, "link": f"{url}/p/{one.token}"} for one in invited]
    show(links, (f"{link['number']}\t{link['cell']}\t{link['link']}" for link in links), as_json=as_json)
    next_step("mensura serve")


@command.command("analyse")
@FILE
@click.option("-o", "--out", "path", type=click.Path(path_type=Path), default=None, help="Also write a report.")
@generalise_option
@reading
def analyse_study(file: Path, path: Path | None, generalise: str | None, store: str | None, as_json: bool) -> None:
    """Analyse the study in FILE by its written plan; whatever the plan does not name is marked exploratory."""
    from mensura.running.study import analyse, read_study

    kept = opened(store)
    analysis = analyse(read_study(file), store=kept, generalise=generalise)
    if path is not None:
        from mensura.report import write_report
        from mensura.report.study import study_report

        say(f"Wrote {write_report(study_report(analysis, store=kept), path)}.")
    if as_json:
        print_json(analysis.as_json())
        return
    if analysis.simulated:
        say("Some subjects of this study are simulated.")
    for tested in analysis.planned:
        click.echo(f"{tested.name} is {tested.verdict}: {tested.sentence} Method: {tested.difference.method}.")
    if analysis.family:
        click.echo(analysis.family)
    for tested in analysis.exploratory:
        click.echo(f"exploratory: {tested.sentence} Method: {tested.difference.method}.")
    print_exhibits(analysis.exhibits)
    for left in analysis.left_out:
        say(f"excluded {left.session}: {left.reason}{'' if left.planned else ' (not planned)'}")
    for note in analysis.notes:
        say(note)
    next_step(f"mensura study analyse {file} -o report.html" if path is None else f"open {path} in a browser")


def _invite_by(study: "Study", file: Path) -> str:
    """Return how people get their places: in cohorts where the study has a procedure."""
    return f"enrol {file} --from people.csv" if study.procedure else f"invite {file} -n 20"


def _lines(state: "Progress") -> Iterator[str]:
    for one in state.cells:
        begun = "nobody has a place yet" if one.runs else "not begun"
        counts = ", ".join(f"{count} {status}" for status, count in one.counts.items()) or begun
        yield f"{one.cell.test}  {one.cell.name}: {counts}"
