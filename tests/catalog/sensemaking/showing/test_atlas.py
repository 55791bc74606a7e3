"""What stored and remote readers see: pages drawn from the record, and a program that speaks JSON lines."""

import json
import re
import sys

import numpy as np
import pytest

from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.showing.percents import PercentAllocation, Percents, read_mode
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.dialogue import prompt_data
from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, Invalid
from mensura.running.take import take
from mensura.subjects import find_subject

AGENT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "ask":
        continue
    assert "truth" not in message
    schema = message["schema"]
    if schema["type"] == "object":
        names = schema["required"]
        whole = schema["properties"][names[0]]["maximum"]
        answer = {name: whole / len(names) for name in names}
    elif schema["type"] == "integer":
        answer = schema["minimum"]
    else:
        answer = schema["enum"][0]
    print(json.dumps({"number": message["number"], "answer": answer}), flush=True)
"""


def test_a_program_in_its_own_process_takes_it_over_json_lines(tmp_path):
    (tmp_path / "agent.py").write_text(AGENT)
    subject = find_subject(f"program:{sys.executable} {tmp_path / 'agent.py'}", sensemaking)()
    taken = take(sensemaking, subject, seed=2, parameters={"tasks": "46", "breaks": False})
    assert taken.record.status == "finished", taken.record.last_words
    assert taken.record.given()["4.1.0"] == {"1": 0.25, "2": 0.25, "3": 0.25, "4": 0.25}


@pytest.fixture(scope="module")
def asks():
    found = {}

    class Watching:
        def __init__(self):
            self.subject = SUBJECTS["bayesian"]()

        def begin(self, rng):
            self.subject.begin(rng)

        def feedback(self, told):
            self.subject.feedback(told)

        def __call__(self, ask):
            found[ask.key] = ask
            return self.subject(ask)

    take(sensemaking, Watching(), seed=4, parameters={"breaks": False, "tasks": "2457"})
    return found


@pytest.mark.parametrize("key", ["2.1.circle.A", "2.1.0", "4.1.1", "5.1.2", "7.3.keep"])
def test_a_stored_ask_is_drawn_like_the_live_one(asks, key):
    """Playback draws from the record, so the map must come out of plain JSON the same."""
    rendering = pytest.importorskip("mensura.web.drawing.prompt", reason="the web pages are not installed")
    live = prompt_data(asks[key].prompt)
    stored = json.loads(canonical(live))
    # The data for the script is the same but for the order of its keys.
    drawn, again = (
        re.sub(r"<script.*?</script>", "", str(rendering.show(each)), flags=re.S) for each in (live, stored)
    )
    assert again == drawn
    assert "sm-map" in drawn
    assert "5 miles" in drawn


def test_the_control_starts_empty_and_offers_where_the_last_judgement_ended(asks):
    rendering = pytest.importorskip("mensura.web.drawing.prompt", reason="the web pages are not installed")
    space = asks["5.1.2"].space
    drawn = str(rendering.control(space.data()))
    for name, percent in space.before.items():
        assert f'name="answer.{name}" value=""' in drawn
        assert f'data-before="{round(percent)}"' in drawn


def test_a_report_of_task_7_is_changed_from_where_it_was(asks):
    """Groups start from the last report; sites are new on every trial and start from nothing."""
    first = asks["7.1.groups"].space.before
    assert sorted(first.values()) == pytest.approx([5.0, 5.0, 5.0, 85.0])
    assert asks["7.1.sites"].space.before is None


@pytest.mark.parametrize("mode", ["after-and-confirm", "after", "manual", "instant", "off"])
@pytest.mark.parametrize("form", [{"answer.A": "30"}, {"answer": "30 0 0 0"}, {"answer": "5 12 5 25"}])
def test_nothing_is_stored_that_nobody_said(mode, form):
    """The page may make percents sum to 100 before the eyes of the person; what is sent is taken or asked back."""
    for space in (Percents(tuple("ABCD"), read_mode(mode)), PercentAllocation(tuple("ABCD"), mode=read_mode(mode))):
        with pytest.raises(Invalid, match=r"Together they must be 100 %; they are \d+ %"):
            space.parse(form)
        assert sum(space.check(space.parse({"answer": "24,5 25 25 25"})).values()) == pytest.approx(space.whole)


def test_percents_typed_at_a_terminal_are_understood_and_shares_are_asked_back():
    assert Percents(("A", "B")).parse({"answer": "25 75 %"}) == {"A": 0.25, "B": 0.75}
    with pytest.raises(Invalid, match=r"A: Do you mean 0\.25 % or 25 %\?"):
        Percents(("A", "B")).parse({"answer": "0.25 0.75"})


def test_nonsense_about_how_an_answer_was_set_is_not_kept():
    space = Percents(("A", "B"))
    form = {"answer.A": "50", "answer.B": "50", "answer.how": '{"raw": "x", "control_ms": {"A": -1}}'}
    assert space.parse(form) == {"A": 0.5, "B": 0.5}
    assert space.check({"A": 0.5, "B": 0.5, "how": {"raw": {"A": 1, "B": 1}}})["how"] == {"raw": {"A": 1, "B": 1}}


def test_unknown_normalisations_are_named():
    with pytest.raises(BadParameter, match="one of after-and-confirm, after, manual, instant, off; got 'never'"):
        read_mode("never")


def test_outlines_of_regions_enclose_exactly_their_cells():
    """The area within outlines, holes taken away, is the number of cells."""
    rng = np.random.default_rng(1)
    cells = rng.integers(1, 5, size=(12, 9)).astype(np.uint8)
    cells[3:9, 2:7] = 1
    cells[5:7, 4] = 2
    areas = dict.fromkeys("ABCD", 0.0)
    for group, corners in Regions(12, 9, cells.tobytes()).outlines():
        ring = np.array([*corners, corners[0]], dtype=float)
        areas[group] += float((ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1]).sum()) / 2
    assert areas == {group: float((cells == number).sum()) for number, group in enumerate("ABCD", start=1)}
