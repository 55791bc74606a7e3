"""Participants: from consent to thanks without a script, and nothing that they or others send is lost or doubled."""

import json
import re
import time
from pathlib import Path

import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.store.people.invitations import GRACE_SECONDS, Step
from mensura.web.participant.typed import read_changes

CONSENT = Step("consent", title="Please read", text="You will see **coins**.")


def answers(store, session):
    return [(event.key, event.value) for event in store.events.of(session) if event.kind == "answer"]


def test_a_person_goes_from_consent_to_thanks_without_scripts(store, links, enter):
    link = links(before=[CONSENT, Step("page", title="How", text="1. look")], details={"show_scores": True}, flips=2)[0]
    person = enter(link.path)
    assert person.page.status_code == 200
    assert "<strong>coins</strong>" in person.text
    person.post("next", agree="yes")
    assert "<li>look</li>" in person.text
    person.post("next")
    for share in ("30%", "50"):
        assert person.kind == "ask"
        person.answer(share)
    assert person.kind == "over"
    person.post("next")
    assert person.kind == "thanks"
    assert "quadratic score" in person.text
    invitation = store.invitations.get(link.invitation.number)
    assert invitation.status == "finished"
    assert None not in (invitation.entered, invitation.consented, invitation.finished)
    assert answers(store, link.session) == [("coin0", 0.3), ("coin1", 0.5)]
    assert store.sessions.find(link.session).status == "finished"
    assert len(store.results.of(store.sessions.find(link.session).run)) == 1


def test_no_step_is_passed_without_consent(visit):
    person = visit(before=[CONSENT])
    page = person.post("next")
    assert page.status_code == 422
    assert "tick the box" in page.text
    assert person.state["kind"] == "consent"


PASSED = f"{Path(__file__).parents[1] / 'paged.py'}:passed"


def test_a_question_that_may_be_passed_has_a_button_and_counts_as_abstained(store, links, enter):
    link = links(PASSED)[0]
    person = enter(link.path)
    assert person.state["ask"]["may_pass"] is True
    (form,) = re.findall(r'<form[^>]*class="pass".*?</form>', person.text, re.S)
    assert re.search(r'<button type="submit"[^>]*>Pass', form)
    assert "required" not in form
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form))
    person.post("answer", hidden=hidden)
    assert person.state["ask"]["key"] == "sure"
    assert person.state["ask"]["may_pass"] is False
    assert 'class="pass"' not in person.text
    person.answer("50")
    record = store.records.find(link.session)
    assert [(one.key, one.status) for one in record.answers] == [("river", "abstained"), ("sure", "answered")]
    assert store.results.of(store.sessions.find(link.session).run)[link.session].tally["abstained"] == 1


def test_a_question_that_may_not_be_passed_cannot_be_passed_by_a_form_either(store, links, enter):
    link = links()[0]
    person = enter(link.path)
    page = person.post("answer", **{"pass": "yes"})
    assert page.status_code == 422
    assert person.state["ask"]["key"] == "coin0"
    assert [event.kind for event in store.events.of(link.session) if event.kind == "abstain"] == []


def test_a_pass_that_is_sent_twice_passes_one_question(links, enter):
    person = enter(links("puzzles", kinds="odd-one-out", count=2)[0].path)
    hidden = {**person.hidden, "pass": "yes"}
    first = person.state["ask"]["key"]
    assert first
    person.post("answer", hidden=hidden)
    after = person.state["ask"]["key"]
    person.post("answer", hidden=hidden)
    assert person.state["ask"]["key"] == after != first


def test_a_session_that_is_not_over_cannot_be_left_by_the_next_button(visit):
    person = visit()
    page = person.post("next")
    assert page.status_code == 409
    assert person.state["kind"] == "ask"


def test_an_invalid_answer_is_told_and_what_was_typed_stays(visit):
    person = visit()
    page = person.answer("170%")
    assert page.status_code == 422
    assert "A probability lies between 0 % and 100 %; got 170 %." in page.text
    assert 'value="170%"' in page.text
    person.answer("70%")
    assert person.state["ask"]["key"] == "coin1"


def test_a_share_is_asked_back_beside_its_field_and_the_record_keeps_what_was_typed(store, links, enter):
    link = links(flips=1)[0]
    person = enter(link.path)
    page = person.answer("0,6").text
    assert (
        page.index("<form")
        < page.index("Do you mean 0.6 % or 60 %? Write it with the sign.")
        < page.index('value="0,6"')
    )
    changes = '[[1.5, "answer", "0,6"], [2, "answer", "60 %"], [-1, "answer", "x"], [1, 2, 3], "<script>"]'
    person.answer(" 60 %", changes=changes)
    (answer,) = store.records.find(link.session).answers
    assert answer.value == 0.6
    assert answer.notes == {"changes": [[1.5, "answer", "0,6"], [2, "answer", "60 %"]], "typed": {"answer": " 60 %"}}


def test_a_page_cannot_fill_the_record_with_changes():
    row = [1, "answer", "x"]
    assert read_changes(json.dumps([row] * 400)) == [*[row] * 300, [1, "…", ""]]
    for text in (
        "[" * 10_000,
        json.dumps([[1, "answer", "x" * 201], [1, "a", "\x00"]]),
        "{}",
        json.dumps([row] * 9_000),
    ):
        assert read_changes(text) == []


def test_an_empty_answer_is_told_and_not_logged(enter, store, links):
    link = links()[0]
    person = enter(link.path)
    assert "Nothing was answered" in person.answer("").text
    assert [event.kind for event in store.events.of(link.session)] == ["ask"]


def test_a_retry_of_the_same_form_is_taken_once_and_shows_what_is_next(store, links, enter):
    link = links(flips=3)[0]
    person = enter(link.path)
    form = person.hidden
    for _ in range(4):
        page = person.post("answer", hidden=form, answer="40")
        assert page.status_code == 200
        assert 'role="alert"' not in page.text
    assert person.state["ask"]["key"] == "coin1"
    assert answers(store, link.session) == [("coin0", 0.4)]


def test_a_second_window_with_an_old_question_is_told_and_shown_the_new_one(store, links, enter):
    link = links(flips=3)[0]
    first, second = enter(link.path), enter(link.path)
    first.answer("10")
    page = second.answer("90")
    assert page.status_code == 409
    assert "That question is closed" in page.text
    assert 'data-key="coin1"' in page.text
    assert answers(store, link.session) == [("coin0", 0.1)]


def test_nobody_is_told_that_what_the_page_did_by_itself_came_too_late(store, links, enter):
    link = links(flips=3)[0]
    first, second = enter(link.path), enter(link.path)
    first.answer("10")
    page = second.post("answer", answer="90", unasked="yes")
    assert page.status_code == 409
    assert 'role="alert"' not in page.text
    assert answers(store, link.session) == [("coin0", 0.1)]


def test_a_page_of_an_earlier_step_is_answered_with_where_one_is(visit):
    person = visit(before=[CONSENT])
    old = person.hidden
    person.post("next", agree="yes")
    page = person.post("next", hidden=old, agree="yes")
    assert page.status_code == 409
    assert "You have gone on already" in page.text
    assert person.state["step"] == 1


def test_what_a_script_sends_is_answered_with_the_next_page_at_once(visit):
    person = visit()
    page = person.client.post(
        f"{person.path}/answer", data={**person.hidden, "answer": "20"}, headers={"X-Mensura-Part": "main"}
    )
    assert page.status_code == 200
    assert page.text.lstrip().startswith("<main")
    assert 'data-key="coin1"' in page.text


@pytest.mark.parametrize(
    "fields",
    [
        {"number": "x"},
        {"number": "99999999999999999999"},
        {"nonce": ""},
        {"step": "7"},
        {"step": "-1"},
        {"shown": "nan"},
        {"shown": "-5"},
        {"shown": "1e300"},
        {"answer": "0" * 100_000},
        {"answer": "\x00"},
        {"answer": "<script>alert(1)</script>"},
        {"telemetry": "[" * 10_000},
    ],
)
def test_malformed_posts_get_a_plain_page_and_never_break_anything(visit, fields):
    person = visit(flips=2)
    page = person.post("answer", **{"answer": "50", **fields})
    assert page.status_code in (200, 400, 409, 422)
    assert "<script>alert" not in page.text
    assert person.state["kind"] == "ask"


def test_truth_and_seed_are_in_no_page_and_no_json(store, links, enter, gallery):
    link = links(gallery)[0]
    person = enter(link.path)
    run = store.runs.find(store.sessions.find(link.session).run)
    for _ in range(3):
        for text in (person.look().text, json.dumps(person.state)):
            assert "TRUTH" not in text
            assert "truth" not in text
            assert str(run.seed) not in re.findall(r"\d+", text) or run.seed < 100
        person.answer({"choice": "pear", "action": "left", "number": "3"}[person.state["ask"]["key"]])
    assert "TRUTH-choice" in json.dumps(store.truths.of(link.session))


def test_a_prompt_with_html_is_shown_and_not_run(visit, gallery):
    person = visit(gallery)
    assert "&lt;script&gt;document.title" in person.text
    assert "<script>document" not in person.text


def test_pages_carry_no_inline_script_or_style(links, enter, gallery):
    person = enter(links(gallery)[0].path)
    for page in (person.text, person.client.get(f"{person.path}/withdraw").text, person.client.get("/").text):
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page.replace("onerror=", ""))
        assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", page))


def test_a_break_waits_until_the_person_goes_on(visit, store, gallery):
    person = visit(gallery, only="choice", rest=True)
    person.answer("pear")
    assert person.kind == "break"
    assert "A short rest." in person.text
    late = person.post("answer", answer="plum", number="2", nonce="abc")
    assert late.status_code == 409
    person.look()
    person.post("go-on")
    assert person.kind == "over"


def test_withdrawing_asks_once_and_then_erases_everything(store, links, enter):
    link = links(before=[CONSENT], flips=3)[0]
    store.invitations.name(link.invitation.number, name="Ada", contact="ada@example.org")
    person = enter(link.path)
    person.post("next", agree="yes")
    person.answer("30")
    person.page = person.client.get(f"{link.path}/withdraw")
    assert "cannot be undone" in person.text
    person.post("withdraw")
    assert person.kind == "ask", "without the tick nothing is erased"
    person.page = person.client.get(f"{link.path}/withdraw")
    page = person.post("withdraw", sure="yes")
    assert page.status_code == 410
    assert "have been erased" in page.text
    assert store.events.of(link.session) == []
    assert store.truths.of(link.session) == {}
    assert store.invitations.identities() == []
    assert store.sessions.find(link.session).status == "withdrawn"
    assert store.trail.lines()[0].did == "withdrew"
    assert person.post("answer", hidden={}, answer="1").status_code in (403, 409)
    assert store.events.of(link.session) == []


def test_people_who_have_begun_may_finish_within_the_hour_after_their_link_expired(store, links, enter):
    link, later = links(flips=2)[0], links()[0]
    person = enter(link.path)
    for one in (link, later):
        store.invitations.extend(one.invitation.number, expires=time.time() - 1)
    assert person.answer("30").status_code == 200
    assert "can be finished until" in person.text
    assert enter(later.path).kind == "expired"
    assert (store.sessions.find(later.session).status, store.results.history(later.session)) == ("expired", [])
    assert person.answer("30").status_code == 200
    person.post("next")
    assert person.kind == "thanks"
    assert store.sessions.find(link.session).status == "finished"


def test_an_expired_link_says_so_and_changes_nothing(store, links, enter):
    link = links()[0]
    person = enter(link.path)
    store.invitations.extend(link.invitation.number, expires=time.time() - GRACE_SECONDS - 1)
    page = person.answer("30")
    assert page.status_code == 409
    assert "This link has expired" in page.text
    assert person.look().status_code == 410
    assert answers(store, link.session) == []
    assert store.sessions.find(link.session).status == "expired"
    with pytest.raises(BadParameter, match="cannot be extended"):
        store.invitations.extend(link.invitation.number, expires=time.time() + 1000)


def test_an_answer_is_on_the_disk_before_the_next_question_is_shown(visit, monkeypatch):
    person, flushes = visit("coin", flips=2), []
    monkeypatch.setattr("mensura.store.flush.fdatasync", flushes.append)
    assert person.answer("30").status_code == 200
    assert flushes


def test_unknown_links_get_a_plain_page_and_soon_none_at_all(app, enter, at_once):
    from starlette.testclient import TestClient

    client = TestClient(app)
    pages = [client.get(f"/p/{number:032d}") for number in range(40)]
    assert pages[0].status_code == 404
    assert "This link is not known here" in pages[0].text
    assert pages[-1].status_code == 429
    assert int(pages[-1].headers["retry-after"]) >= 1
    with pytest.raises(UnknownName):
        app.state.laboratory.store.invitations.enter("x")


def test_one_link_cannot_ask_without_end(links, enter, at_once):
    path = links()[0].path
    person = enter(path)
    codes = [person.client.get(f"{path}.json").status_code for _ in range(160)]
    assert codes[0] == 200
    assert 429 in codes


def test_looking_away_is_kept_without_keystrokes_and_the_step_of_the_clock_with_the_times(store, links, enter):
    link = links(before=[CONSENT], details={"telemetry": "focus"}, flips=1)[0]
    person = enter(link.path)
    assert "keep when you look away from them" in person.text
    assert "when you type" not in person.text
    person.post("next", agree="yes")
    marks = '[[0.1, "key"], [0.4, "blur"], [0.9, "focus"], [1, "paste", 7]]'
    person.answer("30", telemetry=marks, shown="2.5", precision="0.1")
    notes = store.records.find(link.session).answers[0].notes
    assert notes["telemetry"] == [[0.4, "blur"], [0.9, "focus"]]
    assert (notes["shown_seconds"], notes["clock_step_ms"]) == (2.5, 0.1)


def test_telemetry_is_kept_only_where_the_consent_says_so(store, links, enter):
    marks = '[[0.1, "key"], [0.4, "paste", 7], [1, "evil"]]'
    for told in (True, False):
        link = links(before=[CONSENT], details={"telemetry": told}, flips=1)[0]
        person = enter(link.path)
        assert ("when you type, paste and look away" in person.text) is told
        person.post("next", agree="yes")
        person.answer("30", telemetry=marks, shown="2.5")
        notes = store.records.find(link.session).answers[0].notes
        assert notes["shown_seconds"] == 2.5
        assert notes.get("telemetry") == ([[0.1, "key"], [0.4, "paste", 7]] if told else None)


def test_practice_is_called_practice_and_its_scores_are_not_shown(store, links, enter):
    practice = links(flips=1)[0]
    counted = links(flips=1)[0]
    steps = [
        Step("session", session=practice.session, practice=True),
        Step("session", session=counted.session),
        Step("thanks", text="Well done."),
    ]
    token, _ = store.invitations.add(steps, details={"show_scores": True})
    person = enter(f"/p/{token}")
    assert "practice" in person.text
    person.answer("50")
    person.post("next")
    assert "practice" not in person.text
    person.answer("50")
    person.post("next")
    assert "Well done." in person.text
    assert len(person.state["scores"]) == 2


def test_a_test_that_breaks_ends_kindly_and_keeps_the_answers(store, tmp_path, links, enter):
    (tmp_path / "faulty.py").write_text(
        "from mensura.dialogue import Ask, Number, test\n"
        "@test('faulty-v1')\ndef faulty(rng):\n    'Break.'\n    yield Ask('One?', Number())\n    1 / 0\n"
    )
    link = links(f"{tmp_path}/faulty.py:faulty")[0]
    person = enter(link.path)
    person.answer("7")
    assert "This part has a fault" in person.text
    assert "ZeroDivisionError" not in person.text
    assert store.records.find(link.session).answers[0].value == 7
    person.post("next")
    assert person.kind == "thanks"


def test_thanks_are_no_part_of_the_way(visit):
    """One session and thanks were "Part 1 of 2", above an exam of seven tasks."""
    assert "Part 1 of" not in visit().text
    assert "Part 1 of 2" in visit(before=[CONSENT]).text
