"""Collecting: from the answers of raters' sessions to ratings."""

from typing import TYPE_CHECKING

from mensura.survey.ratings import comments_of, ratings_of

if TYPE_CHECKING:
    from mensura.store import Store


def collect(name: str, *, store: "Store") -> int:
    """Keep every rating that raters have given since the last time; return how many were new.

    Ratings of someone who withdrew are erased, and what they were to rate can be assigned anew. Nothing is taken in
    after a panel was closed.
    """
    from mensura.store.people.panels import Rating

    panels = store.panels
    if panels.get(name).closed is not None:
        return 0
    found: list[Rating] = []
    for assigned in panels.assignments(name):
        if store.sessions.find(assigned.session).status == "withdrawn":
            panels.erase(assigned)
            continue
        record = store.records.find(assigned.session)
        for code, values in ratings_of(record).items():
            found += [Rating(code, assigned.rater, item, value, assigned.kind) for item, value in values.items()]
        for code, words in comments_of(record).items():
            found.append(Rating(code, assigned.rater, "", None, assigned.kind, words))
    return panels.add(name, found)
