"""People play in the browser: by keys and by touch, with pauses, and leave the record that any subject leaves."""

import pickle

import numpy as np
import pytest

pytest.importorskip("ale_py", reason="ale-py is not installed")

from mensura.catalog.arcade.dialogue import arcade
from mensura.catalog.arcade.play import GamePlay, PlayStretch
from mensura.catalog.arcade.settings import PERSON
from mensura.catalog.arcade.world.doing import unpack
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.rules import Rules
from mensura.dialogue import Instance, replay
from mensura.running.reference import administration, definition_of
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.web import axe

SHORT = {**PERSON, "game": "breakout", "cap_frames": 150}
RIGHT = 3


def test_frames_never_travel_and_are_drawn_in_the_colours_of_the_console():
    episode = GameEpisode("breakout", Rules(skip=1))
    stretch = PlayStretch(episode, 6)
    episode.act(1)
    stretch.look()
    assert np.array_equal(episode.palette[stretch.frames[0]], episode.colours())
    seen = GamePlay("breakout", 1, None, 5, "00", number=1, games=2, stretch=stretch)
    assert seen.page_data()["strip"].startswith("data:image/png")
    assert pickle.loads(pickle.dumps(seen)).page_data() == seen.data()


def test_a_program_that_plays_in_stretches_has_the_record_of_its_acts():
    parameters = arcade.fill({"game": "breakout", "cap_frames": 62}, setting="person")
    taken = take(arcade, arcade.subjects["random"](), seed=3, parameters=parameters)
    scores = score_record(arcade, taken.record, taken.truths)
    asked = [answer for answer in taken.record.answers if answer.key.endswith("/act")]
    chosen = [act for answer in asked for act in answer.value[:6]]
    done = unpack(scores.details["by_null"]["actions"][0])
    # What was done before the first act, and the acts up to the cap; the last stretch was longer than what was left.
    assert len(asked) == 11
    assert list(done[-62:]) == chosen[:62]
    assert scores.details["keep"] == "yes"


@pytest.fixture
def visit(chromium, tmp_path):
    """Give a maker of a person with a browser of their own in a new session."""
    place, faults, contexts = str(tmp_path / "mensura.db"), [], []
    with served(WebSettings(store=place)) as address, open_store(place) as store:

        def make(width=1280, **others):
            frame = Frame(after=[Step("thanks")])
            link = invite("arcade", "human", store=store, seed=1, parameters={**SHORT, **others}, frame=frame)[1][0]
            contexts.append(chromium.new_context(viewport={"width": width, "height": 800}, has_touch=width < 500))
            page = contexts[-1].new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(address + link.path)
            page.wait_for_selector("main[data-ready] .play")
            return page, store, link.session

        yield make
        for context in contexts:
            context.close()
    assert faults == []


def play_on(page, frames):
    """Wait until so many frames have been played; the page's policy forbids to wait by a script."""
    for _ in range(2000):
        if int(page.get_attribute(".play", "data-frame")) > frames:
            return
        page.wait_for_timeout(20)
    raise AssertionError("the game stands still")


@pytest.mark.browser
def test_a_person_plays_pauses_and_keeps_moments(visit):
    page, store, session = visit()
    assert axe.faults_of(page) == []
    page.get_by_role("button", name="Play", exact=True).click()
    page.keyboard.down("ArrowRight")
    play_on(page, 30)
    page.keyboard.press("p")
    page.get_by_role("button", name="Play on").wait_for()
    page.get_by_role("button", name="Play on").click()
    page.keyboard.down("ArrowRight")
    page.get_by_label("yes").check()
    page.get_by_role("button", name="Answer").click()
    page.wait_for_selector("main[data-kind=over] table")
    assert "moments of your play" in page.inner_text("main")
    given = [event.value for event in store.events.of(session) if event.kind == "answer"]
    assert given[-1] == "yes"
    assert len(given) == 26
    assert all(len(stretch) == 7 for stretch in given[:-1])
    assert max(stretch[:6].count(RIGHT) for stretch in given[:-1]) == 6
    # Before the first stretch, and where it was paused.
    assert sum(stretch[6] > 0 for stretch in given[:-1]) == 2
    # The record replays: the same asks come of the same answers.
    head = store.sessions.find(session)
    run = store.runs.find(head.run)
    instance = Instance(definition_of(run), run.parameters, run.own_seed(), head.address, **administration(run))
    assert replay(instance, store.events.since_save(session)).status == "finished"


@pytest.mark.browser
def test_fingers_hold_and_slide(visit):
    page, store, session = visit(width=390)
    pad = page.locator("[data-hold=right]").bounding_box()
    page.dispatch_event(
        ".play-touch", "pointerdown", {"pointerId": 1, "clientX": pad["x"] + 9, "clientY": pad["y"] + 9}
    )
    page.wait_for_selector("[data-hold=right].held")
    play_on(page, 30)
    page.dispatch_event(".play-touch", "pointerup", {"pointerId": 1, "clientX": 0, "clientY": 0})
    page.get_by_role("button", name="Pause").click()
    assert page.locator(".held").count() == 0
    given = [event.value for event in store.events.of(session) if event.kind == "answer"]
    assert RIGHT in given[2]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
def test_what_is_held_together_is_one_action(visit):
    page, *_ = visit()
    source = page.get_attribute("[data-module]", "data-module")
    names = list(GameEpisode("breakout", Rules()).names)
    held = [["up", "right", "fire"], ["left", "right"], ["upleft", "fire"], [], ["down", "down"]]
    found = page.evaluate(
        "async ([source, held, names]) => (await import(source)).actionOf && Promise.all(held.map(async (one) => "
        "names[(await import(source)).actionOf(one, names)]))",
        [source, held, names],
    )
    assert found == ["uprightfire", "noop", "upleftfire", "noop", "down"]
    few = page.evaluate(
        "async ([source, names]) => (await import(source)).actionOf(['up', 'fire'], names)",
        [source, ["noop", "fire", "right", "left"]],
    )
    assert few == 1
