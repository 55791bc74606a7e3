"""Names, functions, paths and objects are accepted wherever one of them is; other kinds get one sentence."""

from pathlib import Path

import pytest

import mensura as m
from mensura.errors import MensuraError


def three(rng):
    """Ask three questions."""
    for number in range(3):
        yield m.Ask(f"Question {number}", m.Probability(), key=f"k{number}", truth=1)


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from mensura.dialogue import Ask, Choice, Sees, test\nFIRST = Choice(['a', 'b'])\n"
        "@test('mine-v1', sees=Sees((1,), low=0, high=1, view=lambda prompt: [0.0]), acts=FIRST)\n"
        "def mine(rng):\n    '''Mine.'''\n    yield Ask('q', FIRST, key='k', truth='a')\n"
    )
    return Path("mine.py")


@pytest.mark.parametrize(
    "use",
    [
        lambda test: m.find_test(test).id,
        lambda test: m.check_test(test).test,
        lambda test: m.take(test, "chance").record.test,
        lambda test: m.run(test, "chance").result.head.test,
    ],
)
def test_a_test_is_a_name_a_path_a_function_or_a_test_for_every_verb(use, file):
    assert use(file) == use("./mine.py:mine") == use(m.find_test("./mine.py")) == "mine-v1"
    assert use(three) == "three-v1"


def test_environments_are_made_of_whatever_stands_for_a_test(file):
    pytest.importorskip("gymnasium")
    for test in (file, "./mine.py", m.find_test("./mine.py")):
        assert m.as_env(test, seed=1).reset()[0].shape == (1,)
    assert m.as_parallel_env("dilemma", seed=1).possible_agents == ["first", "second"]


def test_runs_are_compared_by_id_by_result_and_as_runs(file):
    runs = m.run("coin", {"chance", "stated"}, sessions=5, seed=1)
    for first, second in [runs.ids, runs.results, runs]:
        assert set(m.compare(first, second).findings) == {"logarithmic_score", "quadratic_score"}
    assert m.find_runs(*runs.results).ids == runs.ids
    assert repr(runs[0]).startswith("1 run of coin-v1")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: m.take(5, "chance"), "A test is a name, a path, a generator function or a Test; got 5"),
        (lambda: m.find_test(len), "A test is a name"),
        (lambda: m.as_env(5), "A test is a name"),
        (lambda: m.run("coin", "chance", sessions="5"), "A run has at least one session; got '5'"),
        (lambda: m.run("coin", "chance", sessions=2.5), "A run has at least one session; got 2.5"),
        (lambda: m.take("coin", "chance", seed="x"), "A seed is a whole number of at least 0; got 'x'"),
        (lambda: m.take("coin", "chance", seed=1.5), "A seed is a whole number"),
        (lambda: m.take("coin", "chance", parameters=[1]), "Parameters are given by name"),
        (lambda: m.take("coin", "chance", limits={"answer_seconds": 1}), "Limits are Limits"),
        (lambda: m.run("coin", "chance", options={}), "Options are RunOptions"),
        (lambda: m.run("coin", "chance", store=5), "A store is a path, a URL or an open store; got 5"),
        (lambda: m.compare(1, 2), "A run is an id"),
        (lambda: m.find_runs(None), "A run is an id"),
        (lambda: m.test(three), 'Give the test an id with a version, as in @test("coin-v1")'),
    ],
)
def test_other_kinds_get_one_sentence(wrong, words, file):
    with pytest.raises(MensuraError) as caught:
        wrong()
    assert str(caught.value).startswith(words)
    assert not Path("5").exists()


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        ((7, "chance"), {}, "A test is a name, a path, a generator function or a Test; got 7."),
        (("coin", None), {}, "A subject is a name, a path, a function, a class or a SubjectSpec; got None."),
        (("coin", []), {}, "No subject was given: name at least one"),
        (("coin", "chance"), {"sessions": "many"}, "A run has at least one session; got 'many'."),
        (("coin", "chance"), {"seed": "abc"}, "A seed is a whole number of at least 0; got 'abc'."),
        (("coin", "chance"), {"store": 3}, "A store is a path, a URL or an open store; got 3."),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(tmp_path, arguments, options, sentence):
    with pytest.raises(MensuraError, match=sentence.replace(".", r"\.")):
        m.run(*arguments, **({"store": tmp_path / "x.db"} | options))
