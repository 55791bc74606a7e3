"""Made subjects that tell the four parts apart: one knows the model, one only correlates, one only acts."""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.understanding.graph import graph_of
from mensura.catalog.task_environments.understanding.ignorance import constant_plan
from mensura.catalog.task_environments.understanding.intervention import Setting, changed, changes_of
from mensura.catalog.task_environments.understanding.phenomenon import (
    MASS,
    MOST,
    PHENOMENA,
    POWER,
    SECONDS,
    TICK,
    TICKS,
    Phenomenon,
    play,
)
from mensura.catalog.task_environments.understanding.question import GAP, UnderstandingQuestions
from mensura.dialogue import Ask, Density, Refused, TableView
from mensura.subjects.subject import Unlearning

LEVELS_Z = np.array([-1.645, -0.674, 0.0, 0.674, 1.645])
"""Standard normal quantiles at the levels that are asked."""


class Watcher(Unlearning):
    """Reads the runs that are shown; answers each kind of question by a method of its name."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a session: nothing was seen of this world."""
        self.runs: list[list[list[Any]]] = []
        self.named: Phenomenon | None = None
        self._ready = False

    def feedback(self, told: Ask) -> None:
        """Watch a run, or hear what acts."""
        if isinstance(told.prompt, TableView):
            self.runs.append([list(row) for row in told.prompt.rows])
        elif isinstance(told.prompt, str) and (found := re.search(r"something acts: (\w+)\.", told.prompt)):
            self.named = PHENOMENA[found[1]]

    def __call__(self, ask: Ask) -> Any:
        if not self._ready:
            self._ready = True
            self.study()
        kind = re.sub(r"\d+$", "", ask.key).split("-")[0]
        if kind in ("planned", "steered"):
            return self.act(ask, present=ask.key.split("-")[1].startswith("with") and "without" not in ask.key)
        if kind in ("graph", "interventions", "words", "recreate"):
            return getattr(self, kind)(ask)
        return self.foretell(read_question(kind, ask), ask)

    def study(self) -> None:
        """Make what it can of the runs, before the first answer."""

    def foretell(self, one: UnderstandingQuestions, ask: Ask) -> Any:
        """Answer what is to be foretold."""
        return Refused("I only act.")

    def graph(self, ask: Ask) -> Any:
        """Say what changes what."""
        return Refused("I only act.")

    interventions = words = recreate = graph

    def act(self, ask: Ask, *, present: bool) -> Any:
        """Give a plan, or the power of the next tick."""
        raise NotImplementedError


class OnlyActs(Watcher):
    """Steers by error and speed; it knows no world and says nothing."""

    _at, _ticks = "", 0

    def act(self, ask: Ask, *, present: bool) -> Any:
        """Take the speed that leads to the target in the time that is left; a plan is what it would do now, again."""
        planned = isinstance(ask.prompt, list)
        prompt: Any = ask.prompt[1] if isinstance(ask.prompt, list) else ask.prompt
        place, speed, target = prompt.values
        self._ticks = self._ticks + 1 if ask.key == self._at else 0
        self._at = ask.key
        wanted = (target - place) / (TICK * (TICKS - self._ticks))
        if self._ticks == TICKS - 1:
            wanted = 2 * wanted - speed
        # The energy that the wanted speed takes, within a tick.
        power = MASS * (wanted * abs(wanted) - speed * abs(speed)) / 2 / TICK
        return [float(np.clip(power, -POWER, POWER))] * (TICKS if planned else 1)


class KnowsTheModel(Watcher):
    """Knows the law, fits its number to the runs that it saw, and answers by simulation."""

    def study(self) -> None:
        """Fit the number of the phenomenon."""
        assert self.named is not None
        starts = np.array([run[0][2:4] for run in self.runs], dtype=float)
        powers = np.array([[row[1] for row in run[:-1]] for run in self.runs], dtype=float)
        seen = np.array([[row[2] for row in run] for run in self.runs], dtype=float)
        low, high = self.named.low, self.named.high
        for _ in range(3):
            tried = np.linspace(low, high, 41)
            off = [np.abs(play(self.named.world(one), starts, powers).place - seen).sum() for one in tried]
            self.number, step = float(tried[int(np.argmin(off))]), tried[1] - tried[0]
            low, high = max(self.number - step, self.named.low), min(self.number + step, self.named.high)
        self.model: Task = self.named.world(self.number)

    def foretell(self, one: UnderstandingQuestions, ask: Ask) -> Any:
        """Simulate."""
        found = float(one.answers(self.model)[0])
        if isinstance(ask.space, Density):
            return [min(max(found, ask.space.low), ask.space.high)] * len(ask.space.levels)
        return found

    def graph(self, ask: Ask) -> str:
        """Read it off the model."""
        return ", ".join(f"{cause} -> {effect}" for cause, effect in sorted(graph_of(self.model)))

    def interventions(self, ask: Ask) -> Any:
        """Change the model and look."""
        place, speed = (float(word) for word in re.findall(r"at (\S+) m with (\S+) m/s", str(ask.prompt))[0])
        changes = changes_of(self.named, self.number, present=True)  # type: ignore[arg-type]
        seen = Setting(self.model, np.array([[place, speed]]), np.full((1, TICKS), 30.0))
        return {key: changed(seen, change) for key, (_, change) in changes.items()}

    def words(self, ask: Ask) -> str:
        """Name it."""
        return f"{self.named.about}: {self.number:.4g}"  # type: ignore[union-attr]

    def recreate(self, ask: Ask) -> str:
        """Give the number."""
        return f"{self.number:.6g}"

    def act(self, ask: Ask, *, present: bool) -> Any:
        """Plan with the model from where the cart is."""
        task = self.model if present else self.named.plain  # type: ignore[union-attr]
        if isinstance(ask.prompt, list):
            place, speed, target = ask.prompt[1].values
            return [self._plan(task, place, speed, target)] * TICKS
        place, speed, target = ask.prompt.values  # type: ignore[union-attr]
        if ask.key != getattr(self, "_at", ""):
            # The plan is as good as the model: nothing that is read on the way changes it.
            self._at, self._power = ask.key, self._plan(task, place, speed, target)
        return [self._power]

    def _plan(self, task: Task, place: float, speed: float, target: float) -> float:
        return constant_plan(task, [place, speed], target)


class OnlyCorrelates(Watcher):
    """Regresses what came of the runs on how they began; it knows no causes."""

    def study(self) -> None:
        """Fit ways by start speed and power, and power by the change of squared speeds."""
        way = np.array([run[-1][2] - run[0][2] for run in self.runs])
        features = np.array([[1.0, run[0][3], np.mean([row[1] for row in run[:-1]])] for run in self.runs])
        self.fit, self.off = _regressed(features, way)
        rows = [run[tick : tick + 5] for run in self.runs for tick in range(0, TICKS, 4)]
        change = np.array([[1.0, block[-1][3] ** 2 - block[0][3] ** 2] for block in rows])
        self.power, self.power_off = _regressed(change, np.array([block[0][1] for block in rows]))

    def way(self, one: UnderstandingQuestions) -> float:
        """Return the way that runs like this one had."""
        return float(self.fit @ [1.0, one.starts[0, 1], one.powers[0].mean()])

    def foretell(self, one: UnderstandingQuestions, ask: Ask) -> Any:
        """Say what went together before."""
        if one.kind == "related":
            from scipy.special import ndtr

            return float(ndtr((self.way(one) - one.asked[0]) / max(self.off, 1e-6)))
        if one.kind == "missing":
            middle = float(self.power @ [1.0, one.seen[0, GAP.stop] ** 2 - one.seen[0, GAP.start] ** 2])
            spread = self.power_off
        elif one.kind == "when":
            middle = SECONDS * one.asked[0] / max(self.way(one), 1e-6)
            spread = SECONDS * self.off / max(abs(self.way(one)), 1.0)
        else:
            middle, spread = self.way(one), self.off
        space: Density = ask.space  # type: ignore[assignment]
        return np.clip(middle + spread * LEVELS_Z, space.low, space.high).tolist()

    def graph(self, ask: Ask) -> str:
        """Name what goes together, both ways, for that is all that is seen."""
        seen = np.array([[float(cell) for cell in row] for run in self.runs for row in run[:-1]])
        names, alike = ("time", "power", "place", "speed"), np.corrcoef(seen.T)
        pairs = [(i, j) for i in range(4) for j in range(4) if i != j and abs(alike[i, j]) > 0.2]
        return ", ".join(f"{names[i]} -> {names[j]}" for i, j in pairs)

    def interventions(self, ask: Ask) -> Any:
        """Only power went together with ways; of all else it saw nothing vary."""
        return {key: "more" if key == "power" else "same" for key in ask.space.questions}  # type: ignore[union-attr]

    def words(self, ask: Ask) -> str:
        """Say what goes together."""
        return "Carts with more power go farther."

    def recreate(self, ask: Ask) -> str:
        """Give the regression of all acceleration on speed and power, the motor's share included."""
        rows = [(now, then) for run in self.runs for now, then in pairwise(run)]
        features = np.array([[1.0, now[3], now[1]] for now, _ in rows])
        change = np.array([(then[3] - now[3]) / (then[0] - now[0]) for now, then in rows])
        constant, speed, power = _regressed(features, change)[0]
        return f"{constant:.5f} + {speed:.5f}*speed + {power:.5f}*power"

    def act(self, ask: Ask, *, present: bool) -> Any:
        """Choose the power at which runs of this start speed came so far."""
        prompt: Any = ask.prompt[1] if isinstance(ask.prompt, list) else ask.prompt
        place, speed, target = prompt.values
        if ask.key != getattr(self, "_at", ""):
            constant, by_speed, by_power = self.fit
            wanted = (target - place - constant - by_speed * speed) / by_power if abs(by_power) > 1e-9 else 0.0
            self._at, self._power = ask.key, float(np.clip(wanted, 0, MOST))
        return [self._power] * (TICKS if isinstance(ask.prompt, list) else 1)


def read_question(kind: str, ask: Ask) -> UnderstandingQuestions:
    """Read a question back from what is shown of it."""
    prompt: Any = ask.prompt
    words, rows = prompt[0], prompt[1].rows
    powers = np.array([[0.0 if row[1] == "?" else row[1] for row in rows[:-1]]], dtype=float)
    asked = re.findall(r"(-?[\d.e+-]+) m (?:or more )?ahead", str(words))
    seen = np.array([[np.nan if row[3] == "?" else row[3] for row in rows]], dtype=float)
    start = np.array([[rows[0][2], rows[0][3]]], dtype=float)
    return UnderstandingQuestions(kind, start, powers, np.array([float(one) for one in asked[:1]]), seen)


def _regressed(features: Floats, outcome: Floats) -> tuple[Floats, float]:
    """Return least squares and the spread of what is left."""
    fit: Floats = np.linalg.lstsq(features, outcome, rcond=None)[0].astype(float)
    free = max(len(outcome) - features.shape[1], 1)
    return fit, float(np.sqrt(((outcome - features @ fit) ** 2).sum() / free))


SUBJECTS: Mapping[str, Callable[..., Any]] = {
    "knows-the-model": KnowsTheModel,
    "only-correlates": OnlyCorrelates,
    "only-acts": OnlyActs,
}
