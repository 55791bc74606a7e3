"""Rendering: every prompt and space is drawn, hostile ones harmlessly, and what forms send is what spaces read."""

import dataclasses
import json
import re
from html import unescape
from html.parser import HTMLParser
from typing import ClassVar

import pytest

from mensura.catalog.find import find_test
from mensura.dialogue import (
    Action,
    Choice,
    Distribution,
    Grid,
    Likert,
    Mailbox,
    Message,
    Prompt,
    TableView,
    Text,
    prompt_data,
)
from mensura.dialogue.canonical import canonical
from mensura.errors import BadFile, UnknownName
from mensura.web.drawing import chart
from mensura.web.drawing.map import draw_map
from mensura.web.drawing.own_page import OwnPage, read
from mensura.web.drawing.prompt import control, show, wide

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}"
FILLED = {
    "choice": {"answer": "pear"},
    "action": {"answer": "up"},
    "number": {"answer": "12"},
    "probability": {"answer": "30 %"},
    "likert": {"answer": "5"},
    "distribution": {"answer.Ada": "50", "answer.Chidi": "50"},
    "allocation": {"answer.north": "4", "answer.east": "8"},
    "density": {f"answer.{i}": str(10 * i) for i in range(5)},
    "bins": {"answer.0": "25", "answer.4": "75"},
    "text": {"answer": "a house\r\nand a tree"},
    "line": {"answer": "word"},
    "point": {"answer.x": "3", "answer.y": "4"},
    "circle": {"answer.x": "3", "answer.y": "4", "answer.radius": "2"},
    "call": {"call": "reply", "arguments.reply.message": "m1", "arguments.reply.words": "yes"},
    "table": {"answer.0.name": "Ada", "answer.0.age": "36", "answer.0.kind": "a", "answer.1.name": ""},
    "file": {"answer.name": "a.txt", "answer.type": "text/plain", "answer.content": "aGk="},
    "vector": {"answer.0": "0.5", "answer.1": "-0.5", "answer.2": "7"},
    "questions": {"answer.0": "4", "answer.1": "2", "answer.2": "Ada"},
    "calls": {"answer": '[["say", "yes"], ["say", "no"]]'},
    "anything": {"answer": "[1, 2]"},
}


class Tags(HTMLParser):
    """Collects tags, and complains where they do not nest."""

    EMPTY = frozenset({"input", "img", "br", "hr", "link", "meta"})

    def __init__(self, html):
        super().__init__()
        self.tags, self._open = [], []
        self.feed(html)
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open, f"{tag} closes nothing"
        assert self._open.pop() == tag


@pytest.fixture
def asks(gallery):
    """Every ask of the gallery by key."""
    import sys

    module = sys.modules[find_test(gallery).function.__module__]
    return module.ASKS


def test_every_space_of_the_dialogue_is_in_the_gallery(asks):
    from mensura import dialogue

    kinds = {ask.space.kind for ask in asks.values()}
    exported = [getattr(dialogue, name) for name in dialogue.__all__]
    declared = {
        one.__dict__.get("kind") for one in exported if isinstance(one, type) and issubclass(one, dialogue.Space)
    } - {None}
    # A page of the test's own answers it: see test_site.py.
    assert kinds == declared - {"embedded"}


@pytest.mark.parametrize("key", FILLED)
def test_every_field_of_a_space_is_on_its_form_and_what_was_filled_in_stays(visit, gallery, asks, key):
    person = visit(gallery, only=key)
    names = {
        attrs.get("name") for tag, attrs in Tags(person.text).tags if tag in ("input", "select", "textarea", "button")
    }
    wanted = {name.removesuffix(".content").removesuffix(".type").removesuffix(".name") for name in FILLED[key]}
    wanted = wanted if key == "file" else set(FILLED[key])
    assert wanted <= names
    space = asks[key].space
    value = space.check(space.parse(FILLED[key]))
    page = person.post("answer", **FILLED[key])
    assert page.status_code == 200
    assert person.kind == "over"
    session = person.client.app.state.laboratory.store.invitations.all()[-1].steps[0].session
    stored = [
        event.value for event in person.client.app.state.laboratory.store.events.of(session) if event.kind == "answer"
    ]
    assert canonical(stored) == canonical([value])


@pytest.mark.parametrize("key", [key for key in FILLED if key not in ("action", "file", "call")])
def test_a_form_is_drawn_again_with_what_was_given(asks, key):
    given = FILLED[key]
    html = control(asks[key].space.data(), "answer", given)
    shown = " ".join(str(attrs) for tag, attrs in Tags(str(html)).tags) + unescape(re.sub("<[^>]*>", "", html))
    for value in given.values():
        for line in value.splitlines():
            assert line in shown
    if key in ("choice", "likert"):
        assert [attrs["value"] for _, attrs in Tags(str(html)).tags if "checked" in attrs] == [given["answer"]]


def test_every_standard_prompt_is_drawn_from_its_data_live_and_stored(asks):
    for ask in asks.values():
        live, stored = prompt_data(ask.prompt), json.loads(canonical(prompt_data(ask.prompt)))
        assert Tags(str(show(live))).tags
        assert show(live) == show(stored)


@pytest.mark.parametrize(
    "prompt",
    [
        EVIL,
        TableView((EVIL,), [(EVIL,)], title=EVIL),
        Grid([[EVIL]], legend={EVIL: EVIL}, title=EVIL),
        Mailbox([Message(EVIL, EVIL, EVIL, EVIL, folder=EVIL)], title=EVIL),
    ],
)
def test_hostile_prompts_are_shown_and_not_run(prompt):
    html = str(show(prompt_data(prompt)))
    tags = Tags(html).tags
    assert "script" not in [tag for tag, _ in tags]
    assert not [attrs for _, attrs in tags if "onerror" in attrs or attrs.get("src") == "x"]
    assert "{{7*7}}" in html, "what looks like a template is text"


@pytest.mark.parametrize(
    "space", [Choice((EVIL, "b")), Action((EVIL,), (EVIL,)), Distribution((EVIL, "b")), Likert(3, EVIL, EVIL), Text()]
)
def test_hostile_spaces_are_shown_and_not_run(space):
    for compact in (False, True):
        html = str(control(space.data(), "answer", {"answer": EVIL}, label=EVIL, compact=compact))
        assert "script" not in [tag for tag, _ in Tags(html).tags]
        assert "onerror" not in str([sorted(attrs) for _, attrs in Tags(html).tags])


def test_every_field_has_a_label(asks):
    for ask in asks.values():
        if ask.space.kind == "call":
            continue
        tags = Tags(str(control(ask.space.data()))).tags
        labelled = {attrs["for"] for tag, attrs in tags if tag == "label" and "for" in attrs}
        fields = [attrs for tag, attrs in tags if tag in ("input", "select", "textarea")]
        for field in fields:
            assert field["type" if "type" in field else "id"] in ("radio", "checkbox") or field["id"] in labelled


def test_a_kind_that_nobody_draws_is_readable():
    assert "&#34;depth&#34;: 3" in show({"kind": "unheard-of", "depth": 3})


def test_numbers_of_a_chart_stand_where_they_should():
    drawn = chart.draw({"mark": "bar", "columns": {"g": ["A", "B", "C"], "n": [1, 2, 4]}, "x": "g", "y": "n"})
    bars = re.findall(r'<path d="M[\d.,-]+h[\d.]+v([\d.-]+)h', drawn["figure"].svg)
    heights = [float(height) for height in bars]
    assert heights == pytest.approx([heights[2] / 4, heights[2] / 2, heights[2]])


@pytest.mark.parametrize("values", [[3], [0, 0], [-5, 5], [1e-9, 2e-9], [None, 2], [1e12, 3e12]])
def test_charts_of_odd_numbers_are_drawn(values):
    for mark in ("bar", "line", "point"):
        columns = {"x": list(range(len(values))), "y": values}
        svg = chart.draw({"mark": mark, "columns": columns, "x": "x", "y": "y"})["figure"].svg.lower()
        assert "nan" not in svg
        assert "inf" not in svg


def test_a_map_keeps_lengths_and_turns_y_up():
    features = [{"shape": "point", "places": [(0, 0)]}, {"shape": "point", "places": [(10, 20)]}]
    drawn = draw_map({"low": (0, 0), "high": (10, 20), "features": features, "unit": "km"})
    places = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn["groups"][0]["svg"])
    assert [tuple(map(float, place)) for place in places] == [(0, drawn["height"]), (drawn["width"], 0)]
    assert drawn["height"] == pytest.approx(2 * drawn["width"])
    assert drawn["bar"]["words"] == "2 km"
    assert drawn["bar"]["pixels"] == pytest.approx(drawn["width"] / 5)


@pytest.fixture
def own(tmp_path):
    """A prompt that brings its own page, in a folder."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "office.html").write_text("<p>Rooms: {{ prompt.rooms|join(', ') }}</p>{{ show(prompt.about) }}")
    (folder / "office.js").write_text("export default function enhance(element, { set }) { set('answer', '0.5'); }")
    (folder / "secret.txt").write_text("secret")

    @dataclasses.dataclass(frozen=True)
    class Office(Prompt):
        kind: ClassVar[str] = f"office-{tmp_path.name}"
        page: ClassVar[dict[str, str]] = {
            "folder": str(folder),
            "template": "office.html",
            "script": "office.js",
            "wide": "yes",
        }
        rooms: tuple[str, ...]
        about: str = "**All** rooms."

        def text(self):
            return "Rooms"

    return Office((EVIL, "12"))


def test_a_test_brings_its_own_template_for_a_prompt(own):
    html = show(prompt_data(["Look:", own]))
    assert "Rooms: &lt;script&gt;" in html
    assert "<strong>All</strong>" in html
    data = re.search(r'<script type="application/json" class="own-data">(.*?)</script>', html, re.S)
    assert json.loads(data[1])["rooms"] == [EVIL, "12"]
    assert wide(prompt_data(["Look:", own]))
    assert not wide("words", [])


def test_the_script_of_an_own_page_is_served_by_its_signed_address_only(app, own):
    from starlette.testclient import TestClient

    from mensura.web.drawing.own_page import SIGNER

    SIGNER.set(app.state.laboratory.signer)
    client = TestClient(app)
    page = OwnPage.of(type(own))
    address = page.address("office.js")
    script = client.get(address)
    assert script.status_code == 200
    assert script.headers["content-type"].startswith("text/javascript")
    assert "enhance" in script.text
    for wrong in (
        address.replace("/pages/", "/pages/x"),
        page.address("secret.txt"),
        page.address("../../../../etc/passwd.js"),
        page.address("..%2f..%2fx.js"),
        page.address("missing.js"),
        "/pages/a/b/c.js",
    ):
        assert client.get(wrong).status_code == 404, wrong


def test_an_own_page_that_names_too_little_says_so():
    class Broken(Prompt):
        kind = "broken-page"
        page: ClassVar[dict[str, str]] = {"template": "x.html"}

        def text(self):
            return ""

    with pytest.raises(BadFile, match="must name a package"):
        OwnPage.of(Broken)
    with pytest.raises(UnknownName):
        read("mensura.catalog.coin", "../dialogue.py")
