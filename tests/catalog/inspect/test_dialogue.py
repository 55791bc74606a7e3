"""Tasks of Inspect are tests here: taken by anyone where they only ask, refused by name where they do more."""

import pytest

from mensura.catalog.find import find_test, with_arguments
from mensura.dialogue import Choice
from mensura.errors import BadFile, BadParameter, MissingExtra, UnknownName
from mensura.running.take import take
from tests.inspect_tasks import TASKS, WHY


@pytest.fixture
def tasks(tmp_path):
    """Write a file of tasks, and give what names one of them."""
    pytest.importorskip("inspect_ai", reason=WHY)
    (tmp_path / "tasks.py").write_text(TASKS)
    return lambda name: f"inspect:{tmp_path}/tasks.py@{name}"


def test_solvers_that_only_write_the_prompt_have_written_it(tasks):
    test = find_test(tasks("sums#top=2"))
    assert test.id == "inspect:sums-v2"
    assert [item.id for item in test.bank] == ["s1", "s2"]
    prompt = test.bank.items[1].prompt
    assert prompt.startswith("Level 2.\n\n")
    assert "Q: What is 2 + 2?" in prompt
    assert "reason in a step-by-step manner" in prompt
    assert [item.id for item in test.bank.where({"tag": "level=2"})] == ["s2"]
    taken = take(test, lambda ask: "It is 2", seed=1)
    assert test.score(taken.record, taken.truths)["match"].values.tolist() == [1.0, 0.0]


def test_choices_are_choices_for_everyone(tasks):
    test = find_test(tasks("capitals"))
    assert test.id == "inspect:capitals/2-A-v0"
    assert [(item.prompt, item.space, item.answer) for item in test.bank] == [
        ("Capital of France?", Choice(("Rome", "Paris")), "Paris"),
        ("Capital of Italy?", Choice(("Rome", "Paris")), "Rome"),
    ]
    assert test.chance == {"choice": 0.5}


def test_a_talk_is_asked_as_text_and_the_same_question_once(tasks):
    test = find_test(tasks("talk"))
    first = test.bank.items[0].prompt
    assert first == "Be brief.\n\nUser: Hi\n\nAssistant: Hello\n\nUser: Who are you?"
    assert len(test.bank) == 2
    assert "1 that ask the same as others are left out" in test.about


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("judged", "its scorer model_graded_qa is not one of match, includes"),
        ("critique", "its solver self_critique does more than ask"),
        ("picky", "its scorer f1 is given answer_fn, which is a function"),
        ("boxed", "it needs a sandbox"),
        ("doubles", "its solver use_tools does more than ask"),
        ("capitals#as_is=true", "you asked for it as it is"),
    ],
)
def test_a_task_that_does_more_names_why_only_inspect_can_administer_it(tasks, name, why):
    test = find_test(tasks(name))
    assert test.administer is not None
    with pytest.raises(BadParameter, match=rf"Inspect must administer .*: {why}"):
        take(test, lambda ask: "x", seed=1)


@pytest.mark.parametrize(
    ("name", "why"),
    [("pictures", "Sample 'cat' .* its input holds image"), ("several", "Sample 'primes' .* 'AB' is not the letter")],
)
def test_a_sample_that_cannot_be_asked_is_named(tasks, name, why):
    with pytest.raises(BadFile, match=why):
        find_test(tasks(name))


def test_names_and_arguments_that_are_not_there_are_said(tasks, tmp_path):
    with pytest.raises(UnknownName, match=r"Inspect finds no task .*@nothing"):
        find_test(tasks("nothing"))
    with pytest.raises(UnknownName, match="nowhere/task means none"):
        find_test("inspect:nowhere/task")
    with pytest.raises(UnknownName, match=r"There is no argument of sums called 'tob'\. Did you mean top\?"):
        find_test(tasks("sums#tob=2"))
    (tmp_path / "broken.py").write_text(TASKS.replace("def sums(top: int = 3):", "def sums(top: int = 3):\n    1 / 0"))
    with pytest.raises(BadFile, match="raised ZeroDivisionError"):
        find_test(f"inspect:{tmp_path}/broken.py@sums")


def test_flags_become_arguments_in_the_name():
    assert with_arguments("inspect:a/b", {"top": "2", "as_is": "true"}) == ("inspect:a/b#top=2#as_is=true", {})
    with pytest.raises(BadParameter, match=r"--top .* cannot hold any of # \( \)"):
        with_arguments("inspect:a/b", {"top": "f(x)"})


def test_without_inspect_the_line_to_type_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai", None)
    with pytest.raises(MissingExtra, match=r'need inspect-ai: pip install "mensura\[inspect\]"'):
        find_test("inspect:package/task")
