"""Inviting people: links shown once, ways as planned, progress that is seen, links that are closed."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from mensura.store import Store
from mensura.web.lab.people.invitation import InvitationPlan, invite

LINK = re.compile(r"http://testserver(/p/[\w-]+)")


def make(client: Any, **fields: str) -> Any:
    base = {"test": "coin-v1", "count": "1", "consent": "Do you agree?", "days": "3", "parameter.flips": "2"}
    return client.submit("/lab/invitations", {**base, **fields})


class Person:
    """Someone who was given a link and takes part, without scripts."""

    def __init__(self, app: Any, path: str) -> None:
        self.client = TestClient(app)
        self.path = path

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"{self.path}.json").json()
        return found

    def act(self, **fields: str) -> None:
        """Send the first form of the page."""
        page = self.client.get(self.path).text
        form = re.search(r'<form[^>]*action="([^"]*)".*?</form>', page, re.S)
        assert form
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))
        hidden |= {"agree": "yes"} if 'name="agree"' in form[0] else {}
        assert self.client.post(form[1], data={**hidden, **fields}).status_code == 200

    def finish(self) -> list[str]:
        """Go to the end; gives the kinds of pages that were met."""
        kinds = []
        for _ in range(60):
            kind = self.state()["kind"]
            kinds.append(kind)
            if kind == "thanks":
                return kinds
            self.act(**({"answer": "50"} if kind == "ask" else {}))
        raise AssertionError(kinds)


def test_links_are_shown_once_and_each_opens(erin: Any, store: Store, lab: Any) -> None:
    page = make(erin, count="3", label="pilot", condition="hints").text
    links = LINK.findall(page)
    assert len(set(links)) == 3
    assert "shown only now" in page
    for link in links:
        assert TestClient(lab).get(link).status_code == 200
    token = links[0].removeprefix("/p/")
    for path in ("/lab/invitations", "/lab/invitations.json", "/lab/audit.json", "/lab.json", "/lab/identities.json"):
        assert token not in erin.get(path).text
    assert [one.label for one in store.invitations.all()] == ["pilot 1", "pilot 2", "pilot 3"]
    assert "made invitations" in [line.did for line in store.trail.lines()]


def test_a_condition_is_not_called_by_a_setting_that_it_does_not_have(erin: Any, store: Store) -> None:
    crisis = {"test": "crisis-v2", "parameter.flips": "", "condition": "cots"}
    wrong = make(erin, **crisis)
    assert wrong.status_code == 400
    assert "cots is a setting of this test" in wrong.text
    assert not store.invitations.all()
    make(erin, **crisis, setting="cots")
    assert [one.details["condition"] for one in store.invitations.all()] == ["cots"]


def test_a_form_that_is_sent_twice_makes_no_second_batch(erin: Any, store: Store) -> None:
    make(erin, nonce="same")
    again = make(erin, nonce="same")
    assert again.status_code == 409
    assert "made already" in again.text
    assert len(store.invitations.all()) == 1


def test_a_person_goes_the_way_that_was_planned_and_is_seen_on_it(erin: Any, store: Store, lab: Any) -> None:
    page = make(erin, label="pilot", briefing="# You will see coins.", practice="yes", thanks="Bye!").text
    person = Person(lab, LINK.findall(page)[0])
    assert erin.get("/lab/invitations.json").json()["rows"][0]["status"] == "not yet entered"
    person.client.get(person.path)
    row = erin.get("/lab/invitations.json").json()["rows"][0]
    assert (row["status"], row["step"], row["steps"], row["at"]) == ("open", 1, 5, "Consent")
    kinds = person.finish()
    assert kinds[0] == "consent"
    # Two flips of practice, as many as count: this test has no smaller setting for practice.
    assert kinds.count("ask") == 4
    row = erin.get("/lab/invitations.json").json()["rows"][0]
    assert (row["status"], row["answers"]) == ("finished", kinds.count("ask"))


def test_what_people_answer_becomes_results_of_their_run(erin: Any, store: Store, lab: Any) -> None:
    page = make(erin, count="2", condition="hints").text
    for link in LINK.findall(page):
        Person(lab, link).finish()
    head = store.runs.all()[-1]
    facts = erin.get(f"/lab/runs/{head.id}.json").json()["run"]
    assert (facts["people"], facts["condition"], facts["sessions"]) == (True, "hints", {"finished": 2})
    scores = erin.get(f"/lab/runs/{head.id}/results.json").json()["results"]["scores"]
    assert scores[0]["estimate"]["n"] == 2


def test_a_closed_link_opens_no_longer_and_what_was_answered_stays(erin: Any, store: Store, lab: Any) -> None:
    person = Person(lab, LINK.findall(make(erin).text)[0])
    person.act()
    person.act(answer="50")
    number = store.invitations.all()[0].number
    assert erin.submit(f"/lab/invitations/{number}/close").status_code == 303
    assert person.state()["kind"] == "expired"
    session = store.sessions.of(store.runs.all()[-1].id)[0]
    assert (session.status, session.last_words) == ("timed_out", "The link was closed by Erin.")
    assert len(store.records.find(session.id).given()) == 1
    assert store.results.history(session.id)[-1].scores.tally == {"answered": 1, "timed_out": 1}
    assert erin.get("/lab/invitations.json").json()["rows"][0]["status"] == "closed"
    assert erin.submit("/lab/invitations/999/close").status_code == 404


def test_someone_who_lost_their_link_is_erased_on_request_and_is_told_of_the_list_with_their_name(
    erin: Any, store: Store, lab: Any
) -> None:
    link = LINK.findall(make(erin).text)[0]
    Person(lab, link).finish()
    [one] = store.invitations.all()
    store.invitations.name(one.number, name="Zoe Zander")
    assert "Zoe Zander" in erin.get("/lab/identities.csv").text
    assert "A list of names and contacts was written" in TestClient(lab).get(f"{link}/withdraw").text
    page = f"/lab/invitations/{one.number}/erase"
    assert page in erin.get("/lab/invitations").text
    assert "A list of names and contacts was written" in erin.get(page).text
    assert erin.submit(page).status_code == 400
    assert store.events.of(one.sessions[0])
    assert erin.submit(page, {"sure": "yes"}).status_code == 303
    assert store.events.of(one.sessions[0]) == []
    assert "A list of names and contacts was written" in TestClient(lab).get(link).text
    assert (store.trail.lines()[0].who, store.trail.lines()[0].did) == ("Erin", "erased a participant")
    run = store.runs.all()[-1].id
    assert "A copy of this run holds people who withdrew since." in erin.get(f"/lab/runs/{run}").text
    [copy] = store.copies.outdated(run)
    assert "delete the file, and download it again" in copy.mending
    assert "is erased" in erin.get(page).text


def test_someone_who_stops_early_hides_no_item_and_someone_who_never_came_has_no_score(
    erin: Any, store: Store, lab: Any
) -> None:
    early, never = LINK.findall(make(erin, count="2", **{"parameter.flips": "5"}).text)
    person = Person(lab, early)
    person.act()
    person.act(answer="50")
    assert never != early
    for one in store.invitations.all():
        erin.submit(f"/lab/invitations/{one.number}/close")
    came, stayed_away = store.sessions.of(store.runs.all()[-1].id)
    scores = store.results.history(came.id)[-1].scores
    assert (scores.status, scores.tally) == ("timed_out", {"answered": 1, "timed_out": 4})
    assert (stayed_away.status, store.results.history(stayed_away.id)) == ("timed_out", [])


def test_a_shared_session_goes_on_when_one_link_is_closed(erin: Any, store: Store) -> None:
    make(erin, test="dilemma-v1", **{"parameter.flips": "", "parameter.rounds": "2"})
    first, second = store.invitations.all()
    erin.submit(f"/lab/invitations/{first.number}/close")
    session = first.steps[1].session
    assert store.sessions.find(session).status == "open"
    erin.submit(f"/lab/invitations/{second.number}/close")
    assert store.sessions.find(session).status == "timed_out"


def test_each_person_of_a_session_gets_a_link_and_programs_get_none(erin: Any, store: Store) -> None:
    fields = {"test": "dilemma-v1", "parameter.flips": "", "count": "2"}
    assert len(LINK.findall(make(erin, **fields).text)) == 4
    assert len(LINK.findall(make(erin, **fields, **{"role.second": "tit-for-tat"}).text)) == 2
    assert store.runs.all()[-1].cast == {"first": "human", "second": "tit-for-tat"}


def test_several_sessions_of_one_person_are_a_course(store: Store) -> None:
    batch = invite(InvitationPlan("coin", count=2, sessions=3), store=store, created_by="Erin")
    addresses = [session.address for session in store.sessions.of(batch.run.id)]
    assert [address[:3] for address in addresses] == [(who, 0, time) for who in range(2) for time in range(3)]
    assert batch.run.details["visits"] == 3
    steps = store.invitations.all()[1].steps
    assert [step.heading for step in steps] == ["Consent", "Part 1 of 3", "Part 2 of 3", "Part 3 of 3", "Thank you"]


def test_sessions_of_one_person_are_one_person_in_estimates(erin: Any, store: Store, lab: Any) -> None:
    for link in LINK.findall(make(erin, count="2", sessions="3").text):
        Person(lab, link).finish()
    head = store.runs.all()[-1]
    assert len(store.results.of(head.id)) == 6
    for score in erin.get(f"/lab/runs/{head.id}/results.json").json()["results"]["scores"]:
        assert (score["estimate"]["n"], score["population"]) == (2, "people")
        assert score["generalises"] == "Generalises to other people: 2 people, 6 sessions in all."
    make(erin)
    assert "visits" not in store.runs.all()[-1].details


def test_practice_and_survey_are_runs_of_their_own(store: Store) -> None:
    plan = InvitationPlan("coin", practice=True, survey="inbox-v1", condition="hints")
    head = invite(plan, store=store, created_by="Erin").run
    others = [
        one for one in store.runs.all() if one.id != head.id and one.details.keys() & {"practice_for", "survey_for"}
    ]
    assert {one.test: one.condition for one in others} == {"coin-v1": "practice", "inbox-v1": "hints"}
    assert all(one.seed != head.seed for one in others)
    steps = store.invitations.all()[0].steps
    assert [(step.kind, step.practice) for step in steps] == [
        ("consent", False),
        ("session", True),
        ("session", False),
        ("session", False),
        ("thanks", False),
    ]


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"count": "0"}, 400, "1 to 500 sessions"),
        ({"count": "501"}, 400, "1 to 500 sessions"),
        ({"sessions": "21"}, 400, "1 to 20 times"),
        ({"days": "-1"}, 400, "more than 0"),
        ({"days": "soon"}, 400, "must be a number"),
        ({"consent": "  "}, 400, "consent is empty"),
        ({"label": "x" * 101}, 400, "at most 100 characters"),
        ({"role.subject": "program:evil"}, 400, "is played by human or by"),
        ({"role.nobody": "human"}, 400, "There is no role nobody"),
        ({"role.subject": "chance"}, 400, "Nobody is invited"),
        ({"replacement": "evil"}, 400, "replaced by one of"),
        ({"survey": "./mine.py:x"}, 404, "There is no test called"),
        ({"test": "nothing"}, 404, "There is no test called"),
    ],
)
def test_people_who_cannot_be_invited_so_are_not_invited(
    fields: dict[str, str], status: int, words: str, erin: Any, store: Store
) -> None:
    answer = make(erin, **fields)
    assert answer.status_code == status
    assert words in answer.text
    assert store.invitations.all() == []
    assert len(store.runs.all()) == 2


def test_who_someone_is_stands_apart_from_what_they_did(erin: Any, anna: Any, store: Store, lab: Any) -> None:
    page = make(erin, label="pilot").text
    person = Person(lab, LINK.findall(page)[0])
    number = store.invitations.all()[0].number
    fields = {"invitation": str(number), "name": "Xenia Secret", "contact": "=x@example.org", "notes": "left-handed"}
    assert erin.submit("/lab/identities", fields).status_code == 303
    assert "Xenia Secret" in erin.get("/lab/identities").text
    table = erin.get("/lab/identities.csv")
    assert table.headers["content-disposition"] == 'attachment; filename="identities.csv"'
    # A spreadsheet must not take a contact for a formula.
    assert f"{number},Xenia Secret,'=x@example.org,left-handed" in table.text
    person.finish()
    run = store.runs.all()[-1].id
    pages = ("/lab", "/lab/invitations", f"/lab/runs/{run}", f"/lab/runs/{run}/sessions/0.0.0", "/lab/audit")
    for path in pages:
        assert "Xenia Secret" not in erin.get(path).text
        assert "Xenia Secret" not in erin.get(f"{path}.json").text
    assert anna.get("/lab/identities.csv").status_code == 403
    did = [line.did for line in store.trail.lines()]
    assert {"wrote down an identity", "looked at identities", "exported identities"} <= set(did)


def test_nothing_is_kept_about_someone_who_withdrew(erin: Any, store: Store) -> None:
    make(erin)
    number = store.invitations.all()[0].number
    store.invitations.withdraw(number)
    answer = erin.submit("/lab/identities", {"invitation": str(number), "name": "Xenia"})
    assert answer.status_code == 400
    assert store.invitations.identities() == []
    assert erin.get("/lab/invitations.json").json()["rows"][0]["status"] == "withdrawn"


def test_the_titles_of_several_sessions_are_translated(store: Store, lab: Any) -> None:
    plan = InvitationPlan("coin-v1", sessions=2, language="de", parameters={"flips": 1})
    person = Person(lab, invite(plan, store=store, created_by="erin").links[0].path)
    person.act()
    assert person.state()["heading"] == "Teil 1 von 2"


def test_a_link_that_was_never_opened_is_not_under_way(erin: Any, store: Store, lab: Any) -> None:
    first, _ = LINK.findall(make(erin, count="2").text)
    run = store.runs.all()[-1].id

    def shown() -> tuple[str, str]:
        pages = erin.get("/lab/live").text, erin.get(f"/lab/runs/{run}/progress").text
        overview, progress = (" ".join(re.sub(r"<[^>]+>", " ", page).split()) for page in pages)
        return overview.split(" links not yet")[0], progress

    overview, progress = shown()
    assert "0 sessions under way 2" in overview
    assert "2 not begun" in progress
    assert "under way" not in progress
    Person(lab, first).act()
    overview, progress = shown()
    assert "1 session under way 1" in overview
    assert "1 not begun" in progress
    assert "1 under way" in progress
    rows = re.findall(r'<span class="badge [\w-]+">([^<]+)</span>', erin.get(f"/lab/runs/{run}").text)
    assert rows == ["under way", "not begun"]
    found = erin.get(f"/lab/runs/{run}.json").json()["run"]
    assert (found["sessions"], found["not_begun"]) == ({"open": 2}, 1)
