import pytest

from mensura.dialogue import Ask, Choice, test
from mensura.errors import BadParameter
from mensura.running.carry import earlier_sessions, run_after
from mensura.running.run import run
from mensura.running.scoring.rescore import rescore
from mensura.store import open_store


def carry(saved, record, truths):
    return {"seen": (saved or {"seen": []})["seen"] + [answer.value for answer in record.answers]}


@test("carried-v1", carry=carry)
def carried(rng, *, asks: int = 2, saved=None):
    """Say how often you were asked before."""
    before = 0 if saved is None else len(saved["seen"])
    for number in range(asks):
        yield Ask(f"{before + number} before this one; {rng.integers(1000)}", Choice(("yes", "no")), key=f"k{number}")


@pytest.fixture
def store(tmp_path):
    with open_store(str(tmp_path / "mensura.db")) as opened:
        yield opened


def prompts(store, run_id):
    return [
        event.content["prompt"] for event in store.events.of(f"{run_id}/0.0.0", content=True) if event.kind == "ask"
    ]


def test_a_session_begins_with_what_all_earlier_ones_left(store):
    first = run(carried, lambda ask: "yes", store=store, seed=1)
    second = run_after(first.head.id, carried, lambda ask: "no", store=store, seed=2)
    third = run_after(second.head.id, carried, lambda ask: "no", store=store, seed=3)
    assert [text.split()[0] for text in prompts(store, second.head.id)] == ["2", "3"]
    assert [text.split()[0] for text in prompts(store, third.head.id)] == ["4", "5"]
    assert second.counts["finished"] == 1
    assert second.head.details["after"] == first.head.id
    assert first.head.parameters == third.head.parameters


def test_chance_is_that_of_the_session_itself(store):
    first = run(carried, lambda ask: "yes", store=store, seed=7)
    again = run_after(first.head.id, carried, lambda ask: "yes", store=store, seed=7)
    numbers = [[text.split()[-1] for text in prompts(store, one.head.id)] for one in (first, again)]
    assert numbers[0] == numbers[1]


def test_a_carried_session_can_be_scored_again(store):
    first = run("forecasting", "realistic", store=store, seed=1, parameters={"count": 12})
    second = run_after(first.head.id, "forecasting", "realistic", store=store, seed=2, parameters={"count": 12})
    again = rescore(second.head.id, store=store)
    assert again.scores["logarithmic_score"].value == second.scores["logarithmic_score"].value


def test_only_one_persons_session_of_the_same_test_can_be_followed(store):
    many = run(carried, lambda ask: "yes", store=store, sessions=2, seed=1)
    other = run("coin", "chance", store=store, seed=1)
    with pytest.raises(BadParameter, match="perhaps of different people"):
        earlier_sessions(many.head.id, test=carried, store=store)
    with pytest.raises(BadParameter, match="only sessions of carried-v1"):
        earlier_sessions(other.head.id, test=carried, store=store)
    with pytest.raises(BadParameter, match="carries nothing"):
        run_after(other.head.id, "coin", "chance", store=store)
