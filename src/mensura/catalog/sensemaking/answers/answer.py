"""One subject's answers to an exam, trial by trial."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.place import GridPoint

SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class Response:
    """Percents over hypotheses as reported, with how they were set where that is known."""

    values: tuple[float, ...]
    raw: tuple[float, ...] | None = None
    control_ms: tuple[int, ...] | None = None
    time_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A circle (Task 2) or a centre (Task 3, no radius) drawn for a group, in grid units."""

    group: str
    centre: GridPoint
    radius: float | None = None
    time_ms: int | None = None


@dataclass(frozen=True, slots=True)
class TrialAnswer:
    """Everything answered on one trial. `stages` has None where a judgement is missing.

    In Tasks 5 and 6 stage 0 is the HUMINT that was given; in Task 7 the stages are groups, then sites. A forced choice
    is an allocation of everything to one group. `layers` are the INTs received, or bought in Task 7.
    """

    trial: int
    stages: tuple[Response | None, ...]
    allocation: Response | None = None
    layers: tuple[Layer, ...] = ()
    layer_ms: tuple[int | None, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    surprise: float | None = None
    surprise_ms: int | None = None
    time_ms: int | None = None
    draw_ms: int | None = None
    purchase_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Defect:
    """Something wrong in an answer file, and exactly where."""

    file: str
    task: int | None
    trial: int | None
    stage: int | None
    sentence: str

    def __str__(self) -> str:
        place = [
            f"{name} {number}"
            for name, number in (("task", self.task), ("trial", self.trial), ("stage", self.stage))
            if number is not None
        ]
        return ", ".join([self.file, *place]) + f": {self.sentence}"


@dataclass(frozen=True)
class Answers:
    """One subject's whole record: answers by task and trial (both from 1), and the faults met in reading them."""

    subject: str
    tasks: Mapping[int, Mapping[int, TrialAnswer]]
    human: bool | None = False
    """Whether a person gave them; None where a file does not say."""
    site: str | None = None
    layer_order: str = "standard"
    faults: tuple[Defect, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def as_person(self) -> "Answers":
        """Return the answers as a person's; those of a program are named and marked as simulated."""
        return self if self.human else replace(self, subject=f"{SIMULATED}-{self.subject}", human=True)


def joined(subject: str, files: Sequence[tuple[str, Answers]]) -> Answers:
    """Put together what several files hold of one subject; of two answers to a trial the first is kept."""
    tasks: dict[int, dict[int, TrialAnswer]] = {}
    faults = [fault for _, part in files for fault in part.faults]
    for file, part in files:
        for number, trials in part.tasks.items():
            kept = tasks.setdefault(number, {})
            for trial, answer in trials.items():
                if kept.setdefault(trial, answer) is not answer:
                    faults.append(Defect(file, number, trial, None, f"{subject} answered twice; the first is kept."))
    order = max((part.layer_order for _, part in files), key=("", "standard", "reverse").index)
    return replace(files[0][1], subject=subject, tasks=tasks, layer_order=order, faults=tuple(dict.fromkeys(faults)))
