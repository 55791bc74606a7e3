"""The people of a study on its page: invited, where each is, closed, extended, excluded and replaced."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from mensura.running.study import Study, make_study, register
from mensura.store import Store
from tests.running.study.office import PROCEDURE

PLAN = {
    "name": "crowd",
    "test": "coin",
    "conditions": {"few": {"flips": 1}, "many": {"flips": 2}},
    "casts": {"people": "human"},
    "sessions": 2,
    "exclude": [{"name": "slow", "when": "median_seconds > 600"}],
    "invitation": {"days": 3},
}


@pytest.fixture
def crowd(store: Store) -> Study:
    made = make_study(PLAN)
    register(made, store=store)
    return made


def links_of(page: Any) -> list[str]:
    assert page.status_code == 200, page.text
    return re.findall(r'<code class="link">http://testserver([^<]*)</code>', page.text)


def invite(erin: Any, count: int, nonce: str = "") -> list[str]:
    return links_of(erin.submit("/lab/studies/crowd/invitations", {"count": str(count), "nonce": nonce}))


def board(erin: Any) -> dict[int, dict[str, Any]]:
    return {row["number"]: row for row in erin.get("/lab/studies/crowd/people.json").json()["rows"]}


def take(lab: Any, link: str, *, until: str = "thanks") -> TestClient:
    """Go the way of a participant up to a kind of page, by the forms of its pages."""
    client = TestClient(lab)
    for _ in range(20):
        if client.get(f"{link}.json").json()["kind"] == until:
            return client
        form = re.search(r'<form[^>]*action="([^"]*)".*?</form>', client.get(link).text, re.S)
        assert form
        fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))
        radios = re.findall(r'type="radio"[^>]*name="([^"]*)"|name="([^"]*)"[^>]*type="radio"', form[0])
        fields |= {"agree": "yes", "answer": "60"} | {name: "3" for pair in radios for name in pair if name}
        client.post(form[1], data=fields)
    raise AssertionError(until)


def test_links_are_made_once_and_the_board_shows_who_is_where(erin: Any, lab: Any, crowd: Study) -> None:
    links = invite(erin, 4, nonce="n1")
    again = erin.submit("/lab/studies/crowd/invitations", {"count": "4", "nonce": "n1"})
    assert again.status_code == 409
    assert "made already" in again.text
    TestClient(lab).get(links[1])
    take(lab, links[2], until="ask")
    take(lab, links[3])
    rows = board(erin)
    assert [row["state"] for row in rows.values()] == ["invited", "entered", "consented", "finished"]
    assert sorted(row["cell"] for row in rows.values()) == ["people in few"] * 2 + ["people in many"] * 2
    page = unescape(erin.get("/lab/studies/crowd/people").text)
    assert "people in few: 2 of 2 planned places" in page
    assert "part 2 of 2" in page
    assert "<b>1</b> finished" in erin.get("/lab/studies/crowd/people/live").text


def test_a_drop_out_is_replaced_in_the_same_cell_once(erin: Any, lab: Any, crowd: Study, store: Store) -> None:
    links = invite(erin, 2)
    take(lab, links[0], until="ask")
    first, _ = board(erin)
    assert erin.submit("/lab/studies/crowd/people", {f"place.{first}": "yes", "act": "close"}).status_code == 303
    assert board(erin)[first]["state"] == "dropped out"
    instead = links_of(erin.submit("/lab/studies/crowd/replace", {"number": str(first)}))
    rows = board(erin)
    new = max(rows)
    assert (rows[first]["state"], rows[first]["replaced_by"], rows[new]["cell"]) == (
        "replaced",
        new,
        rows[first]["cell"],
    )
    take(lab, instead[0])
    twice = erin.submit("/lab/studies/crowd/replace", {"number": str(first)})
    assert twice.status_code == 409
    assert f"was replaced already, by invitation {new}" in unescape(twice.text)
    finished = erin.submit("/lab/studies/crowd/replace", {"number": str(new)})
    assert "has finished; exclude them first" in unescape(finished.text)
    assert len(board(erin)) == 3
    assert [line.who for line in store.trail.about(f"invitation {first}", beginning="replaced")] == ["Erin"]


@pytest.mark.parametrize("number", ["0", "", "-1", "999999999999"])
def test_a_number_that_no_invitation_has_is_refused_and_nothing_is_changed(
    erin: Any, crowd: Study, number: str
) -> None:
    refused = erin.submit("/lab/studies/crowd/replace", {"number": number})
    assert refused.status_code == 400
    assert "does not belong to 'crowd'; nothing was changed" in unescape(refused.text)


def test_exclusions_and_extensions_of_those_who_are_ticked(erin: Any, lab: Any, crowd: Study, store: Store) -> None:
    links = invite(erin, 2)
    take(lab, links[0])
    first, second = board(erin)
    ticked = {f"place.{first}": "yes", f"place.{second}": "yes"}
    before = board(erin)
    erin.submit("/lab/studies/crowd/people", {**ticked, "act": "extend", "days": "2"})
    after = board(erin)
    assert after[second]["expires"] - before[second]["expires"] == pytest.approx(2 * 86_400)
    assert after[first]["expires"] == before[first]["expires"]
    only = {f"place.{first}": "yes", "act": "exclude"}
    assert "needs a reason" in erin.submit("/lab/studies/crowd/people", only).text
    erin.submit("/lab/studies/crowd/people", {**only, "reason": "Fire alarm.", "rule": "slow"})
    row = board(erin)[first]
    assert (row["state"], row["excluded"], row["counts"]) == ("excluded", "slow: Fire alarm.", False)
    [decision] = store.exclusions.ledger()
    assert (decision.planned, decision.who) == (True, "Erin")
    erin.submit("/lab/studies/crowd/people", {**only, "act": "include", "reason": "It was a drill."})
    assert board(erin)[first]["state"] == "finished"


def test_nothing_is_done_to_people_of_other_studies_or_to_nobody(erin: Any, crowd: Study, store: Store) -> None:
    invite(erin, 1)
    for fields, words in (
        ({"act": "close"}, "Nobody was ticked"),
        ({"act": "close", "place.99": "yes"}, "Invitation 99 does not belong to 'crowd'"),
        ({"act": "burn", "place.1": "yes"}, "Say what is to be done"),
        ({"act": "extend", "place.1": "yes", "days": "-1"}, "at most 366 days"),
    ):
        answer = erin.submit("/lab/studies/crowd/people", fields)
        assert answer.status_code == 400
        assert words in unescape(answer.text)
    assert [one.status for one in store.invitations.all()] == ["open"]


def test_someone_is_enrolled_in_a_cohort_from_the_page(erin: Any, store: Store) -> None:
    register(make_study({**PLAN, "name": "office", "procedure": PROCEDURE}), store=store)
    fields = {"name": "Ann", "contact": "ann@example.org", "cohort": "1", "criterion.adult": "yes"}
    assert "was not answered" in erin.submit("/lab/studies/office/enrol", fields).text
    assert len(links_of(erin.submit("/lab/studies/office/enrol", fields | {"criterion.staff": "no"}))) == 1
    again = erin.submit("/lab/studies/office/enrol", fields | {"criterion.staff": "no"})
    assert "nobody may take part twice" in again.text
    page = erin.get("/lab/studies/office/people").text
    assert "1 of 3" in page
    assert "Ann" not in page


def test_enrolling_tells_nothing_of_studies_that_the_enroller_may_not_see(
    visitor: Callable[[str], Any], erin: Any, store: Store
) -> None:
    mia, account = visitor("member"), store.accounts.find("Mia")
    ann = {"name": "Ann", "contact": "ann@example.org", "cohort": "1"}
    fields = ann | {"criterion.adult": "yes", "criterion.staff": "no"}
    for name in ("open", "closed", "hers"):
        register(make_study({**PLAN, "name": name, "procedure": PROCEDURE}), store=store)
    store.members.put("closed", store.accounts.find("Anna"), role="owner", added_by="Anna")
    store.members.put("hers", account, role="owner", added_by="Mia")

    def enrol(client: Any, study: str) -> bool:
        return "nobody may take part twice" not in client.submit(f"/lab/studies/{study}/enrol", fields).text

    assert enrol(visitor("analyst"), "closed")
    assert enrol(erin, "open"), "the closed study is hidden from an experimenter of the laboratory"
    assert enrol(mia, "hers"), "both are hidden from someone who is a member of one study alone"
    assert not enrol(mia, "hers")
    register(make_study({**PLAN, "name": "later", "procedure": PROCEDURE}), store=store)
    assert not enrol(erin, "later"), "an open study is none that is hidden"
    store.members.put("closed", account, role="experimenter", added_by="Anna")
    register(make_study({**PLAN, "name": "last", "procedure": PROCEDURE}), store=store)
    store.members.put("last", account, role="owner", added_by="Mia")
    assert not enrol(mia, "last"), "she may see who takes part in her other studies"


def test_the_recruiting_link_is_opened_closed_and_the_same_again(erin: Any, crowd: Study, store: Store) -> None:
    path = "/lab/studies/crowd/recruiting"
    shown = []
    for act in ("", "close", ""):
        erin.submit(path, {"act": act})
        shown.append(erin.get("/lab/studies/crowd/people").text)
    token = store.recruiting_links.of("crowd").token
    assert all(f"/join/{token}</code>" in page for page in shown)
    assert ["Let nobody new come" in page for page in shown] == [True, False, True]
    assert "%SURVEY_CODE%" not in shown[0]
    assert [line.did for line in store.trail.about("crowd")][-3:] == [
        "opened the recruiting link",
        "closed the recruiting link",
        "opened the recruiting link",
    ]
    register(make_study({**PLAN, "name": "office", "procedure": PROCEDURE}), store=store)
    assert "enrolled one by one" in erin.submit("/lab/studies/office/recruiting").text
