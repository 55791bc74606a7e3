"""The network: delays, loss, duplication and reordering by rate, and a channel that acknowledges."""

from fractions import Fraction
from itertools import count, pairwise
from math import ceil

import numpy as np
import pytest

from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.mailman import Mailman
from mensura.catalog.constraints.mail.network import Network, NetworkTerms
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.errors import BadParameter
from tests.catalog.constraints.runs import carry, problem_of, run

MANY = 4000


def arrivals(*, count=MANY, **terms):
    network = Network(NetworkTerms(**terms), np.random.default_rng(1), least=1)
    return network, [network.carry(0, 1, 0) for _ in range(count)]


@pytest.mark.parametrize(
    ("delay", "mean"), [("fixed:3", 3.0), ("uniform:1,5", 3.0), ("exponential:4", 4.0), ("none", 0.0)]
)
def test_delays_are_on_average_what_is_asked_for(delay, mean):
    network = Network(NetworkTerms(delay), np.random.default_rng(1), ticks=1000)
    # One message on each link, so that none has to wait for another.
    drawn = [network.carry(0, reader, 0)[0] / 1000 for reader in range(1, MANY)]
    assert np.mean(drawn) == pytest.approx(mean, abs=4 * (np.std(drawn) / MANY**0.5) + 1e-12)


def test_every_link_may_have_a_delay_of_its_own():
    network = Network(NetworkTerms("link:1,5"), np.random.default_rng(1), ticks=1000)
    first, again, other = (network.carry(0, to, now)[0] - now for to, now in ((1, 0), (1, 10_000), (2, 10_000)))
    assert first == again
    assert first != other


@pytest.mark.parametrize("delay", ["1", "0.07", "2.5"])
def test_time_passes_in_whole_wakings_of_one_agent(delay):
    """A unit of time is as many wakings as there are agents; a message is there at the first that is not too early."""
    for agents in range(2, 12):
        late = ceil(Fraction(delay) * agents)
        for wakings in range(30):
            mailman = a_mailman(agents, execution="async", terms=NetworkTerms(f"fixed:{delay}"))
            mailman.wakings = wakings
            mailman.take("x0", [("send", "x1", "a", None, 0)])
            assert [name for name, _ in mailman.wake()] == ["x1"]
            assert mailman.wakings == wakings + late + 1


def a_mailman(count, **others):
    pairs = {(0, reader): np.ones((2, 2), dtype=bool) for reader in range(1, count)}
    return Mailman(problem_of(pairs, size=2), rng=np.random.default_rng(1), **others)


def test_a_message_that_takes_no_time_does_not_overtake_one_that_is_due():
    overtaken = 0
    for seed in range(20):
        terms = NetworkTerms(loss=0.4, channel="acknowledged")
        numbers = {agent: count() for agent in range(3)}
        pairs = {pair: np.ones((2, 2), dtype=bool) for pair in ((0, 1), (0, 2), (1, 2))}
        mailman = Mailman(problem_of(pairs, size=2), rng=np.random.default_rng(seed), execution="async", terms=terms)
        names, heard = mailman.agents, {}

        def send(agent, numbers=numbers, names=names, mailman=mailman):
            sent = [("send", to, "n", next(numbers[names.index(agent)]), 0) for to in names if to != agent]
            mailman.take(agent, sent if mailman.messages < 200 else [])

        for name in names:
            send(name)
        while woken := mailman.wake():
            for name, letters in woken:
                for letter in letters:
                    overtaken += letter.data < heard.get((letter.sender, name), -1)
                    heard[letter.sender, name] = letter.data
                send(name)
        assert mailman.over == "quiet"
    assert overtaken == 0


@pytest.mark.parametrize("terms", [{"delay": "fixed:2"}, {"delay": "exponential:3"}, {"reordering": 0.2}])
def test_messages_with_delays_arrive_in_real_runs_too(terms):
    for seed in range(4):
        found = run("sync-bt", "queens:n=4", seed=seed, execution="real", **terms)
        assert (found["verdict"], found["over"]) == ("solved", "stopped")


@pytest.mark.parametrize("who", ["abt", "awcs"])
def test_asynchronous_runs_with_overtaken_messages_come_to_an_end(who):
    """Three agents and a delay of one: a waking was once taken for earlier than the message that was due at it."""
    for seed in range(8):
        terms = NetworkTerms("fixed:1", reordering=0.2)
        limits = RunEnds(messages=500)
        mailman = carry("queens:n=3", SUBJECTS[who], seed=seed, execution="async", terms=terms, ends=limits)[0]
        assert mailman.over in ("quiet", "stopped", "limit")


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
