"""A page of the test's own in a frame: a person answers in it, and it can reach nothing around it."""

import json
import os
from pathlib import Path

import pytest

from mensura.store import export_run

pytestmark = pytest.mark.browser
REAL = "node_modules with jspsych, plugin-html-keyboard-response, plugin-html-button-response and plugin-survey-text"
EXAMPLE = f"{Path(__file__).parents[3] / 'examples' / 'flanker.py'}:flanker"
# What a hostile page would try: the page around it, its cookies, a frame above, and words of its own shape.
HOSTILE = """async () => {
  const tried = {};
  for (const [name, act] of Object.entries({
    document: () => parent.document.title,
    cookie: () => document.cookie,
    storage: () => localStorage.length,
    away: () => { top.location = "/lab"; },
  })) {
    try { act(); tried[name] = "reached"; } catch (error) { tried[name] = error.name; }
  }
  try { tried.fetch = (await fetch("/lab/login")).status; } catch (error) { tried.fetch = error.name; }
  const form = document.body.appendChild(document.createElement("form"));
  form.addEventListener("submit", (event) => { event.preventDefault(); tried.form = "heard"; });
  form.requestSubmit();
  form.remove();
  parent.postMessage({ type: "answer", value: "unmarked" }, "*");
  parent.postMessage({ mensura: 1, type: "size", height: 1e9 }, "*");
  return tried;
}"""


def test_a_person_answers_by_keys_and_buttons_in_a_frame_that_reaches_nothing(people, invited, store, faults_of):
    link = invited(EXAMPLE, trials=3)[0]
    page = people(link)
    page.wait_for_selector("main[data-ready]")
    frame = page.wait_for_selector("iframe").content_frame()
    frame.wait_for_selector("#count:has-text('1 of 3')")
    assert frame.evaluate(HOSTILE) == {
        "document": "SecurityError",
        "cookie": "SecurityError",
        "storage": "SecurityError",
        "away": "SecurityError",
        "fetch": "TypeError",
        "form": "heard",
    }
    page.evaluate("window.postMessage({ mensura: 1, type: 'answer', value: [] }, '*')")
    page.wait_for_function("document.querySelector('iframe').height === '4000'")
    frame.get_by_role("button", name="left").click()
    frame.locator("body").press("ArrowRight")
    frame.wait_for_selector("#count:has-text('3 of 3')")
    assert faults_of(page) == []
    frame.get_by_role("button", name="right").click()
    page.wait_for_selector('main[data-ready][data-kind="over"]')
    trials = [event.value for event in store.events.of(link.session) if event.kind == "answer"][-1]
    assert [one["response"] for one in trials] == ["left", "right", "right"]
    assert [one["trial_index"] for one in trials] == [0, 1, 2]
    assert trials[-1]["time_elapsed"] >= sum(one["rt"] for one in trials) - 3


@pytest.mark.skipif("MENSURA_JSPSYCH" not in os.environ, reason=f"MENSURA_JSPSYCH names no {REAL}")
def test_an_experiment_of_jspsych_is_taken_as_it_is(people, invited, store, faults_of, tmp_path):
    link = invited(f"{Path(__file__).parents[1] / 'real_jspsych.py'}:lexical")[0]
    page = people(link)
    page.wait_for_selector("main[data-ready]")
    frame = page.wait_for_selector("iframe").content_frame()
    for word, key in (("tree", "f"), ("blorp", "f")):
        frame.wait_for_selector(f"p:has-text('{word}')")
        frame.locator("body").press(key)
    assert faults_of(page) == []
    frame.get_by_role("button", name="yes").click()
    frame.locator("input[type=text]").fill("no <b>")
    frame.locator("[type=submit]").click()
    page.wait_for_selector('main[data-ready][data-kind="over"]')
    trials = [event.value for event in store.events.of(link.session) if event.kind == "answer"][-1]
    assert [one["trial_type"] for one in trials] == [
        *["html-keyboard-response"] * 2,
        "html-button-response",
        "survey-text",
    ]
    assert [one["response"] for one in trials] == ["f", "f", 0, {"else": "no <b>"}]
    assert all(one["rt"] > 0 for one in trials)
    assert store.results.history(link.session)[-1].scores.values["accuracy"].values.tolist() == [1.0, 0.0]
    # What goes out as jsPsych's data is what jsPsych gave.
    (file,) = export_run(store, link.session.partition("/")[0], tmp_path / "out", format="jspsych").paths
    told = json.loads(file.read_text())
    assert [{name: one[name] for name in own} for one, own in zip(told, trials, strict=True)] == trials
