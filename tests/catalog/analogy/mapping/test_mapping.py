"""Mappings are valid, exact is the optimum by brute force, a clone is found whole, and the known answers are known."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from mensura.catalog.analogy.comparison import compare, compare_graphs
from mensura.catalog.analogy.graph.building import build_graph
from mensura.catalog.analogy.graph.skeleton import ConceptNode, RelationNode, SecondOrder, SkeletonGraph
from mensura.catalog.analogy.graph.statement import Connection, NounPhrase, ReadStatements, Statement
from mensura.catalog.analogy.mapping.objective import JOIN, SECOND, MappingProblem, upper_bound, value_of
from mensura.catalog.analogy.mapping.solving import METHODS, likeness_of, pose, solve
from mensura.errors import BadParameter, UnknownName
from mensura.words.wordnet import find_wordnet

try:
    find_wordnet()
except BadParameter as missing:
    pytest.skip(str(missing), allow_module_level=True)

NOUNS = ["dog", "cat", "car", "idea", "water", "king", "leaf", "war", "table", "child"]
VERBS = ["run", "see", "have", "kill", "make", "eat"]


def drawn_graph(rng, *, concepts=4, relations=4, links=2, nouns=NOUNS):
    """Return a graph at random; every concept is a different noun."""
    names = rng.choice(nouns, size=concepts, replace=False)
    ends = [(rng.integers(-1, concepts), rng.integers(-1, concepts)) for _ in range(relations)]
    verbs = [
        RelationNode(str(rng.choice(VERBS)), *(None if end < 0 else int(end) for end in pair))
        for pair in ends
        if max(pair) >= 0
    ]
    used = sorted({end for one in verbs for end in one.places if end is not None})
    place = {end: at for at, end in enumerate(used)}
    verbs = [replace(v, **{k: None if getattr(v, k) is None else place[getattr(v, k)] for k in ("subject", "object")})
             for v in verbs]  # fmt: skip
    pairs = {(str(rng.choice(["cause", "time"])), *map(int, rng.integers(0, len(verbs), 2))) for _ in range(links)}
    second = [SecondOrder(*one) for one in sorted(pairs) if one[1] != one[2]] if verbs else []
    return SkeletonGraph(tuple(ConceptNode(str(names[at])) for at in used), tuple(verbs), tuple(second))


def problem_of(first, second):
    return pose(first, second, likeness_of(first, second))


def brute_force(problem):
    """Return the greatest value of any mapping, by trying every one of relations to relations."""
    count, other = problem.relations.shape
    best = 0.0
    for chosen in product(range(-1, other), repeat=count):
        taken = [to for to in chosen if to >= 0]
        if len(set(taken)) != len(taken):
            continue
        concepts = np.full(problem.concepts.shape[0], -1)
        fits = True
        for at, to in enumerate(chosen):
            for mine, theirs in zip(problem.places[0][at], problem.places[1][to], strict=True) if to >= 0 else ():
                if mine >= 0 and theirs >= 0 and concepts[mine] in (-1, theirs):
                    concepts[mine] = theirs
                elif mine >= 0 or theirs >= 0:
                    fits = False
        mapped = concepts[concepts >= 0]
        if fits and len(set(mapped.tolist())) == len(mapped):
            best = max(best, value_of(problem, concepts, np.array(chosen)).value)
    return best


@pytest.mark.parametrize("seed", range(25))
def test_exact_is_the_best_of_all_mappings(seed):
    rng = np.random.default_rng(seed)
    problem = problem_of(drawn_graph(rng), drawn_graph(rng))
    best = brute_force(problem)
    exact, _ = solve(problem, method="exact")
    assert exact.value == pytest.approx(best)
    assert exact.gap == pytest.approx(0, abs=1e-6)
    for method in ("greedy", "improved"):
        found, _ = solve(problem, method=method)
        assert found.value <= best + 1e-9
        assert found.bound >= best - 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_a_mapping_is_one_to_one_and_takes_every_relation_with_its_concepts(method, seed):
    rng = np.random.default_rng(seed)
    first, second = (drawn_graph(rng, concepts=8, relations=9, links=3) for _ in range(2))
    found, _ = solve(problem_of(first, second), method=method, budget=10)
    again = value_of(problem_of(first, second), found.concepts, found.relations)
    assert (again.value, again.structure) == pytest.approx((found.value, found.structure))


def test_what_is_no_mapping_is_refused():
    graph = SkeletonGraph((ConceptNode("dog"), ConceptNode("cat")), (RelationNode("see", 0, 1),) * 2)
    problem = problem_of(graph, graph)
    both = np.array([0, 1])
    with pytest.raises(ValueError, match="two are mapped to one"):
        value_of(problem, both, np.array([0, 0]))
    with pytest.raises(ValueError, match="without its subject or object"):
        value_of(problem, np.array([0, -1]), np.array([0, 1]))
    with pytest.raises(ValueError, match="that no mapped relation has"):
        value_of(problem, both, np.array([-1, -1]))


def test_a_worked_mapping_is_worth_what_the_formula_says():
    """Two relations that share a concept and cause one another: 2 + one join + one second-order edge + likeness."""
    first = SkeletonGraph(
        (ConceptNode("dog"), ConceptNode("cat"), ConceptNode("king")),
        (RelationNode("see", 0, 1), RelationNode("kill", 0, 2)),
        (SecondOrder("cause", 0, 1),),
    )
    problem = problem_of(first, first)
    for method in METHODS:
        found, _ = solve(problem, method=method)
        assert found.structure == 2 + JOIN + SECOND
        assert found.likeness == pytest.approx(5 * 1.1)
        assert found.value == pytest.approx(found.structure + problem.epsilon * 5.5)


def test_all_likeness_together_is_worth_less_than_one_join():
    rng = np.random.default_rng(3)
    problem = problem_of(drawn_graph(rng, concepts=9, relations=12), drawn_graph(rng, concepts=9, relations=12))
    most = 1.1 * (min(problem.concepts.shape) + min(problem.relations.shape))
    assert problem.epsilon * most < JOIN


def test_a_connected_system_is_preferred_to_as_many_single_facts():
    """One relation is left over: either may be mapped, but only one keeps the two connected."""
    base = SkeletonGraph(
        (ConceptNode("dog"), ConceptNode("cat"), ConceptNode("water")),
        (RelationNode("see", 0, 1), RelationNode("see", 1, 2)),
    )
    target = SkeletonGraph(
        tuple(ConceptNode(one) for one in ("king", "child", "leaf", "car", "war")),
        (RelationNode("see", 0, 1), RelationNode("see", 3, 4), RelationNode("see", 1, 2)),
    )
    for method in ("improved", "exact"):
        found, _ = solve(problem_of(base, target), method=method)
        assert found.relations.tolist() == [0, 2], method


def test_a_common_cause_outweighs_like_words():
    """The lure has the same words, the other the same causal structure; greedy begins with the words."""
    base = SkeletonGraph(
        (ConceptNode("dog"), ConceptNode("cat")),
        (RelationNode("see", 0, 1), RelationNode("run", 1, None)),
        (SecondOrder("cause", 0, 1),),
    )
    target = SkeletonGraph(
        (ConceptNode("king"), ConceptNode("war"), ConceptNode("dog"), ConceptNode("cat")),
        (RelationNode("make", 0, 1), RelationNode("eat", 1, None), RelationNode("see", 2, 3), RelationNode("run", 3)),
        (SecondOrder("cause", 0, 1),),
    )
    for method in ("improved", "exact"):
        assert solve(problem_of(base, target), method=method)[0].relations.tolist() == [0, 1], method
        blind = problem_of(base.without_second_order(), target.without_second_order())
        assert solve(blind, method=method)[0].relations.tolist() == [2, 3], method


def test_the_same_word_comes_before_an_equally_similar_one():
    base = SkeletonGraph((ConceptNode("car"), ConceptNode("water")), (RelationNode("have", 0, 1),))
    target = SkeletonGraph(
        tuple(ConceptNode(one) for one in ("automobile", "water", "car", "table")),
        (RelationNode("have", 0, 1), RelationNode("have", 2, 1)),
    )
    likeness = likeness_of(base, target)
    assert likeness.concepts[0, 0] == likeness.concepts[0, 2] == 1
    for method in METHODS:
        assert solve(pose(base, target, likeness), method=method)[0].relations.tolist() == [1], method


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_nodes_changes_no_value_of_the_optimum(seed):
    rng = np.random.default_rng(seed)
    first, second = drawn_graph(rng), drawn_graph(rng)
    order = rng.permutation(len(second.relations))
    place = {int(old): new for new, old in enumerate(order)}
    shuffled = replace(
        second,
        relations=tuple(second.relations[at] for at in order),
        second_order=tuple(replace(o, first=place[o.first], second=place[o.second]) for o in second.second_order),
    )
    one, other = (solve(problem_of(first, held), method="exact")[0].value for held in (second, shuffled))
    assert one == pytest.approx(other)


def test_more_budget_is_never_worse():
    rng = np.random.default_rng(5)
    problem = problem_of(*(drawn_graph(rng, concepts=9, relations=14, links=4) for _ in range(2)))
    values = [solve(problem, method="improved", budget=budget)[0].value for budget in (0, 5, 50, 200)]
    assert values == sorted(values)
    assert values[0] == solve(problem)[0].value
    assert values[-1] <= upper_bound(problem)


def test_an_edge_that_is_stated_twice_is_one_edge():
    """Two would be worth twice as much to the integer programme as to the objective, and its gap would be false."""
    see, run = Statement("see", NounPhrase("dog"), NounPhrase("cat")), Statement("run", NounPhrase("cat"))
    twice = ReadStatements((see, run), tuple(Connection("cause", 0, 1, by) for by in ("so", "because")))
    graph = build_graph(twice, ["The dog sees the cat, which runs."], extractor="ours")
    assert [one.by for one in graph.second_order] == ["so"]
    assert solve(problem_of(graph, graph), method="exact")[0].gap == 0


def test_a_limit_of_time_leaves_a_bound():
    rng = np.random.default_rng(6)
    problem = problem_of(*(drawn_graph(rng, concepts=10, relations=30, links=4) for _ in range(2)))
    # Even where the programme finds nothing at all the pair has a mapping.
    found, spent = solve(problem, method="exact", seconds=1e-6)
    assert found.bound >= found.value >= solve(problem)[0].value > 0
    assert spent < 20


def test_the_compiled_growth_adds_at_each_step_what_adds_most():
    """A plain rereading of the rule, without what is kept from step to step, comes to mappings worth the same."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        problem = problem_of(*(drawn_graph(rng, concepts=8, relations=12, links=0) for _ in range(2)))
        assert slow_greedy(problem) == pytest.approx(solve(problem)[0].value)


def slow_greedy(problem: MappingProblem):
    concepts, relations = {}, {}
    while True:
        moves = []
        for one, other in product(range(problem.relations.shape[0]), range(problem.relations.shape[1])):
            if one in relations or other in relations.values():
                continue
            trial, gain = dict(concepts), 1 + problem.relations[one, other]
            for mine, theirs in zip(problem.places[0][one].tolist(), problem.places[1][other].tolist(), strict=True):
                if mine < 0 and theirs < 0:
                    continue
                known = trial.get(mine)
                if (
                    mine < 0
                    or theirs < 0
                    or (known is None and theirs in trial.values())
                    or known not in (None, theirs)
                ):
                    gain = -1
                    break
                gain += JOIN if known is not None else problem.concepts[mine, theirs]
                trial[mine] = theirs
            if gain > 0:
                moves.append((gain, -one, -other, trial))
        if not moves:
            break
        best = max(moves, key=lambda move: move[:3])
        relations[-best[1]], concepts = -best[2], best[3]
    mapped = np.array([concepts.get(at, -1) for at in range(problem.concepts.shape[0])])
    return value_of(
        problem, mapped, np.array([relations.get(at, -1) for at in range(problem.relations.shape[0])])
    ).value


def test_isomorphic_graphs_without_words_are_known_to_exact():
    """Every permutation of a small graph is found whole by structure alone."""
    graph = SkeletonGraph(
        tuple(ConceptNode("x") for _ in range(3)),
        (RelationNode("x", 0, 1), RelationNode("x", 1, 2), RelationNode("x", 0)),
    )
    for order in permutations(range(3)):
        moved = replace(
            graph,
            relations=tuple(
                replace(one, **{role: None if getattr(one, role) is None else order[getattr(one, role)]
                                for role in ("subject", "object")}) for one in graph.relations
            ),
        )  # fmt: skip
        found, _ = solve(problem_of(graph, moved), method="exact")
        assert found.relations.tolist() == [0, 1, 2]
        assert found.concepts.tolist() == list(order)


def test_a_clone_is_mapped_whole_with_every_score_1():
    text = "The hunter shot the hawk because the hawk stole his bread. If the dog barks, the hunter wakes up and runs."
    found = compare(text, text)
    assert found.unmapped == ((), ())
    assert {name: found.scores[name] for name in ("unified", "jaccard", "semantic", "containment3", "lcs")} == {
        "unified": 1, "jaccard": 1, "semantic": 1, "containment3": 1, "lcs": 1
    }  # fmt: skip


def test_scores_follow_from_the_pairs():
    first = SkeletonGraph((ConceptNode("dog"), ConceptNode("zzyx")), (RelationNode("kill", 0, 1),))
    second = SkeletonGraph((ConceptNode("cat"), ConceptNode("leaf")), (RelationNode("murder", 0, 1),) * 2)
    found = compare_graphs(first, second)
    assert found.scores["conceptual"] == pytest.approx(0.82, abs=0.005)
    assert found.scores["relational"] == pytest.approx(0.80, abs=0.005)
    assert found.scores["semantic"] == pytest.approx((found.scores["conceptual"] + found.scores["relational"]) / 2)
    assert found.scores["jaccard"] == 3 / 4
    assert found.scores["unified"] == pytest.approx(found.scores["jaccard"] * found.scores["semantic"])
    assert found.unknown_words == ("zzyx",)
    assert [one.lin for one in found.pairs if one.first == "zzyx"] == [None]
    assert found.unmapped == ((), ("r1",))


def test_a_word_that_is_likened_by_its_meaning_has_the_ground_of_that_meaning():
    """You are a person, a supercomputer a computer: what has a likeness has a generic space too."""
    first = SkeletonGraph((ConceptNode("you"), ConceptNode("hypercomputer")), (RelationNode("see", 0, 1),))
    second = SkeletonGraph((ConceptNode("king"), ConceptNode("machine")), (RelationNode("see", 0, 1),))
    for one in compare_graphs(first, second).pairs:
        name, senses = one.generic()
        assert one.lin is not None
        assert name is not None
        assert senses is not None
    assert compare_graphs(first, second).pairs[0].generic()[0] == "person"


def test_where_nothing_corresponds_the_unified_score_is_0_and_the_semantic_one_unknown():
    first = SkeletonGraph((ConceptNode("dog"), ConceptNode("cat")), (RelationNode("see", 0, 1),))
    second = SkeletonGraph((ConceptNode("king"),), (RelationNode("run", 0),))
    found = compare_graphs(first, second)
    assert found.scored
    assert (found.scores["unified"], found.scores["jaccard"], found.scores["semantic"]) == (0.0, 0.0, None)


def test_an_unmapped_cause_of_a_mapped_relation_is_a_candidate_inference():
    base = SkeletonGraph(
        (ConceptNode("dog"), ConceptNode("cat"), ConceptNode("water")),
        (RelationNode("see", 0, 1), RelationNode("eat", 1, 2)),
        (SecondOrder("cause", 1, 0),),
    )
    target = SkeletonGraph((ConceptNode("king"), ConceptNode("child")), (RelationNode("see", 0, 1),))
    (inference,) = compare_graphs(base, target).inferences
    assert (inference.subject, inference.relation, inference.object) == ("child", "eat", "water")
    assert inference.assumed == ("object",)


def test_an_unknown_method_is_refused():
    with pytest.raises(UnknownName, match="greedy, improved, exact"):
        compare("The dog sees the cat.", "The cat sees the dog.", method="best")
