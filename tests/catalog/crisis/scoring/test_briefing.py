"""The provisional reader, and a panel's ratings in its place."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from mensura.catalog.crisis.scoring.briefing import read_briefing
from mensura.catalog.crisis.scoring.panel import rated_by_panel, rubric
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.scoring.tree import grade
from mensura.errors import BadData

Change = Callable[..., Snapshot]
SHOWN = """- The keynote is in Orchard Auditorium on Tuesday at 08:30.
- The dinner has moved to the Terrace Room, Wednesday 12 May, 18:30–21:30.
- We spent 95 so far.
- 4 events were moved in all.
- Lost on Tuesday: Great Hall and other rooms.
"""
"""What every page shows, as an assistant's draft has it."""
GOOD = """- The keynote expects 170 people.
- Kofi Mensah cannot come on Tuesday.
- Orchard Auditorium holds 180 as a theatre.
- The keynote is in Orchard Auditorium on Tuesday at 08:30.
"""


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("The keynote is in Orchard Auditorium on Tuesday at 08:30.", 4),
        ("The keynote is in Orchard Auditorium.", 3),
        ("Papers A1 stays in Orchard Auditorium, Monday 08:30.", 3),
        ("The keynote has moved from the Great Hall to the Orchard Auditorium.", 3),
        ("The keynote is in Linden 12.", -2),
        ("The keynote is in Orchard Auditorium on Friday? No, on Wednesday.", -2),
        ("The keynote will be splendid.", 1),
        ("4 events were moved.", 4),
        ("17 events were moved.", -2),
        ("Spent so far: 95 in all.", 4),
        ("The site now has Kofi Mensah spelt rightly.", 4),
        ("The keynote expects 170 people.", 4),
        ("The keynote expects 710 people.", -2),
        ("Kofi Mensah cannot come on Tuesday.", 4),
        ("Orchard Auditorium seats 810.", -2),
        ("The Great Hall is lost on Tuesday.", 3),
        ("Everything is fine.", 0),
    ],
)
def test_an_item_has_points_for_what_is_true_whole_and_important(moved: Change, words: str, points: int) -> None:
    assert sum(item.points for item in read_briefing(moved(briefing=words)).items) == points


def test_four_good_items_are_a_full_briefing(moved: Change) -> None:
    assert read_briefing(moved(briefing=GOOD)).value == 1


def test_five_copied_lines_are_a_quarter_of_a_briefing(moved: Change) -> None:
    assert read_briefing(moved(briefing=SHOWN)).value == 0.25


def test_wrong_lines_cost_and_true_ones_never_do(moved: Change) -> None:
    lines = GOOD.splitlines()
    for number in range(len(lines)):
        before = read_briefing(moved(briefing="\n".join(lines[:number]))).value
        assert read_briefing(moved(briefing="\n".join([*lines[:number], "4 events were moved."]))).value >= before
        wrong = read_briefing(moved(briefing="\n".join([*lines[:number], "17 events were moved."]))).value
        assert wrong == max(0, before - 2 / 16)


def test_what_was_true_when_it_was_written_costs_nothing_later(moved: Change) -> None:
    text = GOOD + "17 events were moved.\nWe spent 80 so far."
    assert read_briefing(moved(briefing=text)).value == 1 - 4 / 16
    assert read_briefing(moved(briefing=text, briefed={"spent": 80.0})).value == 1 - 2 / 16


def test_only_the_first_eight_lines_are_read(moved: Change) -> None:
    assert read_briefing(moved(briefing="Nothing of note.\n" * 8 + GOOD)).value == 0
    assert read_briefing(moved(briefing="Nothing of note.\n" * 4 + GOOD)).value == 1
    assert read_briefing(moved(briefing=GOOD + "Nothing of note.\n" * 4 + "17 events were moved.")).value == 1


def test_no_briefing_is_nothing(moved: Change) -> None:
    for text in ("", "  \n"):
        read = read_briefing(moved(briefing=text))
        assert (read.value, read.present) == (0, False)


def test_saying_one_thing_four_times_counts_once(moved: Change) -> None:
    assert (
        read_briefing(moved(briefing="The keynote is in Orchard Auditorium on Tuesday at 08:30.\n" * 4)).value == 0.25
    )


def test_a_briefing_grows_old_with_the_schedule(moved: Change) -> None:
    assert read_briefing(moved({"keynote": ("auditorium", 6)}, briefing=GOOD)).value < 1


def test_the_reader_says_that_it_is_provisional(moved: Change) -> None:
    assert "provisional" in read_briefing(moved(briefing=GOOD)).method


def test_a_panels_rating_takes_the_place_of_the_provisional_one(moved: Change) -> None:
    read = grade(moved(briefing="The keynote is in Orchard Auditorium on Tuesday at 08:30."))
    rated = replace(read, briefing=rated_by_panel(read.briefing, value=1.0, raters=3))
    assert read.briefing.value == 4 / 16
    assert rated.parts["final"] == pytest.approx(read.parts["final"] + (1 - 4 / 16) / 6)
    assert rated.parts["briefing"] == 1
    assert rated.briefing.method == "blind panel, 3 raters"
    assert rated.briefing.provisional == 4 / 16


@pytest.mark.parametrize("value", [-0.01, 1.01])
def test_a_panels_rating_outside_its_bounds_is_refused(moved: Change, value: float) -> None:
    with pytest.raises(BadData, match="between 0 and 1"):
        rated_by_panel(read_briefing(moved(briefing=GOOD)), value=value, raters=2)


def test_the_laboratorys_panel_takes_the_rubric_and_gives_sixteenths(tmp_path: object) -> None:
    from mensura.running.panel import Artefact, Rater, assign, close, open_panel, rate, results
    from mensura.store import open_store

    texts = {"cots": ["The keynote moved.", "Dinner is in the Terrace Room."], "radar-l": ["All well.", "Fine."]}
    artefacts = [Artefact.from_text(text, condition=name) for name, group in texts.items() for text in group]

    def rater(ask: object) -> object:
        """Pick the first words as one item and give it 4 points; a simulated rater."""
        key = ask.key  # type: ignore[attr-defined]
        if key.endswith("/passage"):
            return "words" if "/1/" in key else ""
        return 4

    with open_store(f"sqlite:///{tmp_path}/panel.db") as store:
        open_panel("briefings", artefacts, rubric=rubric(), store=store)
        assign("briefings", [Rater("ann", rater), Rater("bob", rater)], overlap=2, store=store)
        rate("briefings", store=store, subjects={"ann": rater, "bob": rater})
        close("briefings", store=store)
        found = results("briefings", store=store)
        assert list(found.scores("cots").values["briefing"].values) == [0.25, 0.25]
