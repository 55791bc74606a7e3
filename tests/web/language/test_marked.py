"""Every word of the participants' templates is marked for translation."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "src" / "mensura"
TEMPLATES = [
    path
    for folder in ("web/templates", "dialogue/spaces/pages", "dialogue/prompts/pages")
    for path in sorted((SOURCE / folder).rglob("*.html"))
]
JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.S)
ATTRIBUTES = re.compile(r"\{% block (?:kind|main_attributes) %\}.*?\{% endblock %\}", re.S)
SPOKEN = re.compile(r'\b(?:aria-label|aria-description|alt|title|placeholder|label)="([^"]*)"')
CODE = re.compile(r"<(script|style)\b.*?</\1>", re.S)
WORD = re.compile(r"[A-Za-z]{3,}")
OWN = {"Mensura", "doctype", "html"}
"""What is the same in every language."""


def unmarked(text):
    plain = JINJA.sub("", ATTRIBUTES.sub("", text))
    said = [*SPOKEN.findall(plain), *re.split(r"<[^>]*>", CODE.sub("", plain))]
    return sorted({word for part in said for word in WORD.findall(part)} - OWN)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_word_of_a_template_is_left_in_english(path):
    assert unmarked(path.read_text()) == []


def test_the_search_finds_what_is_not_marked():
    assert unmarked('<p title="Look">Hello {{ _("World") }}</p>{# note #}') == ["Hello", "Look"]
