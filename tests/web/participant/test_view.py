"""What stands around a question: its number, the time that is left, and what was read before."""

import re
from pathlib import Path

import pytest

from mensura.store.people.invitations import Step

GUIDED = f"{Path(__file__).parents[1] / 'guided.py'}:guided"
BEFORE = [Step("consent", text="You may **stop**."), Step("page", title="How", text="1. look")]


def counted(person):
    return re.findall(r"Question \d+(?: of \d+)?", person.text)


def test_questions_are_counted_by_key_also_after_a_save_and_another_process(app, links, enter):
    link = links(GUIDED)[0]
    person, seen = enter(link.path), []
    for _ in range(4):
        seen += counted(person)
        person.answer("so")
        app.state.laboratory.sessions.forget(link.session)
    assert seen == ["Question 1 of 2", "Question 1 of 2", "Question 2 of 2", "Question 3"]
    assert counted(person) == []


def test_acts_in_a_world_are_not_counted_and_their_deadlines_tell_nothing(visit):
    person = visit("inbox")
    assert counted(person) == []
    assert "data-rest" not in person.text
    assert "data-now" in person.text


def test_what_came_before_the_questions_can_be_read_again(visit):
    person = visit(GUIDED, before=BEFORE)
    assert "/instructions" not in person.text
    person.post("next", agree="yes")
    person.post("next")
    assert f'href="{person.path}/instructions" target="_blank"' in person.text
    for said in ("a", "b", "c"):
        person.answer(said)
    page = person.client.get(f"{person.path}/instructions")
    for part in ("Your consent", "You may <strong>stop</strong>", "<h2>How</h2>", "Read <strong>this</strong> first"):
        assert part in page.text
    assert "<script>document" not in page.text
    assert "Told between" not in page.text
    assert person.kind == "ask"
    person.answer("d")
    person.post("next")
    assert person.kind == "thanks"
    assert "/instructions" not in person.text


def test_nothing_to_read_again_is_not_offered(visit):
    assert "/instructions" not in visit("coin").text


@pytest.mark.parametrize(("language", "words"), [("de", "Frage 1 von 20"), ("es", "Pregunta 1 de 20")])
def test_the_counter_speaks_the_language_of_the_page(visit, language, words):
    assert words in visit("coin", details={"language": language}).text


def test_pages_with_several_questions_are_counted_as_pages_and_keep_what_was_filled_in(visit):
    person = visit(f"{GUIDED.rsplit('/', 1)[0]}/paged.py:paged")
    assert "Page 1 of 1" in person.text
    filled = {"answer.0": "3", "answer.1": "4", "answer.3": "fully"}
    assert person.answer(**filled).status_code == 422
    assert "“I would work with it again.”: Nothing was answered." in person.text
    assert re.search(r'name="answer.1" value="4" checked', person.text)
    assert '<th scope="row" id="f-answer-0">I could <strong>rely</strong> on it.</th>' in person.text


def test_a_study_has_a_face_of_its_own_and_hostile_words_stay_words(visit, app):
    brand = {"name": "<b>Sleep</b>", "logo": "data:image/png;base64,AAAA", "colour": "#00594F", "contact": "ada@x.org"}
    person = visit("coin", details={"brand": brand})
    for part in ("&lt;b&gt;Sleep", 'src="data:image/png', 'href="/brand/00594f.css"', "Questions? ada@x.org"):
        assert part in person.text
    sheet = person.client.get("/brand/00594f.css")
    assert "--blue: #00594f;" in sheet.text
    for wrong in ("ffcc00", "red", "00594f;}", "..%2F00594f"):
        assert person.client.get(f"/brand/{wrong}.css").status_code == 404


def test_the_bar_fills_with_the_questions_and_is_full_at_the_end_only(visit):
    person = visit("coin", flips=2, before=[Step("page", title="First", text="Read this.")])
    filled = []
    while (bar := re.search(r'<progress value="([\d.]+)" max="2"', person.text)) is not None:
        filled.append(float(bar[1]))
        if filled[-1] == 2 or len(filled) > 6:
            break
        person.answer("50 %") if person.kind == "ask" else person.post("next")
    assert filled == [0, 1, 1.5, 2]
