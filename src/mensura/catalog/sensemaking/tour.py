"""What sensemaking shows on the tour: a map of the exam, and what was judged from it."""

from mensura.exhibit.tour_stop import Guide, TourStop
from mensura.stats.wording import figure


def tour(take: Guide) -> TourStop:
    """Let the normative solution and the chance baseline take two trials, and draw the map of the first."""
    from mensura.catalog.sensemaking.showing.picture import map_svg
    from mensura.dialogue import Feature, Map

    taken = {name: take("sensemaking-v1", name, tasks="5", trials=2, breaks=False) for name in ("normative", "chance")}
    scores = {name: figure(group.estimates["s1"].value) for name, group in taken.items()}
    record, _ = next(iter(taken["normative"].records))
    last = [answer for answer in record.answers if answer.key.startswith("5.1.") and answer.kind == "percents"][-1]
    kept = next(one for one in record.content(last.number)["prompt"] if "features" in one)
    drawn = Map(kept["low"], kept["high"], [Feature(**feature) for feature in kept["features"]])
    said = ", ".join(f"{name} {share:.0%}" for name, share in last.value.items())
    return TourStop(
        "Sensemaking: who is behind events on a map?",
        "Reports come in one by one, each with known rules, and the task is to judge which of four groups is "
        "responsible.",
        f"After all reports on this map the best judgement is {said}; judgements by the rules scored "
        f"{scores['normative']} of 100 and random ones {scores['chance']}.",
        map_svg(drawn),
        "A map with roads, buildings and the centres of four groups.",
        "mensura take sensemaking --as human",
    )
