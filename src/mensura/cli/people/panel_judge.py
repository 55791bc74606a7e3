"""`mensura panel judge` and `label`: a model judges the answers of runs, and people label a sample to check it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import concurrency_option, opened, reading, seed_option
from mensura.cli.progress import progress_bar
from mensura.console import next_step, say, show

if TYPE_CHECKING:
    from mensura.running.panel import Rater

rater_option = click.option(
    "--rater",
    "raters",
    multiple=True,
    metavar="NAME",
    help="Who labels the sample; NAME=SUBJECT where someone else answers for them. May be repeated.",
)
overlap_option = click.option("--overlap", default=1, show_default=True, help="How many label each answer.")


@click.command("judge")
@click.argument("runs", nargs=-1, required=True, shell_complete=complete_run)
@click.option("--by", required=True, metavar="SUBJECT", help="Who judges: llm:MODEL@URL, ./mine.py:judge, ...")
@click.option("--name", default="", help="Name of the panel.  [default: judged-RUN]")
@click.option(
    "--rubric", type=click.Path(path_type=Path), help="YAML file with what is rated.  [default: right or not]"
)
@click.option(
    "--truth", is_flag=True, help="Show the judge and the people what is right; the record says where it went."
)
@click.option("--pairs", is_flag=True, help="Compare the answers of two runs, each pair in both orders.")
@click.option("--labels", default=50, show_default=True, help="How many items of each run are drawn for people.")
@click.option("--mask", multiple=True, help="A word to mask in answers. May be repeated.")
@rater_option
@overlap_option
@concurrency_option
@seed_option
@reading
def judge(
    runs: tuple[str, ...],
    name: str,
    raters: tuple[str, ...],
    overlap: int,
    seed: int | None,
    store: str | None,
    as_json: bool,
    **plan: Any,
) -> None:
    """Let a model judge the answers in words of RUNS; people label a random sample, which corrects it."""
    from mensura.running.panel import JudgePlan, judge_runs
    from mensura.yaml_file import read_yaml

    kept = opened(store)
    names = [kept.runs.find(run).id for run in runs]
    named = name or f"judged-{names[0]}"
    plan["rubric"] = None if plan["rubric"] is None else read_yaml(plan["rubric"])
    people = [read_rater(one) for one in raters]
    given = JudgePlan(**plan)
    with progress_bar(1):
        done = judge_runs(named, names, plan=given, store=kept, raters=people, overlap=overlap, seed=seed)
    data = {"panel": named, "judged": done.judged, "drawn": done.drawn, "truth_to": _sent(done.plan)}
    show(data, [f"{named}: {done.sentence}"], as_json=as_json)
    say(done.opened.screening.sentence)
    next_step(_after(named, people))


@click.command("label")
@click.argument("name")
@rater_option
@overlap_option
@reading
def label(name: str, raters: tuple[str, ...], overlap: int, store: str | None, as_json: bool) -> None:
    """Give the answers that were drawn from the judged panel NAME to people who label them."""
    from mensura.running.panel import assign

    people = [read_rater(one) for one in raters]
    made = assign(name, people, overlap=overlap, store=opened(store))
    show({one.rater: len(one.work) for one in made}, (f"{one.rater}: {len(one.work)}" for one in made), as_json=as_json)
    next_step(_after(name, people))


def read_rater(given: str) -> "Rater":
    """Read a rater who is a person, or NAME=SUBJECT."""
    from mensura.running.panel import Rater

    name, _, subject = given.partition("=")
    return Rater(name, subject or "human")


def _sent(plan: Any) -> str | None:
    return plan.provider if plan.truth else None


def _after(name: str, people: "list[Rater]") -> str:
    if not people:
        return f"mensura panel label {name} --rater NAME"
    return f"mensura panel {'invite' if any(one.nature_of == 'person' for one in people) else 'rate'} {name}"
