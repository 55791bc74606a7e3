"""Exhibits of the story test: who chose the same structure, beside people who took the same items."""

from collections.abc import Sequence

from mensura.catalog.analogy.story.items import read_people
from mensura.exhibit import Exhibit, Group
from mensura.exhibit.exhibit import Cell

WORDS = (
    "Which of two stories has the structure of a third; the other has the same characters and events, otherwise "
    "connected. Three answers are open, so chance is 1/3. `both` is never right."
)


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Show the accuracy of each group, and of the people whose answers lie beside the items."""
    rows: list[Sequence[Cell]] = []
    shown = set()
    for group in groups:
        accuracy, both = (group.estimates.get(name) for name in ("accuracy", "undecided"))
        rows.append((group.name, str(group.parameters.get("second_order", "")), accuracy, both, None, None, None))
    for group in groups:
        asked = (str(group.parameters.get("data", "")), group.parameters.get("version", "original"))
        people = None if asked in shown else read_people(*asked)
        shown.add(asked)
        if people is not None:
            rows.append(
                (f"people ({asked[1]})", "", people.accuracy, None, people.share, people.answers, people.people)
            )
    if not rows:
        return []
    columns = ("subject", "second order", "accuracy", "both", "share of all answers", "answers", "people")
    return [Exhibit("Stories of the same structure", WORDS, columns, rows)]
