"""Security: forged, oversized and repeated requests get a plain page and change nothing; every answer is protected."""

import pytest
from starlette.testclient import TestClient

from mensura.web.app import create_app
from mensura.web.safety.rate_limit import RateLimit
from mensura.web.safety.security import HEADERS
from mensura.web.safety.signing import Signer
from mensura.web.settings import WebSettings


@pytest.mark.parametrize(
    "path", ["/", "/health", "/robots.txt", "/p/unknown", "/nowhere", "/p/unknown.json", "/static/x"]
)
def test_every_answer_carries_the_headers(app, path):
    answer = TestClient(app).get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    ["/", "/health", "/robots.txt", "/nowhere", "/p/unknown", "/lab/login", "/api/openapi.json", "/api/v1/runs"],
)
def test_head_is_answered_as_get_without_a_body(app, path):
    client = TestClient(app, follow_redirects=False)
    whole, head = client.get(path), client.head(path)
    assert head.status_code == whole.status_code != 405
    assert head.content == b""
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert head.headers["content-type"] == whole.headers["content-type"]


def test_also_an_unforeseen_error_is_a_plain_page_with_the_headers(app, visit, monkeypatch):
    person = visit()
    monkeypatch.setattr("mensura.web.participant.participation.Participation.look", lambda self: 1 / 0)
    page = person.look()
    assert page.status_code == 500
    assert "Something broke on our side" in page.text
    assert "ZeroDivisionError" not in page.text
    assert page.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


def test_a_store_that_is_gone_is_said_without_its_place(visit, settings):
    from pathlib import Path

    person = visit()
    Path(settings.store).rename(settings.store + ".moved")
    page = person.answer("50")
    assert page.status_code == 503
    assert settings.store not in page.text
    Path(settings.store + ".moved").rename(settings.store)
    assert person.look().status_code == 200
    assert person.state["ask"]["key"] == "coin0"


def test_cookies_are_hidden_from_scripts_and_other_sites(visit, settings):
    person = visit()
    cookie = person.page.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie


def test_cookies_are_for_https_only_where_that_is_spoken(tmp_path):
    for settings, base in (
        (WebSettings(store=str(tmp_path / "a.db"), secure=True), "http://lab.example"),
        (WebSettings(store=str(tmp_path / "b.db")), "https://lab.example"),
    ):
        app = create_app(settings)
        from mensura.web.participant.invitation import invite

        link = invite("coin", store=app.state.laboratory.store)[1][0]
        assert "Secure" in TestClient(app, base_url=base).get(link.path).headers["set-cookie"]
        app.state.laboratory.close()


@pytest.mark.parametrize("forge", ["no cookie", "no field", "another cookie", "another field"])
def test_a_forged_form_changes_nothing(enter, links, store, forge):
    link = links()[0]
    person = enter(link.path)
    form = person.hidden
    if forge == "no cookie":
        person.client.cookies.clear()
    elif forge == "another cookie":
        # Cleared first: clients may send both cookies of one name.
        person.client.cookies.clear()
        person.client.cookies.set("mensura-visit", "AAAA")
    elif forge == "no field":
        form.pop("csrf")
    else:
        form["csrf"] = "A" * len(form["csrf"])
    page = person.post("answer", hidden=form, answer="50")
    assert page.status_code == 403
    assert "nothing was changed" in page.text
    assert [event.kind for event in store.events.of(link.session)] == ["ask"]


def test_one_visitor_s_token_does_not_serve_another(enter, links):
    ada, bohdan = enter(links()[0].path), enter(links()[0].path)
    form = {**bohdan.hidden, "csrf": ada.hidden["csrf"]}
    assert bohdan.post("answer", hidden=form, answer="50").status_code == 403


def test_an_oversized_post_is_not_read(enter, links, store, settings):
    link = links()[0]
    person = enter(link.path)
    page = person.post("answer", answer="0" * (settings.most_bytes + 1))
    assert page.status_code == 413
    assert "larger than 8 MB" in page.text
    assert [event.kind for event in store.events.of(link.session)] == ["ask"]


def test_an_oversized_post_that_hides_its_length_is_not_read_either(enter, links, settings):
    person = enter(links()[0].path)

    def endless():
        for _ in range(settings.most_bytes // 100_000 + 2):
            yield b"a" * 100_000

    kind = {"content-type": "application/x-www-form-urlencoded"}
    page = person.client.post(f"{person.path}/answer", content=endless(), headers=kind)
    assert page.status_code == 413


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
        ("multipart/form-data", b"--x\r\n"),
        ("application/json", b'{"answer": 1}'),
        ("application/x-www-form-urlencoded", b"\xff\xfe&&&==="),
        ("", b""),
    ],
)
def test_a_body_that_is_no_form_gets_a_plain_page(enter, links, kind, body):
    person = enter(links()[0].path)
    page = person.client.post(f"{person.path}/answer", content=body, headers={"content-type": kind})
    assert page.status_code in (400, 403)
    assert "<main" in page.text


def test_too_many_fields_get_a_plain_page(enter, links):
    person = enter(links()[0].path)
    page = person.post("answer", **{f"f{i}": "1" for i in range(6000)})
    assert page.status_code == 400


def test_an_address_that_asks_too_often_is_slowed_down(tmp_path, at_once):
    app = create_app(WebSettings(store=str(tmp_path / "m.db"), address_rate=2))
    client = TestClient(app)
    answers = [client.get("/health") for _ in range(14)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert answers[-1].headers["retry-after"] == "1"
    app.state.laboratory.close()


def test_errors_speak_json_to_programs(app):
    answer = TestClient(app).get("/p/unknown.json")
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("This link is not known here")


def test_wrong_methods_and_addresses_get_a_sentence(app):
    client = TestClient(app)
    assert "There is no page at this address" in client.get("/nowhere").text
    assert client.put("/").status_code == 405
    assert client.get("/p/" + "x" * 5000).status_code in (400, 404)


def test_the_seal_is_the_same_for_all_processes_of_a_store_and_differs_between_stores(store, tmp_path):
    from mensura.store import open_store

    first, second = Signer.of_store(store), Signer.of_store(store)
    assert first.sign("a", purpose="p") == second.sign("a", purpose="p")
    with open_store(tmp_path / "other.db") as other:
        assert not Signer.of_store(other).holds("a", first.sign("a", purpose="p"), purpose="p")


def test_a_sealed_text_that_was_changed_is_not_opened():
    signer = Signer("key")
    wrapped = signer.wrap("ada", purpose="login")
    assert signer.unwrap(wrapped, purpose="login") == "ada"
    assert signer.unwrap(wrapped.replace("ada", "bob"), purpose="login") is None
    assert signer.unwrap("nonsense", purpose="login") is None
    assert signer.unwrap(wrapped, purpose="other") is None


def test_a_rate_limit_fills_up_again_and_forgets_the_oldest_keys():
    limit = RateLimit(rate=2.0, saved=2.0, most_keys=2)
    assert [limit.wait("a", now=0.0) for _ in range(3)] == [0.0, 0.0, 0.5]
    assert limit.wait("a", now=0.5) == 0.0
    limit.wait("b", now=0.5)
    limit.wait("c", now=0.5)
    assert limit.wait("a", now=0.5) == 0.0
