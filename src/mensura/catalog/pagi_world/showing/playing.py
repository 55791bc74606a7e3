"""Playing: what the page of a person in a room is drawn with."""

from typing import Any

from mensura.catalog.pagi_world.play import RoomPlay
from mensura.catalog.pagi_world.showing.look import room_look
from mensura.catalog.pagi_world.showing.pictures import pictures_of
from mensura.catalog.pagi_world.showing.scene import body_of, look_of, scene_of
from mensura.catalog.pagi_world.showing.sensed import sensed
from mensura.catalog.pagi_world.world.kinds import KINDS

MOST_PICTURED = 60_000
"""Bytes of pictures: the page is sent them with every answer."""


def playing_view(play: RoomPlay, role: str) -> dict[str, Any]:
    """Return what a role sees: what its body senses, and the room itself where the condition is the full view."""
    place, plan = play.places[role], play.plan
    shown: dict[str, Any] = {
        "view": play.terms.view,
        "room": plan.name,
        "words": play.briefing(role),
        "instructions": play.instructions(role),
        "rate": play.rate,
        "limit": play.limit,
        "endorphins": place.avatar.endorphins,
        "questions": [
            {"key": one.key, "text": one.text, "options": list(one.options), "given": place.answers.get(one.key)}
            for one in plan.questions
        ],
        "kinds": list(KINDS) if plan.editing else [],
        "which": list(play.places).index(role),
        "senses": sensed(play, role),
    }
    if play.terms.view == "full":
        pictures = pictures_of(play, most=MOST_PICTURED)
        return shown | {"scene": scene_of(play), "look": look_of(play), "pictures": pictures}
    # The body knows where it is itself; of everything else only what it senses leaves the server.
    return shown | {"scene": {"things": [], "agents": [body_of(play, role)]}, "look": room_look() | {"kinds": {}}}
