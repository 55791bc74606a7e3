"""A graph is mapped whole to a copy of itself in another order; without its words greedy finds less, and says so."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.analogy.graph.skeleton import ConceptNode, RelationNode, SkeletonGraph
from mensura.catalog.analogy.mapping.solving import likeness_of, pose, solve
from mensura.errors import BadParameter
from mensura.words.taxonomy import taxonomy
from mensura.words.wordnet import find_wordnet

try:
    find_wordnet()
except BadParameter as missing:
    pytest.skip(str(missing), allow_module_level=True)


def large(seed, *, concepts=150, relations=200):
    """Return a graph of different nouns and repeated verbs, every noun in a relation."""
    rng = np.random.default_rng(seed)
    counted = taxonomy()._counts
    nouns = sorted(one for one, times in counted["noun"].items() if times >= 20)
    verbs = sorted(one for one, times in counted["verb"].items() if times >= 60)
    names = rng.choice(nouns, size=concepts, replace=False)
    made = [
        RelationNode(str(rng.choice(verbs)), at % concepts, int(rng.integers(0, concepts))) for at in range(relations)
    ]
    return SkeletonGraph(tuple(ConceptNode(str(one)) for one in names), tuple(made))


def mixed(graph, seed):
    rng = np.random.default_rng(seed)
    order, verbs = rng.permutation(len(graph.concepts)), rng.permutation(len(graph.relations))
    to = {int(old): new for new, old in enumerate(order)}
    moved = [graph.relations[at] for at in verbs]
    return replace(
        graph,
        concepts=tuple(graph.concepts[at] for at in order),
        relations=tuple(replace(one, subject=to[one.subject], object=to[one.object]) for one in moved),
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_clone_of_350_nodes_is_mapped_whole(seed):
    graph = large(seed)
    copy = mixed(graph, seed)
    found, _ = solve(pose(graph, copy, likeness_of(graph, copy)))
    assert len(graph) == 350
    assert (found.concepts >= 0).all()
    assert (found.relations >= 0).all()
    assert [copy.concepts[at].lemma for at in found.concepts] == [one.lemma for one in graph.concepts]


def test_without_words_greedy_does_not_find_the_whole():
    graph = large(0)
    bare = replace(
        graph,
        concepts=tuple(replace(one, lemma="x") for one in graph.concepts),
        relations=tuple(replace(one, lemma="x") for one in graph.relations),
    )
    copy = mixed(bare, 0)
    found, _ = solve(pose(bare, copy, likeness_of(bare, copy)))
    share = ((found.concepts >= 0).sum() + (found.relations >= 0).sum()) / len(graph)
    assert 0.3 < share < 1
    assert found.gap > 0
