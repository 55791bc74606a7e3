"""Shared limits: one count for all processes of a store."""

from mensura.store import Store


def test_a_limit_is_one_for_all_who_use_it_and_grows_back(store: Store) -> None:
    left = [store.limits.use("try", 1.0, rate=0.5, saved=2.0, now=now) for now in (0.0, 0.0, 0.0, 4.0)]
    assert left == [1.0, 0.0, -1.0, 0.0]
    assert store.limits.use("other", 1.0, rate=0.5, saved=2.0, now=4.0) == 1.0
