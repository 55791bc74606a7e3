"""People play rooms: by the keys of the program of 2018 and by touch, and are asked what the room asks."""

import json

import pytest

from mensura.dialogue import Instance, replay
from mensura.running.reference import administration, definition_of
from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.web import axe

ROOM = {
    "name": "near",
    "seconds": 8,
    "instructions": "Eat the apple to your right.",
    "agents": [{"role": "subject", "at": [0, 1.14]}],
    "things": [
        {"kind": "floatingHorizontalWall", "name": "floor", "at": [0, -1.275], "size": [60, 2.55]},
        {"kind": "apple", "at": [4, 0.45]},
    ],
    "success": {"eaten": "apple"},
}
ASKED = {
    **ROOM,
    "seconds": 2,
    "success": {"at_end": {"answered": "colour"}},
    "questions": [{"key": "colour", "text": "Which colour has it?", "options": ["red", "blue"], "truth": "red"}],
}


@pytest.fixture
def visit(chromium, tmp_path):
    """Give a maker of a person in a room, with what they answered and the session again from its log."""
    place, faults, contexts = str(tmp_path / "mensura.db"), [], []
    with served(WebSettings(store=place)) as address, open_store(place) as store:

        def make(room, *, width, **parameters):
            (tmp_path / "room.json").write_text(json.dumps(room))
            given = {"room": str(tmp_path / "room.json"), **parameters}
            frame = Frame(after=[Step("thanks")], details={"show_scores": True})
            [link] = invite("pagi-world", "human", store=store, seed=1, parameters=given, frame=frame)[1]
            contexts.append(chromium.new_context(viewport={"width": width, "height": 844}, has_touch=width < 500))
            page = contexts[-1].new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(address + link.path)
            page.wait_for_selector("main[data-ready] .pw")

            def events():
                return store.events.since_save(link.session)

            def again():
                head = store.sessions.find(link.session)
                run = store.runs.find(head.run)
                about = administration(run)
                instance = Instance(definition_of(run), run.parameters, run.own_seed(), head.address, **about)
                return replay(instance, events())

            return page, events, again

        yield make
        for context in contexts:
            context.close()
    assert faults == []


@pytest.mark.browser
def test_a_person_plays_a_room_to_success_by_keys(visit):
    page, events, again = visit(ROOM, width=1280)
    assert axe.faults_of(page) == []
    # The room stands still until time is let go on; then the hands are on the room.
    page.get_by_role("button", name="Let time go on").press("Enter")
    page.keyboard.down("KeyW")
    page.keyboard.press("ShiftLeft")
    page.keyboard.down("KeyG")
    page.wait_for_selector("main[data-kind=over]")
    assert "The room is solved." in page.inner_text("main")
    rows = [row for event in events() if event.kind == "answer" for row in event.value]
    assert ["addForce", "LHvec", [0, 50]] in rows
    assert ["addForce", "BMH", 500] in rows
    assert [row for row in rows if row[1:2] in (["LHG"], ["LHR"])] == [
        ["addForce", "LHG", None],
        ["addForce", "LHR", None],
    ]
    session = again()
    assert session.status == "finished"
    assert session.drain_truths()["result"]["success"] is True


@pytest.mark.browser
def test_a_person_on_a_phone_plays_by_touch_and_senses_alone(visit):
    page, events, _ = visit(ROOM, width=390, view="senses")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert axe.faults_of(page) == []
    page.get_by_role("button", name="Let time go on").tap()
    right = page.get_by_role("button", name="Move right")
    right.dispatch_event("pointerdown", {"isPrimary": True, "pointerId": 1})
    page.wait_for_selector("main[data-kind=over]")
    assert "The room is solved." in page.inner_text("main")
    assert ["addForce", "BMH", 500] in [row for event in events() if event.kind == "answer" for row in event.value]


@pytest.mark.browser
def test_a_room_asks_its_question_before_it_ends(visit):
    page, events, _ = visit(ASKED, width=390)
    page.get_by_role("button", name="Let time go on").click()
    # Time stops by itself while the question is open.
    page.wait_for_selector(".pw-say-it:has-text('Answer the question first')")
    page.get_by_role("button", name="red").click()
    page.wait_for_selector(".pw-question[disabled]:has-text('Your answer: red')")
    page.reload()
    page.wait_for_selector("main[data-ready] .pw-question[disabled]:has-text('Your answer: red')")
    page.get_by_role("button", name="Let time go on").click()
    page.wait_for_selector("main[data-kind=over]")
    assert "The room is solved." in page.inner_text("main")
    assert ["answerQuestion", "colour", "red"] in [
        row for event in events() if event.kind == "answer" for row in event.value
    ]
