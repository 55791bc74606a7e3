"""Briefings before the laboratory's blind panel, and its ratings back in the scores."""

import json

import pytest

from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.scoring.panel import briefing_of, unsigned
from mensura.errors import BadFile, BadParameter
from mensura.running.panel import apply_panel, close, rate, read_panel
from mensura.running.panel.artefact import session_artefacts
from mensura.running.run import run
from mensura.running.take import take
from mensura.store import open_store

TEXTS = {
    "cots": "The spreadsheet shows that three events lost their room.\nRegards,\nJo March",
    "agent": "",
}


FREE = [
    "– jo",
    "Jo March",
    "your stand-in, jo m",
    "(J. M.)",
    "Jo March\nplanning office",
    "Written by Jo March.",
    "/jm",
]
"""Signatures of free form."""


@pytest.mark.parametrize(
    "closing", ["Regards,\nJo March", "Best, Jo", "Kind regards\n\nJo", "Thanks!", "Cheers - Jo M.", *FREE]
)
def test_a_signature_is_taken_off(closing):
    assert unsigned(f"The hall is lost.\n\n{closing}\n") == "The hall is lost."


@pytest.mark.parametrize(
    "end",
    ["Thanks to Ann we have it.\nSpent: 400.", "Best rooms kept.\nSpent: 400.", "Spent 400", "- All speakers know"],
)
def test_a_last_sentence_is_no_signature(end):
    assert unsigned(f"The hall is lost.\n{end}") == f"The hall is lost.\n{end}"


def test_an_address_of_ones_own_is_masked_and_those_of_the_world_stay():
    text = "Write to jo.march@post.org.\nThe new address of Kim is kim@letters.example. JO@UNI.EDU"
    parameters = {"condition": "agent", "package": "practice-1", "minutes": 20}
    taken = take(crisis, Writer(text), seed=1, parameters=parameters)
    shown = "Write to [address].\nThe new address of Kim is kim@letters.example. [address]"
    assert briefing_of(taken.record) == shown


class Writer:
    """Writes one briefing and leaves."""

    def __init__(self, text):
        self.acts = iter([*([("brief", {"text": text})] if text else []), ("finish", {})])

    def __call__(self, ask):
        call, arguments = next(self.acts)
        return {"call": call, "arguments": arguments}


def writer(text):
    return lambda: Writer(text)


@pytest.fixture
def lab(tmp_path):
    with open_store(tmp_path / "lab.db") as store:
        yield store


@pytest.fixture
def runs(lab):
    made = {}
    for condition, text in TEXTS.items():
        parameters = {"condition": condition, "package": "practice-1", "minutes": 20}
        made[condition] = run("crisis", writer(text), store=lab, sessions=2, seed=1, parameters=parameters)
    return made


def rater(ask):
    """Pick one passage and give it three points: a simulated rater."""
    if ask.space.kind == "text":
        return "three events" if not ask.key.endswith(("2", "3", "4")) else ""
    return 3


def open_it(lab, tmp_path, runs, **more):
    data = {
        "name": "briefings",
        "artefacts": [{"run": result.head.id, "condition": name} for name, result in runs.items()],
        "raters": [{"name": "ann", "as": "chance"}, {"name": "bob", "as": "chance"}],
        **more,
    }
    (tmp_path / "panel.yaml").write_text(json.dumps(data))
    return read_panel(tmp_path / "panel.yaml").carry_out(store=lab)


def test_only_written_briefings_are_rated_without_signature_and_telling_words(lab, runs, tmp_path):
    texts = [one.content["text"] for one in session_artefacts(runs["cots"].head.id, store=lab)]
    assert texts == ["The spreadsheet shows that three events lost their room."] * 2
    assert session_artefacts(runs["agent"].head.id, store=lab) == []
    opened, _ = open_it(lab, tmp_path, runs)
    shown = [one.content["text"] for one in lab.panels.artefacts("briefings")]
    assert len(shown) == len(opened.codes) == 2
    assert not any("spreadsheet" in text.lower() or "March" in text for text in shown)


def test_a_panels_ratings_come_back_as_later_truths_and_the_final_score_follows(lab, runs, tmp_path):
    open_it(lab, tmp_path, runs)
    rate("briefings", store=lab)
    close("briefings", store=lab)
    before = lab.results.of(runs["cots"].head.id)
    done = apply_panel("briefings", store=lab)
    assert (done.ratings, done.unknown) == (2, 0)
    after = lab.results.of(runs["cots"].head.id)
    for session, scores in after.items():
        rated = lab.truths.of(session)["panel"]["value"]
        assert scores.values["briefing"] == rated
        assert scores.details["briefing_method"] == "blind panel, 2 raters"
        moved = (rated - before[session].values["briefing"]) / 6
        assert scores.values["final"] == pytest.approx(before[session].values["final"] + moved)
        assert scores.details["provisional"] == before[session].values["briefing"]
        # What is said of the score follows the panel as well.
        lost = sum(line["points"] for line in scores.details["lost"])
        assert lost == pytest.approx(1 - scores.values["final"], abs=1e-4)
        floor, ceiling = scores.details["floor"]["final"], scores.details["ceiling"]["final"]
        assert scores.details["above_floor"] == pytest.approx((scores.values["final"] - floor) / (ceiling - floor))
    unwritten = lab.results.of(runs["agent"].head.id)
    assert all(scores.values["briefing"] == 0 for scores in unwritten.values())
    assert len(lab.results.history(next(iter(after)))) == 2


def test_a_panel_of_other_texts_cannot_be_applied(lab, tmp_path):
    from mensura.running.panel import Artefact, Rater, assign, open_panel

    rubric = {"items": [{"key": "good", "text": "Good?", "scale": 5}]}
    artefacts = [Artefact.from_text(text, condition=side) for text, side in (("Ice.", "left"), ("Snow.", "right"))]
    open_panel("texts", artefacts, rubric=rubric, store=lab)
    assign("texts", [Rater("ann", "chance")], overlap=1, store=lab)
    rate("texts", store=lab)
    close("texts", store=lab)
    with pytest.raises(BadParameter, match="not a session here"):
        apply_panel("texts", store=lab)


def test_a_panel_of_texts_still_names_its_rubric(tmp_path):
    (tmp_path / "panel.yaml").write_text(json.dumps({"artefacts": [{"text": "a", "condition": "b"}]}))
    with pytest.raises(BadFile, match="names its rubric"):
        read_panel(tmp_path / "panel.yaml")
