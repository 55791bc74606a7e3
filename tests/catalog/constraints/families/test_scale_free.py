"""Scale-free networks: degrees, their law, and simple networks with prescribed ones."""

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.families.scale_free import attach, draw_degrees, fit_gamma, graphical, random_network


def degrees_of(links, n):
    return np.bincount(np.array(links).reshape(-1), minlength=n)


def test_preferential_attachment_has_the_law_of_its_theory():
    """p(k) = 2 md (md + 1) / (k (k + 1) (k + 2)): Bollobás et al. (2001)."""
    n, md = 20_000, 4
    links = attach(np.random.default_rng(1), n=n, md=md)
    assert len(set(links)) == len(links) == md * (md + 1) // 2 + (n - md - 1) * md
    degrees = degrees_of(links, n)
    assert degrees.min() == md
    for k in range(md, 9):
        expected = 2 * md * (md + 1) / (k * (k + 1) * (k + 2))
        assert abs(np.mean(degrees == k) - expected) < 5 * (expected / n) ** 0.5, k


@pytest.mark.parametrize("gamma", [1.8, 2.1, 3.0])
def test_the_fitted_exponent_is_the_one_that_degrees_were_drawn_with(gamma):
    n, md = 2000, 4
    degrees = draw_degrees(np.random.default_rng(2), n=n, md=md, gamma=gamma, kmax=n - 1)
    assert sum(degrees) % 2 == 0
    k = np.arange(md, n)
    law = k**-gamma / np.sum(k**-gamma)
    error = 1 / np.sqrt(n * (law @ np.log(k) ** 2 - (law @ np.log(k)) ** 2))
    # A sequence that no network has is drawn anew, which shifts the law a little where tails are heavy.
    assert abs(fit_gamma(np.array(degrees), least=md, most=n - 1) - gamma) < 4 * error + 0.02


@pytest.mark.parametrize("gamma", [1.8, 2.5])
def test_a_network_has_exactly_the_degrees_that_are_prescribed(gamma):
    rng = np.random.default_rng(3)
    degrees = draw_degrees(rng, n=200, md=3, gamma=gamma, kmax=199)
    links = random_network(rng, degrees)
    assert len(set(links)) == len(links)
    assert all(i < j for i, j in links)
    assert degrees_of(links, 200).tolist() == degrees


def test_swapped_networks_reach_every_network_with_the_same_degrees_about_equally():
    """Six nodes of one link each can be paired in 15 ways."""
    rng = np.random.default_rng(4)
    seen = [tuple(random_network(rng, [1] * 6)) for _ in range(3000)]
    counts = np.unique([str(one) for one in seen], return_counts=True)[1]
    assert len(counts) == 15
    assert np.sum((counts - 200) ** 2 / 200) < 60


@pytest.mark.parametrize(
    ("degrees", "possible"), [([3, 3, 3, 3], True), ([3, 3, 1, 1], False), ([2, 2, 2], True), ([4, 1, 1, 1, 1], True)]
)
def test_erdos_and_gallai_say_which_degrees_are_possible(degrees, possible):
    assert graphical(degrees) is possible


def test_a_problem_says_its_links_and_its_exponent():
    problem = find_problem("scale-free:n=300,m=10,t=0.25,md=4", np.random.default_rng(1))
    assert problem.notes["links_per_variable"] == (10 + 295 * 4) / 300
    assert 2 < problem.notes["gamma"] < 3.2
    assert {int((~one.table).sum()) for one in problem.constraints} == {25}
    given = find_problem("scale-free:degrees=3 3 2 2 2", np.random.default_rng(1))
    assert sorted(len(near) for near in given.graph.values()) == [2, 2, 2, 3, 3]
