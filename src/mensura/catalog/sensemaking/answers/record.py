"""The record of a session as answers to an exam, and answers read from a file as a record."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from mensura.catalog.sensemaking.answers.answer import Answers, Drawn, Response, TrialAnswer
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import Exam, FusionTrial
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.exam.probs import GROUPS
from mensura.catalog.sensemaking.showing.percents import HOW, shares_of
from mensura.catalog.sensemaking.solving.normative import given_stages, hypotheses, normative_stages, solve
from mensura.dialogue import Answer, Record


def answers_from_record(record: Record, *, subject: str | None = None) -> Answers:
    """Read a subject's answers out of a session, with the times that are known.

    The HUMINT given in Tasks 5 and 6 is no answer: stage 0 is None there, and the check of answers fills it in.
    """
    trials: dict[tuple[int, int], dict[str, Answer]] = {}
    for answer in record.answers:
        task, _, rest = answer.key.partition(".")
        trial, _, what = rest.partition(".")
        if task.isdecimal() and trial.isdecimal() and answer.status == "answered":
            trials.setdefault((int(task), int(trial)), {})[what] = answer
    tasks: dict[int, dict[int, TrialAnswer]] = {}
    before: Response | None = None
    for (number, place), given in sorted(trials.items()):
        if number == 7:
            groups = _report(given.get("groups")) or before
            before = groups
            tasks.setdefault(7, {})[place] = _wave(place, given, groups)
        else:
            tasks.setdefault(number, {})[place] = _trial(number, place, given)
    cast = next(iter(record.cast.values()), "subject")
    return Answers(
        subject=subject or record.session or cast, tasks=tasks, human=cast == "human", layer_order=_menu_order(record)
    )


def _menu_order(record: Record) -> str:
    """The order of the INT menu: as the condition said, else as the first menu was shown (an exam may say it)."""
    said = str(record.parameters.get("order") or "")
    if said:
        return said
    first = next((answer for answer in record.answers if answer.key.endswith(".layer1")), None)
    content = None if first is None else record.content(first.number)
    options = content["space"]["options"] if content else ["IMINT"]
    return "standard" if Layer.parse(options[0]).kind == "IMINT" else "reverse"


def _trial(number: int, place: int, given: Mapping[str, Answer]) -> TrialAnswer:
    last = max((int(what) for what in given if what.isdecimal()), default=0)
    stages = [_report(given.get(str(stage))) for stage in range(last + 1)]
    layers = [given[f"layer{k}"] for k in range(1, 5) if f"layer{k}" in given]
    choice, surprise = given.get("choice"), given.get("surprise")
    drawn = [name for name in given if name.startswith(("circle.", "centre."))]
    return TrialAnswer(
        trial=place,
        stages=tuple(stages),
        allocation=_forced(choice, number) if choice is not None else _report(given.get("allocation"), scale=1.0),
        layers=tuple(Layer.parse(each.value) for each in layers),
        layer_ms=tuple(_ms(each) for each in layers),
        drawn=tuple(_drawn(name, given[name]) for name in sorted(drawn)),
        # The scale of the pages runs from 1 to 7, the original's from 0 to 6.
        surprise=None if surprise is None else float(surprise.value) - 1,
        surprise_ms=None if surprise is None else _ms(surprise),
    )


def _wave(place: int, given: Mapping[str, Answer], groups: Response | None) -> TrialAnswer:
    bought = [given[f"buy{k}"].value for k in range(1, 8) if f"buy{k}" in given]
    return TrialAnswer(
        trial=place,
        stages=(groups, _report(given.get("sites"))),
        allocation=_report(given.get("allocation"), scale=1.0),
        layers=tuple(Layer.parse(name) for name in bought if name != "nothing"),
    )


def _report(answer: Answer | None, *, scale: float = 100.0) -> Response | None:
    if answer is None:
        return None
    shares = shares_of(answer.value)
    values = tuple(scale * value for value in shares.values())
    how: Mapping[str, Any] = answer.value.get(HOW) or {}
    raw, controls = how.get("raw"), how.get("control_ms")
    names = list(shares)
    return Response(
        values,
        raw=tuple(float(raw.get(name, 0.0)) for name in names) if isinstance(raw, Mapping) else None,
        control_ms=tuple(int(controls.get(name, 0)) for name in names) if isinstance(controls, Mapping) else None,
        time_ms=_ms(answer),
    )


def _forced(answer: Answer, number: int) -> Response:
    groups = GROUPS[:2] if number == 1 else GROUPS
    return Response(tuple(100.0 * (group == answer.value) for group in groups), time_ms=_ms(answer))


def _drawn(name: str, answer: Answer) -> Drawn:
    x, y, *radius = answer.value
    return Drawn(name.rpartition(".")[2], GridPoint(x, y), radius[0] if radius else None, _ms(answer))


def _ms(answer: Answer) -> int | None:
    return None if answer.seconds is None else round(1000 * answer.seconds)


TEST = "sensemaking-v1"


def record_of(answers: Answers, exam: Exam) -> Record:
    """Return answers that were read from a file as the record a session of this exam would have left."""
    given: dict[str, Any] = {}
    given_first = given_stages(exam)
    for number, trials in answers.tasks.items():
        names = hypotheses(exam, number)
        for place, answer in trials.items():
            at = f"{number}.{place}"
            if number == 6:
                chosen = zip_longest(range(1, len(answer.stages)), map(str, answer.layers))
                given |= {f"{at}.layer{k}": layer for k, layer in chosen}
            for stage, report in enumerate(answer.stages):
                if number != 7 and stage >= given_first[number]:
                    given[f"{at}.{stage}"] = _shares(report, names, 0.01)
            if number == 7:
                groups, sites = answer.stages
                given |= {f"{at}.groups": _shares(groups, GROUPS, 0.01), f"{at}.sites": _shares(sites, names, 0.01)}
                given |= {f"{at}.buy{k}": str(layer) for k, layer in enumerate(answer.layers, 1)}
            given[f"{at}.allocation"] = _shares(answer.allocation, names)
            for each in answer.drawn:
                radius = [] if each.radius is None else [each.radius]
                given[f"{at}.{'circle' if radius else 'centre'}.{each.group}"] = [*each.centre, *radius]
            given[f"{at}.surprise"] = None if answer.surprise is None else answer.surprise + 1
    kept = [
        Answer(k, "", key, "", value, "answered" if value else "abstained")
        for k, (key, value) in enumerate(given.items(), 1)
    ]
    cast = {"": "human" if answers.human else answers.subject}
    parameters = {"exam": exam.id, "order": answers.layer_order}
    return Record(TEST, parameters, cast, "finished", answers=kept, session=answers.subject)


def truths_of(answers: Answers, exam: Exam) -> dict[str, Any]:
    """Return what a session of this exam would be scored by: the normative judgements, and what came true."""
    truths: dict[str, Any] = {}
    given_first = given_stages(exam)
    for number, trials in answers.tasks.items():
        for place, answer in trials.items():
            trial = exam.tasks[number].trials[place - 1]
            if number == 7:
                truths[f"7.{place}.allocation"] = getattr(trial, "truth_site", None)
                continue
            stages = solve(exam)[number][place - 1].stages
            if number == 6 and isinstance(trial, FusionTrial):
                stages = normative_stages(exam, trial, answer.layers)
            for stage in range(given_first[number], len(stages)):
                truths[f"{number}.{place}.{stage}"] = {"normative": stages[stage].tolist()}
            truths[f"{number}.{place}.allocation"] = getattr(trial, "truth", None)
    return truths


def _shares(report: Response | None, names: Sequence[str], scale: float = 1.0) -> dict[str, float] | None:
    return None if report is None else {name: scale * p for name, p in zip(names, report.values, strict=True)}
