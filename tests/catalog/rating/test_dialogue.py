"""The rating test: items of a rubric asked one by one, passages picked, scores per artefact."""

from base64 import b64encode
from math import isnan

from mensura.catalog.rating.dialogue import rating
from mensura.dialogue import Image, Refused
from mensura.running.take import take

PICK = {"items": [{"key": "points", "text": "Pick points.", "pick": 4, "scale": {"from": 0, "to": 4}}]}


def rate(answers, *, rubric, artefacts=({"code": "KTR", "text": "A text."},)):
    given = iter(answers)
    asked = []

    def subject(ask):
        asked.append(ask)
        return next(given)

    taken = take(rating, subject, seed=1, parameters={"artefacts": list(artefacts), "rubric": rubric})
    assert taken.record.status == "finished"
    return rating.score(taken.record, {}), asked


def test_picked_passages_are_rated_until_one_is_left_empty():
    scores, asked = rate(["first", 4, "second", 2, "  "], rubric=PICK)
    assert [ask.key for ask in asked] == [
        "KTR/points/1/passage",
        "KTR/points/1",
        "KTR/points/2/passage",
        "KTR/points/2",
        "KTR/points/3/passage",
    ]
    assert scores["points"].values.tolist() == [6 / 16]


def test_an_artefact_with_nothing_to_pick_has_zero():
    scores, _ = rate([""], rubric=PICK)
    assert scores["score"].values.tolist() == [0]


def test_an_item_that_was_declined_is_unknown_and_so_is_the_score():
    rubric = {"scale": 5, "items": [{"key": "a", "text": "A."}, {"key": "b", "text": "B."}]}
    scores, _ = rate([5, Refused("no")], rubric=rubric)
    assert scores["a"].values.tolist() == [5]
    assert isnan(scores["b"].values[0])
    assert isnan(scores["score"].values[0])


def test_words_of_a_scale_are_numbers_in_their_order():
    rubric = {"items": [{"key": "a", "text": "A?", "scale": [False, "partly", True]}]}
    scores, asked = rate(["partly"], rubric=rubric)
    assert asked[0].space.options == ("no", "partly", "yes")
    assert scores["a"].values.tolist() == [1]
    assert scores["score"].values.tolist() == [0.5]


def test_a_picture_is_shown_under_its_code_alone():
    picture = {"code": "MVB", "kind": "image", "media_type": "image/png", "data": b64encode(b"pixels").decode()}
    _, asked = rate([3], rubric={"scale": 5, "items": [{"text": "A."}]}, artefacts=[picture])
    shown = next(part for part in asked[0].prompt if isinstance(part, Image))
    assert (shown.content, shown.words) == (b"pixels", "artefact MVB")
    assert asked[0].key == "MVB/item1"


def test_a_comment_may_be_left_empty():
    scores, asked = rate([3, ""], rubric={"scale": 5, "comments": True, "items": [{"text": "A."}]})
    assert asked[1].key == "KTR/comment"
    assert scores["item1"].values.tolist() == [3]


def test_all_items_on_one_page_beside_the_artefact_give_the_same_scores():
    rubric = {"scale": 5, "comments": True, "items": [{"key": "a.b", "text": "Clear?"}, {"key": "new", "text": "New?"}]}
    apart, _ = rate([4, 2, "fine"], rubric=rubric)
    together, (ask,) = rate([{"a.b": 4, "new": 2, "comment": "fine"}], rubric={**rubric, "layout": "page"})
    assert ask.prompt[0].shown[1] == "A text."
    assert {name: list(items.values) for name, items in together.items()} == {
        name: list(items.values) for name, items in apart.items()
    }
    both = {"layout": "page", "items": [*PICK["items"], {"key": "new", "text": "New?", "scale": 5}]}
    scores, asked = rate(["first", 4, "", {"new": 5}], rubric=both)
    assert [ask.key for ask in asked][-1] == "KTR/page"
    assert (scores["points"].values[0], scores["new"].values[0]) == (1 / 4, 5)
