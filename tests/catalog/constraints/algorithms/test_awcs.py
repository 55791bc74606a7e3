"""Weak-commitment search: what it learns, what it keeps, and the source's figures within their error."""

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.errors import BadParameter
from tests.catalog.constraints.runs import carry, run


def test_without_learning_nothing_is_sent_but_values_and_nothing_can_be_proved():
    mailman = carry("queens:n=3", lambda: Awcs("none"), ends=RunEnds(cycles=200))[0]
    assert (mailman.over, set(mailman.report()["messages"]["by_kind"])) == ("limit", {"ok"})


def test_a_cap_on_nogoods_is_kept():
    free = run("awcs", "queens:n=8", seed=3)
    capped = run(Awcs(most=2), "queens:n=8", seed=3)
    assert free["nogoods"] > 8 * 2
    assert capped["nogoods"] <= 8 * 2
    assert capped["verdict"] in ("solved", "limit")


def test_the_processor_keeps_no_nogood_that_another_implies():
    for seed in range(5):
        _, agents = carry("random:n=8,m=4,p1=0.8,p2=0.4", lambda: Awcs("processor"), seed=seed)
        for agent in agents.values():
            for place in agent.places.values():
                sets = [frozenset(nogood) for nogood in agent.nogoods.against(place)]
                assert not any(one < other for one in sets for other in sets)


def test_an_unknown_way_of_learning_is_refused():
    with pytest.raises(BadParameter, match="AWCS learns by resolvent, view, none, processor; got 'much'"):
        Awcs("much")


def test_priorities_decide_ties_by_rank():
    """Two agents that may not be equal: the later one gives way, in one cycle."""
    from tests.catalog.constraints.runs import problem_of

    for seed in range(6):
        mailman, agents = carry(problem_of({(0, 1): ~np.eye(2, dtype=bool)}, size=2), Awcs, seed=seed)
        assert mailman.standing.stands
        assert mailman.cycle <= 2
        assert agents["x0"].priority == agents["x1"].priority == 0
