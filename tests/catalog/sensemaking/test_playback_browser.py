"""Playback in a real browser: a person who opens a finished session sees the map step through its stages."""

import numpy as np
import pytest

from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.generating import Design, generate_exam, write_generated
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.running.run import run

pytestmark = pytest.mark.browser

BARS = ".screen .asked:not(.before) .sm-bars"
MAP = ".screen .asked:not(.before) .sm-map"


@pytest.fixture(scope="module")
def exam(tmp_path_factory):
    design = Design(
        blocks_1=2, blocks_2=1, blocks_3=1, trials_4=1, trials_5=1, trials_6=1, trials_7=2, networks=1,
        shortest_wave=2, longest_wave=2,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("short")
    write_generated(generate_exam(np.random.default_rng(3), design=design, id="short"), folder)
    return folder


@pytest.fixture
def playing(lab, exam):
    """Log in as someone who may see transcripts, and open the playback of a finished session."""

    store, home, page = lab
    finished = run(sensemaking, "normative", store=store, seed=1, parameters={"exam": str(exam)}).head.id
    store.accounts.add("Ada", role="experimenter", password="correct horse battery")
    page.goto(f"{home}/lab/login")
    page.fill("input[name=name]", "Ada")
    page.fill("input[name=password]", "correct horse battery")
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "login" not in url)
    (session,) = store.sessions.of(finished)
    address = session.id.partition("/")[2]

    def opened(at=0):
        page.goto(f"{home}/lab/runs/{finished}/sessions/{address}/playback?at={at}")
        page.wait_for_selector("#moment .steps")
        return page

    return store, session.id, opened


def _events(store, session):
    return [event for event in store.events.of(session) if event.kind in ("ask", "tell")]


def _layers(page):
    return page.eval_on_selector_all(f"{MAP} g[data-layer]", "all => all.map((each) => each.dataset.layer)")


def test_the_map_steps_through_the_stages_of_a_trial(playing, exam):
    store, session, opened = playing
    first = next(event.number for event in _events(store, session) if event.key == "5.1.1")
    page = opened(first)
    trial = read_exam(exam).tasks[5].trials[0]
    for layer in trial.layers:
        assert layer.kind in page.inner_text(".screen .asked:not(.before)")
        layers = _layers(page)
        assert {"roads", "HUMINT", "question"} <= set(layers)
        assert ("SOCINT" in layers) == (layer.kind == "SOCINT")
        # The map is seen, not only there: its styles have come, and a layer can be switched off.
        page.wait_for_function(f"() => getComputedStyle(document.querySelector('{MAP} .road')).fill === 'none'")
        page.uncheck(f'{MAP} [data-toggle="roads"]')
        assert not page.is_visible(f'{MAP} g[data-layer="roads"]')
        page.check(f'{MAP} [data-toggle="roads"]')
        bars = page.eval_on_selector_all(
            ".screen .asked:not(.before) .sm-bars figcaption", "all => all.map(e => e.innerText)"
        )
        assert bars == ["Before", "The report alone"]
        assert page.inner_text(".gauge").startswith("event")
        _step(page)
        answered = page.inner_text(".screen .said")
        assert all(f"{group}" in answered for group in trial.groups)
        _step(page)
    assert "Divide your resources" in page.inner_text(".screen")
    assert "question" in _layers(page)
    _step(page)
    _step(page)
    assert f"It was group {trial.truth}" in page.inner_text(".screen")
    assert "what happened" in _layers(page)


def _step(page):
    before = page.inner_text(".gauge")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(before) => document.querySelector('.gauge').innerText !== before", arg=before)


@pytest.mark.slow
@pytest.mark.proof
def test_every_stage_of_every_task_has_its_map(playing):
    """All that was asked or told about a trial is drawn with the map it was seen on, surprise excepted."""
    store, session, opened = playing
    page = opened()
    wanted = [
        event
        for event in _events(store, session)
        if event.key.count(".") >= 2 and not event.key.endswith((".surprise", ".report1"))
    ]
    # One of each kind of ask of each task: the pages of one kind are drawn by the same lines.
    kinds = {}
    for event in wanted:
        number, _, rest = event.key.partition(".")
        kinds.setdefault((number, rest.partition(".")[2].rstrip("ABCD0123456789")), event)
    assert {number for number, _ in kinds} == set("1234567")
    for event in kinds.values():
        page = opened(event.number)
        if event.key.startswith("7.") and event.kind == "tell":
            continue
        assert page.query_selector(f"{MAP} svg"), event.key
        assert page.query_selector(f"{MAP} .scale"), event.key


@pytest.mark.slow
def test_playback_goes_by_itself_and_shows_circles_as_they_were_drawn(playing):
    store, session, opened = playing
    first = next(event.number for event in _events(store, session) if event.key == "2.1.circle.A")
    page = opened(first)
    assert "your circles" not in _layers(page)
    page.click("[data-play]")
    page.wait_for_function(f"() => document.querySelectorAll('{MAP} circle.drawn').length === 4")
    page.click("[data-play]")
    assert page.get_attribute("[data-play]", "aria-pressed") == "false"
