"""The commands of sensemaking: `mensura score sensemaking` and `mensura generate sensemaking`."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.errors import BadParameter, StoreError, UnknownName

if TYPE_CHECKING:
    from mensura.catalog.sensemaking.answers.answer import Answers
    from mensura.catalog.sensemaking.answers.stored import StoredSessions
    from mensura.catalog.sensemaking.assessment.result import Assessment
    from mensura.catalog.sensemaking.exam import Exam
    from mensura.catalog.sensemaking.people import Respondents

TEST = "sensemaking-v1"
PATH = click.Path(path_type=Path)


@click.command("sensemaking", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--exam", "exam_path", type=PATH, required=True, help="The exam: its XML file, or the folder with it.")
@click.option(
    "--humans",
    multiple=True,
    metavar="DIR|FILE|RUN",
    help="People's answers: a folder of tables, response XML or JSON, a file of JSON lines; or a stored run of your "
    "own people (repeat for several); or `people`: everyone in the store who took this exam.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    metavar="FILE|RUN|NAME",
    help="The model's answers (response XML or JSON; repeat for several runs of one model), a stored run whose "
    "sessions are its runs, or a reference subject: "
    "normative, normative-proportional, bayesian, uniform, uniform-sigint, conservative:shrink=0.5, averaging, "
    "representativeness, anchoring, chance; or `fitted`: anchoring fitted to half of the people, tested on the others.",
)
@click.option("--against", metavar="FILE|RUN|NAME", help="A second model; say whether the two differ.")
@click.option(
    "--exclusions",
    type=click.Choice(["published", "computed"]),
    help="Which items count.  [default: published for the Final exam and its own 103 people, else computed]",
)
@click.option("--cfa", type=click.Choice(["published", "table7"]), default="published", show_default=True,
              help="Anchoring with the normative direction asked for, or Table 7 as printed.")  # fmt: skip
@click.option("--order", type=click.Choice(["standard", "reverse"]), default="standard", show_default=True,
              help="Whose Task 6 is assessed, by the order of their INT menu.")  # fmt: skip
@click.option("--weights", metavar="1=0.05,...", help="Weights of the tasks in CPA; they must sum to 1.")
@click.option("--draws", type=click.IntRange(min=0), default=2000, show_default=True, help="Resamples for intervals.")
@click.option("--individuals", is_flag=True, help="Also say how near each person comes to all the others.")
@click.option("--store", envvar="MENSURA_STORE", metavar="URL", help="Where stored runs are.  [default: mensura.db]")
@click.option("--responses", type=PATH, help="Also write the model's answers as response XML into this folder, and "
              "those of stored people.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
@click.option("--report", type=PATH, help="Write a self-contained page.")
def score(
    exam_path: Path,
    humans: tuple[str, ...],
    models: tuple[str, ...],
    against: str | None,
    exclusions: str | None,
    cfa: str,
    order: str,
    weights: str | None,
    draws: int,
    individuals: bool,
    store: str | None,
    responses: Path | None,
    as_json: bool,
    report: Path | None,
) -> None:
    """Assess a model against people (CPA, CFA) and against the best answers (S1, S2).

    \b
      mensura score sensemaking --exam DIR --humans DIR --model answers.json --report out.html
      mensura score sensemaking --exam DIR --humans people --model last
      mensura score sensemaking --exam DIR --model normative --json
    """
    from mensura.catalog.sensemaking.mitre import read_exam

    exam = read_exam(exam_path)
    stored = _stored(exam, exam_path, store)
    fitted = models == ("fitted",)
    answers = [] if fitted else _read_models(models, exam, stored)
    if responses is not None:
        _write_responses(responses, exam, [*answers, *_stored_people(humans, stored)])
    if not humans:
        if fitted:
            raise BadParameter("A model is fitted to people: give --humans DIR.")
        if against or report:
            raise BadParameter("Comparing models and reports need people: give --humans DIR.")
        _print_skill(answers, exam, as_json=as_json)
        return
    from mensura.catalog.sensemaking.scoring_run import score_against_people

    found = score_against_people(
        exam,
        people=_read_humans(humans, exam, stored),
        answers=None if fitted else answers,
        against=None if against is None else _read_models((against,), exam, stored),
        exclusions=exclusions,
        sign=cfa == "published",
        order=order,
        weights=read_weights(weights),
        draws=draws,
        individuals=individuals or report is not None,
    )
    if stored is not None and stored.left_out:
        click.echo(f"{stored.left_out} finished sessions took other exams and are left out.", err=True)
    for fault in found.assessment.faults[:20]:
        click.echo(f"{fault}", err=True)
    if len(found.assessment.faults) > 20:
        click.echo(f"... and {len(found.assessment.faults) - 20} more; --json lists all.", err=True)
    if as_json:
        click.echo(json.dumps(found.as_json(), ensure_ascii=False, allow_nan=False))
    else:
        _print_assessment(found.assessment)
        for sentence in found.sentences:
            click.echo(sentence, err=True)
    if report is not None:
        from mensura.catalog.sensemaking.report import write_report

        write_report(found, report)
        click.echo(f"Wrote {report}.", err=True)
    else:
        click.echo("\nNext: the same command with --report out.html", err=True)


@click.command("sensemaking", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--seed", type=int, required=True, help="The same seed makes the same exam.")
@click.option("--out", type=PATH, required=True, help="Folder for the exam and its tables.")
@click.option("--design", type=PATH, help="TOML file with parameters; what it leaves out stays as published.")
@click.option("--probs", "probs_path", type=PATH, help="TOML file with other PROBS.")
@click.option("--order", type=click.Choice(["standard", "reverse"]), default="standard", show_default=True,
              help="Order of the INT menu.")  # fmt: skip
@click.option("--people", type=click.IntRange(min=0), default=0, help="Also simulate so many people who take it.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON on stdout.")
def generate(
    seed: int, out: Path, design: Path | None, probs_path: Path | None, order: str, people: int, as_json: bool
) -> None:
    """Make a new exam of the published design, with its normative solutions.

    \b
      mensura generate sensemaking --seed 1 --out DIR
    """
    import numpy as np

    from mensura.catalog.sensemaking.exam.probs import read_probs
    from mensura.catalog.sensemaking.generating import Design, generate_exam, read_design, write_generated

    if seed < 0:
        raise BadParameter(f"A seed is 0 or larger; got {seed}.")
    probs = None if probs_path is None else read_probs(probs_path)
    exam = generate_exam(
        np.random.default_rng(seed),
        design=Design() if design is None else read_design(design),
        probs=probs,
        id=f"generated-{seed}",
        reverse_layer_order=order == "reverse",
    )
    if out.exists() and not out.is_dir():
        raise BadParameter(f"{out} is a file; --out names a folder.")
    written = write_generated(exam, out)
    if people:
        from mensura.catalog.sensemaking.minds.simulated import write_people

        written.append(write_people(exam, out / "people", count=people, rng=np.random.default_rng([seed, 1])))
    if as_json:
        click.echo(json.dumps({"exam": exam.id, "seed": seed, "files": [str(path) for path in written]}))
    else:
        for path in written:
            click.echo(str(path))
    click.echo(f"\nNext: mensura score sensemaking --exam {out} --model normative", err=True)


def read_weights(text: str | None) -> dict[int, float] | None:
    """Read task weights.

    >>> read_weights("5=0.8, 6=0.2")
    {5: 0.8, 6: 0.2}
    """
    if text is None:
        return None
    weights = {}
    for part in text.split(","):
        number, _, value = part.strip().partition("=")
        try:
            weights[int(number)] = float(value)
        except ValueError:
            raise BadParameter(f"{part!r} is not a weight; write --weights 1=0.05,2=0.1 and so on.") from None
    if not set(weights) <= set(range(1, 7)) or min(weights.values()) < 0 or abs(sum(weights.values()) - 1) > 1e-9:
        raise BadParameter(f"Weights are for Tasks 1 to 6, at least 0, and sum to 1; got {text}.")
    return weights


def _stored(exam: "Exam", path: Path, store: str | None) -> "StoredSessions | None":
    """Stored sessions of this exam by the name of their run, where the command is run by `mensura`."""
    from mensura.catalog.sensemaking.answers.stored import StoredSessions

    records = click.get_current_context().meta.get("mensura.records")
    return None if records is None else StoredSessions(exam, path, partial(records, test=TEST, store=store))


def _read_humans(names: tuple[str, ...], exam: "Exam", stored: "StoredSessions | None") -> "Respondents":
    from mensura.catalog.sensemaking.people import read_people, respondents_of

    files = [name for name in names if stored is None or _is_file(name)]
    if not files:
        assert stored is not None
        return respondents_of([answers for name in names for answers in stored.people(name)], exam)
    if len(names) > 1:
        raise BadParameter(f"Of several --humans all are stored runs; {files[0]} is a file: put files in one folder.")
    return read_people(Path(files[0]), exam)


def _stored_people(names: tuple[str, ...], stored: "StoredSessions | None") -> "list[Answers]":
    runs = [] if stored is None else [name for name in names if not _is_file(name)]
    return [answers for name in runs if stored is not None for answers in stored.people(name)]


def _is_file(name: str) -> bool:
    return Path(name).exists() or "/" in name


def _write_responses(folder: Path, exam: "Exam", answers: "list[Answers]") -> None:
    """Write everyone's answers in the original format: a model's in one file, a person's in one per task."""
    from mensura.catalog.sensemaking.mitre import write_responses

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for place, each in enumerate(answers, start=1):
        name = re.sub(r"[^\w.-]+", "_", each.subject)
        target = folder / name if each.human else folder / f"{place:03d}_{name}.xml"
        written += write_responses(replace(each, subject=name), exam, target)
    click.echo(f"Wrote {len(written)} response files to {folder}.", err=True)


def _read_models(names: tuple[str, ...], exam: "Exam", stored: "StoredSessions | None") -> "list[Answers]":
    from mensura.catalog.sensemaking.answers.model_file import is_model, read_model

    answers = []
    for name in names:
        if stored is None or is_model(name):
            answers.append(read_model(name, exam))
            continue
        try:
            answers += stored.models(name)
        except (UnknownName, StoreError):
            # Names of reference subjects are misspelt more often than runs are looked for where no store is.
            answers.append(read_model(name, exam))
    return answers


def _print_skill(answers: "list[Answers]", exam: "Exam", *, as_json: bool) -> None:
    from mensura.catalog.sensemaking.scoring_run import skill_json

    found = skill_json(answers, exam)
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, allow_nan=False))
    else:
        rows = [
            (f"Task {number}", _skill(each["s1_estimate"]), _skill(each["s2_estimate"]), str(each["trials"]))
            for number, each in found["tasks"].items()
        ]
        title = f"{found['model']} on {exam.id}, with 95 % intervals over trials"
        _print_table(title, ("task", "S1", "S2", "trials"), rows)
    click.echo("\nNext: the same command with --humans DIR, to assess it against people", err=True)


def _print_assessment(assessment: "Assessment") -> None:
    data = assessment.as_json()

    def interval(each: dict[str, Any]) -> str:
        return "unknown" if each["low"] is None else f"{each['low']:.1f} to {each['high']:.1f}"

    rows = [("CPA", _shown(data["cpa"]["value"]), interval(data["cpa"]), "pass" if data["cpa"]["pass"] else "fail")]
    for number, each in data["tasks"].items():
        kind = "RMR" if number == "6" else "RSR"
        rows.append((f"Task {number} {kind}", _shown(each[kind.lower()]), interval(each), ""))
    for bias, each in data["cfa"]["biases"].items():
        rows.append((bias.replace("_", " "), _shown(each["score"]), interval(each), "pass" if each["pass"] else "fail"))
    cfa = data["cfa"]
    rows.append(("CFA", f"{cfa['passed']} of {cfa['of']}", "", "pass" if cfa["pass"] else "fail"))
    title = f"{data['model']} against {data['people']} people on {data['exam']} ({data['exclusions']} exclusions)"
    _print_table(title, ("", "value", "95 % interval", ""), rows)


def _print_table(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    import sys

    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right")
    for row in rows:
        table.add_row(*row)
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 120)
    console.print(title, highlight=False)
    console.print(table)


def _skill(estimate: dict[str, Any]) -> str:
    shown = _shown(estimate["value"])
    return shown if estimate["low"] is None else f"{shown} ({estimate['low']:.1f} to {estimate['high']:.1f})"


def _shown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
