"""Logging in and out: only by the right password, not for long by trying, and with a cookie that others cannot use."""

import re
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from mensura.store import Store
from mensura.store.people.one_time_code import code_at, grouped, step_at
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
    assert "Name or password is wrong" in answer.text
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


def test_the_only_owner_of_a_study_is_not_disabled(erin: Any, anna: Any, store: Store) -> None:
    store.members.put("coins", store.accounts.find("Anna"), role="owner", added_by="Erin")
    refused = erin.submit("/lab/accounts/Anna/disabled", {"disabled": "yes"})
    assert refused.status_code == 400
    assert "Anna is the only owner of a study" in refused.text
    assert "coins" not in refused.text
    assert anna.get("/lab/me").status_code == 200


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
    assert "is wrong" in first.submit("/lab/me/password", {**fields, "old": "wrong"}).text
    assert "two new passwords differ" in first.submit("/lab/me/password", {**fields, "again": "other"}).text
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


def reset_link(page: str) -> str:
    """Find the path of the link to a new password that a page shows."""
    found = re.search(r"http://testserver(/lab/reset/[^<]+)<", page)
    assert found
    return found[1]


def test_a_link_to_a_new_password_works_once_and_ends_all_logins(
    erin: Any, anna: Any, visitor: Any, store: Store, password: str
) -> None:
    first = reset_link(erin.submit("/lab/accounts/Anna/reset").text)
    link = reset_link(erin.submit("/lab/accounts/Anna/reset").text)
    token, _ = store.keys.give(store.accounts.find("Anna"), kind="token", seconds=60)
    client = visitor("nobody")
    assert client.get(first).status_code == 410, "a new link ends the earlier one"
    assert "A new password for Anna" in client.get(link).text
    new = {"new": "another good password", "again": "another good password"}
    assert "two new passwords differ" in client.submit(link, {**new, "again": "other"}).text
    assert "10 to 1000 characters" in client.submit(link, {"new": "short", "again": "short"}).text
    assert log_in(visitor("nobody"), password, name="Anna").status_code == 303, "nothing has changed yet"
    assert "Please log in" in client.submit(link, new).text
    again = client.submit(link, new)
    assert (again.status_code, "was used, or its time is over" in again.text) == (410, True)
    assert anna.get("/lab").status_code == 303
    assert store.keys.who(token, kind="token") is None
    assert log_in(visitor("nobody"), password, name="Anna").status_code == 401
    assert log_in(visitor("nobody"), "another good password", name="Anna").status_code == 303
    lines = [(line.who, line.did) for line in store.trail.about() if "password" in line.did]
    assert lines[-1] == ("Anna", "set a new password by a link")
    assert ("Erin", "made a link to a new password") in lines
    assert link.rpartition("/")[2] not in str(store.trail.lines())


def test_an_experimenter_makes_no_link_to_the_password_of_a_colleague(
    erin: Any, visitor: Any, store: Store, password: str
) -> None:
    store.accounts.add("Zoe", password=password, role="experimenter")
    zoe = visitor("nobody")
    assert log_in(zoe, password, name="Zoe").status_code == 303
    for name in ("Erin", "Anna", "Mia"):
        refused = zoe.submit(f"/lab/accounts/{name}/reset")
        assert refused.status_code == 403
        assert "/lab/reset/" not in refused.text
        assert "Erin, who created this laboratory" in refused.text
        assert store.keys.of(store.accounts.find(name), kind="reset") == []
    page = zoe.get("/lab/accounts").text
    assert "New password for Zoe" in page
    assert "New password for Anna" not in page
    assert reset_link(zoe.submit("/lab/accounts/Zoe/reset").text)
    assert reset_link(erin.submit("/lab/accounts/Zoe/reset").text)
    zoe.submit("/lab/accounts/Erin/disabled", {"disabled": "yes"})
    assert zoe.submit("/lab/accounts/Anna/reset").status_code == 403, "disabling the creator makes nobody the creator"
    made = [(line.who, line.what) for line in store.trail.about(beginning="made a link to a new password")]
    assert made == [("Zoe", "Zoe"), ("Erin", "Zoe")]
    refused = [(line.who, line.what) for line in store.trail.about(beginning="was refused a link")]
    assert refused == [("Zoe", name) for name in ("Erin", "Anna", "Mia", "Anna")]


def test_a_second_factor_is_asked_for_beside_the_password_and_each_code_works_once(
    visitor: Any, store: Store, password: str
) -> None:
    erin, other, account = visitor("experimenter"), visitor("experimenter"), store.accounts.find("Erin")
    page = erin.submit("/lab/me/second-factor").text
    secret = store.second_factors.pending(account)
    assert grouped(secret) in page
    assert f"otpauth://totp/Mensura:Erin?secret={secret}" in page
    wrong = next(code for code in ("000000", "111111") if code != code_at(secret, step_at(time.time())))
    assert "not the code" in erin.submit("/lab/me/second-factor/confirm", {"code": wrong}).text
    assert log_in(visitor("nobody"), password).status_code == 303, "it is not asked for yet"
    code = code_at(secret, step_at(time.time()))
    shown = erin.submit("/lab/me/second-factor/confirm", {"code": code})
    recovery = re.findall(r"<li><code>([^<]+)</code>", shown.text)
    assert len(recovery) == 10
    assert (erin.get("/lab").status_code, other.get("/lab").status_code) == (200, 303)

    client = visitor("nobody")
    asked = log_in(client, password, next="/lab/runs")
    assert (asked.status_code, "mensura-login" in client.cookies) == (200, False)
    half = dict(re.findall(r'name="(half|next)" value="([^"]+)"', asked.text))
    refused = client.submit("/lab/login/code", {**half, "code": code})
    assert (refused.status_code, "was used before" in refused.text) == (401, True)
    entered = client.submit("/lab/login/code", {**half, "code": recovery[0]})
    assert (entered.status_code, entered.headers["location"]) == (303, "/lab/runs")
    assert client.get("/lab/runs").status_code == 200
    again = visitor("nobody").submit("/lab/login/code", {**half, "code": recovery[1]})
    assert "name and password again" in again.text, "half a login is used up by the whole one"
    assert "stays" in client.submit("/lab/me/second-factor/off", {"password": password, "code": recovery[0]}).text
    off = {"password": password, "code": recovery[2]}
    assert client.submit("/lab/me/second-factor/off", off).status_code == 303
    assert log_in(visitor("nobody"), password).status_code == 303


def test_a_manager_takes_off_the_second_factor_of_someone_who_lost_it(erin: Any, store: Store) -> None:
    anna = store.accounts.find("Anna")
    store.second_factors.confirm(anna, code_at(store.second_factors.begin(anna), step_at(time.time())))
    assert "Take off the second factor of Anna" in erin.get("/lab/accounts").text
    assert erin.submit("/lab/accounts/Anna/second-factor").status_code == 303
    assert not store.second_factors.is_on(anna)
    assert store.trail.about("Anna")[-1].did == "took off a second factor"


def test_a_login_ends_when_nobody_opens_a_page_whatever_renews_itself(
    erin: Any, store: Store, lab: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, part = time.time(), {"HX-Request": "true", "HX-Current-URL": "http://testserver/lab"}
    clock = SimpleNamespace(time=lambda: now)
    monkeypatch.setattr("mensura.store.people.keys.time", clock)
    lab.state.laboratory.settings = replace(lab.state.laboratory.settings, idle_seconds=300.0)
    now += 200
    assert erin.get("/lab/me").status_code == 200
    now += 200
    assert erin.get("/lab/live", headers=part).status_code == 200, "opening a page prolonged it"
    now += 150
    ended = erin.get("/lab/live", headers=part)
    assert ended.headers["hx-redirect"] == "/lab/login?next=/lab&ended=yes"
    assert "after 5 minutes without a page being opened" in erin.get(ended.headers["hx-redirect"]).text
    assert "Your login has ended" in erin.get("/lab.json").json()["error"]


def test_browsers_that_came_by_https_stay_with_it(lab: FastAPI) -> None:
    header = "strict-transport-security"
    assert TestClient(lab, base_url="https://testserver").get("/lab/login").headers[header] == "max-age=31536000"
    assert header not in TestClient(lab).get("/lab/login").headers
