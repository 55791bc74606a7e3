"""Families: exact counts, known numbers, and sentences for what cannot be drawn."""

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import FAMILIES, agent_names, find_problem, read_family
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.errors import MensuraError


def drawn(text, seed=1):
    return find_problem(text, np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("random:p1=1.5", "p1 is a share of links from 0 to 1; got 1.5"),
        ("random:p2=-1", "p2 is a share"),
        ("random:model=C", "takes A or B or E"),
        ("random:n=x", "takes a whole number"),
        ("random:p=1", "no parameter 'p'. Did you mean p"),
        ("scale-free:n=4,md=4", "between 1 and n - 1 = 3; got md=4"),
        ("scale-free:gamma=1", "needs gamma > 1; got gamma=1"),
        ("scale-free:gamma=2,kmax=200", "got kmax=200"),
        ("scale-free:degrees=1 1 1", "sum of all degrees is even in every network; these have 3"),
        ("scale-free:degrees=3 3 1 1", "No network without double links"),
        ("scale-free:degrees=4 1 1", "lie between 0 and 2"),
        ("scale-free:gamma=2,n=5,md=3,kmax=3", "5 nodes of degree 3 have 15"),
        ("colouring:links=1000", "20 nodes have 0 to 190 links"),
        ("colouring:n=4,k=2,links=5,hidden=yes", "have 0 to 4 links"),
        ("queens:n=0", "at least 1"),
        ("proteins:sequence=HXP", "letters H and P"),
        ("proteins:box=3", "even side"),
        ("meetings:attend=9", "1 to n attendants"),
        ("meetings:count=1", "no room for 8 people"),
        ("sensors:n=10", "square grid"),
        ("sensors:targets=10", "0 to 9 targets"),
        ("robots:m=4", "8 directions"),
        ("robots:obsd=1", "from 0 to below 1"),
        ("robots:side=2,n=9", "find only 4 free cells"),
        ("robots:private=yes", "takes none of"),
        ("queen:n=4", "Did you mean queens"),
        ("queens:n=3,solvable=yes", "None of 1000 problems"),
        ("random:per_agent=0", "at least one variable"),
        ("queens:n=100000", "would have 4,999,950,000 links"),
        ("random:n=100000,model=A", "Make it smaller"),
        ("scale-free:n=100000,m=1000", "of 1,000,000 cells"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(text, words):
    with pytest.raises(MensuraError, match=words):
        drawn(text)


@pytest.mark.parametrize("name", FAMILIES)
def test_agents_are_known_before_a_problem_is_drawn(name):
    for seed in range(3):
        assert tuple(drawn(name, seed).agents) == agent_names(name)
    assert drawn(name, 4) == drawn(name, 4)


@pytest.mark.parametrize("per_agent", [1, 3, 50])
def test_agents_share_variables_as_they_are_told(per_agent):
    for name in FAMILIES:
        if name != "robots":
            text = f"{name}:per_agent={per_agent}"
            assert tuple(drawn(text).agents) == agent_names(text)
            assert read_family(text)[2] == ("any", per_agent, False)


@pytest.mark.parametrize(("n", "solutions"), list(zip(range(4, 11), [2, 10, 4, 40, 92, 352, 724], strict=True)))
def test_queens_have_the_published_numbers_of_solutions(n, solutions):
    """OEIS A000170."""
    assert truth_of(drawn(f"queens:n={n}")).solutions == solutions


@pytest.mark.parametrize(("n", "m", "p1", "p2"), [(10, 5, 0.5, 0.3), (7, 3, 1, 0.5), (12, 6, 0.25, 0), (5, 4, 0, 1)])
def test_model_b_has_exact_counts(n, m, p1, p2):
    problem = drawn(f"random:n={n},m={m},p1={p1},p2={p2}")
    assert len(problem.constraints) == round(p1 * n * (n - 1) / 2)
    assert {int((~one.table).sum()) for one in problem.constraints} <= {round(p2 * m * m)}
    assert len({one.scope for one in problem.constraints}) == len(problem.constraints)


def test_models_a_and_e_have_the_shares_that_they_are_drawn_with():
    a = [drawn("random:n=12,m=6,p1=0.4,p2=0.3,model=A", seed) for seed in range(60)]
    links = np.array([len(one.constraints) for one in a])
    share = np.array([one.notes["forbidden_share"] for one in a])
    # 66 possible links: a standard deviation of sqrt(66 * 0.24) = 4 each.
    assert abs(links.mean() - 26.4) < 4 * 4 / 60**0.5
    assert links.std() > 2
    assert abs(share.mean() - 0.3) < 4 * (0.21 / (26.4 * 36 * 60)) ** 0.5
    e = drawn("random:n=12,m=6,p2=0.05,model=E")
    forbidden = sum(int((~one.table).sum()) for one in e.constraints)
    # 119 are drawn of 2376 with replacement, so that about three of them are drawn again.
    assert 105 <= forbidden <= 119
    assert all(not one.table.all() for one in e.constraints)


def test_a_hidden_colouring_can_be_coloured_and_a_free_one_need_not():
    assert all(truth_of(drawn("colouring:n=9,k=3,links=20,hidden=yes", seed)).solvable for seed in range(30))
    assert not all(truth_of(drawn("colouring:n=9,k=3,links=20", seed)).solvable for seed in range(30))


@pytest.mark.parametrize(("wanted", "solvable"), [("yes", True), ("no", False)])
def test_problems_are_as_solvable_as_is_wanted(wanted, solvable):
    flags = {truth_of(drawn(f"random:n=6,m=3,p1=0.6,p2=0.4,solvable={wanted}", seed)).solvable for seed in range(20)}
    assert flags == {solvable}
    assert {truth_of(drawn("random:n=6,m=3,p1=0.6,p2=0.4", seed)).solvable for seed in range(20)} == {True, False}


def test_meetings_are_agreed_on_by_all_who_attend():
    problem = drawn("meetings:n=5,count=4,attend=3,slots=5")
    found = truth_of(problem)
    held = {}
    for name, slot in found.assignment.items():
        person, meeting = name[1:].split("m")
        held.setdefault(meeting, {})[person] = slot
    assert {len(people) for people in held.values()} == {3}
    assert all(len(set(people.values())) == 1 for people in held.values())
    for person in "01234":
        slots = [people[person] for people in held.values() if person in people]
        assert len(set(slots)) == len(slots) >= 1


def test_sensors_track_a_target_if_enough_of_them_turn_to_it():
    problem = drawn("sensors:n=4,targets=1,need=3,most=10")
    target = next(one for one in problem.constraints if len(one.scope) == 4)
    lost = float(target.table.max())
    on = {"x0": "se", "x1": "sw", "x2": "ne", "x3": "off"}
    assert problem.cost(on) == 3
    assert problem.cost({**on, "x0": "nw"}) == 3 + lost
    assert truth_of(problem).optimum == min(3, lost)
