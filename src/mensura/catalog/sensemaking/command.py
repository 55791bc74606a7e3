"""The commands of sensemaking: `mensura score sensemaking` and `mensura generate sensemaking`."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from mensura.errors import BadParameter, StoreError, UnknownName
from mensura.exhibit import FileScores, Group

if TYPE_CHECKING:
    from mensura.catalog.sensemaking.answers.answer import Answers, Defect
    from mensura.catalog.sensemaking.answers.stored import StoredSessions
    from mensura.catalog.sensemaking.assessment.exclusion import Exclusions
    from mensura.catalog.sensemaking.exam.model import Exam
    from mensura.catalog.sensemaking.people import Respondents

MOST_FAULTS = 20
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
@click.option("--store", envvar="MENSURA_STORE", metavar="URL", help="Where stored runs are.  [default: mensura.db]")
@click.option("--responses", type=PATH, help="Also write the model's answers as response XML into this folder, and "
              "those of stored people.")  # fmt: skip
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
    store: str | None,
    responses: Path | None,
) -> FileScores:
    """Assess a model against people (CPA, CFA) and against the best answers (S1, S2).

    \b
      mensura score sensemaking --exam DIR --humans DIR --model answers.json --report out.html
      mensura score sensemaking --exam DIR --humans people --model last
      mensura score sensemaking --exam DIR --model normative --json
    """
    from mensura.catalog.sensemaking.mitre.exam_reading import find_exam, read_exam

    exam = read_exam(exam_path)
    stored = _stored(exam, exam_path, store)
    fitted = models == ("fitted",)
    answers = [] if fitted else _read_models(models, exam, stored)
    if responses is not None:
        people = [] if stored is None else [each for name in humans if not _is_file(name) for each in stored.runs(name)]
        _write_responses(responses, exam, [*answers, *(each.as_person() for each in people)])
    files = [find_exam(exam_path), *(path for path in map(Path, (*models, *humans)) if path.is_file())]
    sources = {str(path): sha256(path.read_bytes()).hexdigest()[:16] for path in files}
    if not humans:
        if fitted or against:
            raise BadParameter("Fitting or comparing models needs people: give --humans DIR.")
        return _skill(answers, exam, sources)
    sides = [] if fitted else [answers]
    if against is not None:
        sides.append(_read_models((against,), exam, stored))
    from mensura.catalog.sensemaking.assessment.assess import AssessmentRules
    from mensura.catalog.sensemaking.assessment.findings import assess_models
    from mensura.catalog.sensemaking.exhibits import assessment_exhibits, skill_exhibit
    from mensura.catalog.sensemaking.scoring import CPA, SCORES

    rules = AssessmentRules(cast("Exclusions | None", exclusions), read_weights(weights), cfa == "published", order)
    found = assess_models(exam, _read_humans(humans, exam, stored), sides, rules=rules, draws=draws)
    groups = [
        replace(group, estimates={"cpa": each.cpa, **group.estimates})
        for each, group in zip(found.assessments, (_group(runs, exam) for runs in found.models), strict=True)
    ]
    left_out = 0 if stored is None else stored.left_out
    return FileScores(
        title=f"{found.title} on {exam.id}",
        answer=found.answer,
        declared=[CPA, *SCORES],
        groups=groups,
        exhibits=[*assessment_exhibits(found), skill_exhibit(groups)],
        remarks=[
            *([f"{left_out} finished sessions took other exams and are excluded."] if left_out else []),
            *_shortened([*exam.faults, *found.assessment.faults]),
            *found.sentences,
        ],
        sources=sources,
        data=found.as_json(),
    )


def _skill(answers: "list[Answers]", exam: "Exam", sources: dict[str, str]) -> FileScores:
    """Score answers where there are no people to compare with."""
    from mensura.catalog.sensemaking.assessment.skill import skill_json
    from mensura.catalog.sensemaking.exhibits import skill_by_group, skill_exhibit
    from mensura.catalog.sensemaking.scoring import SCORES

    group = _group(answers, exam)
    s1, s2 = group.estimates["s1"], group.estimates["s2"]
    faults = [fault for each in answers for fault in each.faults]
    return FileScores(
        title=f"{group.name} on {exam.id}",
        answer=f"The judgements of {group.name} are {s1.value:.1f} of 100 like the best ones (S1), and its decisions "
        f"earned {s2.value:.1f} of 100 (S2).",
        declared=SCORES,
        groups=[group],
        exhibits=[skill_exhibit([group])],
        remarks=[
            *_shortened([*exam.faults, *faults]),
            "People's answers (--humans DIR) let it be assessed against people.",
        ],
        sources=sources,
        data={
            "exam": exam.id,
            "model": group.name,
            "runs": len(answers),
            "tasks": {str(n): skill_json(*both) | {"trials": both[1].n} for n, both in skill_by_group(group).items()},
            "faults": [asdict(fault) for fault in faults],
        },
    )


def _group(runs: "Sequence[Answers]", exam: "Exam") -> Group:
    """The scores of a model's runs, as of sessions that took the exam."""
    import numpy as np

    from mensura.catalog.sensemaking.answers.record import record_of, truths_of
    from mensura.catalog.sensemaking.assessment.skill import over_trials, trial_values
    from mensura.catalog.sensemaking.scoring import score as score_record

    records = [(record_of(run, exam), truths_of(run, exam)) for run in runs]
    scores = [score_record(record, truths) for record, truths in records]
    estimates = {name: over_trials(np.array(list(trial_values(scores, name).values())).T) for name in ("s1", "s2")}
    return Group(runs[0].subject, "", {"exam": exam.id}, scores, records=records, estimates=estimates)


def _shortened(faults: "Sequence[Defect | str]") -> list[str]:
    more = [f"... and {len(faults) - MOST_FAULTS} more; --json lists all."] if len(faults) > MOST_FAULTS else []
    return [*map(str, faults[:MOST_FAULTS]), *more]


@click.command("sensemaking", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--seed", type=int, required=True, help="The same seed makes the same exam.")
@click.option("--out", type=PATH, required=True, help="Folder for the exam and its tables.")
@click.option("--design", type=PATH, help="TOML file with parameters; what it leaves out stays as published.")
@click.option("--probs", "probs_path", type=PATH, help="TOML file with other PROBS.")
@click.option("--order", type=click.Choice(["standard", "reverse"]), default="standard", show_default=True,
              help="Order of the INT menu.")  # fmt: skip
@click.option("--people", type=click.IntRange(min=0), default=0, help="Also simulate this many people who take it.")
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


def read_weights(text: str | None) -> "Mapping[int, float]":
    """Read task weights; the published ones where nothing is said.

    >>> read_weights("5=0.8, 6=0.2")
    {5: 0.8, 6: 0.2}
    """
    from mensura.catalog.sensemaking.assessment.cpa import WEIGHTS

    if text is None:
        return WEIGHTS
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
    from mensura.catalog.sensemaking.answers.record import TEST
    from mensura.catalog.sensemaking.answers.stored import StoredSessions

    records = click.get_current_context().meta.get("mensura.records")
    return None if records is None else StoredSessions(exam, path, partial(records, test=TEST, store=store))


def _read_humans(names: tuple[str, ...], exam: "Exam", stored: "StoredSessions | None") -> "Respondents":
    from mensura.catalog.sensemaking.people import read_people, respondents_of

    files = [name for name in names if stored is None or _is_file(name)]
    if not files:
        assert stored is not None
        return respondents_of([answers.as_person() for name in names for answers in stored.runs(name)], exam)
    if len(names) > 1:
        raise BadParameter(f"Several --humans must be stored runs; {files[0]} is a file: put files in one folder.")
    return read_people(Path(files[0]), exam)


def _is_file(name: str) -> bool:
    return Path(name).exists() or "/" in name


def _write_responses(folder: Path, exam: "Exam", answers: "list[Answers]") -> None:
    """Write everyone's answers in the original format: a model's in one file, a person's in one per task."""
    from mensura.catalog.sensemaking.mitre.response_writing import write_responses

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
            answers += stored.runs(name)
        except (UnknownName, StoreError):
            # Names of reference subjects are misspelt more often than runs are looked for where no store is.
            answers.append(read_model(name, exam))
    return answers
