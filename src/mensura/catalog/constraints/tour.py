"""What constraints show on the tour: a film of agents that agree by messages."""

from mensura.exhibit.tour_stop import Guide, TourStop, flipbook

PROBLEM = "colouring:n=12"


def tour(take: Guide) -> TourStop:
    """Let two algorithms colour a network, each agent one node, and film the first."""
    from mensura.catalog.constraints.showing.computing import compute
    from mensura.catalog.constraints.showing.film import drawings

    groups = {name: take("constraints-v1", name, problem=PROBLEM, sessions=3) for name in ("abt", "awcs")}
    sent = {name: round(group.estimates["messages"].value) for name, group in groups.items()}
    film = list(drawings(compute("abt", seed=1, problem=PROBLEM).data(), between=2, small=True))
    return TourStop(
        "Constraints: agreeing by messages",
        "Twelve agents must each choose a colour that differs from their neighbours', and each knows only its own "
        "constraints.",
        f"Asynchronous backtracking needed {sent['abt']} messages, weak-commitment search {sent['awcs']}.",
        flipbook(film[:: max(1, len(film) // 40)], seconds=0.35),
        "Film of a network of twelve agents that send messages until no constraint is violated.",
        f"mensura run constraints --problem {PROBLEM} --as abt --seed 1",
    )
