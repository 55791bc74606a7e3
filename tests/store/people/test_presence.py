"""Signs of life: only the latest counts, and one holder at a time."""

import time

from mensura.store import Store
from tests.hand_clock import HandClock


def test_someone_is_there_from_the_first_beat_on(store: Store) -> None:
    presence = store.presence
    before = time.time()
    presence.beat("invitation 1")
    presence.beat("invitation 1")
    seen = presence.seen(["invitation 1", "invitation 2"])
    assert list(seen) == ["invitation 1"]
    assert before <= seen["invitation 1"] <= time.time()


def test_a_name_is_held_by_one_until_it_is_silent(store: Store, hand_clock: HandClock) -> None:
    presence = store.presence
    assert presence.take("players", holder="first", patience=60)
    assert not presence.take("players", holder="second", patience=60)
    assert presence.take("players", holder="first", patience=60)
    hand_clock.wait(61)
    assert presence.take("players", holder="second", patience=60)
    assert not presence.take("players", holder="first", patience=60)


def test_a_name_that_is_let_go_is_free(store: Store) -> None:
    presence = store.presence
    presence.take("players", holder="first", patience=60)
    presence.let_go(["players"])
    assert presence.take("players", holder="second", patience=60)
