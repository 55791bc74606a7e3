"""StoredScores: a run is summed up alike whether its scores stay in memory or are read whenever they are needed."""

import pytest

import mensura
from mensura.running.results.counting import counted, counted_anew
from mensura.running.results.stored import StoredScores
from mensura.running.results.summary import summarise_run
from mensura.running.run import run


def taken(store):
    lines = [{"prompt": f"Item {i}", "options": ["a", "b"], "answer": "ab"[i % 2]} for i in range(9)]
    return run(mensura.bank(lines, name="items"), lambda ask: "a", store=store, sessions=2).head


def test_scores_that_do_not_stay_in_memory_come_to_the_same(store, monkeypatch):
    head = taken(store)
    store.exclusions.decide(f"{head.id}/0.0.1.{head.details['items'][0]}", reason="noise", who="Erin")
    whole = summarise_run(head, store=store, counting=counted(head, store=store))
    assert whole.excluded
    assert whole.scores["accuracy"].n == 9
    for kept in (0, 5, 17, 18, 100):
        monkeypatch.setattr("mensura.running.results.stored.KEPT", kept)
        anew = summarise_run(head, store=store)
        assert anew.as_json() == whole.as_json()
        assert anew.head.instance_hash == whole.head.instance_hash


@pytest.mark.parametrize("kept", [5, 100])
def test_they_are_a_mapping_like_any_other(store, monkeypatch, kept):
    monkeypatch.setattr("mensura.running.results.stored.KEPT", kept)
    head = taken(store)
    everything = counted(head, store=store).everything
    found = counted_anew(head, store=store).everything
    assert isinstance(found, StoredScores)
    assert list(found) == list(everything)
    assert len(found) == len(everything) == 18
    first = next(iter(found))
    assert found[first].values.keys() == everything[first].values.keys()
    assert [scores.instance for scores in found.values()] == [scores.instance for scores in everything.values()]
    left = StoredScores(store, head.id, without={first: "noise"})
    assert first not in left
    assert len(left) == len(list(left)) == 17
    with pytest.raises(KeyError):
        left["items-0000/0.0.0.none"]
