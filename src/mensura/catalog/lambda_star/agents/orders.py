"""Collectives that speak outright: bidding, dictatorship, the binary tree; and imitation, which only watches."""

from collections.abc import Sequence

import numpy as np

from mensura.catalog.lambda_star.agents.agent import Collective
from mensura.catalog.lambda_star.agents.alone import pursue
from mensura.catalog.lambda_star.agents.choice import best_in_sight, toward
from mensura.catalog.lambda_star.environment.observation import Observation


class Bidding(Collective):
    """Lets the one who sees the highest reward say where all go; with nothing above zero in sight all search alone."""

    kind = "bidding"

    def start(self) -> None:
        # Only the program of 2016 remembers them from one iteration to the next.
        self._bid = -1.0
        self._target = 0

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        wishes = [best_in_sight(view, view.rewards, self.rng) for view in observations]
        bids = [max(view.rewards) for view in observations]
        if observations[0].terms.original:
            for wish, bid in zip(wishes, bids, strict=True):
                if bid >= self._bid:
                    self._bid, self._target = bid, wish
        elif max(bids) > 0:
            winners = [wish for wish, bid in zip(wishes, bids, strict=True) if bid == max(bids)]
            self._target = winners[int(self.rng.random() * len(winners))]
        else:
            return [toward(view, wish) for view, wish in zip(observations, wishes, strict=True)]
        return [toward(view, self._target) for view in observations]


class Dictatorship(Collective):
    """Sends everyone to the cell the first agent chooses for itself."""

    kind = "dictatorship"

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        target = best_in_sight(observations[0], observations[0].rewards, self.rng)
        return [toward(view, target) for view in observations]


class BinaryTree(Collective):
    """Sends reports up a binary tree and orders down, one level an iteration.

    Agent j reports to agent (j - 1) // 2 the best cell it saw or was told of, with its worth. The first agent's report
    becomes the order; everyone obeys the order that has reached them unless they see something at least as good. The
    program's tree of 2016 only searched alone.
    """

    kind = "binary-tree"

    def start(self) -> None:
        self._reports: list[tuple[float, int] | None] = []
        self._orders: list[tuple[float, int] | None] = []

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        count = len(observations)
        wishes = [best_in_sight(view, view.rewards, self.rng) for view in observations]
        if observations[0].terms.original:
            return [toward(view, wish) for view, wish in zip(observations, wishes, strict=True)]
        worths = [max(view.rewards) for view in observations]
        before = self._reports or [None] * count
        given = self._orders or [None] * count
        self._reports = []
        for j in range(count):
            report = (worths[j], wishes[j])
            for told in before[2 * j + 1 : 2 * j + 3]:
                if told is not None and told[0] > report[0]:
                    report = told
            self._reports.append(report)
        self._orders = [self._reports[0], *(given[(j - 1) // 2] for j in range(1, count))]
        targets = [
            order[1] if order is not None and order[0] > worth else wish
            for order, worth, wish in zip(self._orders, worths, wishes, strict=True)
        ]
        return [toward(view, target) for view, target in zip(observations, targets, strict=True)]


class Imitation(Collective):
    """Follows a guide that knows Good's way when it is in sight, else searches alone. The guide is not scored."""

    kind = "imitation"
    knows = "truth"

    def begin(self, rng: np.random.Generator) -> None:
        super().begin(rng)
        self._guide: int | None = None

    def start(self) -> None:
        self._guide = None
        self._cutting = False

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        world = self.world
        torus, next_iteration = world.torus, observations[0].iteration + 1
        if self._guide is None:
            # The program's guide starts with the last agent; ours on a cell of its own.
            self._guide = observations[-1].cell if world.original else int(self.rng.random() * torus.cells)
        if not world.original:
            self._guide, self._cutting = pursue(torus, world.good, self._guide, next_iteration, cutting=self._cutting)
        actions = []
        for view in observations:
            if world.original:
                # It moves once per agent, just before that agent.
                self._guide = torus.moves[self._guide][torus.toward(self._guide, world.good[next_iteration])]
            near = torus.distance(view.cell, self._guide) <= (1 if world.original else world.sight)
            actions.append(toward(view, self._guide if near else best_in_sight(view, view.rewards, self.rng)))
        return actions
