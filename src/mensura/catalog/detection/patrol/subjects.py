"""Reference subjects of the patrol."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.catalog.detection.detectors import Picture
from mensura.catalog.detection.detectors.clusters import find_clusters, read_cluster
from mensura.catalog.detection.detectors.rules import application_gap
from mensura.catalog.detection.patrol.account import Plot
from mensura.catalog.detection.prompts import Dossier, Reports
from mensura.dialogue import Ask

GO_ON = {"call": "go_on", "arguments": {}}


def reports_in(ask: Ask) -> Reports:
    """Return the reports of an ask, which stand below the desk."""
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
        self.briefing: Dossier | None = None
        self.rows: list[Any] = []
        self.warned: dict[int, int] = {}
        self.todo: list[dict[str, Any]] = []
        self.today = -1

    def remember(self, ask: Ask, answer: Any) -> None:
        """Take the same steps again when a session is resumed."""
        self(ask)

    def __call__(self, ask: Ask) -> Any:
        reports = reports_in(ask)
        if reports.today != self.today:
            self.today, self.briefing = reports.today, reports.briefing
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
    """Is told every attack, and arrests its leader on the first day that this is possible: the ceiling."""

    knows = "truth"
    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Forget the last session."""
        self.foiled: set[Plot] = set()

    def remember(self, ask: Ask, answer: Any) -> None:
        """Take the same steps again when a session is resumed."""
        self(ask)

    def __call__(self, ask: Ask) -> Any:
        today = reports_in(ask).today
        active = [plot for plot in ask.aside if plot.start <= today <= plot.end and plot not in self.foiled]
        if not active:
            return GO_ON
        leader = active[0].team[0]
        # One arrest ends every attack that this person leads just now.
        self.foiled.update(plot for plot in active if plot.team[0] == leader)
        return {"call": "arrest", "arguments": {"name": leader[0]}}


SUBJECTS: dict[str, Callable[[], Any]] = {"oracle": Foresight, "idle": Idle, "watchman": Watchman}
