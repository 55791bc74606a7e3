"""What analogy shows on the tour: two stories as graphs, face to face, with what corresponds."""

from mensura.exhibit.tour_stop import Guide, TourStop


def tour(take: Guide) -> TourStop:
    """Let structure mapping and word counting look for the analog of each story, and draw one mapping."""
    from mensura.catalog.analogy.comparison import compare
    from mensura.catalog.analogy.own.stories import own_stories
    from mensura.catalog.analogy.showing.aligned import aligned_svg
    from mensura.catalog.analogy.showing.marking import marks_of

    story = own_stories()[0]
    # Before anything is asked: without WordNet this says what to install.
    comparison = compare(story.base, story.analog)
    groups = {name: take("analogy-story-v1", name) for name in ("engine", "tfidf")}
    right = {name: round(len(own_stories()) * group.estimates["accuracy"].value) for name, group in groups.items()}
    return TourStop(
        "Analogy: the same structure in other words",
        "Two stories in different words have the same pattern of causes; the task is to see what corresponds to what.",
        f"Mapping of structure found the analog of {right['engine']} of {len(own_stories())} stories and counting of "
        f"words that of {right['tfidf']}.",
        aligned_svg(comparison, marks_of(comparison)),
        "Two stories as graphs: what corresponds is joined by a line of one colour.",
        "mensura run analogy-story --as engine --seed 1",
    )
