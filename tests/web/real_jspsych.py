"""A timeline of jsPsych, with keys, buttons and a form, as an experiment that exists would be brought along."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import ClassVar

from mensura.dialogue import Ask, Embedded, Items, Score, test
from mensura.dialogue.spaces.embedded import TRIALS

PLUGINS = ("html-keyboard-response", "html-button-response", "survey-text")
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Words</title><link rel="stylesheet" href="jspsych.css">
<script src="jspsych.js"></script>{plugins}</head>
<body><div id="stage"></div><script src="words.js"></script></body></html>
"""
# All that an experiment needs besides its timeline: run it when asked, answer with its data at the end.
SCRIPT = """const jsPsych = initJsPsych({
  display_element: "stage",
  on_finish: () => parent.postMessage({ mensura: 1, type: "answer", value: jsPsych.data.get().values() }, "*"),
});
window.addEventListener("message", ({ data, source }) => {
  if (source !== parent || data?.mensura !== 1 || data.type !== "ask") return;
  jsPsych.run([
    ...data.told.words.map((word) => ({
      type: jsPsychHtmlKeyboardResponse, stimulus: `<p lang="en">${word}</p>`, choices: ["f", "j"], data: { word },
    })),
    { type: jsPsychHtmlButtonResponse, stimulus: "Sure?", choices: ["yes", "no"] },
    { type: jsPsychSurveyText, questions: [{ prompt: "Anything else?", name: "else" }] },
  ]);
});
parent.postMessage({ mensura: 1, type: "ready" }, "*");
"""


def site_of(packages: Path) -> str:
    """Put a page together from the packages of npm; nothing of jsPsych is kept here."""
    folder = Path(tempfile.mkdtemp(prefix="mensura-jspsych-"))
    shutil.copy(packages / "jspsych" / "css" / "jspsych.css", folder)
    shutil.copy(packages / "jspsych" / "dist" / "index.browser.min.js", folder / "jspsych.js")
    for name in PLUGINS:
        shutil.copy(packages / "@jspsych" / f"plugin-{name}" / "dist" / "index.browser.min.js", folder / f"{name}.js")
    plugins = "".join(f'<script src="{name}.js"></script>' for name in PLUGINS)
    (folder / "index.html").write_text(PAGE.format(plugins=plugins))
    (folder / "words.js").write_text(SCRIPT)
    return str(folder)


class Words(Embedded):
    """Trials of a lexical decision."""

    kind: ClassVar[str] = "real-jspsych"
    site: ClassVar[dict[str, str]] = {"folder": site_of(Path(os.environ["MENSURA_JSPSYCH"]))}


def score(record, truths):
    """Count the words for which the right key was pressed."""
    keys = [one.get("response") for one in record.answers[0].value if "word" in one]
    return {"accuracy": Items([float(a == b) for a, b in zip(keys, truths["words"], strict=True)], truths["words"])}


@test("real-jspsych-v1", score=score, scores=[Score("accuracy", better="more", proportion=True)])
def lexical(rng):
    """Say whether something is a word."""
    yield Ask("Press f for a word, j for none.", Words(TRIALS, told={"words": ["tree", "blorp"]}), key="words",
              truth=["f", "j"])  # fmt: skip
