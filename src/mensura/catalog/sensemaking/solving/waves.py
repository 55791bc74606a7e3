"""Task 7: a Bayesian filter over groups that attack in waves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam import Exam, Layer, WaveTask, WaveTrial
from mensura.catalog.sensemaking.solving.information import expected_gain
from mensura.catalog.sensemaking.solving.normative import road_miles


class WaveBelief:
    """Which group attacks now, updated by where attacks fall, by what is revealed and by layers bought.

    The wave rule carries the belief from one trial to the next: the group that attacked stays with chance 0.85, each
    of the others takes over with an equal share of the rest. Where a group attacks follows HUMINT and SOCINT, made to
    sum to one over the sites of the trial.
    """

    def __init__(self, exam: Exam, *, tables: dict[int, NDArray[np.float64]] | None = None) -> None:
        task = exam.tasks[7]
        assert isinstance(task, WaveTask)
        self._exam, self._task = exam, task
        self._probs = exam.probs
        self._tables = {} if tables is None else tables
        self.groups = tuple(centre.group for centre in task.trials[0].centres)
        start = np.array([float(group == task.initial_group) for group in self.groups])
        self.percents_now = 100 * (self._transition @ start)

    @property
    def _transition(self) -> NDArray[np.float64]:
        count = len(self.groups)
        leave = (1 - self._probs.stay) / (count - 1)
        return np.full((count, count), leave) + (self._probs.stay - leave) * np.eye(count)

    def sites_given_group(self, trial: WaveTrial) -> NDArray[np.float64]:
        """Chance of each site (columns) if a group (rows) attacks."""
        if trial.number not in self._tables:
            self._tables[trial.number] = self._site_table(trial)
        return self._tables[trial.number]

    def _site_table(self, trial: WaveTrial) -> NDArray[np.float64]:
        miles = road_miles(
            self._exam, self._task.roads, [c.place for c in trial.centres], [s.place for s in trial.sites]
        )
        regions = [site.region for site in trial.sites]
        inside = np.array([self._probs.site_likelihood(regions, group=group) for group in self.groups])
        weight = self._probs.distance_likelihood(miles) * inside
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))

    def site_percents(self, trial: WaveTrial) -> NDArray[np.float64]:
        """Percents over the sites, given what is believed of the groups."""
        return np.asarray(self.percents_now @ self.sites_given_group(trial))

    def see_attack(self, trial: WaveTrial, site: str) -> None:
        """Learn where the attack fell."""
        column = [place.name for place in trial.sites].index(site)
        self._multiply(self.sites_given_group(trial)[:, column])

    def see_group(self, group: str) -> None:
        """Learn who attacked."""
        self._multiply(np.array([float(group == each) for each in self.groups]))

    def see_layer(self, trial: WaveTrial, layer: Layer, *, site: str) -> None:
        """Learn what a layer bought after the attack on `site` reports."""
        self._multiply(self._probs.likelihood(layer, trial.feature(layer, site=site), groups=self.groups))

    def next_trial(self) -> None:
        """Apply the wave rule."""
        self.percents_now = self._transition @ self.percents_now

    def _multiply(self, likelihood: NDArray[np.float64]) -> None:
        weight = self.percents_now * likelihood
        self.percents_now = 100 * weight / weight.sum()


@dataclass(frozen=True)
class WaveStep:
    """The normative view of one trial of Task 7, in percents, and what each layer offered was worth."""

    trial: int
    groups: NDArray[np.float64]
    sites: NDArray[np.float64]
    groups_after: NDArray[np.float64]
    surprise_bits: float
    gains: Mapping[Layer, float]


def solve_waves(
    exam: Exam,
    *,
    purchases: Sequence[Sequence[Layer]] | None = None,
    tables: dict[int, NDArray[np.float64]] | None = None,
    gains: bool = True,
) -> list[WaveStep]:
    """Filter through Task 7 with the layers a subject bought after each trial (none by default).

    `groups` and `sites` are what should be believed before the attack; `groups_after` is after the attack, what was
    revealed and what was bought; `surprise_bits` is :math:`-\\log_2` of the chance the attacked site had; `gains` is
    the mutual information each layer offered had just after the feedback, left out where it is not wanted. `tables`
    keeps the chances of sites from call to call where many subjects of one exam are solved.
    """
    task = exam.tasks[7]
    assert isinstance(task, WaveTask)
    belief = WaveBelief(exam, tables=tables)
    steps = []
    for index, trial in enumerate(task.trials):
        before, sites = belief.percents_now, belief.site_percents(trial)
        worth: dict[Layer, float] = {}
        surprise = float("nan")
        if trial.truth_site is not None:
            names = [site.name for site in trial.sites]
            surprise = float(-np.log2(sites[names.index(trial.truth_site)] / 100))
            belief.see_attack(trial, trial.truth_site)
            if trial.group_shown and trial.truth_group is not None:
                belief.see_group(trial.truth_group)
            for layer in trial.layers if gains else ():
                worth[layer] = expected_gain(belief.percents_now, layer, groups=belief.groups, probs=exam.probs)
            for layer in purchases[index] if purchases is not None else ():
                belief.see_layer(trial, layer, site=trial.truth_site)
        steps.append(WaveStep(trial.number, before, sites, belief.percents_now, surprise, worth))
        belief.next_trial()
    return steps
