"""Orders and pseudo-trees."""

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.order.find import ORDERS, ranks_of
from mensura.catalog.constraints.order.tree import CHILDREN, tree_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import MensuraError
from mensura.library.runs import run as run_test

RNG = np.random.default_rng(1)


def graph(*links, n=None):
    names = sorted({name for link in links for name in link} | set(n or ()))
    constraints = [{"scope": list(link), "forbidden": [[0, 0]]} for link in links]
    return Problem.read({"domains": {"d": [0, 1]}, "variables": dict.fromkeys(names, "d"), "constraints": constraints})


KITE = graph("ab", "bc", "cd", "db", "de")


def order(problem, name):
    ranks = ranks_of(problem, name, RNG)
    assert sorted(ranks.values()) == list(range(len(problem.agents)))
    return "".join(sorted(ranks, key=ranks.__getitem__))


@pytest.mark.parametrize(
    ("name", "expected"), [("lex", "abcde"), ("max-degree", "bdcae"), ("max-cardinality", "bdcae"), ("tree", "bacde")]
)
def test_orders_by_hand(name, expected):
    assert order(KITE, name) == expected


def test_numbers_in_names_count_as_numbers():
    ranks = ranks_of(find_problem("random:n=12", RNG), "lex", RNG)
    assert ranks["x2"] < ranks["x10"]


@pytest.mark.parametrize("seed", range(20))
def test_the_width_of_a_min_width_order_is_the_least_of_all_orders(seed):
    from itertools import permutations

    problem = find_problem("random:n=6,m=2,p1=0.5", np.random.default_rng(seed))

    def width(agents):
        rank = {agent: i for i, agent in enumerate(agents)}
        return max(sum(rank[other] < rank[agent] for other in problem.graph[agent]) for agent in agents)

    ranks = ranks_of(problem, "min-width", RNG)
    assert width(sorted(ranks, key=ranks.__getitem__)) == min(map(width, permutations(problem.agents)))


def test_small_domains_come_first():
    data = {"domains": {"a": [0, 1, 2], "b": [0]}, "variables": {"x": "a", "y": "b", "z": "a"}}
    assert order(Problem.read(data), "min-domain") == "yxz"


def test_an_order_is_read_from_a_file(tmp_path):
    path = tmp_path / "order.txt"
    path.write_text("e\nd\nc\nb\na\n")
    assert order(KITE, f"file:{path}") == "edcba"
    for text, words in {
        "e\nd": "does not name the agent 'a'",
        "z": "not an agent of the problem",
        "a\na": "twice",
    }.items():
        path.write_text(text)
        with pytest.raises(MensuraError, match=words):
            ranks_of(KITE, f"file:{path}", RNG)
    with pytest.raises(MensuraError, match="Did you mean max-degree"):
        ranks_of(KITE, "max-degre", RNG)


@pytest.mark.parametrize("child", CHILDREN)
@pytest.mark.parametrize("root", ["max-degree", "pydcop", "lex", "x3"])
def test_every_constraint_lies_between_ancestor_and_descendant(root, child):
    for seed in range(10):
        problem = find_problem("random:n=9,m=2,p1=0.25", np.random.default_rng(seed))
        tree = tree_of(problem, root=root, child=child)
        above = {}
        for agent, parent in tree.parent.items():
            above[agent] = [] if parent is None else [*above[parent], parent]
            assert tree.depth[agent] == len(above[agent])
        assert set(above) == set(problem.agents)
        for one in problem.constraints:
            a, b = one.scope
            assert a in above[b] or b in above[a]
        for agent in problem.agents:
            links = {
                *tree.children[agent],
                *tree.pseudo_children[agent],
                *tree.pseudo_parents[agent],
                tree.parent[agent],
            }
            assert links - {None} == set(problem.graph[agent])
        assert "x3" not in root or tree.parent["x3"] is None


def test_pydcop_s_rules_take_the_last_root_and_children_in_the_order_of_constraints():
    """Root: most neighbours, the last of equals. Child: most visited neighbours, the first by constraints."""
    problem = graph("ab", "cd", "bd", "bc", "ad")
    tree = tree_of(problem, root="pydcop", child="pydcop")
    assert tree.roots == ("d",)
    # d's constraints name c, b, a in this order; from c only b is left, and from b only a.
    assert list(tree.parent.items()) == [("d", None), ("c", "d"), ("b", "c"), ("a", "b")]
    assert tree.pseudo_parents == {"d": (), "c": (), "b": ("d",), "a": ("d",)}


def test_the_induced_width_and_components_are_said():
    tree = tree_of(graph("ab", "bc", "ca", "xy", n="abcxyz"))
    assert (tree.width, len(tree.roots)) == (2, 3)
    assert tree.separator()["z"] == ()
    with pytest.raises(MensuraError, match="A root is chosen by"):
        tree_of(KITE, root="best")
    with pytest.raises(MensuraError, match="rule for the next child"):
        tree_of(KITE, child="best")


@pytest.mark.parametrize("name", [*ORDERS, "random"])
def test_every_order_ranks_all_agents_of_components_too(name):
    problem = graph("ab", "xy", n="abxyz")
    assert len(order(problem, name)) == 5


@pytest.mark.parametrize(
    ("asked", "words"), [("nonsense", "nonsense"), ("file:missing.txt", "missing.txt"), ("file:some.txt", "'x9'")]
)
def test_an_order_that_cannot_be_is_refused_before_a_run_is_begun(asked, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.txt").write_text("x2\nx9\n")
    with pytest.raises(MensuraError, match=words):
        run_test("constraints", "abt", parameters={"problem": "queens:n=4", "order": asked}, store=tmp_path / "s.db")
