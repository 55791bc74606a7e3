"""The network: delays, loss, duplication and reordering by rate, and a channel that acknowledges."""

from itertools import pairwise

import numpy as np
import pytest

from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.network import Network, NetworkTerms
from mensura.errors import BadParameter
from tests.catalog.constraints.runs import carry, run

MANY = 4000


def arrivals(*, least=1.0, count=MANY, **terms):
    network = Network(NetworkTerms(**terms), np.random.default_rng(1), least=least)
    return network, [network.carry(0, 1, 0.0) for _ in range(count)]


@pytest.mark.parametrize(
    ("delay", "mean"), [("fixed:3", 3.0), ("uniform:1,5", 3.0), ("exponential:4", 4.0), ("none", 0.0)]
)
def test_delays_are_on_average_what_is_asked_for(delay, mean):
    network = Network(NetworkTerms(delay), np.random.default_rng(1), least=0.0)
    # One message on each link, so that none has to wait for another.
    drawn = [network.carry(0, reader, 0.0)[0] for reader in range(1, MANY)]
    assert np.mean(drawn) == pytest.approx(mean, abs=4 * (np.std(drawn) / MANY**0.5) + 1e-12)


def test_every_link_may_have_a_delay_of_its_own():
    network = Network(NetworkTerms("link:1,5"), np.random.default_rng(1), least=0.0)
    first, again, other = (network.carry(0, to, now)[0] - now for to, now in ((1, 0.0), (1, 10.0), (2, 10.0)))
    assert first == pytest.approx(again)
    assert first != pytest.approx(other)


def test_channels_keep_their_order_whatever_the_delay():
    _, found = arrivals(delay="exponential:5")
    assert found == sorted(found)


def test_messages_are_lost_and_doubled_at_their_rates():
    network, found = arrivals(loss=0.1, duplication=0.2)
    sizes = np.array([len(copies) for copies in found])
    assert (sizes == 0).mean() == pytest.approx(0.1, abs=0.02)
    assert (sizes == 2).mean() == pytest.approx(0.9 * 0.2, abs=0.025)
    assert (network.lost, network.duplicated) == ((sizes == 0).sum(), (sizes == 2).sum())


def test_later_messages_overtake_those_that_are_reordered():
    network, found = arrivals(reordering=0.3)
    overtaken = sum(one > other for one, other in pairwise(found))
    assert network.reordered == pytest.approx(0.3 * MANY, abs=0.03 * MANY)
    assert overtaken > 0


def test_an_acknowledging_channel_brings_everything_once_and_in_order():
    network, found = arrivals(loss=0.3, channel="acknowledged", delay="uniform:1,5")
    times = [copies[0] for copies in found]
    assert all(len(copies) == 1 for copies in found)
    assert times == sorted(times)
    # Each attempt ends the exchange with chance 0.7 * 0.7.
    assert network.resent / MANY == pytest.approx(1 / 0.49 - 1, abs=0.1)


@pytest.mark.parametrize("who", ["abt", "awcs"])
def test_an_acknowledging_channel_lets_complete_algorithms_end_right(who):
    for seed in range(5):
        found = run(who, "queens:n=6", seed=seed, loss=0.3, channel="acknowledged", delay="uniform:1,3")
        assert found["verdict"] == "solved"


def test_quiet_is_not_solved_where_messages_are_lost():
    verdicts = {run("abt", "queens:n=6", seed=seed, loss=0.5)["verdict"] for seed in range(10)}
    assert "quiet but wrong" in verdicts
    assert "wrong" not in verdicts


def test_delays_make_a_synchronous_run_longer():
    quick, slow = (run("abt", "queens:n=6", delay=delay)["cycles"] for delay in ("none", "fixed:4"))
    assert slow == 4 * quick


@pytest.mark.parametrize("delay", ["uniform:5,1", "fixed:-1", "fixed:x", "soon", "uniform:1"])
def test_a_delay_that_is_none_is_refused_in_a_sentence(delay):
    with pytest.raises(BadParameter, match=r"--delay is none, fixed:D"):
        NetworkTerms(delay)


def test_a_chance_of_one_would_lose_everything_and_is_refused():
    with pytest.raises(BadParameter, match="--loss is a chance from 0 to less than 1; got 1"):
        NetworkTerms(loss=1.0)


def test_limits_end_a_run_and_are_named():
    from mensura.catalog.constraints.algorithms.abt import Abt

    for limit, name in (
        (RunEnds(cycles=5), "cycles"),
        (RunEnds(messages=100), "messages"),
        (RunEnds(checks=300), "checks"),
    ):
        for execution in ("sync", "async"):
            mailman = carry("queens:n=8", Abt, ends=limit, execution=execution)[0]
            assert (mailman.over, mailman.why) == ("limit", name)
    assert RunEnds.read("cycles=3, checks=9") == RunEnds(3, None, 9)
    with pytest.raises(BadParameter, match="--stop takes cycles=N"):
        RunEnds.read("cycles=0")
