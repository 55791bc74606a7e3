"""Closing: sessions behind links that have expired are over for everyone who counts, lists or archives them."""

import time

import pytest

from mensura.running.live import LiveSessions
from mensura.running.people.closing import close_expired
from mensura.running.study import Cast, Stopping, Study, conduct, invite, progress_of
from mensura.running.study.archiving import archive
from mensura.store import open_store
from mensura.store.people.invitations import GRACE_SECONDS

STUDY = Study(name="late", tests=("coin",), casts=(Cast("people", {"": "human"}),), stopping=Stopping(most=3), seed=1)


@pytest.fixture
def invited(store):
    """Invite three people: one answers once, one never comes, one has time left."""
    conduct(STUDY, store=store)
    made = [store.invitations.get(one.number) for one in invite(STUDY, 3, store=store)]
    LiveSessions(store).act(made[0].sessions[0], lambda live: live.session.answer(0.5))
    store.invitations.extend(made[0].number, expires=time.time() - GRACE_SECONDS - 1)
    store.invitations.extend(made[1].number, expires=time.time() - 1)
    store.invitations.extend(made[2].number, expires=time.time() + 1000)
    return made


def test_who_asks_how_far_a_study_is_finds_expired_sessions_over(store, invited):
    (state,) = progress_of(STUDY, store=store).cells
    assert state.counts == {"expired": 2, "open": 1}
    assert [store.invitations.get(one.number).status for one in invited] == ["closed", "closed", "open"]
    answered, never = invited[0].sessions[0], invited[1].sessions[0]
    assert store.results.history(answered)[-1].scores.tally == {"answered": 1, "timed_out": 19}
    assert store.results.history(never) == []
    assert close_expired(store) == []


def test_expired_sessions_do_not_keep_the_archive_from_what_was_answered(store, invited, tmp_path):
    store.invitations.extend(invited[2].number, expires=time.time() - 1)
    (state,) = progress_of(STUDY, store=store).cells
    done = archive(state.runs, [tmp_path / "one", tmp_path / "two"], store=store)
    assert len(done.checksums) == 3
    assert store.runs.find(state.runs[0].id).opened


def test_a_store_that_is_only_read_is_left_as_it_is(store, invited):
    with open_store(store.url, read_only=True) as reading:
        assert close_expired(reading) == []
