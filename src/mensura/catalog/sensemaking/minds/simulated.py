"""People who are not: simulated answers drawn around the anchoring mind, for trying pipelines before there are data."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from mensura.catalog.sensemaking.answers.answer import SIMULATED, Answers, Drawn, Response
from mensura.catalog.sensemaking.answers.json_file import answers_to_json
from mensura.catalog.sensemaking.exam.layer import KINDS, Layer
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.minds.answering import answer_exam
from mensura.catalog.sensemaking.minds.mind import Belief
from mensura.catalog.sensemaking.minds.reference import Anchoring, in_order
from mensura.catalog.sensemaking.solving.distribution import integer_percents


@dataclass(frozen=True)
class Variety:
    """How much simulated people differ from each other and waver in themselves.

    `concentration` is of the Dirichlet noise on every report, `heaping` the chance that a report is in fives,
    `confirming` the chance that SIGINT is asked about the likeliest group, `habit` the chance of the usual order of
    INTs, `spread` the standard deviation of the parameters between people.
    """

    concentration: float = 25.0
    heaping: float = 0.6
    confirming: float = 0.76
    habit: float = 0.25
    spread: float = 0.15


class SimulatedPerson(Anchoring):
    """One person: parameters of their own, and noise on every answer."""

    name = "simulated"
    about = "a person-like subject: anchoring with individual parameters and noise"

    def __init__(self, centre: Anchoring, variety: Variety, rng: np.random.Generator) -> None:
        own = {
            name: float(np.clip(rng.normal(value, variety.spread), *Anchoring.bounds[name]))
            for name, value in centre.parameters.items()
        }
        super().__init__(**own, kinds=centre.kinds)
        self.variety = variety

    def judge(self, normative: Belief) -> Belief:
        return self._wavering(super().judge(normative))

    def judge_sites(self, normative: Belief) -> Belief:
        return self._wavering(super().judge_sites(normative))

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        return self._wavering(super().update(before, likelihood))

    def allocate(self, belief: Belief) -> Belief:
        return self._wavering(super().allocate(belief))

    def choose(self, belief: Belief, menu: Sequence[Layer], *, groups: Sequence[str]) -> Layer:
        usual = self.rng.random() < self.variety.habit
        kinds = self.kinds if usual else [KINDS[int(i)] for i in self.rng.permutation(len(KINDS))]
        chosen = in_order(belief, menu, kinds=kinds, groups=groups)
        if chosen.kind == "SIGINT" and self.rng.random() > self.variety.confirming:
            other = [layer for layer in menu if layer.kind == "SIGINT"]
            chosen = other[int(self.rng.integers(len(other)))]
        return chosen

    def surprise(self, belief: Belief, truth: int) -> int:
        felt = 6 * (1 - belief[truth]) + self.rng.normal(0, 1.2)
        return int(np.clip(np.floor(felt + 0.5), 0, 6))

    def say(self, belief: Belief) -> Belief:
        return np.asarray(integer_percents(np.floor(100 * belief + 0.5)) / 100)

    def _wavering(self, belief: Belief) -> Belief:
        noisy = self.rng.dirichlet(self.variety.concentration * np.maximum(belief, 1e-3))
        step = 5.0 if self.rng.random() < self.variety.heaping else 1.0
        raw = step * np.floor(100 * noisy / step + 0.5)
        return np.asarray(integer_percents(raw if raw.sum() > 0 else 100 * noisy) / 100)


def simulate_people(
    exam: Exam,
    *,
    count: int,
    rng: np.random.Generator,
    centre: Anchoring | None = None,
    variety: Variety | None = None,
    tasks: Sequence[int] | None = None,
) -> list[Answers]:
    """Simulate people who take an exam; every one of them is named and marked as simulated."""
    answers = []
    for number in range(1, count + 1):
        person = SimulatedPerson(centre or Anchoring(), variety or Variety(), rng)
        subject = f"{SIMULATED}-{number:03d}"
        whole = answer_exam(exam, person, rng=rng, subject=subject, tasks=tasks)
        answers.append(_by_hand(replace(whole, human=True, parameters={"simulated": True}), rng))
    return answers


def write_people(exam: Exam, folder: Path, *, count: int, rng: np.random.Generator) -> Path:
    """Write simulated people as JSON lines, one person per line."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "simulated.jsonl"
    lines = [json.dumps(answers_to_json(each)) for each in simulate_people(exam, count=count, rng=rng)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _by_hand(answers: Answers, rng: np.random.Generator) -> Answers:
    """Whole percents everywhere, circles and centres a little off."""
    tasks = {}
    for number, trials in answers.tasks.items():
        tasks[number] = {
            trial: replace(
                answer,
                stages=tuple(None if report is None else _whole(report) for report in answer.stages),
                allocation=None if answer.allocation is None else _whole(answer.allocation),
                drawn=tuple(_shaky(each, rng) for each in answer.drawn),
            )
            for trial, answer in trials.items()
        }
    return replace(answers, tasks=tasks)


def _whole(report: Response) -> Response:
    return Response(tuple(integer_percents(np.floor(np.array(report.values) + 0.5)).tolist()))


def _shaky(drawn: Drawn, rng: np.random.Generator) -> Drawn:
    if drawn.radius is None:
        return drawn
    at = GridPoint(drawn.centre.x + rng.normal(0, 2.5), drawn.centre.y + rng.normal(0, 2.5))
    return replace(drawn, centre=at, radius=drawn.radius * float(np.exp(rng.normal(0.05, 0.2))))
