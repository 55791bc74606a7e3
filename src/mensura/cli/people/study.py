"""`mensura study`: planned before the data, carried out, analysed as planned."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mensura.cli.options import confining, generalise_option, language_option, opened, reading, trace_option
from mensura.cli.people.study_board import BOARD
from mensura.cli.people.study_members import MEMBERS, WHO
from mensura.cli.people.study_people import AMEND, PEOPLE, amended, planned
from mensura.cli.people.study_plan import PLANNING
from mensura.cli.printing import print_exhibits
from mensura.console import next_step, print_json, say, show
from mensura.stats.wording import several

if TYPE_CHECKING:
    from mensura.dialogue import Trace
    from mensura.running.study import Study
    from mensura.running.study.analysis.analysis import Analysis
    from mensura.running.study.conduct import Progress
    from mensura.subjects.sandbox.confinement import Confinement

FILE = click.argument("file", type=click.Path(path_type=Path))


@click.group("study")
def command() -> None:
    """Carry out a study that a small YAML or Python FILE describes.

    \b
      mensura study new TEST -o FILE    start a plan from a template
      mensura study check FILE       what the plan means, or what is wrong with it
      mensura study dry-run FILE     rehearse it with simulated people
      mensura study register FILE    store the plan before anyone takes part
      mensura study run FILE         run its programs, open it for people
      mensura study status FILE      how far it is
      mensura study invite FILE -n 20   links for people, spread evenly over the conditions
      mensura study link FILE        one link for everybody: Prolific, MTurk, SONA or anywhere
      mensura study board FILE       who is where; close, extend, exclude and replace NUMBER change it
      mensura study resume FILE      resume after an interruption
      mensura study analyse FILE -o report.html

    \b
    Who sees it in the laboratory:
      mensura study members FILE --add NAME --as owner
      mensura study identities FILE  who the participants are; every look is noted
      mensura study looks FILE       who looked

    The plan is registered with the first run: a later change of FILE is reported, and --amend declares it.

    \b
    With people who come in cohorts (the part `procedure` of FILE):
      mensura study cohorts FILE     which condition meets when
      mensura study enrol FILE --from people.csv
      mensura study pay FILE         half hours and milestones
      mensura study encode --first A.csv --second B.csv
      mensura study bias FILE --score NAME
      mensura study archive FILE --to A --to B, or -o study.zip for another installation
      mensura study ledger FILE      what was done: invitations, panels, analyses
      mensura study release FILE -o out.zip --to WHOM --why WHY --training PROOF
      mensura study erase LINK|NUMBER    someone who asked for it and cannot withdraw by their link
    """


def whole_number(text: str) -> int:
    """Read a whole number of at least 1, which may be written as 10e6."""
    try:
        found = float(text.replace("_", ""))
    except ValueError:
        found = 0.0
    if not 1 <= found < 1e15 or found != int(found):
        raise click.BadParameter(f"{text!r} is not a whole number of at least 1, as 500000 or 10e6.")
    return int(found)


SHARD = click.option(
    "--shard",
    metavar="I/N",
    default="1/1",
    help="Take every N-th session of every cell, from the I-th on: one of N jobs. Register the study first.",
)


for part in (*PLANNING, *MEMBERS, *PEOPLE, *BOARD):
    command.add_command(part)


def _conduct(
    file: Path,
    on: str,
    amend: str | None,
    store: str | None,
    as_json: bool,
    confinement: "Confinement | None" = None,
    owner: str | None = None,
    trace: "Trace | None" = None,
    shard: str = "1/1",
    budget: int | None = None,
) -> None:
    from mensura.cli.progress import progress_bar
    from mensura.running.executors import executor
    from mensura.running.run import RunOptions
    from mensura.running.study import conduct, exhibits_of, unanswered
    from mensura.running.study.membership.joining import own
    from mensura.running.study.shard import StudyShard
    from mensura.subjects.sandbox.confinement import Confinement

    part = StudyShard.read(shard)
    kept = opened(store)
    study = amended(file, amend, kept, budget)
    if owner is not None:
        # Before the first run is begun: nobody else is to see anything of it.
        own(study.name, owner, store=kept, who=WHO)
    cells = study.cells()
    total = sum(not cell.cast.people for cell in cells) * study.stopping.most
    most = several(study.stopping.most, "session")
    say(f"{study.name}: {several(len(cells), 'cell')}, up to {most} each. Plan {study.hash}.")
    with progress_bar(total) as progress:
        options = RunOptions(executor(on), trace, progress=progress, confinement=confinement or Confinement())
        state = conduct(study, store=kept, options=options, shard=part)
        exhibits = exhibits_of(study, store=kept) if state.finished and not as_json else []
    silent = unanswered(state, store=kept)
    said = {"unanswered": silent} if silent else {}
    show({**state.as_json(), **said}, [*silent, *_lines(state)], as_json=as_json)
    print_exhibits(exhibits)
    for words in state.lacking.values():
        say(words)
    if state.lacking:
        next_step(f"install what is missing, then mensura study resume {file}")
        sys.exit(3)
    people = any(cell.cast.people for cell in cells)
    # A plan for a budget is known by its name: the file alone stands for another.
    name = file if budget is None else study.name
    next_step(f"mensura study {_invite_by(study, file) if people else f'analyse {name} -o report.html'}")


@command.command("run")
@FILE
@click.option("--on", default="here", show_default=True, help="Where: here, processes:N, ray, ray://HOST:PORT.")
@SHARD
@click.option(
    "--budget",
    type=whole_number,
    metavar="COUNT",
    default=None,
    help="For a Python FILE that defines study_for(budget): how much learners may have used, as 10e6.",
)
@click.option("--owner", metavar="NAME", default=None, help="The account that owns it; it is then closed to others.")
@trace_option
@confining
@AMEND
@reading
def run(
    file: Path,
    on: str,
    shard: str,
    budget: int | None,
    owner: str | None,
    trace: "Trace | None",
    amend: str | None,
    confinement: "Confinement",
    store: str | None,
    as_json: bool,
) -> None:
    """Run the programs of the study in FILE and open it for people; the plan is registered before the first session."""
    _conduct(file, on, amend, store, as_json, confinement, owner, trace, shard, budget)


@command.command("resume")
@FILE
@click.option("--on", default="here", show_default=True, help="Where: here, processes:N, ray, ray://HOST:PORT.")
@AMEND
@reading
def resume(file: Path, on: str, amend: str | None, store: str | None, as_json: bool) -> None:
    """Resume the study in FILE where it was interrupted; nothing is done twice."""
    _conduct(file, on, amend, store, as_json)


@command.command("status")
@FILE
@reading
def status(file: Path, store: str | None, as_json: bool) -> None:
    """Show the progress of the study in FILE."""
    from mensura.running.study import progress_of
    from mensura.running.study.registration.register import altered

    kept = opened(store)
    study, registered, changed = planned(file, kept)
    state = progress_of(study, store=kept)
    plan = {"registration": registered.as_json() if registered else None, "deviations": changed}
    said = [registered.sentence, *(one.sentence for one in registered.amendments)] if registered else []
    strange = altered(study.name, store=kept)
    show({**state.as_json(), **plan, "altered": strange}, [*strange, *_lines(state), *said], as_json=as_json)
    people = [one for one in state.cells if one.cell.cast.people]
    if any(not one.runs for one in state.cells):
        next_step(f"mensura study run {file}")
    elif people and not any(one.counts for one in people):
        next_step(f"mensura study {_invite_by(study, file)}")
    elif any(one.counts.get("open") for one in people):
        next_step("mensura serve", then="Then open /lab/observe.")
    else:
        next_step(f"mensura study {'analyse' if state.finished else 'resume'} {file}")
    if strange:
        sys.exit(1)


@command.command("invite")
@FILE
@click.option("-n", "--number", default=1, show_default=True, help="How many people.")
@click.option("--url", default="http://localhost:8000", show_default=True, help="Where `mensura serve` is reached.")
@language_option
@AMEND
@reading
def invite_people(
    file: Path, number: int, url: str, language: str, amend: str | None, store: str | None, as_json: bool
) -> None:
    """Make links for people, each in the condition with the fewest usable sessions. A link is shown only once."""
    from mensura.running.study import invite, progress_of

    kept = opened(store)
    study = amended(file, amend, kept)
    invited = invite(study, number, store=kept, details={"language": language} if language else None)
    links = [{"number": one.number, "cell": one.cell, "link": f"{url}/p/{one.token}"} for one in invited]
    for state in progress_of(study, store=kept).cells:
        places = sum(state.counts.get(status, 0) for status in ("open", "finished"))
        enough = study.planned(state.cell.cast)
        if state.cell.cast.people and places > enough:
            say(f"{state.cell.name} has {places} places; the plan has {enough}, and the first that are usable count.")
    show(links, (f"{link['number']}\t{link['cell']}\t{link['link']}" for link in links), as_json=as_json)
    next_step("mensura serve")


@command.command("analyse")
@FILE
@click.option("-o", "--out", "path", type=click.Path(path_type=Path), default=None, help="Also write a report.")
@generalise_option
@reading
def analyse_study(file: Path, path: Path | None, generalise: str | None, store: str | None, as_json: bool) -> None:
    """Analyse the study in FILE, or a stored one by its name, by the plan that was registered before the first session.

    Whatever that plan does not name is marked exploratory, and every change of FILE since is printed. Where a record
    was altered, this is reported first and the exit status is 1.
    """
    from mensura.running.study import analyse, read_study

    kept = opened(store)
    study = read_study(file) if file.exists() else planned(file, kept)[0]
    analysis = analyse(study, store=kept, generalise=generalise)
    if path is not None:
        from mensura.report import write_report_of
        from mensura.report.study import study_report
        from mensura.running.study.registration.keeping import keep_analysis
        from mensura.running.study.registration.register import study_runs

        keep_analysis(analysis, store=kept, who="command line")
        names = [head.id for head in study_runs(study.name, store=kept)]
        again = f"study analyse {shlex.quote(study.name)}"
        report = study_report(analysis, store=kept)
        say(f"Wrote {write_report_of(names, report, path, store=kept, again=again)}.")
        for words in report.lacking:
            say(words)
    if as_json:
        print_json(analysis.as_json())
    else:
        _tell(analysis)
        next_step(f"mensura study analyse {file} -o report.html" if path is None else f"open {path} in a browser")
    if analysis.altered:
        sys.exit(1)


def _tell(analysis: "Analysis") -> None:
    if analysis.simulated:
        say("Some subjects of this study are simulated.")
    for words in analysis.told:
        click.echo(words)
    for tested in analysis.planned:
        method = f" Method: {tested.difference.method}." if tested.difference.has_interval else ""
        click.echo(f"{tested.name} is {tested.verdict}: {tested.sentence}{method}")
        if tested.with_excluded:
            click.echo(f"{tested.name} with the excluded sessions: {tested.with_excluded}")
    if analysis.family:
        click.echo(analysis.family)
    if analysis.excluded:
        click.echo(f"{analysis.excluded}.")
    for tested in analysis.exploratory:
        name = "" if tested.name == "exploratory" else f" {tested.name} is {tested.verdict}"
        click.echo(f"exploratory{name}: {tested.sentence} Method: {tested.difference.method}.")
    print_exhibits(analysis.exhibits)
    for left in analysis.left_out:
        decided = f" (decided by {left.who}{'' if left.planned else ', after the data'})" if left.who else ""
        say(f"excluded {left.session}: {left.reason}{decided}")
    for note in analysis.notes:
        say(note)


def _invite_by(study: "Study", file: Path) -> str:
    """Return how people get their places: in cohorts where the study has a procedure."""
    return f"enrol {file} --from people.csv" if study.procedure else f"invite {file} -n 20"


def _lines(state: "Progress") -> Iterator[str]:
    for one in state.cells:
        begun = "nobody has a place yet" if one.runs else "not begun"
        standing = {"not begun": one.not_begun, **one.counts}
        standing["open"] = max(0, standing.get("open", 0) - one.not_begun)
        counts = ", ".join(f"{count} {status}" for status, count in standing.items() if count) or begun
        yield f"{one.cell.test}  {one.cell.name}: {counts}"
