"""Logging in and out: only by the right password, not for long by trying, and with a cookie that others cannot use."""

from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from mensura.store import Store
from mensura.web.lab.people.access import safe_target


def log_in(client: Any, password: str, name: str = "Erin", **more: str) -> Any:
    return client.submit("/lab/login", {"name": name, "password": password, **more})


def test_the_right_password_opens_the_page_that_was_asked_for(visitor: Any, password: str) -> None:
    client = visitor("nobody")
    asked = client.get("/lab/runs?test=coin-v1")
    assert asked.headers["location"] == "/lab/login?next=/lab/runs%3Ftest%3Dcoin-v1"
    assert 'value="/lab/runs?test=coin-v1"' in client.get(asked.headers["location"]).text
    answer = log_in(client, password, next="/lab/runs?test=coin-v1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/lab/runs?test=coin-v1")
    assert client.get("/lab/runs").status_code == 200
    assert client.get("/lab/login").headers["location"] == "/lab"


def test_the_first_page_leads_experimenters_to_the_laboratory(visitor: Any) -> None:
    assert 'href="/lab"' in visitor("nobody").get("/").text


def test_a_rater_is_led_to_the_panels(visitor: Any, password: str) -> None:
    assert log_in(visitor("nobody"), password, name="Rob").headers["location"] == "/lab/panels"


@pytest.mark.parametrize("name", ["Erin", "Nobody", "", "Erin\x00"])
def test_a_wrong_password_says_the_same_whoever_it_is_for(name: str, visitor: Any) -> None:
    answer = log_in(visitor("nobody"), "not the password", name=name)
    assert answer.status_code == 401
    assert "Name and password do not fit together" in answer.text
    assert "mensura-login" not in answer.cookies


def test_the_cookie_is_signed_and_out_of_reach_for_scripts_and_other_sites(visitor: Any, password: str) -> None:
    client = visitor("nobody")
    cookie = log_in(client, password).headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=lax", "Path=/"))
    assert "Secure" not in cookie
    signature, dot, secret = client.cookies["mensura-login"].strip('"').partition(".")
    assert dot
    for forged in (secret, f"{'A' * len(signature)}.{secret}", f"{signature}.{secret}x", "."):
        client.cookies.clear()
        client.cookies.set("mensura-login", forged)
        assert client.get("/lab").status_code == 303


def test_over_https_the_cookie_goes_over_https_only(lab: FastAPI, password: str) -> None:
    import re

    client = TestClient(lab, base_url="https://testserver", follow_redirects=False)
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/lab/login").text)
    assert found
    fields = {"csrf": found[1], "name": "Erin", "password": password}
    assert "Secure" in client.post("/lab/login", data=fields).headers["set-cookie"]


def test_logging_out_ends_the_login_here_and_not_only_in_the_browser(erin: Any) -> None:
    stolen = erin.cookies["mensura-login"]
    assert erin.submit("/lab/logout").headers["location"] == "/lab/login"
    erin.cookies.set("mensura-login", stolen)
    assert erin.get("/lab").status_code == 303


def test_trying_many_passwords_is_stopped_by_name_and_by_address(visitor: Any, password: str, at_once: None) -> None:
    client = visitor("nobody")
    answers = [log_in(client, "not the password") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]
    assert int(answers[-1].headers["retry-after"]) > 0
    # The right password does not help now, nor does another name from here.
    assert log_in(client, password).status_code == 429
    assert log_in(client, password, name="Anna").status_code == 429


def test_a_disabled_account_is_out_at_once(erin: Any, anna: Any, store: Store) -> None:
    assert anna.get("/lab").status_code == 200
    assert erin.submit("/lab/accounts/Anna/disabled", {"disabled": "yes"}).status_code == 303
    assert anna.get("/lab").status_code == 303
    erin.submit("/lab/accounts/Anna/disabled", {"disabled": "no"})
    assert anna.get("/lab").status_code == 200
    assert erin.submit("/lab/accounts/Erin/disabled", {"disabled": "yes"}).status_code == 400
    assert not store.accounts.find("Erin").disabled


def test_logins_and_failures_are_in_the_trail(visitor: Any, password: str, store: Store) -> None:
    client = visitor("nobody")
    log_in(client, "not the password")
    log_in(client, password)
    lines = store.trail.lines(limit=2)
    assert [(line.who, line.did) for line in lines] == [("Erin", "logged in"), ("Erin", "failed to log in")]
    assert password not in str(store.trail.lines())


@pytest.mark.parametrize(
    "target", ["//evil.example/lab", "https://evil.example", "/\\evil.example", "/lab\\..\\x", "/p/x", "javascript:x"]
)
def test_nobody_is_led_elsewhere_after_logging_in(target: str) -> None:
    assert safe_target(target) == "/lab"


def test_a_part_of_a_page_leads_the_whole_page_to_the_form(visitor: Any) -> None:
    here = {"HX-Request": "true", "HX-Current-URL": "http://testserver/lab/invitations?before=9"}
    answer = visitor("nobody").get("/lab/invitations/live", headers=here)
    assert answer.headers["hx-redirect"] == "/lab/login?next=/lab/invitations%3Fbefore%3D9"
    elsewhere = {"HX-Request": "true", "HX-Current-URL": "http://evil.example/away"}
    assert visitor("nobody").get("/lab/live", headers=elsewhere).headers["hx-redirect"] == "/lab/login?next=/lab"


def test_a_new_password_ends_all_other_logins_and_tokens(visitor: Any, password: str) -> None:
    first, second = visitor("experimenter"), visitor("experimenter")
    fields = {"old": password, "new": "another good password", "again": "another good password"}
    assert "not right" in first.submit("/lab/me/password", {**fields, "old": "wrong"}).text
    assert "two different ways" in first.submit("/lab/me/password", {**fields, "again": "other"}).text
    assert second.get("/lab").status_code == 200
    assert first.submit("/lab/me/password", fields).status_code == 303
    assert second.get("/lab").status_code == 303
    assert first.get("/lab").status_code == 200
    assert log_in(visitor("nobody"), "another good password").status_code == 303


def test_accounts_are_made_on_their_page(erin: Any, visitor: Any, store: Store) -> None:
    fields = {"name": "Zoe", "password": "a very good one", "role": "analyst"}
    assert "already an account" in erin.submit("/lab/accounts", {**fields, "name": "Anna"}).text
    assert "10 to 1000 characters" in erin.submit("/lab/accounts", {**fields, "password": "short"}).text
    assert erin.submit("/lab/accounts", fields).status_code == 303
    assert store.accounts.find("Zoe").role == "analyst"
    assert log_in(visitor("nobody"), "a very good one", name="Zoe").status_code == 303


def test_a_token_is_shown_once_and_can_be_ended(erin: Any, visitor: Any) -> None:
    import re

    page = erin.submit("/lab/me/tokens", {"label": "notebook", "days": "2"}).text
    found = re.search(r'id="secret">([^<]+)<', page)
    assert found
    headers = {"Authorization": f"Bearer {found[1]}"}
    other = visitor("nobody")
    assert other.get("/api/v1/me", headers=headers).json()["name"] == "Erin"
    assert found[1] not in erin.get("/lab/me").text
    number = erin.get("/lab/me.json").json()["tokens"][0]["number"]
    assert erin.submit(f"/lab/me/tokens/{number}/end").status_code == 303
    assert other.get("/api/v1/me", headers=headers).status_code == 401
    assert "more than 0" in erin.submit("/lab/me/tokens", {"days": "0"}).text
