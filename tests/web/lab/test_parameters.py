"""What parameters are, on the pages of tests and studies."""

import re
from html import unescape
from typing import Any

from mensura.running.study import conduct, make_study
from mensura.store import Store

FLIPS = "How many coins are asked about, 1 or more."


def words_of(page: Any) -> str:
    """Give the text of a page."""
    return unescape(page.text)


def test_the_page_of_a_test_says_what_its_parameters_are(erin: Any) -> None:
    page = words_of(erin.get("/lab/tests/bargain-v1"))
    rows = re.findall(r"<tr><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td><td>(.*?)</td>", page)
    assert ("points", "How many points are shared, 1 or more.", "whole number", "10") in rows
    assert next(takes for label, _, takes, _ in rows if label == "talk") == "free, turns or none"


def test_the_form_of_a_test_explains_each_field_and_offers_the_values(erin: Any) -> None:
    page = words_of(erin.get("/lab/tests/bargain-v1"))
    field = re.search(r'<select id="(\S*talk)" name="parameter.talk" aria-describedby="(\S+)">(.*?)</select>', page)
    assert field is not None
    assert re.findall(r"<option[^>]*>(.*?)</option>", field[3]) == ["free (default)", "free", "turns", "none"]
    assert re.search(rf'<span class="help" id="{field[2]}">How the two talk beforehand:', page)


def test_a_plan_and_its_study_say_what_they_set(erin: Any, store: Store) -> None:
    plan = "name: tosses\ntest: coin\nconditions: {few: {flips: 2}, many: {flips: 5}}\ncasts: {a: stated}\n"
    for page in (erin.submit("/lab/studies/new", {"text": plan, "act": "check"}), _study(erin, store)):
        text = words_of(page)
        assert FLIPS in text
        row = re.search(rf"<td>([^<]*)</td><td[^>]*>{re.escape(FLIPS)}</td>", text)
        assert row is not None
        assert row[1] == "2, 5"


def _study(erin: Any, store: Store) -> Any:
    plan = {"name": "tosses", "test": "coin", "casts": {"a": "stated"}, "sessions": 2}
    conduct(make_study({**plan, "conditions": {"few": {"flips": 2}, "many": {"flips": 5}}}), store=store)
    return erin.get("/lab/studies/tosses")
