"""A study with members: they see it by their role in it, strangers see nothing of it, administrators leave a trace."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from mensura.running.panel import Rater, assign, open_panel, session_artefacts
from mensura.running.study import conduct, invite, make_study
from mensura.running.study.membership.looking import ENTERED, LOOKED
from mensura.store import Store, open_store
from mensura.web.lab.people.rights import HIDDEN
from tests.web.lab.conftest import Visitor, copied
from tests.web.lab.test_permissions import API, PAGES, filled_in

PASSWORD = "a long enough password"
STAFF = {"owner", "experimenter"}
READERS = STAFF | {"analyst"}
# Written by hand and apart from the table in the program. Routes that name no study, run or invitation are lists, or
# for the roles of accounts alone.
IN_STUDY: dict[tuple[str, str], set[str]] = {
    ("GET", "/lab/runs/{run}"): READERS,
    ("GET", "/lab/runs/{run}/progress"): READERS,
    ("GET", "/lab/runs/{run}/results"): READERS,
    ("GET", "/lab/runs/{run}/results/part"): READERS,
    ("GET", "/lab/runs/{run}/figures/{score}.svg"): READERS,
    ("POST", "/lab/runs/{run}/resume"): STAFF,
    ("GET", "/lab/runs/{run}/sessions/{address}"): READERS,
    ("GET", "/lab/runs/{run}/sessions/{address}/playback"): READERS,
    ("GET", "/lab/runs/{run}/sessions/{address}/playback/part"): READERS,
    ("POST", "/lab/runs/{run}/exclusions"): READERS,
    ("GET", "/lab/runs/{run}/export"): READERS,
    ("GET", "/lab/studies/{study}"): READERS,
    ("GET", "/lab/studies/{study}/export"): READERS,
    ("GET", "/lab/studies/{study}/archive"): READERS,
    ("GET", "/lab/studies/{study}/members"): {"owner"},
    ("POST", "/lab/studies/{study}/members"): {"owner"},
    ("POST", "/lab/studies/{study}/members/remove"): {"owner"},
    ("POST", "/lab/studies/{study}/start"): STAFF,
    ("GET", "/lab/studies/{study}/amend"): STAFF,
    ("POST", "/lab/studies/{study}/amend"): STAFF,
    ("GET", "/lab/studies/{study}/people"): STAFF,
    ("GET", "/lab/studies/{study}/people/live"): STAFF,
    ("POST", "/lab/studies/{study}/people"): STAFF,
    ("POST", "/lab/studies/{study}/invitations"): STAFF,
    ("POST", "/lab/studies/{study}/enrol"): STAFF,
    ("POST", "/lab/studies/{study}/replace"): STAFF,
    ("POST", "/lab/studies/{study}/recruiting"): STAFF,
    ("GET", "/lab/studies/{study}/panels"): STAFF,
    ("POST", "/lab/studies/{study}/panels"): STAFF,
    ("GET", "/lab/observe/{study}"): STAFF | {"observer"},
    ("GET", "/lab/observe/{study}/live"): STAFF | {"observer"},
    ("GET", "/lab/observe/{study}/{number}"): STAFF | {"observer"},
    ("POST", "/lab/observe/{study}/{number}"): STAFF | {"observer"},
    ("GET", "/lab/panels/{panel}/export"): STAFF,
    ("POST", "/lab/invitations/{number}/close"): STAFF,
    ("POST", "/lab/invitations/{number}/extend"): STAFF,
    ("GET", "/lab/invitations/{number}/erase"): STAFF,
    ("POST", "/lab/invitations/{number}/erase"): STAFF,
}
API_IN_STUDY: dict[tuple[str, str], set[str]] = {
    ("GET", "/runs/{run}"): READERS,
    ("GET", "/runs/{run}/sessions"): READERS,
    ("GET", "/runs/{run}/sessions/{address}"): READERS,
    ("GET", "/runs/{run}/sessions/{address}/events"): READERS,
    ("GET", "/runs/{run}/results"): READERS,
    ("GET", "/runs/{run}/exclusions"): READERS,
    ("POST", "/runs/{run}/exclusions"): READERS,
    ("POST", "/runs/{run}/resume"): STAFF,
    ("GET", "/runs/{run}/export"): READERS,
    ("POST", "/invitations/{number}/close"): STAFF,
}
LISTS: dict[str, set[str]] = {
    "/lab": READERS,
    "/lab/live": READERS,
    "/lab/runs": READERS,
    "/lab/compare": READERS,
    "/lab/studies": READERS,
    "/lab/exclusions": READERS,
    "/lab/exclusions.csv": READERS,
    "/lab/invitations": STAFF,
    "/lab/invitations/live": STAFF,
    "/lab/identities": STAFF,
    "/lab/identities.csv": STAFF,
    "/lab/observe": STAFF | {"observer"},
    "/lab/panels": STAFF | {"rater"},
    "/api/v1/runs": READERS,
    "/api/v1/invitations": STAFF,
}
NAMES = {"owner": "Olga", "experimenter": "Ed", "observer": "Otto", "rater": "Ria", "analyst": "Al"}
RUBRIC = {"instructions": "Judge.", "scale": {"points": 5}, "items": [{"key": "clear", "text": "It is clear."}]}


class Owned:
    """What belongs to a study that has members."""

    def __init__(self, store: Store) -> None:
        plan = {
            "name": "hidden-one",
            "test": "coin",
            "casts": {"told": "stated", "people": "human"},
            "conditions": {"few": {"flips": 2}},
            "sessions": 3,
            "hypotheses": [{"score": "quadratic_score", "compare": ["told", "people"], "expect": "greater"}],
        }
        self.study = make_study(plan)
        conduct(self.study, store=store)
        self.invitation = invite(self.study, 1, store=store)[0].number
        store.invitations.name(self.invitation, name="Pat Person", contact="pat@example.org")
        heads = [head for head in store.runs.all() if head.details.get("study") == "hidden-one"]
        self.run = next(head.id for head in heads if "human" not in head.cast.values())
        store.exclusions.decide(f"{self.run}/0.0.1", reason="Fire alarm.", who="Olga", planned=False)
        open_panel("hidden-panel", session_artefacts(self.run, store=store), rubric=RUBRIC, store=store, keep=["few"])
        assign("hidden-panel", [Rater(name) for name in ("Ria", "Sam")], store=store)
        for role, name in {**NAMES, "stranger": "Sam"}.items():
            account = store.accounts.add(name, password=PASSWORD, role="analyst" if name == "Sam" else "member")
            if role != "stranger":
                store.members.put("hidden-one", account, role=role, added_by="Olga")
        self.words = ("hidden-one", "hidden-panel", "Pat Person", "Fire alarm", *(head.id for head in heads))

    def address(self, path: str) -> str:
        for name, value in (
            ("{study}", "hidden-one"),
            ("{number}", str(self.invitation)),
            ("{score}", "nothing"),
            ("{panel}", "hidden-panel"),
        ):
            path = path.replace(name, value)
        return filled_in(path, self.run)


@pytest.fixture(scope="module")
def filled(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the store of all these tests, with a study that has members in it."""
    path = copied(filled, tmp_path_factory.mktemp("members"))
    with open_store(path) as store:
        OWNED.append(Owned(store))
    return path


OWNED: list[Owned] = []


@pytest.fixture
def owned(filled: Path) -> Owned:
    """Give what belongs to that study."""
    return OWNED[-1]


@pytest.fixture
def enter(lab: FastAPI, owned: Owned) -> Callable[[str], Any]:
    """Log in by name."""

    def make(name: str) -> Any:
        client = Visitor(lab, follow_redirects=False)
        store: Store = lab.state.laboratory.store
        secret, _ = store.keys.give(store.accounts.find(name), kind="login", seconds=600)
        client.cookies.set("mensura-login", lab.state.laboratory.signer.wrap(secret, purpose="login"))
        return client

    return make


def test_every_route_that_names_something_of_a_study_is_in_the_tables() -> None:
    named = ("{run}", "{study}", "{number}", "{panel}")
    theirs = {key for key in PAGES if any(one in key[1] for one in named) and "/me/" not in key[1]}
    assert theirs == set(IN_STUDY)
    assert {key for key in API if any(one in key[1] for one in named)} == set(API_IN_STUDY)


def test_members_do_what_their_role_in_the_study_may_and_strangers_find_nothing(
    owned: Owned, enter: Callable[[str], Any]
) -> None:
    for role, name in {**NAMES, "stranger": "Sam"}.items():
        client = enter(name)
        csrf = {"csrf": client.token("/lab/me")}
        program = {"x-csrf-token": csrf["csrf"]}
        for table, prefix in ((IN_STUDY, ""), (API_IN_STUDY, "/api/v1")):
            for (method, path), roles in table.items():
                if path.endswith(("/export", "/archive", "studies/{study}")) and role in STAFF and "analyst" in roles:
                    # To analyse and to write files takes long; what the analyst may, they may.
                    continue
                address = prefix + owned.address(path)
                if method == "GET":
                    answer = client.get(address)
                elif prefix:
                    body = {"sessions": ["9.9.9"], "reason": "Again."} if path.endswith("exclusions") else {}
                    answer = client.post(address, json=body, headers=program)
                else:
                    answer = client.post(address, data=csrf)
                where = f"{role} {method} {address}: {answer.status_code}"
                if role in roles:
                    assert answer.status_code not in (401, 403), where
                    assert HIDDEN not in answer.text, where
                elif role == "stranger":
                    assert answer.status_code in (403, 404), where
                    assert not [word for word in owned.words if word in answer.text], where
                else:
                    assert answer.status_code == 403, where
                    assert "of hidden-one; to " in unescape(answer.text) or "logged in as a member" in answer.text, (
                        where
                    )


def test_lists_show_a_study_to_its_members_and_to_nobody_else(owned: Owned, enter: Callable[[str], Any]) -> None:
    for role, name in {**NAMES, "stranger": "Sam", "administrator": "Erin"}.items():
        client = enter(name)
        for path, roles in LISTS.items():
            answer = client.get(path)
            found = [word for word in owned.words if word in answer.text]
            where = f"{role} {path}: {answer.status_code} {found}"
            if role in roles:
                assert answer.status_code == 200, where
                # Those who rate are not told what they rate.
                assert found or (role, path) == ("rater", "/lab/panels"), where
            elif role == "administrator" and path == "/lab/studies":
                assert found == ["hidden-one"], where
            else:
                assert not found, where
        rated = client.get("/lab/panels.json").json().get("work", [])
        assert len(rated) == (role == "rater"), role


def test_what_is_compared_or_met_again_must_be_seen_first(
    owned: Owned, enter: Callable[[str], Any], runs: tuple[str, str]
) -> None:
    sam, erin = enter("Sam"), enter("Erin")
    for path in (
        f"/lab/compare?run={runs[0]}&run={owned.run}",
        f"/lab/compare/figure.svg?first={runs[0]}&second={owned.run}&score=quadratic_score",
        f"/api/v1/compare?first={runs[0]}&second={owned.run}",
        "/lab/identities?study=hidden-one",
        f"/lab/runs/{owned.run[:-1]}",
        "/lab/studies/hidden-on",
    ):
        answer = sam.get(path)
        assert answer.status_code in (403, 404), path
        assert not [word for word in owned.words if word in answer.text.replace(owned.run[:-1], "")], path
    for form in (
        {"test": "coin", "same_items_as": owned.run},
        {"test": "coin", "same_items_as": owned.run, "count": "1"},
    ):
        path = "/lab/invitations" if "count" in form else "/lab/runs"
        answer = erin.submit(path, form)
        assert answer.status_code == 404
        assert HIDDEN in unescape(answer.text)


def test_every_look_at_identities_is_in_the_trail_that_the_owner_reads(
    owned: Owned, enter: Callable[[str], Any], store: Store
) -> None:
    ed, olga = enter("Ed"), enter("Olga")
    assert "Pat Person" in ed.get("/lab/identities?study=hidden-one").text
    assert "Pat Person" in ed.get("/lab/identities.csv?study=hidden-one").text
    ed.submit("/lab/identities", {"invitation": str(owned.invitation), "name": "Pat P.", "study": "hidden-one"})
    lines = [line for line in olga.get("/lab/studies/hidden-one/members.json").json()["trail"] if line["who"] == "Ed"]
    assert [line["did"] for line in lines] == ["wrote down an identity", "exported identities", LOOKED]
    assert all(line["details"]["invitations"][0] == owned.invitation for line in lines)
    assert {line["details"]["address"] for line in lines} == {"testclient"}
    page = olga.get("/lab/studies/hidden-one/members").text
    assert f"invitations {owned.invitation}" in page
    assert LOOKED in page


def test_an_administrator_who_opens_a_study_of_others_is_noted_once_and_each_look_at_identities(
    owned: Owned, enter: Callable[[str], Any], store: Store
) -> None:
    erin = enter("Erin")
    for _ in range(3):
        assert erin.get(f"/lab/runs/{owned.run}/progress").status_code == 200
        assert erin.get("/lab/identities?study=hidden-one").status_code == 200
    did = [(line.who, line.did) for line in store.trail.about("hidden-one")]
    assert did.count(("Erin", ENTERED)) == 1
    assert did.count(("Erin", LOOKED)) == 3


def test_the_owner_adds_changes_and_takes_out_members(owned: Owned, enter: Callable[[str], Any], store: Store) -> None:
    olga, sam, page = enter("Olga"), enter("Sam"), "/lab/studies/hidden-one/members"
    assert sam.get("/lab/studies/hidden-one").status_code == 404
    assert olga.submit(page, {"name": "Sam", "role": "analyst"}).status_code == 303
    assert sam.get("/lab/studies/hidden-one").status_code == 200
    assert olga.submit(page, {"name": "Sam", "role": "rater"}).status_code == 303
    assert "You are a rater of hidden-one" in sam.get("/lab/studies/hidden-one").text
    for name, role, words in (
        ("Nobody", "owner", "Nobody"),
        ("Sam", "king", "king"),
        ("Olga", "rater", "needs an owner"),
    ):
        answer = olga.submit(page, {"name": name, "role": role})
        assert answer.status_code in (400, 404)
        assert words in answer.text
    assert olga.submit(f"{page}/remove", {"name": "Sam"}).status_code == 303
    assert sam.get("/lab/studies/hidden-one").status_code == 404
    assert "needs an owner" in olga.submit(f"{page}/remove", {"name": "Olga"}).text
    done = [line.did for line in store.trail.about("hidden-one") if line.who == "Olga"]
    assert len(done) == 3


def test_people_are_led_to_the_first_page_that_is_theirs(owned: Owned, visitor: Any) -> None:
    for name, page in (("Olga", "/lab"), ("Otto", "/lab/observe"), ("Ria", "/lab/panels")):
        answer = visitor("nobody").submit("/lab/login", {"name": name, "password": PASSWORD})
        assert answer.headers["location"] == page


def test_who_registers_a_plan_on_the_page_owns_the_study(erin: Any, store: Store) -> None:
    plan = "name: fresh\ntest: coin\nconditions: {few: {flips: 2}}\ncasts: {people: human}\nsessions: 2\n"
    assert erin.submit("/lab/studies/register", {"text": plan}).status_code == 303
    assert [(one.name, one.role) for one in store.members.of("fresh")] == [("Erin", "owner")]
    assert erin.submit("/lab/studies/register", {"text": plan}).status_code == 303, "again changes nothing"
    assert len(store.members.of("fresh")) == 1


@pytest.mark.parametrize("who", ["Sam", "Erin"])
def test_a_name_that_is_nearly_a_hidden_one_tells_nothing(owned: Owned, enter: Callable[[str], Any], who: str) -> None:
    stranger = enter(who)
    paths = [path for method, path in IN_STUDY if method == "GET" and ("{study}" in path or "{panel}" in path)]
    for path in paths:
        told = set()
        for name in ("hidden-on", "hidden-pane", "quite-another"):
            answer = stranger.get(re.sub("hidden-(one|panel)", name, owned.address(path)))
            assert answer.status_code in ((404,) if who == "Erin" else (403, 404)), path
            assert not [word for word in owned.words if word in answer.text], path
            told.add(answer.text.replace(name, ""))
        assert len(told) == 1, path
    near = stranger.submit("/lab/runs", {"test": "coin", "same_items_as": owned.run[:-1] + "x"})
    assert near.status_code == (404 if who == "Erin" else 403)
    assert owned.run not in near.text
