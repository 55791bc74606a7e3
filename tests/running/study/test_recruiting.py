"""Recruiting: who may take part, in which cohort, and never twice."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from mensura.errors import BadParameter
from mensura.running.study import conduct
from mensura.running.study.recruiting import seats_of
from mensura.store import open_store
from tests.running.study.office import apply


def test_a_place_has_a_number_that_says_nothing_and_pages_before_the_test(study, store):
    given = apply(study, store)
    one = store.invitations.get(given.invited.number)
    assert given.subject[1:] == "0101"
    assert [step.text for step in one.steps if step.kind == "page"] == ["First page.", "Second page."]
    assert "Ann" not in json.dumps([one.label, dict(one.details), [vars(step) for step in one.steps]])
    assert store.invitations.identities()[0]["name"] == "Ann"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"adult": False}, "those who take part answer yes"),
        ({"staff": True}, "those who take part answer no"),
        ({"contact": " "}, "Name and contact are needed"),
        ({"cohort": 99}, "There is no cohort 99"),
    ],
)
def test_whoever_cannot_take_part_is_told_why(study, store, how, words):
    with pytest.raises(BadParameter, match=words):
        apply(study, store, **how)
    assert store.invitations.all() == []


def test_nobody_takes_part_twice_even_under_another_spelling(study, store):
    apply(study, store, contact="ann@example.org")
    with pytest.raises(BadParameter, match="nobody may take part twice"):
        apply(study, store, cohort=2, contact=" Ann+again@Example.ORG ")


def test_who_takes_part_in_a_study_with_members_is_told_by_that_study_alone(study, store):
    other = replace(study, name="hidden-office", seed=4)
    conduct(other, store=store)
    apply(other, store)
    with pytest.raises(BadParameter, match="nobody may take part twice"):
        apply(study, store)
    olga = store.accounts.add("Olga", password="long enough, surely", role="member")
    store.members.put("hidden-office", olga, role="owner", added_by="Olga")
    assert apply(study, store).cohort == 1
    for closed in (study, other):
        with pytest.raises(BadParameter, match="nobody may take part twice"):
            apply(closed, store, cohort=2)


def test_a_cohort_is_full_once_its_spares_are_taken(study, store):
    for number in range(3):
        apply(study, store, contact=f"p{number}@example.org")
    assert sorted(seats_of("office", 1, store=store)) == [1, 2, 3]
    with pytest.raises(BadParameter, match="Cohort 1 is full"):
        apply(study, store, contact="p9@example.org")


def test_of_those_who_enrol_at_the_same_moment_each_gets_a_seat_and_nobody_two(study, store):
    together = Barrier(6)

    def enrol_at_once(contact):
        with open_store(store.url) as another:
            together.wait(60)
            try:
                return apply(study, another, contact=contact).subject
            except BadParameter as error:
                return str(error)

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(enrol_at_once, ["ann@example.org", "bo@example.org", "cy@example.org"] * 2))
    assert (
        sorted(found)[3:] == ["This person has taken part in a study of this test, and nobody may take part twice."] * 3
    )
    assert len(set(found)) == 4
    assert sorted(seats_of("office", 1, store=store)) == [1, 2, 3]
    assert len(store.invitations.all()) == 3
