"""Answers as JSON: `responses[task][i]` with trial, stages, allocation and layers, all percents."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mensura.catalog.sensemaking.answers.answer import Answers, Defect, Drawn, Response, TrialAnswer
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.errors import BadFile, Invalid
from mensura.json_file import loads
from mensura.text_file import read_text


def read_json_answers(path: Path) -> Answers:
    """Read an answer file in JSON."""
    try:
        data = loads(read_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadFile(f"{path} is not valid JSON: {error}.") from error
    return answers_from_json(data, file=str(path))


def answers_from_json(data: Any, *, file: str = "answers") -> Answers:
    """Read answers from JSON data; what cannot be read of a trial becomes a fault and the rest is kept."""
    if not isinstance(data, Mapping) or not isinstance(data.get("responses"), Mapping):
        raise BadFile(f"{file} has no object `responses` with the tasks' numbers as keys.")
    faults: list[Defect] = []
    tasks: dict[int, dict[int, TrialAnswer]] = {}
    for name, trials in data["responses"].items():
        if name not in {"1", "2", "3", "4", "5", "6", "7"} or not isinstance(trials, Sequence):
            faults.append(Defect(file, None, None, None, f"{name!r} is not a task with a list of trials; left out."))
            continue
        task = tasks.setdefault(int(name), {})
        for position, item in enumerate(trials, start=1):
            answer = _trial(item, int(name), position, file, faults)
            if answer is None:
                continue
            if answer.trial in task:
                faults.append(Defect(file, int(name), answer.trial, None, "answered twice; the first is kept."))
            else:
                task[answer.trial] = answer
    return Answers(
        subject=str(data.get("model") or data.get("subject") or Path(file).stem),
        tasks=tasks,
        human=bool(data["human"]) if "human" in data else False if "model" in data else None,
        site=data.get("site"),
        layer_order=str(data.get("layer_order", "standard")),
        faults=tuple(faults),
        parameters=dict(data.get("parameters") or {}),
    )


def _trial(item: Any, task: int, position: int, file: str, faults: list[Defect]) -> TrialAnswer | None:
    def fault(stage: int | None, sentence: str) -> None:
        faults.append(Defect(file, task, number, stage, sentence))

    number = position
    if not isinstance(item, Mapping):
        fault(None, "should be an object with trial, stages, allocation and layers; left out.")
        return None
    try:
        number = int(item.get("trial", position))
    except (TypeError, ValueError):
        fault(None, f"trial should be a whole number, got {item.get('trial')!r}; its position is used.")
    stages = item.get("stages")
    if not isinstance(stages, Sequence) or isinstance(stages, str):
        fault(None, "has no list `stages`.")
        stages = []
    reports = []
    for stage, values in enumerate(stages):
        reports.append(_report(values, lambda sentence, stage=stage: fault(stage, sentence)))
    allocation = item.get("allocation")
    layers: list[Layer] = []
    for text in item.get("layers") or ():
        try:
            layers.append(Layer.parse(str(text)))
        except Invalid as error:
            fault(None, f"{error} The choices are left out.")
            layers = []
            break
    return TrialAnswer(
        trial=number,
        stages=tuple(reports),
        allocation=None if allocation is None else _report(allocation, lambda s: fault(None, f"allocation: {s}")),
        layers=tuple(layers),
        drawn=_drawn(item.get("drawn"), lambda sentence: fault(None, sentence)),
        surprise=_number(item.get("surprise")),
    )


def _report(values: Any, fault: Any) -> Response | None:
    if values is None:
        return None
    try:
        return Response(tuple(float(value) for value in values))
    except (TypeError, ValueError):
        fault(f"expected a list of numbers, got {str(values)[:60]!r}.")
        return None


def _drawn(items: Any, fault: Any) -> tuple[Drawn, ...]:
    try:
        return tuple(
            Drawn(
                group=str(item["group"]),
                centre=GridPoint(float(item["x"]), float(item["y"])),
                radius=_number(item.get("radius")),
            )
            for item in items or ()
        )
    except (TypeError, KeyError, ValueError, AttributeError):
        fault("`drawn` should list objects with group, x, y and, for circles, radius; left out.")
        return ()


def _number(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None


def answers_to_json(answers: Answers) -> dict[str, Any]:
    """Return answers as JSON that `answers_from_json` reads back."""
    responses = {}
    for number, trials in sorted(answers.tasks.items()):
        items = []
        for trial, answer in sorted(trials.items()):
            item: dict[str, Any] = {
                "trial": trial,
                "stages": [None if report is None else list(report.values) for report in answer.stages],
                "allocation": None if answer.allocation is None else list(answer.allocation.values),
                "layers": [str(layer) for layer in answer.layers],
            }
            if answer.surprise is not None:
                item["surprise"] = answer.surprise
            if answer.drawn:
                item["drawn"] = [
                    {"group": each.group, "x": each.centre.x, "y": each.centre.y}
                    | ({} if each.radius is None else {"radius": each.radius})
                    for each in answer.drawn
                ]
            items.append(item)
        responses[str(number)] = items
    return {
        "model": answers.subject,
        "human": bool(answers.human),
        "layer_order": answers.layer_order,
        "parameters": dict(answers.parameters),
        "responses": responses,
    }
