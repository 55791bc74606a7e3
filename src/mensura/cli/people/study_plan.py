"""`mensura study` before the data: a plan from a template, and what a plan means."""

from pathlib import Path
from shlex import quote

import click

from mensura.cli.options import opened, reading
from mensura.console import json_option, next_step, say, show
from mensura.text_file import write_text


@click.command("new")
@click.argument("test")
@click.option("--name", default="my-study", show_default=True, help="What the study is called.")
@click.option("--question", default="", help="What it is to answer.")
@click.option("--condition", "conditions", multiple=True, help="A condition with what it sets: 'short: flips=10'.")
@click.option("-n", "--number", default=20, show_default=True, help="People in each condition.")
@click.option("--score", default="", help="What the first two conditions are compared by; else the first of the test.")
@click.option("--expect", type=click.Choice(["different", "greater", "less"]), default="different", show_default=True)
@click.option("-o", "--out", "path", type=click.Path(path_type=Path), default=None, help="Write it there.")
def new(
    test: str,
    name: str,
    question: str,
    conditions: tuple[str, ...],
    number: int,
    score: str,
    expect: str,
    path: Path | None,
) -> None:
    """Start the plan of a study of TEST with people, to be edited further."""
    from mensura.running.study.planning.template import PlanDraft, plan_text, read_conditions

    draft = PlanDraft(test, name, question, read_conditions("\n".join(conditions)), number, score, expect)
    text = plan_text(draft)
    if path is None:
        click.echo(text, nl=False)
    else:
        say(f"Wrote {write_text(path, text)}.")
    next_step(f"mensura study check {quote(str(path)) if path else 'FILE'}")


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def check(file: Path, as_json: bool) -> None:
    """Check the plan in FILE and explain it, or print what is wrong with it and in which line. Nothing is stored."""
    from mensura.running.study import read_study
    from mensura.running.study.planning.preview import preview_of

    study = read_study(file)
    preview = preview_of(study)
    cells = (f"{one.cell.test}  {one.cell.name}: {one.planned}" for one in preview.cells)
    show({"hash": study.hash, **preview.as_json()}, [*preview.sentences, *cells], as_json=as_json)
    next_step(f"mensura study register {quote(str(file))}")


@click.command("dry-run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "people", default="chance", show_default=True, help="The subject that stands for people.")
@click.option("-n", "--number", type=int, default=None, help="Simulated people in each cell, instead of the plan's.")
@click.option("-o", "--out", "path", type=click.Path(path_type=Path), default=None, help="Also write a report.")
def rehearse(file: Path, people: str, number: int | None, path: Path | None) -> None:
    """Rehearse the study in FILE with simulated people, up to its report; the store holds nothing of it."""
    from mensura.cli.progress import progress_bar
    from mensura.report import write_report
    from mensura.report.study import study_report
    from mensura.running.run import RunOptions
    from mensura.running.study import read_study
    from mensura.running.study.planning.dry_run import dry_run, simulated_plan

    study = read_study(file)
    plan = simulated_plan(study, people=people, sessions=number)
    with (
        progress_bar(len(plan.cells()) * plan.stopping.most) as progress,
        dry_run(study, people=people, sessions=number, options=RunOptions(progress=progress)) as found,
    ):
        report = study_report(found.analysis, store=found.store)
        if path is not None:
            say(f"Wrote {write_report(report, path)}.")
    say("All people of this study are simulated.")
    for words in report.answer:
        click.echo(words)
    next_step(f"mensura study run {quote(str(file))}")


@click.command("register")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--owner", metavar="NAME", default="", help="The account that owns it; it is then closed to others.")
@reading
def register_plan(file: Path, owner: str, store: str | None, as_json: bool) -> None:
    """Register the plan in FILE before anyone takes part; nobody and nothing is started yet."""
    from mensura.running.study import read_study, register

    study = read_study(file)
    state = register(study, store=opened(store), who="command line", owner=owner)
    show(state.as_json(), [f"Plan {study.hash} of {study.name} is registered."], as_json=as_json)
    people = any(cast.people for cast in study.casts)
    next_step(f"mensura study invite {quote(str(file))} -n 20" if people else f"mensura study run {quote(str(file))}")


PLANNING = (new, check, rehearse, register_plan)
