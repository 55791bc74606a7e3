"""Raters are blind: nothing that reaches them tells a condition or where an artefact comes from."""

import json
from dataclasses import asdict

import pytest

from mensura.dialogue import Ask, prompt_data
from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter
from mensura.running.panel import (
    Artefact,
    Rater,
    assign,
    close,
    collect,
    invite_raters,
    open_panel,
    rate,
    results,
)

SECRETS = ("drilled", "plain", "person-", "compare-drilled-with-plain")


class Listening:
    """Rates everything alike and keeps all that it could read."""

    def __init__(self):
        self.heard = []

    def __call__(self, ask: Ask):
        self.heard.append(canonical([prompt_data(ask.prompt), ask.key, ask.role, ask.space.data()]) + repr(ask))
        return 3

    def feedback(self, told: Ask):
        self.heard.append(canonical(prompt_data(told.prompt)) + repr(told))

    def end(self, outcome):
        self.heard.append(repr(outcome))


def test_nothing_that_a_rater_is_asked_or_told_names_a_condition_or_a_source(store, rubric, artefacts):
    open_panel("compare-drilled-with-plain", artefacts, rubric=rubric, store=store)
    assign("compare-drilled-with-plain", [Rater("ann", Listening()), Rater("bob", Listening())], store=store)
    ears = Listening()
    rate("compare-drilled-with-plain", store=store, subjects={"ann": ears, "bob": ears})
    heard = "\n".join(ears.heard)
    assert len(ears.heard) >= 48
    assert not [secret for secret in SECRETS if secret in heard]


def test_neither_the_run_nor_its_events_nor_the_invitation_of_a_rater_tell_a_condition(store, rubric, artefacts):
    open_panel("compare-drilled-with-plain", artefacts, rubric=rubric, store=store)
    assigned = assign("compare-drilled-with-plain", [Rater("ann"), Rater("bob")], store=store)
    links = invite_raters("compare-drilled-with-plain", store=store)
    assert [link.rater for link in links] == ["ann", "bob"]
    for link, one in zip(links, assigned, strict=True):
        head = store.runs.find(store.sessions.find(one.session).run)
        invitation = store.invitations.enter(link.token)
        seen = canonical([head.parameters, head.condition, head.cast, head.details, head.id, one.session, link.token])
        seen += canonical([invitation.label, invitation.details, [asdict(step) for step in invitation.steps]])
        assert not [secret for secret in SECRETS if secret in seen]


def test_a_link_is_made_once_for_each_person(store, rubric, artefacts):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    assign("essays", [Rater("ann"), Rater("bob"), Rater("bot", "chance")], overlap=3, store=store)
    assert {link.rater for link in invite_raters("essays", store=store)} == {"ann", "bob"}
    assert invite_raters("essays", store=store) == []


def test_codes_say_nothing_of_condition_or_order(store, rubric, artefacts):
    opened = open_panel("essays", artefacts, rubric=rubric, store=store)
    assert len(set(opened.codes)) == 12
    assert all(set(code) <= set("BCDFGHJKLMNPQRSTVWXZ") for code in opened.codes)
    assert list(opened.codes) != sorted(opened.codes)
    assert [one.code for one in store.panels.artefacts("essays")] == sorted(opened.codes)


def test_codes_differ_from_panel_to_panel(store, rubric, artefacts):
    first = open_panel("first", artefacts, rubric=rubric, store=store)
    second = open_panel("second", artefacts, rubric=rubric, store=store)
    assert first.codes != second.codes


def test_conditions_are_told_only_once_the_panel_is_closed(store, rubric, artefacts, judge):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    assign("essays", [Rater("ann", judge()), Rater("bob", judge())], store=store)
    rate("essays", store=store, subjects={"ann": judge(), "bob": judge()})
    with pytest.raises(BadParameter, match="still open, and blind"):
        results("essays", store=store)
    with pytest.raises(BadParameter, match="mensura panel close essays"):
        store.panels.origins("essays")
    close("essays", store=store)
    assert {one.condition for one in results("essays", store=store).artefacts} == {"drilled", "plain"}


def test_an_artefact_that_names_its_condition_keeps_the_panel_from_opening(store, rubric):
    telling = [Artefact.from_text("As a DRILLED person I say so.", condition="drilled")]
    with pytest.raises(BadParameter, match="1 of 1 artefacts name the condition 'drilled'"):
        open_panel("essays", telling, rubric=rubric, store=store)
    assert store.panels.names() == []
    opened = open_panel("essays", telling, rubric=rubric, store=store, mask=["drilled"])
    assert store.panels.artefacts("essays")[0].content["text"] == "As a [masked] person I say so."
    assert opened.screening.masked == {opened.codes[0]: {"drilled": 1}}
    kept = open_panel("other", telling, rubric=rubric, store=store, keep=["drilled"])
    assert kept.screening.masked == {}


def test_every_rater_has_an_order_of_their_own(store, rubric, artefacts):
    open_panel("essays", artefacts, rubric=rubric, store=store, seed=1)
    raters = [Rater(name, "chance") for name in ("ann", "bob", "cy")]
    orders = [[code for code, _ in one.work] for one in assign("essays", raters, overlap=3, store=store)]
    assert len({tuple(order) for order in orders}) == 3
    assert len({frozenset(order) for order in orders}) == 1


def test_ratings_that_come_after_closing_are_not_taken_in(store, rubric, artefacts, judge):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    ann, bob = assign("essays", [Rater("ann", judge()), Rater("bob", judge())], store=store)
    with pytest.raises(BadParameter, match="Nobody has rated anything"):
        close("essays", store=store)
    _rate_one(store, ann, judge())
    close("essays", store=store, unfinished=True)
    _rate_one(store, bob, judge())
    assert collect("essays", store=store) == 0
    assert {rating.rater for rating in store.panels.ratings("essays")} == {"ann"}
    with pytest.raises(BadParameter, match="closed"):
        assign("essays", [Rater("cy", judge())], overlap=1, store=store)


def _rate_one(store, assigned, subject):
    from mensura.running.plan import Plan
    from mensura.running.run import RunOptions, carry_out
    from mensura.subjects import SubjectSpec

    head = store.runs.find(store.sessions.find(assigned.session).run)
    plan = Plan("rating-v1", {"subject": SubjectSpec("judge", given=subject)}, head.parameters)
    carry_out(head, [store.sessions.find(assigned.session).address], plan=plan, store=store, options=RunOptions())


def test_results_are_json(store, rubric, artefacts, judge):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    assign("essays", [Rater("ann", judge()), Rater("bob", judge())], store=store)
    rate("essays", store=store, subjects={"ann": judge(), "bob": judge()})
    close("essays", store=store)
    assert json.loads(json.dumps(results("essays", store=store).as_json()))["panel"] == "essays"
