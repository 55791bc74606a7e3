"""What a person types as a percent is what is stored, on every page that takes shares."""

import random

import pytest

from mensura.dialogue.spaces.percent import read_percent
from mensura.errors import Invalid

pytestmark = pytest.mark.browser
BELIEFS = """
from mensura.dialogue import Ask, Distribution, Probability, Table, Text, test

@test("beliefs-v1", score=lambda record, truths: {})
def beliefs(rng):
    \"\"\"Say what may happen.\"\"\"
    yield Ask("What may happen?", Table({"event": Text(lines=1), "chance": Probability()}), key="events")

@test("weathers-v1", score=lambda record, truths: {})
def weathers(rng):
    \"\"\"Say what the weather will be.\"\"\"
    yield Ask("What will it be?", Table({"day": Text(lines=1), "sky": Distribution(("rain", "dry"))}), key="days")
"""


@pytest.fixture
def opened(people, invited, store):
    """Open the first question of a test; gives its page and what reads the answer once it is stored."""

    def make(*arguments, **parameters):
        link = invited(*arguments, **parameters)[0]
        page = people(link)
        page.wait_for_selector("main[data-ready]")

        def stored():
            page.wait_for_selector("main[data-ready]:not([data-kind=ask])")
            return store.records.find(link.session).answers[0]

        return page, stored

    return make


def test_coin_takes_percents_and_asks_back_below_one(opened):
    page, stored = opened("coin", flips=1)
    field = page.locator("input[name=answer]")
    assert field.input_value() == ""
    field.press_sequentially("60")
    assert page.inner_text(".percent output") == "60 %"
    field.fill("0.6")
    assert page.inner_text(".percent output") == "0.6 % or 60 %?"
    field.press("Enter")
    assert page.evaluate("document.querySelector('input[name=answer]').validity.customError"), "nothing is guessed"
    page.get_by_role("button", name="60 %", exact=True).click()
    assert field.input_value() == "60 %"
    field.fill("61")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    field.fill("60 %")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert page.inner_text(".percent output") == "60 %"
    field.press("Enter")
    answer = stored()
    assert answer.value == 0.6
    assert answer.notes["typed"] == {"answer": "60 %"}
    assert [change[1:] for change in answer.notes["changes"]] == [
        ["answer", text] for text in ("0.6", "60 %", "61", "60 %")
    ]
    assert [change[0] for change in answer.notes["changes"]] == sorted(change[0] for change in answer.notes["changes"])


def test_a_slider_has_no_place_before_it_is_touched_and_is_noted_when_it_is_let_go(opened):
    page, stored = opened("coin", flips=1)
    slider = page.locator("input[type=range]")
    assert slider.get_attribute("aria-valuetext") == "not set"
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    page.get_by_role("button", name="Answer").click()
    answer = stored()
    assert answer.value == 0.5
    assert [change[1:] for change in answer.notes["changes"]] == [["answer", "50 %"]]


def test_forecasting_takes_percents_over_three_alternatives(opened):
    page, stored = opened("forecasting", questions="almanac", alternatives=3, count=1, fixed=True, feedback=False)
    fields = page.locator(".stakes-table input")
    assert [field.input_value() for field in fields.all()] == [""] * 3
    names = [field.get_attribute("name") for field in fields.all()]
    for field, text in zip(fields.all(), ("60", "30 %", "9"), strict=True):
        field.fill(text)
    fields.last.press("Enter")
    answer = stored()
    assert list(answer.value.values()) == pytest.approx([0.6 / 0.99, 0.3 / 0.99, 0.09 / 0.99])
    assert answer.notes["typed"] == dict(zip(names, ("60", "30 %", "9"), strict=True))


def test_bins_take_percents_that_people_round(opened, gallery):
    page, stored = opened(gallery, only="bins")
    even = page.get_by_role("button", name="Make it 100 %")
    assert not even.is_visible(), "nothing is there to be scaled"
    for text in ("20", "0.6"):
        page.get_by_label("0 to 2 days").last.fill(text)
        page.get_by_label("2 to 4 days").last.fill("30")
        assert even.is_visible() == (text == "20"), "what is asked back is not made zero"
    for label in ("0 to 2 days", "2 to 4 days", "4 to 6 days"):
        page.get_by_label(label).last.fill("33")
    assert page.inner_text(".sum output") == "Sum 99 %, taken as 100 %"
    page.get_by_label("4 to 6 days").last.press("Enter")
    answer = stored()
    assert answer.value == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0, 0])
    assert answer.notes["typed"] == {f"answer.{i}": "33" for i in range(3)}


def test_a_cell_of_a_table_takes_a_percent_also_in_a_new_row(opened, tmp_path):
    file = tmp_path / "beliefs.py"
    file.write_text(BELIEFS)
    page, stored = opened(f"{file}:beliefs")
    page.get_by_role("button", name="Add a row").click()
    page.keyboard.type("rain")
    line = page.locator(".line").last
    line.get_by_label("chance").fill("12,5")
    assert line.locator("output").inner_text() == "12.5 %"
    line.get_by_label("chance").press("Enter")
    answer = stored()
    assert answer.value == [{"event": "rain", "chance": 0.125}]
    assert answer.notes["typed"] == {"answer.3.chance": "12,5"}


def test_rows_of_shares_that_stay_empty_are_left_out(opened, tmp_path):
    file = tmp_path / "beliefs.py"
    file.write_text(BELIEFS)
    page, stored = opened(f"{file}:weathers")
    line = page.locator(".line").first
    line.get_by_label("day").fill("Monday")
    line.get_by_label("rain").last.fill("60")
    line.get_by_role("button", name="the rest, 40 %").click()
    page.get_by_role("button", name="Answer").click()
    answer = stored()
    assert answer.value == [{"day": "Monday", "sky": {"rain": 0.6, "dry": 0.4}}]
    assert answer.notes["typed"] == {"answer.0.sky.rain": "60", "answer.0.sky.dry": "40 %"}
    assert {field for _, field, _ in answer.notes["changes"]} == {"answer.0.day", *answer.notes["typed"]}


def test_without_scripts_the_server_asks_back_beside_the_field(people, invited, store):
    link = invited("coin", flips=1)[0]
    page = people(link, java_script_enabled=False)
    page.fill("input[name=answer]", ".6")
    page.click("button.primary")
    assert page.inner_text("form .note") == "Do you mean 0.6 % or 60 %? Write it with the sign."
    assert page.input_value("input[name=answer]") == ".6"
    page.fill("input[name=answer]", "1.0")
    page.click("button.primary")
    page.fill("input[name=answer]", "60")
    page.click("button.primary")
    answer = store.records.find(link.session).answers[0]
    assert answer.value == 0.6
    assert answer.notes["typed"] == {"answer": "60"}
    assert answer.notes["changes"] == [[0, "answer", ".6"], [0, "answer", "1.0"]], "what was refused leaves a trace"


def test_the_page_and_the_server_read_every_text_alike(opened):
    page, _ = opened("coin", flips=1)
    chance = random.Random(3)
    texts = ["60 %", "0.6", "0,6 %", ".5", "1", "100", "100.01", "-1", "1e1", "6 0", "%", "٦٠", "60\u00a0%", ".", "1.0"]
    texts += ["+60", "-0", "６０％", "６²", "60 percent", "60 Per cent %", "60percent", "5 per  cent", "+-5", "+ 5"]
    texts += ["".join(chance.choices("00112345６789.,,+- %", k=chance.randint(1, 6))) for _ in range(600)]
    main = page.locator("script[src$='main.js']").get_attribute("src")
    found = page.evaluate(
        "async ([script, texts]) => { const { readPercent } = await import(script); return texts.map(readPercent); }",
        [main.replace("main.js", "controls/percent.js"), texts],
    )
    for text, said in zip(texts, found, strict=True):
        share, unclear = read_here(text)
        there = (said or {}).get("percent")
        assert share == (None if there is None else pytest.approx(there / 100, abs=1e-15)), text
        assert unclear == ("choices" in (said or {})), text


def read_here(text):
    """Return the share that the server reads, and whether it asks back."""
    try:
        return read_percent(text), False
    except Invalid as wrong:
        return None, "Do you mean" in str(wrong)
