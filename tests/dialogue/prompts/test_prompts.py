"""Prompts: data first, words second."""

import json

import numpy as np
import pytest

from mensura.dialogue import (
    Chart,
    Feature,
    Grid,
    Image,
    Mailbox,
    Map,
    Message,
    Readings,
    TableView,
    prompt_data,
    prompt_text,
)
from mensura.dialogue.canonical import plain

PROMPTS = [
    "Some **Markdown**",
    TableView(("a", "b"), [(1, 2)], title="Two"),
    Image(b"\x89PNG", "a dot"),
    Grid([["A", ""]], legend={"A": "you"}, title="World"),
    Readings(np.array([1.0, 2.0]), names=("x", "y")),
    Readings(np.array([[1, 2]])),
    Chart("bar", {"x": [1], "y": [2]}, x="x", y="y", words="Bars"),
    Map((0, 0), (1, 1), [Feature("circle", [(0.5, 0.5)], label="here", radius=0.25)], words="Where?"),
    Mailbox([Message("m", "Ada", "Hi", "Two\nlines")], title="Inbox"),
    Mailbox([]),
]


@pytest.mark.parametrize("prompt", [*PROMPTS, PROMPTS], ids=lambda prompt: type(prompt).__name__)
def test_a_prompt_is_json_and_can_be_said_in_words(prompt):
    json.dumps(prompt_data(prompt), default=plain)
    assert prompt_text(prompt).strip()


def test_a_list_of_prompts_shows_its_parts():
    assert prompt_text(["One", "Two"]) == "One\n\nTwo"
    assert prompt_data(["One"]) == ["One"]


def test_something_else_is_no_prompt():
    with pytest.raises(TypeError, match="got int"):
        prompt_data(3)


def test_a_picture_is_read_from_a_file(tmp_path):
    path = tmp_path / "dot.svg"
    path.write_text("<svg/>")
    image = Image.from_file(path, words="a dot")
    assert image.url.startswith("data:image/svg+xml;base64,")
    assert prompt_text(image) == "[Picture: a dot]"


def test_words_of_a_map_name_places_and_radius():
    assert "circle here at (0.5, 0.5), radius 0.25" in prompt_text(PROMPTS[7])
