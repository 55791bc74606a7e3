"""Several writers at once: two unique keys decide, and the others are told."""

import pickle
import threading
from collections.abc import Callable

from mensura.dialogue import Event
from mensura.errors import Conflict
from mensura.store import RunHead, Store, open_store

Begin = Callable[..., str]
WRITERS = 4


def at_once(work: Callable[[int], object]) -> list[object]:
    """Let several threads do the same at the same moment, and give what each returned or raised."""
    gate = threading.Barrier(WRITERS)
    results: list[object] = [None] * WRITERS

    def go(writer: int) -> None:
        gate.wait()
        try:
            results[writer] = work(writer)
        except Exception as error:
            results[writer] = error

    threads = [threading.Thread(target=go, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_of_four_writers_of_one_number_exactly_one_is_first(store: Store, begin: Begin) -> None:
    session = begin(store)
    for number in range(1, 26):
        results = at_once(
            lambda writer, number=number: store.events.append(  # type: ignore[misc]
                session,
                [Event(number, "answer", value=writer, nonce=f"{number}-{writer}", content={"shared": number})],
                truths={f"key{number}": writer},
            )
        )
        assert sorted(type(result) is Conflict for result in results) == [False, True, True, True], results
        winner = results.index(None)
        assert store.events.of(session, after=number - 1)[0].value == winner
        assert store.truths.of(session)[f"key{number}"] == winner
    assert [event.number for event in store.events.of(session)] == list(range(1, 26))


def test_of_four_retries_with_one_nonce_exactly_one_is_stored(store: Store, begin: Begin) -> None:
    session = begin(store)
    for turn in range(25):
        results = at_once(
            lambda writer, turn=turn: store.events.append(  # type: ignore[misc]
                session, [Event(1 + turn * WRITERS + writer, "answer", value=writer, nonce=f"nonce {turn}")]
            )
        )
        assert sorted(type(result) is Conflict for result in results) == [False, True, True, True], results
    assert len(store.events.of(session)) == 25


def test_four_resolutions_at_once_are_four_versions(store: Store, begin: Begin) -> None:
    session = begin(store)
    results = at_once(lambda writer: store.truths.resolve(session, "rain", writer, source=f"observer {writer}"))
    assert sorted(results) == [1, 2, 3, 4]  # type: ignore[type-var]
    history = store.truths.history(session, "rain")
    assert [results.index(truth.version) for truth in history] == [truth.value for truth in history]


def test_four_programs_that_make_one_store_make_one(url: str, run_head: Callable[..., RunHead]) -> None:
    for result in at_once(lambda writer: open_store(url).runs.add(run_head(f"run-{writer}"))):
        assert result is None
    with open_store(url) as store:
        assert sorted(head.id for head in store.runs.all()) == [f"run-{writer}" for writer in range(WRITERS)]


def test_four_writers_of_one_session_and_one_run_agree(
    store: Store, begin: Begin, run_head: Callable[..., RunHead]
) -> None:
    assert at_once(lambda writer: begin(store, sessions=3)) == ["coin-1/0.0.0"] * WRITERS
    assert store.sessions.counts() == {"coin-1": {"open": 3}}


def test_a_store_is_pickled_as_its_url(store: Store, begin: Begin) -> None:
    begin(store)
    with pickle.loads(pickle.dumps(store)) as again:
        assert again.url == store.url
        assert again.runs.all() == store.runs.all()
