"""Reloads, two windows, a lost network, hostile words and a killed server: nothing is lost, doubled or run."""

import pytest

pytestmark = pytest.mark.browser
ECHO = """
from mensura.dialogue import Ask, Outcome, Text, test

@test("echo-v1")
def echo(rng):
    "Say back what was said."
    words = yield Ask("Say something.", Text(), key="words")
    yield Ask(words)
    more = yield Ask(["You said:", words], Text(), key="more")
    return Outcome(more)
"""
EVIL = (
    "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script> **bold** [x](javascript:run())"
)


def ready(page, kind="ask"):
    page.wait_for_selector(f'main[data-ready][data-kind="{kind}"]')


def answers(store, session):
    return [event.value for event in store.events.of(session) if event.kind == "answer"]


def test_a_reload_keeps_what_was_filled_in_and_the_time_that_was_shown(people, invited, gallery):
    page = people(invited(gallery, only="text")[0])
    ready(page)
    page.fill("textarea", "half a sen")
    page.wait_for_timeout(700)
    page.reload()
    ready(page)
    assert page.input_value("textarea") == "half a sen"
    page.fill("textarea", "half a sentence")
    page.get_by_role("button", name="Answer").click()
    ready(page, "over")


def test_a_draft_of_amounts_and_rows_survives_a_reload(people, invited, gallery):
    page = people(invited(gallery, only="distribution+table")[0])
    ready(page)
    page.get_by_label("Ada").last.fill("100")
    page.reload()
    ready(page)
    assert page.get_by_label("Ada").last.input_value() == "100"
    page.get_by_role("button", name="Answer").click()
    page.wait_for_selector("main[data-ready] .rows")
    page.get_by_role("button", name="Add a row").click()
    page.keyboard.type("fourth")
    page.reload()
    ready(page)
    assert page.locator(".line").nth(3).get_by_label("name").input_value() == "fourth"


def test_a_reload_after_an_answer_doubles_nothing(people, invited, store):
    link = invited("coin", flips=3)[0]
    page = people(link)
    for number in range(2):
        page.wait_for_selector(f'main[data-ready] [data-key="coin{number}"]')
        page.fill("input[name=answer]", "50")
        page.keyboard.press("Enter")
        page.wait_for_selector(f'main[data-ready] [data-key="coin{number + 1}"]')
        page.reload()
    assert answers(store, link.session) == [0.5, 0.5]


def test_the_older_of_two_windows_is_told_and_catches_up(people, invited, store):
    link = invited("coin", flips=3)[0]
    page = people(link)
    ready(page)
    other = page.context.new_page()
    other.goto(page.url)
    ready(other)
    for window, words in ((page, "10"), (other, "90")):
        window.fill("input[name=answer]", words)
        window.keyboard.press("Enter")
        window.wait_for_selector('main[data-ready] [data-key="coin1"]')
    assert "That question is closed" in other.inner_text(".note")
    assert answers(store, link.session) == [0.1]


def test_an_answer_is_sent_again_until_the_network_is_back(people, invited, store):
    link = invited("coin", flips=2)[0]
    page = people(link)
    ready(page)
    page.fill("input[name=answer]", "20")
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    page.wait_for_selector("#status:has-text('will be sent again')")
    assert answers(store, link.session) == []
    page.context.set_offline(False)
    page.wait_for_selector('main[data-ready] [data-key="coin1"]')
    assert answers(store, link.session) == [0.2]


def test_an_answer_whose_acknowledgement_was_lost_is_not_doubled(people, invited, store):
    link = invited("coin", flips=2)[0]
    page = people(link)
    ready(page)
    lost = []

    def lose(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    page.route("**/answer", lose)
    page.fill("input[name=answer]", "30")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-ready] [data-key="coin1"]')
    assert lost == [200]
    assert page.locator(".note").count() == 0
    assert answers(store, link.session) == [0.3]


def test_impatient_clicks_answer_once(people, invited, store):
    link = invited("coin", flips=3)[0]
    page = people(link)
    ready(page)
    page.fill("input[name=answer]", "40")
    page.evaluate("for (let i = 0; i < 5; i += 1) document.querySelector('form[data-answer] button').click()")
    page.wait_for_selector('main[data-ready] [data-key="coin1"]')
    assert answers(store, link.session) == [0.4]


def test_hostile_words_are_shown_and_not_run(people, invited, store, tmp_path):
    (tmp_path / "echo.py").write_text(ECHO)
    link = invited(f"{tmp_path}/echo.py:echo")[0]
    page = people(link)
    for _ in range(2):
        ready(page)
        key = page.locator("[data-ask]").get_attribute("data-key")
        page.fill("textarea", EVIL)
        page.get_by_role("button", name="Answer").click()
        page.wait_for_selector(f'main[data-ready]:not(:has([data-key="{key}"]))')
        assert "<script>document.title='run'</script>" in page.inner_text("main")
        assert page.title() != "run"
        assert page.locator("main img").count() == 0
    assert answers(store, link.session) == [EVIL, EVIL]


def test_it_works_without_scripts(people, invited, store):
    link = invited("coin", flips=1)[0]
    page = people(link, java_script_enabled=False)
    page.fill("input[name=answer]", "30%")
    page.get_by_role("button", name="Answer").click()
    page.get_by_role("button", name="Continue").click()
    assert "Thank you" in page.inner_text("h1")
    assert answers(store, link.session) == [0.3]


def test_telemetry_marks_keys_and_pastes_but_not_what_was_typed(people, invited, store, gallery):
    link = invited(gallery, only="text", details={"telemetry": True})[0]
    page = people(link)
    ready(page)
    page.locator("textarea").press_sequentially("abc")
    page.get_by_role("button", name="Answer").click()
    ready(page, "over")
    notes = store.records.find(link.session).answers[0].notes
    assert 0 < notes["clock_step_ms"] <= 1
    marks = notes["telemetry"]
    assert [mark[1] for mark in marks if mark[1] == "key"] == ["key"] * 3
    assert all(len(mark) == 2 for mark in marks if mark[1] == "key")


def test_a_test_s_own_module_answers_through_the_form(people, invited, store, tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "board.html").write_text('<button type="button" data-square="b2">b2</button><p>{{ prompt.words }}</p>')
    (pages / "board.css").write_text("[data-square] { color: rgb(1, 2, 3); }")
    (pages / "board.js").write_text(
        "export default function enhance(element, { data, submit }) {"
        "  const square = element.querySelector('[data-square]');"
        "  square.title = data.words;"
        "  square.addEventListener('click', () => submit({ answer: square.dataset.square }));"
        "}"
    )
    (tmp_path / "board.py").write_text(
        "from dataclasses import dataclass\nfrom pathlib import Path\nfrom typing import ClassVar\n"
        "from mensura.dialogue import Ask, Prompt, Text, test\n"
        "@dataclass(frozen=True)\nclass Board(Prompt):\n    kind: ClassVar[str] = 'board'\n"
        "    page: ClassVar = {'folder': str(Path(__file__).parent / 'pages'), 'template': 'board.html',"
        " 'script': 'board.js', 'style': 'board.css'}\n    words: str = 'Pick </script> one'\n"
        "    def text(self):\n        return self.words\n"
        "@test('board-v1')\ndef board(rng):\n    'Pick.'\n    yield Ask(Board(), Text(), key='square')\n"
    )
    link = invited(f"{tmp_path}/board.py:board")[0]
    page = people(link)
    ready(page)
    square = page.locator("[data-square]")
    assert square.get_attribute("title") == "Pick </script> one"
    assert square.evaluate("element => getComputedStyle(element).color") == "rgb(1, 2, 3)"
    square.click()
    ready(page, "over")
    assert answers(store, link.session) == ["b2"]
