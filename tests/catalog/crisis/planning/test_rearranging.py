import random

import pytest

from mensura.catalog.crisis.planning.rearranging import next_move


@pytest.mark.parametrize("seed", range(20))
def test_every_target_is_reached_without_two_events_in_one_place(seed: int) -> None:
    rng = random.Random(seed)
    places = [(room, slot) for room in "abc" for slot in range(4)]
    events = [f"e{number}" for number in range(9)]
    place = dict(zip(events, rng.sample(places, 9), strict=True))
    target = dict(zip(events, rng.sample(places, 9), strict=True))
    length = dict.fromkeys(events, 1)
    now: dict[str, tuple[str, int] | None] = dict(place)
    for _ in range(40):
        step = next_move(now, target, length=length)
        if step is None:
            break
        event, to = step
        assert to is None or to not in now.values()
        now[event] = to
    assert now == target


def test_what_waits_for_an_owner_is_left_where_it_is() -> None:
    place = {"a": ("r", 0), "b": ("q", 0)}
    target = {"a": ("s", 0), "b": ("q", 1)}
    closed = {("s", 0)}
    length = {"a": 1, "b": 1}
    assert next_move(place, target, length=length, closed=closed) == ("b", ("q", 1))
    assert next_move({**place, "b": ("q", 1)}, target, length=length, closed=closed) == ("", None)
