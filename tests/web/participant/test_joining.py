"""The one link of a study: who comes is asked, assigned once, led back to their place, and sent home with a code."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from starlette.testclient import TestClient

from mensura.errors import BadParameter
from mensura.running.study import make_study, register
from mensura.running.study.payment import payments
from mensura.running.study.people.arriving import arrive, close_entrance, entrance, open_entrance
from mensura.running.study.people.changing import exclude_places, replace_place
from mensura.running.study.people.places import places_of
from mensura.running.study.people.platform import Arrival
from mensura.running.study.people.recruitment import Recruitment
from mensura.running.study.procedure import Pay
from mensura.store import open_store

PLAN = {
    "name": "crowd",
    "test": "coin",
    "conditions": {"few": {"flips": 1}, "many": {"flips": 1}},
    "casts": {"people": "human"},
    "sessions": 3,
}
CODES = {"finished": "DONE1", "screened_out": "OUT1", "withdrawn": "GONE1"}
HAND = {"key": "hand", "text": "Which hand?", "options": {"left": 2, "right": None}}
ADULT = {"key": "adult", "text": "Are you 18 or older?"}


@pytest.fixture
def door(store):
    """Give a maker of the entrance to a study with something more in its plan."""

    def make(**recruiting):
        study = make_study({**PLAN, "recruiting": recruiting})
        register(study, store=store)
        return open_entrance(study, store=store, who="Erin")

    return make


class Person:
    """A browser that comes by the link."""

    def __init__(self, app, link, query=""):
        self.client = TestClient(app)
        self.address = f"{link.path}?{query}" if query else link.path
        self.page = self.client.get(self.address)

    @property
    def place(self):
        found = re.search(r"/p/([^/?]+)", str(self.page.url))
        return found[1] if found else ""

    def send(self, **fields):
        form = re.search(r'<form[^>]*action="([^"]*)".*?</form>', self.page.text, re.S)
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))
        self.page = self.client.post(form[1], data={**hidden, **fields})
        return self

    def finish(self):
        self.send(agree="yes").send(answer="60")
        return self.send()


def test_those_who_come_are_spread_over_the_cells_until_the_places_are_taken(app, store, door):
    link = door()
    people = [Person(app, link).send() for _ in range(6)]
    assert len({person.place for person in people}) == 6
    assert Counter(one.cell for one in places_of("crowd", store=store)) == {"people in few": 3, "people in many": 3}
    late = Person(app, link)
    assert late.page.status_code == 410
    assert "Enough people have taken part" in late.page.text
    assert people[0].client.get(link.path).url.path == f"/p/{people[0].place}"
    assert len(store.invitations.all()) == 6


@pytest.mark.parametrize(
    ("recruiting", "query", "shown"),
    [
        ({"platform": "prolific", "codes": CODES | {"full": "FULL1"}}, "PROLIFIC_PID=late", "complete?cc=FULL1"),
        ({"platform": "prolific", "codes": CODES}, "PROLIFIC_PID=late", "complete?cc=OUT1"),
        ({"platform": "mturk", "codes": {"full": "FULL1"}}, "workerId=W9", '<code class="code">FULL1</code>'),
        ({"codes": {"full": "FULL1"}}, "", '<code class="code">FULL1</code>'),
        ({"platform": "prolific", "codes": {"finished": "DONE1"}}, "PROLIFIC_PID=late", ""),
        ({"platform": "mturk"}, "workerId=W9", ""),
    ],
)
def test_those_who_come_when_the_study_is_full_take_its_code_back(app, store, door, recruiting, query, shown):
    link = door(**recruiting)
    early, looked = [f"{query}{number}" if query else "" for number in range(6)], Person(app, link, query)
    for one in early:
        Person(app, link, one).send()
    for late in (Person(app, link, query), looked.send()):
        assert late.page.status_code == 410
        assert "Enough people have taken part" in late.page.text
        assert shown in late.page.text
        assert ('class="completion"' in late.page.text) == bool(shown)
    assert len(store.invitations.all()) == 6
    close_entrance("crowd", store=store, who="Erin")
    assert "completion" not in Person(app, link, query).page.text


def test_a_look_alone_takes_no_place_and_a_closed_link_says_so(app, store, door):
    link = door()
    assert Person(app, link).page.status_code == 200
    looking = Person(app, link, "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H")
    assert "only a look" in looking.page.text
    inside = Person(app, link).send()
    close_entrance("crowd", store=store, who="Erin")
    assert "takes nobody new" in Person(app, link).page.text
    assert inside.client.get(inside.address).url.path == f"/p/{inside.place}"
    assert TestClient(app).get("/join/nothing").status_code == 404
    assert len(store.invitations.all()) == 1


def test_prolific_sends_who_it_is_and_gets_the_code_back(app, store, door):
    link = door(platform="prolific", codes=CODES)
    query = "PROLIFIC_PID=5f1a&STUDY_ID=s9&SESSION_ID=x7"
    one = Person(app, link, query).send().finish()
    assert "https://app.prolific.com/submissions/complete?cc=DONE1" in one.page.text
    assert Person(app, link, query).place == one.place
    [identity] = store.invitations.identities()
    assert (identity["contact"], identity["notes"]) == ("prolific 5f1a", "STUDY_ID s9, SESSION_ID x7")
    with store.database.reading() as connection:
        dumped = "\n".join(
            str(tuple(row))
            for table in ("invitations", "sessions", "events", "runs", "audit", "contents")
            for row in connection.exec_driver_sql(f"SELECT * FROM {table}")
        )
    assert "5f1a" not in dumped
    for wrong in ("", "PROLIFIC_PID={{%PROLIFIC_PID%}}", "workerId=W1"):
        refused = Person(app, link, wrong)
        assert refused.page.status_code == 400
        assert "by way of Prolific" in refused.page.text


def test_a_person_who_withdrew_has_their_code_and_cannot_come_again(app, store, door):
    link = door(platform="prolific", codes=CODES)
    one = Person(app, link, "PROLIFIC_PID=5f1a").send()
    one.page = one.client.get(f"/p/{one.place}/withdraw")
    one.send(sure="yes")
    assert "cc=GONE1" in one.page.text
    assert store.invitations.identities() == []
    again = Person(app, link, "PROLIFIC_PID=5f1a")
    assert "You have withdrawn" in again.page.text
    assert len(store.invitations.all()) == 1


def test_mturk_pastes_a_code_of_ones_own_and_sona_grants_credit(app, store, door):
    credit = "https://x.sona-systems.com/webstudy_credit.aspx?experiment_id=1&credit_token=ab"
    link = door(platform="sona", credit=credit)
    done = Person(app, link, "survey_code=41").send().finish()
    assert f'href="{credit}&survey_code=41"' in unescape(done.page.text)
    other = make_study({**PLAN, "name": "other"})
    register(other, store=store)
    link = open_entrance(other, store=store)
    unpaid = Person(app, link, "survey_code=41").send().finish()
    assert "completion" not in unpaid.page.text, "without its address there is nothing to send people back to"
    codes = set()
    for worker in ("W1", "W2"):
        page = Person(app, link, f"workerId={worker}&assignmentId=A&hitId=H").send().finish().page.text
        code = re.search(r'<code class="code">(\w{8})</code>', page)[1]
        assert "Copy the code and paste it there" in page
        notes = [row["notes"] for row in store.invitations.identities() if row["contact"] == f"mturk {worker}"]
        assert notes == [f"assignmentId A, hitId H, code {code}"]
        codes.add(code)
    assert len(codes) == 2


def test_strata_are_balanced_quotas_refuse_and_nobody_tries_again(app, store, door):
    link = door(criteria=[ADULT], strata=[HAND], codes=CODES)
    young = Person(app, link).send(**{"q.adult": "no", "q.hand": "left"})
    assert "looks for people whose answers are others" in young.page.text
    assert "OUT1" in young.page.text
    young.page = young.client.get(link.path)
    assert "looks for people" in young.page.text
    blank = Person(app, link).send(**{"q.adult": "yes"})
    assert blank.page.status_code == 422
    assert "Please answer every question." in blank.page.text
    for hand in ("left", "right", "left", "right"):
        Person(app, link).send(**{"q.adult": "yes", "q.hand": hand})
    cells = Counter((one.stratum["hand"], one.cell) for one in places_of("crowd", store=store) if one.session)
    assert set(cells.values()) == {1}
    assert len(cells) == 4
    full = Person(app, link).send(**{"q.adult": "yes", "q.hand": "left"})
    assert "Enough people with answers like yours" in full.page.text
    states = Counter(one.state for one in places_of("crowd", store=store))
    assert states == {"turned away": 2, "entered": 4}


def test_nobody_who_was_turned_away_is_paid_nor_after_a_withdrawal(app, store, door):
    link = door(criteria=[ADULT], strata=[HAND], codes=CODES)
    for hand in ("left", "left", "left", "right"):
        Person(app, link).send(**{"q.adult": "yes", "q.hand": hand})
    Person(app, link).send(**{"q.adult": "no", "q.hand": "right"})
    taken, full, screened = (places_of("crowd", store=store)[number] for number in (0, 2, 4))
    assert (full.state, screened.state) == ("turned away", "turned away")
    store.invitations.withdraw(full.number)
    store.invitations.withdraw(taken.number)
    due = payments("crowd", Pay(10), store=store)
    assert [(one.subject, one.withdrew) for one in due] == [("1", True), ("2", False), ("4", False)]


def test_a_plan_that_looks_at_the_outcome_has_places_up_to_the_next_look(app, store):
    stop = {"most": 4, "looks": [2, 4], "method": "obrien-fleming"}
    hypothesis = {"name": "H1", "score": "quadratic_score", "compare": ["few", "many"]}
    study = make_study({**PLAN, "sessions": 4, "stop": stop, "hypotheses": [hypothesis]})
    register(study, store=store)
    link = open_entrance(study, store=store)
    people = [Person(app, link).send() for _ in range(4)]
    assert "takes nobody new at present" in Person(app, link).page.text
    for person in people:
        person.finish()
    assert Person(app, link).page.status_code == 200
    exclude_places("crowd", [1, 2, 3], reason="Fire alarm.", store=store, who="ada")
    later = [Person(app, link).send().finish() for _ in range(7)]
    assert all(person.place for person in later), "the first look stays taken: there are places up to the second"
    assert "Enough people have taken part" in Person(app, link).page.text
    numbers = [one.number for one in places_of("crowd", store=store) if one.cell == "people in few"]
    exclude_places("crowd", numbers, reason="Fire alarm.", store=store, who="ada")
    assert "Enough people have taken part" in Person(app, link).page.text, "the last look ended the study"
    with pytest.raises(BadParameter, match="The study is over: Look 2 of 2"):
        replace_place(study, numbers[0], store=store)


def test_of_those_who_come_at_one_moment_each_has_one_place(store, door):
    link = door()

    def come(person):
        with open_store(store.url) as another:
            return arrive(entrance(link.token, store=another), Arrival("prolific", person), {}, store=another)

    with ThreadPoolExecutor(4) as pool:
        tokens = list(pool.map(come, ["a", "a", "b", "b"]))
    assert len(set(tokens)) == 2
    assert len(store.invitations.all()) == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"platform": "facebook"}, "no platform called 'facebook'"),
        ({"platform": "prolific"}, "Prolific needs the code"),
        ({"platform": "sona", "credit": "http://x.org"}, "SONA needs the address"),
        ({"codes": {"finished": "A B"}}, "letters, digits"),
        ({"codes": {"finished": "A", "withdrawn": "A"}}, "must differ from the codes"),
        ({"strata": [{"text": "?", "options": ["one"]}]}, "at least two options"),
        ({"strata": [{"text": "?", "options": {"a": -1, "b": 2}}]}, "whole number of 0 or more"),
        ({"stratum": []}, "no part of `recruiting` called 'stratum'"),
    ],
)
def test_a_plan_that_means_nothing_is_refused(given, words):
    with pytest.raises(BadParameter if "called" not in words else Exception, match=words):
        Recruitment.read(given)


@pytest.mark.parametrize(
    "host",
    [
        "https://evil.example/?x=sona-systems.com&",
        "https://my-sona-systems.com/?",
        "https://x.sona-systems.com.evil.example/?",
        "https://sona-systems.com@evil.example/?",
        "https://evil.example\\@x.sona-systems.com/?",
        "https://x.sona-systems.com:8443/?",
        "http://x.sona-systems.com/?",
        "https://x.sona-systems.com/\tpage?",
    ],
)
def test_credit_is_granted_by_sona_alone_whatever_an_address_looks_like(host):
    with pytest.raises(BadParameter, match="SONA needs the address"):
        Recruitment.read({"platform": "sona", "credit": f"{host}experiment_id=1&credit_token=ab"})


@pytest.mark.parametrize("host", ["sona-systems.com", "SCHOOL.Sona-Systems.com", "a.b-c.sona-systems.com:443"])
def test_addresses_of_sona_and_its_schools_are_taken(host):
    credit = f"https://{host}/webstudy_credit.aspx?experiment_id=1&credit_token=ab"
    assert Recruitment.read({"platform": "sona", "credit": credit}).credit == credit


def test_the_page_has_the_language_and_the_face_of_the_plan(app, store):
    brand = {"name": "Sleep lab", "colour": "#005a8c", "contact": "sleep@example.org"}
    study = make_study({**PLAN, "invitation": {"language": "de", "brand": brand}})
    register(study, store=store)
    page = Person(app, open_entrance(study, store=store)).page.text
    assert '<html lang="de"' in page
    assert "Beginnen" in page
    assert "Sleep lab" in page
    assert "/brand/005a8c.css" in page


def test_a_platform_s_parameter_makes_nobody_someone_else_in_their_own_browser(app, store, door):
    link = door(criteria=[ADULT])
    person = Person(app, link).send(**{"q.adult": "no"})
    first = person.place
    assert first
    for query in ("PROLIFIC_PID=any1&STUDY_ID=s&SESSION_ID=x", "survey_code=77"):
        assert person.client.get(f"{link.path}?{query}").url.path == f"/p/{first}"
    assert [one.session for one in places_of("crowd", store=store)] == [""]
