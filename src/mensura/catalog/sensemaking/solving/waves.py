"""Task 7: a Bayesian filter over groups that attack in waves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import Exam, WaveTask, WaveTrial
from mensura.catalog.sensemaking.exam.probs import Probs
from mensura.catalog.sensemaking.solving.information import expected_gain
from mensura.catalog.sensemaking.solving.normative import road_miles


class WaveFilter:
    """Which group attacks now, in percents: updated by likelihoods, carried on by the wave rule.

    The group that attacked stays with the chance the rules state (0.85 in the published ones), each of the others takes
    over with an equal share of the rest. Where a group attacks follows HUMINT and SOCINT, made to sum to one over the
    sites of the trial.
    """

    def __init__(self, percents: Mapping[str, float], probs: Probs) -> None:
        self.probs = probs
        self.groups = tuple(percents)
        self.percents_now = np.array(list(percents.values()))

    def chances(self, miles: NDArray[np.float64], regions: Sequence[str | None]) -> NDArray[np.float64]:
        """Chance of each site (columns) if a group (rows) attacks, by distances from its centre and by regions."""
        inside = np.array([self.probs.site_likelihood(regions, group=group) for group in self.groups])
        weight = self.probs.distance_likelihood(miles) * inside
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))

    def see(self, likelihood: NDArray[np.float64]) -> None:
        """Learn something that has a likelihood for each group."""
        weight = self.percents_now * likelihood
        self.percents_now = 100 * weight / weight.sum()

    def see_group(self, group: str) -> None:
        """Learn who attacked."""
        self.see(np.array([float(group == each) for each in self.groups]))

    def next_trial(self) -> None:
        """Apply the wave rule."""
        count = len(self.groups)
        leave = (1 - self.probs.stay) / (count - 1)
        moves = np.full((count, count), leave) + (self.probs.stay - leave) * np.eye(count)
        self.percents_now = moves @ self.percents_now


class WaveBelief(WaveFilter):
    """The normative belief in Task 7: who attacks now, by where attacks fell, what was revealed and what was bought."""

    def __init__(self, exam: Exam, *, tables: dict[int, NDArray[np.float64]] | None = None) -> None:
        task = exam.tasks[7]
        assert isinstance(task, WaveTask)
        self._exam, self._task = exam, task
        self._tables = {} if tables is None else tables
        groups = [centre.group for centre in task.trials[0].centres]
        super().__init__({group: 100.0 * (group == task.initial_group) for group in groups}, exam.probs)
        self.next_trial()

    def sites_given_group(self, trial: WaveTrial) -> NDArray[np.float64]:
        """Chance of each site (columns) if a group (rows) attacks."""
        if trial.number not in self._tables:
            centres, sites = [c.place for c in trial.centres], [s.place for s in trial.sites]
            miles = road_miles(self._exam, self._task.roads, centres, sites)
            self._tables[trial.number] = self.chances(miles, [site.region for site in trial.sites])
        return self._tables[trial.number]

    def site_percents(self, trial: WaveTrial) -> NDArray[np.float64]:
        """Percents over the sites, given what is believed of the groups."""
        return np.asarray(self.percents_now @ self.sites_given_group(trial))

    def see_attack(self, trial: WaveTrial, site: str) -> None:
        """Learn where the attack fell."""
        self.see(self.sites_given_group(trial)[:, [place.name for place in trial.sites].index(site)])

    def see_layer(self, trial: WaveTrial, layer: Layer, *, site: str) -> None:
        """Learn what a layer bought after the attack on `site` reports."""
        self.see(self.probs.likelihood(layer, trial.feature(layer, site=site), groups=self.groups))


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
