"""Acting: carry out what an agent calls, and return what it is told of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.calls import EDITS, NEVER_BY_REFLEX, TOOLS
from mensura.catalog.pagi_world.reflexes.expression import read_expression
from mensura.catalog.pagi_world.senses.sensors import MAPS, PLACES, TOUCH, aspect_reader
from mensura.catalog.pagi_world.speech import LONGEST, Bubble
from mensura.catalog.pagi_world.world.avatar import EFFECTORS
from mensura.catalog.pagi_world.world.plan import ThingPlan, finite
from mensura.catalog.pagi_world.world.terms import MOST_FORCE
from mensura.errors import BadParameter, Invalid, MensuraError

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.play import RoomPlay

Reply = list[Any]
MOST_LINES = 2000
SURFACES = tuple((friction, bounce) for bounce in (0.0, 0.75) for friction in (0.1, 1.0, 10.0))
"""Friction and bounce of a created thing by its number, 0 to 5."""


def carry_out(play: RoomPlay, role: str, row: tuple[Any, ...]) -> list[Reply]:
    """Carry out one call; what is wrong with it is a reply, and the room stays as it was."""
    name, given = row[0], row[1:]
    act = _ACTS.get(name)
    if act is None:
        return [["errorMsg", f"There is no message {name!r:.60}."]]
    if name in EDITS and not play.plan.editing:
        return [["errorMsg", f"{name}: this room is scored for what is done in it; only a room with editing changes."]]
    padded = (*given, *[None] * (len(TOOLS[name].arguments) - len(given))) if name in TOOLS else given
    try:
        return act(play, role, *padded)
    except MensuraError as wrong:
        said = str(wrong)
        return [["errorMsg", said if said.startswith(f"{name},") else f"{name}: {said}"]]
    except (TypeError, ValueError, LookupError, OverflowError):
        return [["errorMsg", f"{name}: its values cannot be read; got {list(given)!r:.100}."]]


def _add_force(play: RoomPlay, role: str, effector: str, values: Any) -> list[Reply]:
    if effector not in EFFECTORS:
        raise Invalid(f"There is no effector {effector!r:.40}; there are {', '.join(EFFECTORS)}.")
    place = play.places[role]
    avatar, side = place.avatar, 0 if effector[0] == "L" else 1
    if effector == "J":
        return [["update", f"J,{int(play.world.jump(avatar))}"]]
    if effector[-1] == "G":
        play.world.grip(avatar, side)
    elif effector in ("LHR", "RHR"):
        play.world.release(avatar, side)
    else:
        numbers = [_number(play, role, one) for one in (values if isinstance(values, list | tuple) else [values])]
        wanted = 2 if effector.endswith("vec") else 1
        if len(numbers) != wanted:
            raise Invalid(f"{effector} takes {'two numbers' if wanted == 2 else 'one number'}; got {len(numbers)}.")
        if effector == "BR":
            avatar.turn(numbers[0])
        else:
            avatar.push(effector, *numbers)
    return [["update", f"{effector},1"]]


def _number(play: RoomPlay, role: str, value: Any) -> float:
    if isinstance(value, str):
        bare = value.strip()
        if bare.startswith("[") and bare.endswith("]"):
            bare = bare[1:-1]
        found = read_expression(bare.replace("[", "(").replace("]", ")"), aspect_reader)(play.places[role].senses)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid(f"A force is a number; got {value!r:.40}.")
    else:
        found = float(value)
    if not isfinite(found) or abs(found) > MOST_FORCE:
        raise Invalid(f"A force is a finite number of at most {MOST_FORCE:g} newtons; got {found:g}.")
    return found


def _sensor(play: RoomPlay, role: str, code: str) -> list[Reply]:
    place = play.places[role]
    if code in PLACES:
        return [["sensor", code, list(place.avatar.reading(code))]]
    if code in MAPS:
        return [["map", code, place.senses.map(code)]]
    if TOUCH.match(code):
        felt = place.senses.touch(code)
        return [["touch", code, list(felt.values), felt.kind, felt.name]]
    kind, name, visual = place.senses.see(code)
    return [["sight", code, list(visual), kind, name]]


def _set_state(play: RoomPlay, role: str, name: str, milliseconds: Any) -> list[Reply]:
    play.places[role].automaton.set_state(
        str(name), finite(_plain_number(milliseconds), "The life of a state"), play.world.tick, play.rate
    )
    return [["update", f"stateUpdated,{name}"]]


def _set_reflex(play: RoomPlay, role: str, name: str, conditions: str, actions: Any) -> list[Reply]:
    rows = []
    for action in actions or []:
        row = tuple(action) if isinstance(action, list | tuple) else ()
        if not row or row[0] not in _ACTS:
            raise Invalid(f"An action of a reflex is a row, the name of a tool and its arguments; got {action!r:.60}.")
        if row[0] in NEVER_BY_REFLEX:
            raise Invalid(f"A reflex cannot do {row[0]}.")
        if row[0] == "addForce" and row[1] not in EFFECTORS:
            raise Invalid(f"There is no effector {row[1]!r:.40}; there are {', '.join(EFFECTORS)}.")
        rows.append(row)
    play.places[role].automaton.set_reflex(str(name), str(conditions or ""), rows)
    return [["update", f"reflexUpdated,{name}"]]


def _remove_reflex(play: RoomPlay, role: str, name: str) -> list[Reply]:
    if not play.places[role].automaton.remove_reflex(str(name)):
        raise Invalid(f"There is no reflex {name!r:.60}.")
    return [["update", f"removedReflex,{name},OK"]]


def _get_states(play: RoomPlay, role: str) -> list[Reply]:
    play.places[role].automaton.fade(play.world.tick)
    return [["activeStates", ",".join(play.places[role].automaton.states) or "(none)"]]


def _get_reflexes(play: RoomPlay, role: str) -> list[Reply]:
    return [["activeReflexes", ",".join(play.places[role].automaton.reflexes)]]


def _find_obj(play: RoomPlay, role: str, name: str, mode: Any) -> list[Reply]:
    return [["found", str(name), ",".join(play.places[role].senses.find(str(name), str(mode or "PD")))]]


def _say(play: RoomPlay, role: str, text: Any, speaker: Any, seconds: Any, x: Any, y: Any) -> list[Reply]:
    words, who = str(text)[:LONGEST], str(speaker or "P")
    away = (finite(_plain_number(x or 0), "x"), finite(_plain_number(y or 0), "y"))
    lasts = min(
        max(finite(_plain_number(seconds if seconds is not None else 3), "The seconds of a bubble"), 0.0), 3600.0
    )
    if who == "N":
        base, title = (0.0, 0.0), "nobody"
    elif who == "P":
        base, title = play.place_of_body(role), role
        if role not in play.plan.silenced:
            play.speak(role, words)
    else:
        thing = play.world.find(who)
        if thing is None:
            return [["errorMsg", f"say,{who},ERR:Speaker_Name_Not_Found"]]
        base, title = (thing.body.position.x, thing.body.position.y), thing.name
    # Who is silenced makes no bubbles in other names either, and is told nothing of it.
    if len(play.bubbles) < 50 and role not in play.plan.silenced:
        until = play.world.tick + max(1, round(lasts * play.rate))
        play.bubbles.append(Bubble(title, words, (base[0] + away[0], base[1] + away[1]), until))
    return [["update", f"say,{who},OK"]] if who not in ("P", "N") else []


def _typed(play: RoomPlay, role: str, text: Any) -> list[Reply]:
    # Who is silenced cannot speak through a person's mouth either, and is told nothing of it.
    if role not in play.plan.silenced:
        play.hear(str(text)[:LONGEST])
    return []


def _print(play: RoomPlay, role: str, text: Any) -> list[Reply]:
    if len(play.console) < MOST_LINES:
        play.console.append((play.world.tick, role, str(text)[:LONGEST]))
    return [["update", "print,OK"]]


def _answer(play: RoomPlay, role: str, key: Any, answer: Any) -> list[Reply]:
    known = [one.key for one in play.plan.questions]
    if key not in known:
        raise Invalid(f"There is no question {key!r:.60}; there are {', '.join(known) or 'none'}.")
    if key not in play.places[role].answers:
        # The first answer counts: no question is answered by trying.
        play.places[role].answers[str(key)] = answer
    return [["update", f"answerQuestion,{key},OK"]]


def _get_outcome(play: RoomPlay, role: str) -> list[Reply]:
    return [["outcome", play.standing()]]


def _drop(play: RoomPlay, role: str, name: Any, x: Any, y: Any, note: Any) -> list[Reply]:
    at = (finite(_plain_number(x), "x"), finite(_plain_number(y), "y"))
    try:
        plan = ThingPlan.read({"kind": str(name), "at": list(at)})
    except BadParameter:
        raise
    except MensuraError:
        return [["errorMsg", f"dropItem,{name},FAILED:obj_not_found"]]
    play.world.add(replace(plan, name=_free_name(play, plan.name)))
    return [["update", f"dropItem,{name},OK"]]


def _free_name(play: RoomPlay, name: str) -> str:
    number, free = 1, name
    while play.world.find(free) is not None or free in play.places:
        number += 1
        free = f"{name}_{number}"
    return free


def _create(play: RoomPlay, role: str, name: Any, picture: Any, *given: Any) -> list[Reply]:
    x, y, mass, physics, rotation, endorphin, kinematic, size = given
    if (
        ".." in str(picture).replace("\\", "/").split("/")
        or str(picture).startswith(("/", "\\"))
        or ":" in str(picture)
    ):
        raise Invalid(f"A picture lies in the folder of the room; got {picture!r:.60}.")
    surface, kind = int(_plain_number(physics)), int(_plain_number(kinematic))
    if not 0 <= surface <= 5 or not 0 <= kind <= 6:
        raise Invalid(f"Physics is 0 to 5 and kinematic 0 to 6; got {surface} and {kind}.")
    if str(name) in play.places:
        raise Invalid(f"{name} is the name of an agent.")
    friction, bounce = SURFACES[surface]
    plan = ThingPlan.read(
        {
            "kind": "block", "name": str(name), "at": [_plain_number(x), _plain_number(y)],
            "angle": _plain_number(rotation), "mass": _plain_number(mass), "friction": friction, "bounce": bounce,
            "endorphin": _plain_number(endorphin), "size": list(size or (1.0, 1.0)), "picture": str(picture),
            "visual": [0.5, 0.5, 0.5, 0.5], "fixed": kind in (0, 1, 6),
        }
    )  # fmt: skip
    memory = {"behind": kind in (0, 2, 4, 6), "upright": kind in (2, 3)}
    old = play.world.find(str(name))
    if old is not None:
        play.world.remove(old)
    play.world.add(plan, memory={name: True for name, value in memory.items() if value}).made = True
    return [["update", f"createItem,{name},OK"]]


def _made(play: RoomPlay, name: Any, what: str) -> Any:
    thing = play.world.find(str(name))
    if thing is None or not thing.made:
        raise Invalid(f"{what},{name},ERR:Item_Name_Not_Found")
    return thing


def _push(play: RoomPlay, role: str, name: Any, x: Any, y: Any, torque: Any) -> list[Reply]:
    thing = _made(play, name, "addForceToItem")
    force = [_number(play, role, one) for one in (x, y, torque)]
    if thing.body.body_type == thing.body.DYNAMIC:
        thing.body.force = (thing.body.force.x + force[0], thing.body.force.y + force[1])
        thing.body.torque += force[2]
    return [["update", f"addForceToItem,{name},OK"]]


def _info(play: RoomPlay, role: str, name: Any) -> list[Reply]:
    body = _made(play, name, "getInfoAboutItem").body
    return [["item", str(name), [*body.position, *body.velocity]]]


def _destroy(play: RoomPlay, role: str, name: Any) -> list[Reply]:
    play.world.remove(_made(play, name, "destroyItem"))
    return [["update", f"destroyItem,{name},OK"]]


def _change_item(play: RoomPlay, role: str, name: Any, changes: Any) -> list[Reply]:
    thing = play.world.find(str(name))
    if thing is None:
        raise Invalid(f"There is no thing {name!r:.60}.")
    if not isinstance(changes, Mapping) or "name" in changes:
        raise Invalid(f"Changes are parts of a thing other than its name; got {changes!r:.60}.")
    here = {"at": list(thing.body.position), "angle": thing.body.angle * 180 / 3.141592653589793}
    plan = ThingPlan.read({**thing.plan.data(), **here, **changes})
    play.world.remove(thing)
    play.world.add(plan, memory=thing.memory).made = thing.made
    return [["update", f"changeItem,{name},OK"]]


def _gravity(play: RoomPlay, role: str, x: Any, y: Any) -> list[Reply]:
    pair = (finite(_plain_number(x), "x"), finite(_plain_number(y), "y"))
    if max(map(abs, pair)) > 1000:
        raise Invalid("Gravity is at most 1000 units a second and second.")
    play.world.set_gravity(pair)
    return [["update", "setGravity,OK"]]


def _load(play: RoomPlay, role: str, name: Any, room: Any) -> list[Reply]:
    import numpy as np

    from mensura.catalog.pagi_world.rooms.room import draw_room, find_room

    if room is None and not re.fullmatch(r"[a-z0-9-]+", str(name)):
        raise Invalid(
            f"loadTask,{name},FAILED: rooms that come with it, or lie in the folder of the server, are loaded."
        )
    described = find_room(str(name)) if room is None else room
    if not isinstance(described, Mapping):
        raise Invalid(f"A room is an object; got {room!r:.60}.")
    # Who may change a room may go on changing the one it loads, which is drawn anew each time.
    rng = np.random.default_rng([play.plan.chance, play.world.tick])
    play.load(draw_room({**described, "editing": True}, rng))
    return [["update", f"loadTask,{name},OK"]]


def _save(play: RoomPlay, role: str, name: Any) -> list[Reply]:
    return [["saved", str(name), play.as_room()]]


def _reset(play: RoomPlay, role: str) -> list[Reply]:
    play.reset()
    return [["update", "reset,OK"]]


def _step(play: RoomPlay, role: str, ticks: Any) -> list[Reply]:
    return []


def _plain_number(value: Any) -> float:
    """Return a number that may be written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Invalid(f"A number is wanted; got {value!r:.40}.")
    try:
        return float(value)
    except ValueError:
        raise Invalid(f"A number is wanted; got {value!r:.40}.") from None


_ACTS: dict[str, Callable[..., list[Reply]]] = {
    "addForce": _add_force,
    "sensorRequest": _sensor,
    "step": _step,
    "setState": _set_state,
    "setReflex": _set_reflex,
    "removeReflex": _remove_reflex,
    "getStates": _get_states,
    "getReflexes": _get_reflexes,
    "findObj": _find_obj,
    "say": _say,
    "print": _print,
    "SC": _typed,
    "answerQuestion": _answer,
    "getOutcome": _get_outcome,
    "dropItem": _drop,
    "createItem": _create,
    "addForceToItem": _push,
    "getInfoAboutItem": _info,
    "destroyItem": _destroy,
    "changeItem": _change_item,
    "setGravity": _gravity,
    "loadTask": _load,
    "saveTask": _save,
    "reset": _reset,
}
