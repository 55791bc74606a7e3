"""People rate on the same pages on which they take any test, and no page tells a condition."""

import pytest

from mensura.running.panel import Artefact, Rater, assign, close, invite_raters, open_panel, progress_of, results
from mensura.web.settings import WebSettings

RUBRIC = {
    "instructions": "Judge only what you see.",
    "comments": True,
    "scale": {"points": 5},
    "items": [
        {"key": "clear", "text": "It is clear."},
        {"key": "points", "text": "Pick points.", "pick": 2, "scale": {"from": 0, "to": 4}},
    ],
}
SECRETS = ("drilled", "plain-ones", "person-", "secret-panel")


@pytest.fixture
def settings(tmp_path):
    """Serve without holding anyone up: these raters are faster than people."""
    return WebSettings(store=str(tmp_path / "mensura.db"), page_rate=10_000.0)


@pytest.fixture
def raters(store, enter):
    """Open a panel of three texts and a drawing, and give its two raters at their links."""
    texts = [
        Artefact.from_text(f"Text {i} <script>alert(1)</script>", condition="drilled", source=f"person-{i}")
        for i in range(3)
    ]
    drawing = Artefact.from_picture(
        b"<svg xmlns='http://www.w3.org/2000/svg'/>", media_type="image/svg+xml", condition="plain-ones"
    )
    open_panel("secret-panel", [*texts, drawing], rubric=RUBRIC, store=store)
    assign("secret-panel", [Rater("ann"), Rater("bob")], store=store)
    return {link.rater: enter(f"/p/{link.token}") for link in invite_raters("secret-panel", store=store)}


def rate_all(visitor, answers):
    """Go from page to page, answering by the kind of the form; gives all pages that were seen."""
    pages = [visitor.text]
    for _ in range(200):
        twin = visitor.client.get(f"{visitor.path}.json")
        state = twin.json()
        if state["kind"] == "ask":
            assert visitor.answer(answers(state)).status_code == 200
        elif state["kind"] in ("page", "over", "break"):
            visitor.post("next")
        else:
            break
        pages += [visitor.text, twin.text]
    return pages


def answers(state):
    key = state["ask"]["key"]
    if key.endswith("/1/passage"):
        return "a passage"
    if key.endswith(("passage", "comment")):
        return ""
    return "4"


def test_two_people_rate_everything_and_see_no_condition(store, raters):
    pages = [page for visitor in raters.values() for page in rate_all(visitor, answers)]
    assert len(pages) > 60
    assert not [secret for secret in SECRETS if any(secret in page for page in pages)]
    assert not any("<script>alert(1)" in page for page in pages if page.startswith("<"))
    state = progress_of("secret-panel", store=store)
    assert [(one.rater, one.rated, one.artefacts, one.status) for one in state.raters] == [
        ("ann", 4, 4, "finished"),
        ("bob", 4, 4, "finished"),
    ]
    close("secret-panel", store=store)
    found = results("secret-panel", store=store)
    assert all(one.values == {"clear": 4.0, "points": 0.5} and one.raters == 2 for one in found.artefacts)


def test_a_rater_who_withdraws_is_forgotten(store, raters):
    rate_all(raters["ann"], answers)
    visitor = raters["bob"]
    for _ in range(6):
        state = visitor.state
        visitor.answer(answers(state)) if state["kind"] == "ask" else visitor.post("next")
        visitor.look()
    before = {rating.rater for rating in _collected(store)}
    assert before == {"ann", "bob"}
    number = next(one.number for one in store.invitations.all() if one.label == "bob")
    store.invitations.withdraw(number)
    assert {rating.rater for rating in _collected(store)} == {"ann"}


def _collected(store):
    progress_of("secret-panel", store=store)
    return store.panels.ratings("secret-panel")
