"""Games of imitation in a real Chromium, by simulated people: each form from the first question to the debriefing."""

import re

import pytest

from mensura.catalog.imitation.game import read_games
from mensura.web.local import served
from mensura.web.settings import WebSettings
from tests.web.browser.conftest import PHONE

pytestmark = pytest.mark.browser
ABSENT = 12
"""Seconds after which someone whose page is closed is gone."""
ROOM = "main[data-ready] .im-room"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    place = str(tmp_path_factory.mktemp("laboratory") / "mensura.db")
    with served(WebSettings(store=place, absence_seconds=ABSENT)) as address:
        yield address, place


def ask(page, text, *, to="both"):
    """Let a judge write."""
    page.wait_for_selector(f"{ROOM}:not(.waits)", timeout=30_000)
    if page.query_selector(f"input[name=im-to][value={to}]"):
        page.check(f"input[name=im-to][value={to}]")
    page.fill("#im-message", text)
    page.click(".im-send")


def stop_asking(page):
    page.wait_for_selector(f"{ROOM}:not(.waits)", timeout=30_000)
    page.click(".im-done")


def reply(page, text):
    """Let a witness answer."""
    page.wait_for_selector(f"{ROOM}:not(.waits)", timeout=30_000)
    page.fill("#im-message", text)
    page.keyboard.press("Enter")


def believe(page, percent):
    page.wait_for_selector("main[data-ready] .field.probability", timeout=30_000)
    page.fill("input[name=answer]", f"{percent} %")
    page.click("text=Answer")


def decide(page, verdict, *, percent=70, decided=None, blunder=None, faults_of=lambda page: []):
    """Let a judge give the verdict; messages are clicked, and what is clicked can still be read."""
    page.wait_for_selector("main[data-ready] input[name='answer.0']", timeout=30_000)
    page.check(f"input[name='answer.0'][value={verdict}]")
    page.fill("input[name='answer.1']", f"{percent} %")
    page.fill("[name='answer.2']", "A feeling.")
    if decided:
        page.click(f"li[data-id={decided}] .im-marks button >> nth=0")
    elif page.query_selector("select[name='answer.3']"):
        page.select_option("select[name='answer.3']", "none")
    else:
        page.check("input[name='answer.3'][value=none]")
    if blunder:
        page.click(f"li[data-id={blunder}] .im-marks button >> nth=1")
    assert faults_of(page) == []
    if page.query_selector("select[name='answer.4']"):
        page.select_option("select[name='answer.4']", "small talk")
    else:
        page.check("input[name='answer.4'][value='small talk']")
    page.click("form[data-answer] button.primary")


def debriefed(page):
    page.wait_for_selector("text=you may have been deceived", timeout=30_000)
    return page.inner_text("main")


def the_game(store, link):
    for record, truths in store.records.with_truths(link.session.split("/")[0]):
        if record.session == link.session:
            return read_games(record, truths)[0]
    raise AssertionError("The game is not stored.")


def test_a_gender_game_is_played_to_its_debriefing(invited, people, store, faults_of):
    links = invited("imitation", form="gender", messages=2, delays=False)
    by_role = dict(zip(("judge", "man", "woman"), links, strict=True))
    judge, man, woman = people(by_role["judge"]), people(by_role["man"], size=PHONE), people(by_role["woman"])
    ask(judge, "How long is your hair?")
    man.wait_for_selector("text=How long is your hair?")
    assert faults_of(man) == []
    assert re.search(r"Time left\s+[45]:\d\d", man.inner_text("header"))
    assert man.evaluate("document.documentElement.scrollWidth <= innerWidth")
    reply(man, "Down to my <b>shoulders</b>.")
    assert "shoulders" not in judge.inner_text("main")
    reply(woman, "Short, these days.")
    believe(judge, 40)
    judge.wait_for_selector(f"{ROOM}:not(.waits)")
    assert "<b>shoulders</b>" in judge.inner_text("main")
    assert faults_of(judge) == []
    # Who is waiting still sees the talk, and the other's words never.
    assert "shoulders" not in woman.inner_text("main")
    stop_asking(judge)
    judge.wait_for_selector("li[data-id=A2] .im-marks")
    assert faults_of(judge) == []
    decide(judge, "A", decided="A2", blunder="B2", faults_of=faults_of)
    told = [debriefed(page) for page in (judge, man, woman)]
    assert all(re.search(r"was the woman", text) for text in told)
    found = the_game(store, by_role["judge"])
    assert (found.verdicts[0].message, found.verdicts[0].blunders) == ("A2", ("B2",))
    assert len(found.beliefs) == 1


def test_in_a_standard_game_a_program_passes_through_the_same_page(invited, people, store):
    cast = {"judge": "human", "human": "human", "machine": "eliza"}
    judge_link, human_link = invited("imitation", cast=cast, messages=2, belief="end")
    judge, human = people(judge_link), people(human_link)
    ask(judge, "Hi?")
    judge.wait_for_selector(".im-wait:not([hidden])")
    reply(human, "Hello!")
    # Both answers come at once, the program's not before the person's.
    judge.wait_for_selector(f"{ROOM}:not(.waits)", timeout=30_000)
    assert judge.locator(".im-said li:not(.mine)").count() == 2
    stop_asking(judge)
    decide(judge, "A")
    assert "the one in the machine's seat" in debriefed(judge)
    (one, other) = (m for m in the_game(store, judge_link).messages if not m.judge)
    assert one.released == other.released


def test_a_judge_who_leaves_makes_the_game_void(invited, people, store, home):
    links = invited("imitation", form="gender", messages=2, delays=False)
    by_role = dict(zip(("judge", "man", "woman"), links, strict=True))
    judge, man, woman = (people(by_role[role]) for role in ("judge", "man", "woman"))
    ask(judge, "Hello?")
    for page in (man, woman):
        reply(page, "Yes.")
    judge.wait_for_selector("main[data-ready] .field.probability")
    judge.close()
    man.wait_for_selector("text=Nobody gave a verdict", timeout=90_000)
    assert "was the woman" in man.inner_text("main")
    assert the_game(store, by_role["judge"]).void == "the judge left"


@pytest.mark.slow
def test_twelve_jurors_reach_a_verdict_though_one_of_them_leaves(invited, people, store):
    cast = {f"juror{n}": "human" for n in range(1, 13)} | {"machine": "eliza", "human": "parrot"}
    links = invited("imitation", cast=cast, form="jury", messages=1, belief="end", delays=False, seconds=900)
    jurors = [people(link) for link in links]
    first = next_to_ask(jurors)
    gone = next(page for page in jurors if page is not first)
    jurors.remove(gone)
    gone.close()
    ask(first, "Do you like tea?")
    for _ in range(10):
        # The one who left is passed over when they have been away for long enough.
        stop_asking(next_to_ask(jurors))
    for place, page in enumerate(jurors):
        decide(page, "human" if place < 8 else "machine", percent=60)
    texts = [debriefed(page) for page in jurors]
    assert all("The witness was" in text for text in texts)
    found = the_game(store, links[0])
    assert len(found.verdicts) == 11
    assert found.decision == "human"


def next_to_ask(pages):
    """Return the page that has the word."""
    for _ in range(900):
        for page in pages:
            if page.query_selector(f"{ROOM}:not(.waits)"):
                return page
        pages[0].wait_for_timeout(100)
    raise AssertionError("Nobody has the word.")
