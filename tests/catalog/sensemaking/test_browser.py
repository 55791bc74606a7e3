"""The exam in a real browser: a scripted person gives the answers a program gave, and is scored alike."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.record import answers_from_record
from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.generating import Design, generate_exam, write_generated
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.people import respondents_of
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.running.take import take

pytestmark = pytest.mark.browser

# The benchmark of the browser needs the same person; folders of benchmarks are not on the path of tests.
SCRIPT = Path(__file__).parents[3] / "benchmarks" / "sensemaking" / "scripted_person.py"
spec = spec_from_file_location("scripted_person", SCRIPT)
scripted_person = module_from_spec(spec)
spec.loader.exec_module(scripted_person)
ScriptedPerson = scripted_person.ScriptedPerson


@pytest.fixture(scope="module")
def short_exam(tmp_path_factory):
    """Every task and every stage, few trials."""
    design = Design(
        blocks_1=2, blocks_2=1, blocks_3=1, trials_4=1, trials_5=1, trials_6=2, trials_7=4, networks=1,
        shortest_wave=2, longest_wave=2,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("short")
    write_generated(generate_exam(np.random.default_rng(3), design=design, id="short"), folder)
    return folder


@pytest.fixture(scope="module")
def program(short_exam):
    """A person-like program takes the exam first; its answers are whole percents."""
    parameters = {"exam": str(short_exam), "breaks": True, "tutorial": True}
    return parameters, take(sensemaking, SUBJECTS["simulated-person"](), seed=11, parameters=parameters)


def _invite(store, parameters, **frame):
    from mensura.web.participant.invitation import Frame, invite

    _, (link,) = invite(sensemaking, "human", store=store, seed=11, parameters=parameters, frame=Frame(**frame))
    return link


@pytest.mark.slow
def test_a_person_in_the_browser_is_scored_as_the_program_that_gave_the_same_answers(lab, program, short_exam):
    store, home, page = lab
    parameters, taken = program
    link = _invite(store, parameters)
    person = ScriptedPerson(page, taken.record.given())
    person.take(home + link.path)
    record = store.records.find(link.session)
    assert record.status == "finished", record.last_words
    assert set(record.given()) == set(taken.record.given())

    exam = read_exam(short_exam)
    theirs, ours = (
        respondents_of([check_answers(answers_from_record(each), exam)], exam) for each in (record, taken.record)
    )
    for number in range(1, 8):
        np.testing.assert_allclose(theirs.tasks[number].stages, ours.tasks[number].stages, atol=1e-9)
        np.testing.assert_allclose(theirs.tasks[number].allocation, ours.tasks[number].allocation, atol=1e-9)
        np.testing.assert_array_equal(theirs.tasks[number].layers, ours.tasks[number].layers)
        np.testing.assert_array_equal(theirs.tasks[number].surprise, ours.tasks[number].surprise)
    np.testing.assert_allclose(theirs.tasks[2].drawn, ours.tasks[2].drawn, atol=0.01)
    np.testing.assert_allclose(theirs.tasks[3].drawn, ours.tasks[3].drawn, atol=1e-9)

    browsed = sensemaking.score(record, store.truths.of(link.session))
    programmed = sensemaking.score(taken.record, taken.truths)
    for name in ("s1", "s2"):
        np.testing.assert_allclose(browsed.values[name].values, programmed.values[name].values, atol=1e-9)


@pytest.mark.slow
# All seven tasks are taken above in a short exam.
@pytest.mark.proof
@pytest.mark.parametrize("number", range(1, 8))
def test_the_final_exam_is_taken_in_the_browser_task_by_task(lab, data, number):
    """Every stage of every task of the published exam; further trials of a task show nothing but other numbers."""
    store, home, page = lab
    parameters = {"exam": str(data / "exam_final"), "tasks": str(number), "breaks": False, "trials": 3}
    taken = take(sensemaking, SUBJECTS["simulated-person"](), seed=11, parameters=parameters)
    link = _invite(store, parameters)
    ScriptedPerson(page, taken.record.given()).take(home + link.path)
    record = store.records.find(link.session)
    assert record.status == "finished", record.last_words
    assert set(record.given()) == set(taken.record.given())
    browsed = sensemaking.score(record, store.truths.of(link.session)).values
    programmed = sensemaking.score(taken.record, taken.truths).values
    assert browsed.keys() == programmed.keys()
    for name in {"s1", "s2"} & browsed.keys():
        assert browsed[name].keys == programmed[name].keys
        np.testing.assert_allclose(browsed[name].values, programmed[name].values, atol=1e-9)


def test_reload_in_the_middle_loses_nothing(lab, short_exam):
    store, home, page = lab
    parameters = {"exam": str(short_exam), "tasks": "4", "breaks": False}
    taken = take(sensemaking, SUBJECTS["simulated-person"](), seed=11, parameters=parameters)
    link = _invite(store, parameters)
    person = ScriptedPerson(page, taken.record.given())
    reloaded = []

    def reload_once(key):
        if key == "4.1.1" and not reloaded:
            reloaded.append(key)
            page.reload()
            return True
        return False

    person.before_answer = reload_once
    person.take(home + link.path)
    assert reloaded == ["4.1.1"]
    record = store.records.find(link.session)
    assert record.status == "finished"
    assert len([answer for answer in record.answers if answer.key == "4.1.1"]) == 1


def test_raw_settings_and_time_on_each_control_are_kept(lab, short_exam):
    store, home, page = lab
    parameters = {"exam": str(short_exam), "tasks": "4", "breaks": False}
    taken = take(sensemaking, SUBJECTS["simulated-person"](), seed=11, parameters=parameters)
    script = {**taken.record.given(), "4.1.0": {"1": 30, "2": 30, "3": 0, "4": 0}}
    link = _invite(store, parameters)
    ScriptedPerson(page, script).take(home + link.path)
    answer = next(answer for answer in store.records.find(link.session).answers if answer.key == "4.1.0")
    assert answer.value["how"]["raw"] == {"1": 30, "2": 30, "3": 0, "4": 0}
    assert {name: answer.value[name] for name in "1234"} == {"1": 0.5, "2": 0.5, "3": 0.0, "4": 0.0}
    assert set(answer.value["how"]["control_ms"]) == set("1234")
    report = answers_from_record(store.records.find(link.session)).tasks[4][1].stages[0]
    assert report.raw == (30, 30, 0, 0)
    assert report.values == (50, 50, 0, 0)


def test_percents_are_typed_and_the_record_keeps_the_texts(lab, short_exam):
    store, home, page = lab
    link = _invite(store, {"exam": str(short_exam), "tasks": "4", "breaks": False})
    page.goto(home + link.path)
    page.wait_for_selector("main[data-ready] .sm-percents")
    fields = page.locator(".sm-row input[data-percent]")
    assert {field.input_value() for field in fields.all()} == {""}
    for field, text in zip(fields.all(), ("60", "12,5", "27.5 %", "0"), strict=True):
        field.fill(text)
    assert page.locator(".sm-row output").all_inner_texts() == ["60 %", "12.5 %", "27.5 %", "0 %"]
    fields.last.press("Enter")
    page.wait_for_selector('main:not(:has([data-key="4.1.0"]))')
    answer = next(answer for answer in store.records.find(link.session).answers if answer.key == "4.1.0")
    assert {name: answer.value[name] for name in "1234"} == {"1": 0.6, "2": 0.125, "3": 0.275, "4": 0.0}
    assert [answer.notes["typed"][f"answer.{name}"] for name in "1234"] == ["60", "12,5", "27.5 %", "0"]


@pytest.fixture
def control(alone):
    """The percents control alone on a page."""
    from mensura.catalog.sensemaking.showing.percents import Percents, read_mode

    def opened(mode, before=None):
        page = alone(Percents(("A", "B", "C", "D"), read_mode(mode), before))
        if before:
            page.click("button:text('Start from what I had')")
        return page

    return opened


def _fill(page, *values):
    for name, value in zip("ABCD", values, strict=True):
        page.fill(f'.sm-row[data-option="{name}"] input[data-percent]', str(value))


def _values(page):
    return [
        float(v)
        for v in page.eval_on_selector_all(".sm-row input[data-percent]", "all => all.map(i => parseFloat(i.value))")
    ]


def test_after_and_confirm_normalises_and_waits_for_a_second_answer(control):
    page = control("after-and-confirm")
    _fill(page, 50, 10, 40, 25)
    assert page.inner_text(".sm-sum output") == "125 %, 25 too much"
    page.click("button:text('Answer')")
    assert page.evaluate("window.sent") == 0
    assert _values(page) == [40, 8, 32, 20]
    page.click("button:text('Answer')")
    assert page.evaluate("window.sent") == 1
    assert json.loads(page.input_value('input[name="answer.how"]'))["raw"] == {"A": 50, "B": 10, "C": 40, "D": 25}


def test_after_shows_what_it_made_and_sends_it_by_itself(control):
    page = control("after")
    _fill(page, 50, 10, 40, 25)
    page.click("button:text('Answer')")
    assert (page.evaluate("window.sent"), _values(page)) == (0, [40, 8, 32, 20])
    page.wait_for_function("window.sent == 1")
    assert json.loads(page.input_value('input[name="answer.how"]'))["raw"] == {"A": 50, "B": 10, "C": 40, "D": 25}
    _fill(page, 50, 10, 40, 25)
    page.click("button:text('Answer')")
    page.fill('.sm-row[data-option="A"] input[data-percent]', "20")
    assert page.inner_text(".sm-note") == "", "who goes on changing is not sent"


@pytest.mark.parametrize("mode", ["after-and-confirm", "after", "manual", "off"])
def test_what_people_round_is_sent_as_it_is_and_what_nobody_said_is_asked(control, mode):
    page = control(mode)
    page.fill('.sm-row[data-option="A"] input[data-percent]', "60")
    page.click("button:text('Answer')")
    assert "Together they must be 100 %; they are 60 %." in page.inner_text(".sm-note")
    assert page.locator("button:text('Make it 100')").is_hidden()
    assert [field.input_value() for field in page.locator("input[data-percent]").all()] == ["60", "", "", ""]
    _fill(page, "49,5", "49,5", 0, 0)
    page.click("button:text('Answer')")
    assert page.evaluate("window.sent") == 1
    assert page.input_value('.sm-row[data-option="A"] input[data-percent]') == "49,5"


def test_manual_asks_for_its_button(control):
    page = control("manual")
    _fill(page, 50, 10, 40, 25)
    page.click("button:text('Answer')")
    assert page.evaluate("window.sent") == 0
    page.click("button:text('Make it 100')")
    assert _values(page) == [40, 8, 32, 20]
    page.click("button:text('Answer')")
    assert page.evaluate("window.sent") == 1


def test_instant_keeps_the_sum_at_100_with_every_move(control):
    page = control("instant", before={"A": 40.0, "B": 30.0, "C": 20.0, "D": 10.0})
    page.fill('.sm-row[data-option="A"] input[type=range]', "70")
    assert sum(_values(page)) == 100
    assert _values(page)[0] == 70
    assert _values(page)[1] > _values(page)[2] > _values(page)[3]


def test_instant_lets_60_be_typed_and_shows_the_others_before_it_sends(control):
    page = control("instant")
    first = page.locator('.sm-row[data-option="A"] input[data-percent]')
    first.press_sequentially("60")
    assert first.input_value() == "60"
    first.press("Enter")
    assert (page.evaluate("window.sent"), _values(page)) == (0, [60, 14, 13, 13])
    page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    first.press("Enter")
    assert page.evaluate("window.sent") == 1


def test_off_sends_only_what_sums_to_100(control):
    page = control("off")
    _fill(page, 50, 10, 40, 25)
    page.click("button:text('Answer')")
    assert page.evaluate("window.sent") == 0
    assert "must be 100 %; they are 125 %" in page.inner_text(".sm-note")
    _fill(page, 50, 10, 20, 20)
    page.click("button:text('Answer')")
    assert page.evaluate("window.sent") == 1


@pytest.mark.parametrize("width", [1200, 360])
def test_bars_stay_equally_long_beside_the_button_for_the_rest(control, width):
    page = control("after", before={"A": 40.0, "B": 30.0, "C": 20.0, "D": 10.0})
    page.set_viewport_size({"width": width, "height": 800})
    _fill(page, 50, 10, "", 0)
    page.get_by_role("button", name="the rest, 40 %").wait_for()
    widths = page.eval_on_selector_all(".sm-bar", "all => all.map(bar => bar.getBoundingClientRect().width)")
    assert len(set(widths)) == 1
    assert widths[0] > 90
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_keys_move_a_slider_and_the_number_follows(control):
    page = control("after", before={"A": 40.0, "B": 30.0, "C": 20.0, "D": 10.0})
    page.focus('.sm-row[data-option="B"] input[type=range]')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("PageUp")
    assert _values(page)[1] == 41
    assert page.inner_text(".sm-sum output") == "111 %, 11 too much"


def test_a_bar_is_pulled_to_its_length_and_the_slider_and_number_follow(control):
    page = control("after", before={"A": 40.0, "B": 30.0, "C": 20.0, "D": 10.0})
    bar = page.query_selector('.sm-row[data-option="B"] .sm-bar')
    box = bar.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.up()
    assert _values(page) == [40, 60, 20, 10]
    assert page.input_value('.sm-row[data-option="B"] input[type=range]') == "60"
    assert page.get_attribute('.sm-row[data-option="B"] .fill', "width") == "60"
    assert page.inner_text(".sm-sum output") == "130 %, 30 too much"
    page.click("button:text('Answer')")
    page.wait_for_function("window.sent == 1")
    spent = json.loads(page.input_value('input[name="answer.how"]'))["control_ms"]
    assert spent["B"] > 0 == spent["C"]


def test_the_page_makes_the_same_whole_percents_as_the_scores(control):
    from mensura.catalog.sensemaking.solving.distribution import integer_percents

    page = control("after")
    rng = np.random.default_rng(2)
    raws = rng.integers(0, 101, size=(400, 4)).tolist()
    found = page.evaluate("raws => raws.map((raw) => window.control.wholePercents(raw))", raws)
    for raw, percents in zip(raws, found, strict=True):
        assert percents == integer_percents(raw).tolist()
