"""Reference subjects of the patrol."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.catalog.detection.detectors import Picture
from mensura.catalog.detection.detectors.clusters import find_clusters, read_cluster
from mensura.catalog.detection.detectors.rules import application_gap
from mensura.catalog.detection.ledger import Plot, plots_of
from mensura.catalog.detection.prompts import Briefing, Reports
from mensura.catalog.detection.world.making import make_world
from mensura.catalog.detection.world.parameters import Parameters, parameters_from
from mensura.dialogue import Ask

GO_ON = {"call": "go_on", "arguments": {}}


def reports_in(ask: Ask) -> Reports:
    """Give the reports of an ask, which stand below the desk."""
    parts: Any = ask.prompt
    return next(part for part in parts if isinstance(part, Reports))


class Idle:
    """Does nothing: all the damage, and no other cost."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        return GO_ON


class Watchman:
    """Puts a target on full alert when what is applied there looks most like a destructive mode; never arrests."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Forget the last session."""
        self.briefing: Briefing | None = None
        self.rows: list[Any] = []
        self.warned: dict[int, int] = {}
        self.todo: list[dict[str, Any]] = []
        self.today = -1

    def feedback(self, told: Ask) -> None:
        """Read the briefing."""
        if isinstance(told.prompt, Briefing):
            self.briefing = told.prompt

    def remember(self, ask: Ask, answer: Any) -> None:
        """Take the same steps again when a session goes on."""
        self(ask)

    def __call__(self, ask: Ask) -> Any:
        reports = reports_in(ask)
        if reports.today != self.today:
            self.today = reports.today
            self.rows.extend(reports.rows)
            self.todo = self._plan()
        return self.todo.pop(0) if self.todo else GO_ON

    def _plan(self) -> list[dict[str, Any]]:
        assert self.briefing is not None
        parameters = self.briefing.parameters
        picture = Picture.from_tables(
            self.briefing.tables, rows=self.rows, cases=self.briefing.cases, parameters=parameters
        )
        acts = []
        for cluster in find_clusters(picture, gap=application_gap(picture)):
            readings = read_cluster(picture, cluster.assets, cluster.target)
            fresh = cluster.last >= self.today - 12
            again = self.today - self.warned.get(cluster.target, -1000) < parameters["alert_days"]
            if fresh and not again and readings and readings[0].mode in picture.destructive:
                self.warned[cluster.target] = self.today
                acts.append({"call": "alert", "arguments": {"target": f"T{cluster.target}", "level": "2"}})
        return acts


class Foresight:
    """Knows the truth from the seed and arrests every leader on the first day that this is possible: the ceiling."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Find the chance from which the test makes its world."""
        own: Any = rng.bit_generator.seed_seq
        sequence = np.random.SeedSequence(own.entropy, spawn_key=(*own.spawn_key[:3], 0))
        self.world_rng = np.random.Generator(np.random.PCG64(sequence))
        self.plots: list[Plot] = []

    def feedback(self, told: Ask) -> None:
        """Make the world again."""
        if isinstance(told.prompt, Briefing):
            known = {name: told.prompt.parameters[name] for name in Parameters.__dataclass_fields__}
            self.plots = plots_of(make_world(parameters_from(known), self.world_rng))

    def remember(self, ask: Ask, answer: Any) -> None:
        """Take the same steps again when a session goes on."""
        self(ask)

    def __call__(self, ask: Ask) -> Any:
        today = reports_in(ask).today
        active = [plot for plot in self.plots if plot.start <= today <= plot.end]
        if not active:
            return GO_ON
        leader = active[0].team[0]
        # One arrest ends every attack that this person leads just now.
        self.plots = [plot for plot in self.plots if plot not in active or plot.team[0] != leader]
        return {"call": "arrest", "arguments": {"name": leader[0]}}


SUBJECTS: dict[str, Callable[[], Any]] = {"oracle": Foresight, "idle": Idle, "watchman": Watchman}
