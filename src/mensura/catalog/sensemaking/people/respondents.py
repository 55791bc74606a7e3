"""Respondents: the answers of many subjects to one exam, as arrays with NaN where there is none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import Answers, Defect, TrialAnswer
from mensura.catalog.sensemaking.exam.layer import KINDS, Layer
from mensura.catalog.sensemaking.exam.model import Exam, WaveTask
from mensura.catalog.sensemaking.solving.information import MENU
from mensura.catalog.sensemaking.solving.normative import hypotheses, stage_count

LAYER_CODE = {layer: code for code, layer in enumerate(MENU)}


@dataclass(frozen=True)
class TaskAnswers:
    """Everyone's answers to one task.

    Attributes
    ----------
    stages : ndarray, (subjects, trials, stages, hypotheses)
        Percents; in Tasks 5 and 6 stage 0 is the HUMINT given.
    allocation : ndarray, (subjects, trials, hypotheses)
        Percents.
    surprise : ndarray, (subjects, trials)
    layers : ndarray of int, (subjects, trials, choices)
        INTs received, or bought in Task 7, in order, as places on the menu; -1 where none.
    drawn : ndarray, (subjects, trials, hypotheses, 3)
        x, y and radius drawn for each group.
    """

    stages: NDArray[np.float64]
    allocation: NDArray[np.float64]
    surprise: NDArray[np.float64]
    layers: NDArray[np.int64]
    drawn: NDArray[np.float64]

    @classmethod
    def empty(cls, exam: Exam, number: int, *, subjects: int) -> "TaskAnswers":
        """Make the arrays of a task for so many subjects, nothing answered yet."""
        task = exam.tasks[number]
        trials, kinds = len(task.trials), len(hypotheses(exam, number))
        count = stage_count(exam, number)
        received = len(task.trials[0].layers) if isinstance(task, WaveTask) else max(count - 1, 0)
        return cls(
            stages=np.full((subjects, trials, count, kinds), np.nan),
            allocation=np.full((subjects, trials, kinds), np.nan),
            surprise=np.full((subjects, trials), np.nan),
            layers=np.full((subjects, trials, received), -1),
            drawn=np.full((subjects, trials, kinds, 3), np.nan),
        )


@dataclass(frozen=True)
class Respondents:
    """Many subjects, the same in every task; those who did not take a task have NaN there."""

    subjects: tuple[str, ...]
    layer_order: tuple[str, ...]
    tasks: Mapping[int, TaskAnswers]
    faults: tuple[Defect, ...] = ()
    models: tuple[str, ...] = ()
    """Files, or lines of files, that say that a model gave them; their answers are left out."""

    def __len__(self) -> int:
        return len(self.subjects)

    def in_order(self, order: str) -> NDArray[np.bool_]:
        """Mark the subjects whose INT menu stood in an order."""
        return np.array([each == order for each in self.layer_order])

    def subset(self, chosen: Sequence[int] | NDArray[np.int64]) -> "Respondents":
        """Return some of the subjects, repeats allowed."""
        index = np.asarray(chosen, dtype=int)
        tasks = {
            number: TaskAnswers(*(getattr(data, each.name)[index] for each in fields(TaskAnswers)))
            for number, data in self.tasks.items()
        }
        subjects, orders = (tuple(each[i] for i in index) for each in (self.subjects, self.layer_order))
        return Respondents(subjects, orders, tasks, self.faults, self.models)


def respondents_of(answers: Sequence[Answers], exam: Exam) -> Respondents:
    """Put the checked answers of several subjects, or several runs of a model, into arrays."""
    tasks = {}
    for number in sorted({number for each in answers for number in each.tasks if number in exam.tasks}):
        data = TaskAnswers.empty(exam, number, subjects=len(answers))
        for subject, each in enumerate(answers):
            for trial, answer in each.tasks.get(number, {}).items():
                _fill(data, subject, trial - 1, answer, hypotheses(exam, number))
        tasks[number] = data
    return Respondents(
        subjects=tuple(each.subject for each in answers),
        layer_order=tuple(each.layer_order for each in answers),
        tasks=tasks,
        faults=tuple(fault for each in answers for fault in each.faults),
    )


def _fill(data: TaskAnswers, subject: int, trial: int, answer: TrialAnswer, names: Sequence[str]) -> None:
    for stage, report in enumerate(answer.stages):
        if report is not None and len(report.values) == len(names):
            data.stages[subject, trial, stage] = report.values
    if answer.allocation is not None:
        data.allocation[subject, trial] = answer.allocation.values
    if answer.surprise is not None:
        data.surprise[subject, trial] = answer.surprise
    for place, layer in enumerate(answer.layers[: data.layers.shape[2]]):
        data.layers[subject, trial, place] = LAYER_CODE[layer]
    for each in answer.drawn:
        if each.group in names:
            radius = np.nan if each.radius is None else each.radius
            data.drawn[subject, trial, names.index(each.group)] = (each.centre.x, each.centre.y, radius)


def layer_kinds(layers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The kind of each INT (0 IMINT, 1 MOVINT, 2 SIGINT, 3 SOCINT), -1 where none."""
    table = np.array([KINDS.index(layer.kind) for layer in MENU] + [-1])
    return np.asarray(table[layers])


def sequence_codes(layers: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number per ordered sequence of INT kinds, SIGINT's group ignored; -1 where a choice is missing."""
    kinds = layer_kinds(layers)
    code = np.zeros(kinds.shape[:-1], dtype=int)
    for place in range(kinds.shape[-1]):
        code = code * len(KINDS) + kinds[..., place]
    return np.asarray(np.where((kinds >= 0).all(axis=-1), code, -1))


def sequence_name(code: int, *, choices: int) -> str:
    """Spell a sequence out, IMINT-MOVINT-SIGINT."""
    kinds = []
    for _ in range(choices):
        code, kind = divmod(code, len(KINDS))
        kinds.append(KINDS[kind])
    return "-".join(reversed(kinds))


def layer_of(code: int) -> Layer | None:
    """The INT at a place of the menu."""
    return MENU[code] if code >= 0 else None
