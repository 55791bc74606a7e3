"""What PAGI World shows on the tour: a film of a room that a body has just played."""

from mensura.exhibit.tour_stop import Guide, TourStop, flipbook

ROOM = "jump-the-gap"


def tour(take: Guide) -> TourStop:
    """Let a solver and a body that acts at random play a room, and film the first."""
    from mensura.catalog.pagi_world.showing.film import drawings
    from mensura.catalog.pagi_world.showing.replaying import watch_events

    groups = {name: take("pagi-world-v1", name, room=ROOM) for name in ("solver", "random")}
    said = {name: "succeeds" if group.estimates["success"].value == 1 else "fails" for name, group in groups.items()}
    instance, events, how = take.again(groups["solver"])
    film = list(drawings(watch_events(instance, events, **how), per_second=5))
    return TourStop(
        "PAGI World: rooms with physics",
        "A round body with two hands learns to act in rooms with gravity, water and things that fall and roll.",
        f"In the room {ROOM} a body that knows how it is done {said['solver']} and one that acts at random "
        f"{said['random']}.",
        flipbook(film[:: max(1, len(film) // 40)]),
        f"Film of the room {ROOM}: a round body with two hands.",
        f"mensura run pagi-world --room {ROOM} --as solver --seed 1",
    )
