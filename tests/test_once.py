"""What is expensive to make is made once, also when many ask for it at the same moment."""

import gc
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from mensura.once import once


def test_many_threads_that_ask_at_the_same_moment_get_one_thing_made_once():
    made = []

    @once(most=4)
    def make(name):
        made.append(name)
        time.sleep(0.05)
        return [name]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(make, ["world"] * 8))
    assert made == ["world"]
    assert all(result is results[0] for result in results)


def test_what_is_there_is_given_while_another_thing_is_being_made():
    begun, go_on = Event(), Event()

    @once(most=4)
    def make(name):
        if name == "slow":
            begun.set()
            assert go_on.wait(10)
        return name

    make("quick")
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(make, "slow")
        assert begun.wait(10)
        assert pool.submit(make, "quick").result(timeout=120) == "quick"
        go_on.set()
        assert slow.result(timeout=120) == "slow"


def test_what_failed_is_tried_again():
    tries = []

    @once(most=4)
    def make(name):
        tries.append(name)
        if len(tries) == 1:
            raise OSError("The disk is asleep.")
        return name

    with pytest.raises(OSError, match="asleep"):
        make("world")
    assert make("world") == "world"


def test_what_the_cache_forgets_is_forgotten():
    class Name:
        pass

    @once(most=1)
    def make(name):
        return 1

    name = Name()
    seen = weakref.ref(name)
    make(name)
    del name
    make("another")
    gc.collect()
    assert seen() is None
