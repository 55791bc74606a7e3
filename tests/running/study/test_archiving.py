"""Archiving: sessions in two places with checksums, and releases that are written down."""

import gzip
import json

import pytest

from mensura.errors import BadData, BadParameter
from mensura.running.live import LiveSessions
from mensura.running.study import Cast, Stopping, Study, conduct
from mensura.running.study.archiving import archive, erase_archived, erased_since, release, verify
from mensura.store import open_store
from mensura.web.participant.invitation import invite


@pytest.fixture
def finished(store):
    made = Study(name="done", tests=("coin",), casts=(Cast("c", {"": "chance"}),), stopping=Stopping(most=3), seed=1)
    return [head for state in conduct(made, store=store).cells for head in state.runs]


def test_every_session_is_kept_in_two_places_and_read_back(finished, store, tmp_path):
    places = [tmp_path / "one", tmp_path / "two"]
    done = archive(finished, places, store=store)
    assert len(done.checksums) == 3
    assert archive(finished, places, store=store).checksums == done.checksums
    assert verify(places) == 3
    name = next(iter(done.checksums))
    kept = json.loads(gzip.decompress((places[1] / name).read_bytes()))
    assert kept["truths"]
    assert kept["run"]["seed"] == "1"
    (places[0] / name).write_bytes(b"damaged")
    with pytest.raises(BadData, match="damaged or changed"):
        verify(places)
    with pytest.raises(BadData, match="archived already and differs"):
        archive(finished, places, store=store)


def test_where_there_is_no_archive_nothing_is_said_to_be_whole(finished, store, tmp_path):
    archive(finished, [tmp_path / "one", tmp_path / "two"], store=store)
    with pytest.raises(BadData, match="three holds no archive"):
        verify([tmp_path / "one", tmp_path / "three"])
    for places in ([], [tmp_path / "one"], [tmp_path / "one", tmp_path / "one"]):
        with pytest.raises(BadParameter, match="at least two different places"):
            verify(places)


def test_one_place_is_not_an_archive(finished, store, tmp_path):
    with pytest.raises(BadParameter, match="at least two different places"):
        archive(finished, [tmp_path, tmp_path / "."], store=store)


def test_a_release_is_written_down(finished, store, tmp_path):
    checksum = release(finished, tmp_path / "r.zip", to="Lab B", why="replication", training="cert 7", store=store)
    (line,) = [line for line in store.trail.lines() if line.did == "released data"]
    assert line.details["sha256"] == checksum
    with pytest.raises(BadParameter, match="their proof of training"):
        release(finished, tmp_path / "s.zip", to="Lab B", why="x", training=" ", store=store)
    assert not (tmp_path / "s.zip").exists()


def test_who_withdraws_later_is_named_in_the_archive_and_taken_out(tmp_path):
    with open_store(tmp_path / "people.db") as store:
        head, links = invite("coin", store=store, sessions=2, parameters={"flips": 1})
        live = LiveSessions(store)
        for link in links:
            store.invitations.mark(link.invitation.number, what="entered")
            live.act(link.session, lambda one: one.session.answer(0.5))
        places = [tmp_path / "one", tmp_path / "two"]
        assert len(archive([head], places, store=store).checksums) == 2
        assert erased_since(places, store=store) == []
        store.invitations.withdraw(links[0].invitation.number)
        [file] = erased_since(places, store=store)
        assert links[0].session.replace("/", "_") in file
        [copy] = store.copies.outdated(head.id)
        assert f"--erase --to {places[0]} --to {places[1]}" in copy.mending
        assert "archive of the laboratory on" in copy.told
        gone, still = (store.invitations.get(link.invitation.number) for link in links)
        assert store.copies.of_person(gone) == store.copies.of_person(still) == [copy]
        assert erase_archived(places, store=store) == [file]
        assert store.copies.outdated(head.id) == []
        assert verify(places) == 1
        assert not [path for place in places for path in place.glob(file)]
        assert len(archive([head], places, store=store).checksums) == 1
        assert store.copies.of_person(gone) == [copy], "later copies hold nothing of them"


def test_a_name_from_the_book_of_identities_is_not_released_unseen(tmp_path):
    with open_store(tmp_path / "people.db") as store:
        head, links = invite("coin", store=store, sessions=1, parameters={"flips": 1})
        LiveSessions(store).act(links[0].session, lambda one: one.session.answer(0.5))
        store.invitations.name(links[0].invitation.number, name="Zoe Zander")
        given = {"to": "Lab B", "why": "science", "training": "c", "store": store}
        release([head], tmp_path / "clean.zip", **given)
        store.exclusions.decide(links[0].session, reason="zander slept.", who="Ann")
        with pytest.raises(BadParameter, match=f"Names .* reasons of {links[0].session}; nothing was written"):
            release([head], tmp_path / "named.zip", **given)
        assert not (tmp_path / "named.zip").exists()
        release([head], tmp_path / "named.zip", **given, with_names=True)
        [copy] = [one for one in store.copies.all() if "named" in str(one.places)]
        assert copy.told.endswith("for this: science.")
