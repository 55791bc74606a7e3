"""Styles really differ: greeting, body, mistakes and signature."""

from random import Random
from typing import get_args

import pytest

from mensura.catalog.crisis.mail.style import dress, dress_subject
from mensura.catalog.crisis.mail.template import CLOSE, OPEN, fill
from mensura.catalog.crisis.world.people.person import Person, Style
from mensura.errors import BadFile

CORE = (
    f"[[I hope you are well.]] It's about the schedule: I can't come on {OPEN}Tuesday 18 May{CLOSE} because I'm needed "
    f"elsewhere. Please move the session to {OPEN}Finch Room{CLOSE}."
)
STYLES = get_args(Style)


def person(style):
    return Person(
        id="p", name="Ada Brandt", mail="a@b.example", phone="+1 201 555 0100", affiliation="North College",
        post="speaker", style=style,
    )  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_key_values_survive_every_style(style):
    for seed in range(40):
        body = dress(CORE, writer=person(style), rng=Random(seed))
        assert "Tuesday 18 May" in body
        assert "Finch Room" in body
        assert OPEN not in body
        assert "[[" not in body


def test_every_style_writes_the_same_thing_differently():
    for seed in range(10):
        bodies = {style: dress(CORE, writer=person(style), rng=Random(seed)) for style in STYLES}
        assert len(set(bodies.values())) == len(STYLES)


def test_the_terse_leave_asides_out_and_write_least():
    for seed in range(20):
        terse = dress(CORE, writer=person("terse"), rng=Random(seed))
        assert "hope you are well" not in terse
        assert len(terse) < min(
            len(dress(CORE, writer=person(style), rng=Random(seed))) for style in STYLES if style != "terse"
        )


def test_the_formal_write_words_out_and_sign_with_all_they_have():
    body = dress(CORE, writer=person("formal"), rng=Random(1))
    assert "It is about" in body
    assert "cannot come" in body
    assert "Ada Brandt" in body
    assert "North College" in body


def test_the_careless_misspell_and_the_pompous_do_not():
    plain_words = set(dress(CORE, writer=person("plain"), rng=Random(3)).lower().split())
    spoilt = [dress(CORE, writer=person("careless"), rng=Random(seed)) for seed in range(30)]
    assert all(set(body.lower().split()) - plain_words for body in spoilt)
    assert any("becuase" in body or "schedual" in body or "plese" in body for body in spoilt)
    stately = dress(CORE, writer=person("pompous"), rng=Random(3))
    assert "concerning the schedule" in stately


def test_the_chatty_and_the_anxious_say_more_than_they_need():
    for style in ("chatty", "anxious"):
        assert len(dress(CORE, writer=person(style), rng=Random(5))) > len(
            dress(CORE, writer=person("plain"), rng=Random(5))
        )


def test_subjects_keep_their_values():
    subject = f"Seats in {OPEN}Finch Room{CLOSE}"
    for style in STYLES:
        for seed in range(20):
            assert "Finch Room" in dress_subject(subject, style=style, rng=Random(seed))


def test_a_dangling_variable_is_named_with_its_place():
    with pytest.raises(BadFile, match=r"web.yaml, web-3: \{romm\} has no value"):
        fill("See {romm}.", {"room": "Blue"}, place="web.yaml, web-3")


def test_a_word_treated_as_a_date_is_named_with_its_place():
    with pytest.raises(BadFile, match="treats room as a date"):
        fill("See {room+1}.", {"room": "Blue"}, place="x")
