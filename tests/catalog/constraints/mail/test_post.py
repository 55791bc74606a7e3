"""What an agent is shown: the same in process and out of it, and in words for people and models."""

import json

import numpy as np

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.order.tree import tree_of
from mensura.dialogue.canonical import canonical
from tests.catalog.constraints.runs import problem_of


def posts(text):
    problem = find_problem(text, np.random.default_rng(1))
    ranks = {agent: rank for rank, agent in enumerate(problem.agents)}
    shares = shares_of(problem, ranks, tree_of(problem))
    return [Post(share, [Letter("x0", "ok", ((1, "a"), {"b": None}))], 3, ["no"]) for share in shares.values()]


def test_a_post_is_read_again_from_its_data():
    for text in ("queens:n=4", "weighted-colouring:n=5,k=3,links=6", "proteins:sequence=HPPH"):
        for post in posts(text):
            again = Post.read(json.loads(canonical(post.data())))
            assert canonical(again.data()) == canonical(post.data())
            assert again.letters == post.letters
            for (scope, table), (other, same) in zip(post.share.relations, again.share.relations, strict=True):
                assert scope == other
                assert table.dtype == same.dtype
                np.testing.assert_array_equal(table, same)


def test_the_own_variable_comes_first_in_every_relation():
    for post in posts("queens:n=4"):
        for scope, table in post.share.relations:
            i, j = (int(name[1:]) for name in scope)
            assert scope[0] == post.share.agent
            for a in range(4):
                for b in range(4):
                    assert table[a, b] == (a != b and abs(a - b) != abs(i - j))


def test_words_say_what_is_forbidden():
    problem = problem_of({(0, 1): [[False, True], [True, True]]}, size=2)
    share = shares_of(problem, {"x0": 0, "x1": 1})["x1"]
    words = Post(share, [Letter("x0", "ok", 1)], 2, ["x1 wrote to itself."]).text()
    assert "You choose x1 from [0, 1]." in words
    assert "Forbidden for x1, x0: (0, 0)." in words
    assert words.endswith("Cycle 2. Your letters:\n- ok from x0: 1\nx1 wrote to itself.")


def test_two_constraints_on_the_same_variables_are_one_relation():
    from dataclasses import replace

    one = problem_of({(0, 1): [[False, True], [True, True]]}, size=2)
    other = problem_of({(0, 1): [[True, True], [True, False]]}, size=2).constraints[0]
    turned = replace(other, scope=("x1", "x0"), table=other.table.T)
    both = replace(one, constraints=(*one.constraints, turned))
    (relation,) = shares_of(both, {"x0": 0, "x1": 1})["x0"].relations
    assert relation[1].tolist() == [[False, True], [True, False]]
