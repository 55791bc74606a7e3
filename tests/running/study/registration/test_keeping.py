"""Keeping: a whole study is one archive, and its sessions say what belongs to it."""

import json

import pytest

from mensura.errors import BadFile, BadParameter
from mensura.running.study import Cast, Stopping, Study, conduct
from mensura.running.study.registration.keeping import deeds_of, write_study_archive
from mensura.store import export_run, import_archive, open_store
from mensura.store.archive.audit import audit_archive
from mensura.store.sealed.proof import audit_run
from tests.store.archive.conftest import rewrite

STUDY = Study(
    name="done",
    tests=("coin",),
    casts=(Cast("first", {"": "chance"}), Cast("second", {"": "stated"})),
    stopping=Stopping(most=2),
    seed=1,
)


@pytest.fixture
def archived(store, tmp_path):
    """Give the archive of a study of two runs with two sessions each, and what was said of it."""
    conduct(STUDY, store=store)
    path = tmp_path / "done.zip"
    return path, write_study_archive(STUDY, path, store=store, who="ada")


@pytest.fixture
def other(tmp_path):
    """Give a store elsewhere."""
    with open_store(tmp_path / "other.db") as opened:
        yield opened


def edit(files, table, change):
    """Change the lines of a table."""
    lines = change([json.loads(line) for line in files[f"{table}.jsonl"].splitlines()])
    files[f"{table}.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def without(files, mine):
    """Take out the lines of sessions."""
    for table in ("events", "truths", "results", "exclusions", "deeds", "links"):
        edit(files, table, lambda lines: [line for line in lines if not mine(line["session"])])


def cut_run(files):
    """Take out the second run."""
    manifest = json.loads(files["manifest.json"])
    gone = manifest["runs"].pop()
    edit(files, "runs", lambda lines: lines[:1])
    edit(files, "sessions", lambda lines: [line for line in lines if line["run"] != gone])
    without(files, lambda session: session.startswith(f"{gone}/"))
    files["manifest.json"] = json.dumps(manifest).encode()


def cut_ends(files, sessions):
    """Take the deeds with their links off the end of sessions, and let their heads be the ones before."""
    ends = {}
    for session in sessions:
        mine = [line for line in map(json.loads, files["links.jsonl"].splitlines()) if line["session"] == session]
        ends[session] = mine[-3]
    edit(
        files,
        "links",
        lambda lines: [
            one for one in lines if one["session"] not in ends or one["place"] <= ends[one["session"]]["place"]
        ],
    )
    edit(files, "deeds", lambda lines: [one for one in lines if one["session"] not in ends])
    edit(
        files,
        "sessions",
        lambda lines: [{**one, "head": ends[one["id"]]["head"]} if one["id"] in ends else one for one in lines],
    )


def sessions_of(files):
    """List the sessions of an archive."""
    return [json.loads(line)["id"] for line in files["sessions.jsonl"].splitlines()]


def test_sessions_say_which_runs_their_study_has_once_for_each_state(archived, store, tmp_path):
    told = [one for one in deeds_of("done", store=store) if one.kind == "archived with its study"]
    assert len(told) == 4
    assert {tuple(one.body["runs"]) for one in told} == {tuple(sorted(head.id for head in store.runs.all()))}
    before = deeds_of("done", store=store)
    write_study_archive(STUDY, tmp_path / "again.zip", store=store)
    assert deeds_of("done", store=store) == before
    store.exclusions.decide(told[0].session, reason="Fire alarm.", who="ada")
    write_study_archive(STUDY, tmp_path / "later.zip", store=store)
    assert [one.kind for one in deeds_of("done", store=store)].count("archived with its study") == 8
    assert all(audit_run(store, head.id).whole for head in store.runs.all())


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (cut_run, "the study has other runs, and they are gone"),
        (lambda files: cut_ends(files, sessions_of(files)[:1]), "the end of the chain of session .*/0.0.0 is gone"),
        (lambda files: cut_ends(files, sessions_of(files)), "the end of the chain of session .*/0.0.0 is gone"),
    ],
)
def test_what_is_cut_off_a_study_is_missed_by_its_other_sessions_though_every_hash_was_made_to_fit(
    archived, other, tmp_path, cut, words
):
    path, _ = archived
    rewrite(path, cut)
    with pytest.raises(BadFile, match=words):
        import_archive(other, path)
    assert other.runs.all() == []
    (tmp_path / "audit").mkdir()
    with pytest.raises(BadFile, match=words):
        audit_archive(path, tmp_path / "audit")


def test_an_archive_that_is_made_to_look_older_is_refused(archived, other):
    path, _ = archived

    def age(files):
        manifest = json.loads(files["manifest.json"])
        del manifest["study"], manifest["ends"], manifest["chain"]
        files["manifest.json"] = json.dumps({**manifest, "version": 3}).encode()
        cut_run(files)

    rewrite(path, age, seal="checksums")
    with pytest.raises(BadFile, match="it says that it is of an earlier release, and its sessions say that it is not"):
        import_archive(other, path)


def forge(files):
    """Write the whole archive anew as if the study had one run that was never archived."""
    cut_run(files)
    cut_ends(files, sessions_of(files))
    manifest = json.loads(files["manifest.json"])
    del manifest["study"]
    files["manifest.json"] = json.dumps(manifest).encode()


def test_a_file_that_was_written_anew_is_known_by_the_digest_alone(archived, other):
    path, written = archived
    with pytest.raises(BadParameter, match="64 digits from 0 to f; got 'abc'"):
        import_archive(other, path, digest="abc")
    done = str(import_archive(other, path, digest=written.sha256.upper()))
    assert "It is the file that was sent: its SHA-256 is the one given." in done
    rewrite(path, forge)
    with pytest.raises(BadFile, match=f"is not the file that was sent: .* not {written.sha256}"):
        import_archive(other, path, digest=written.sha256)
    said = str(import_archive(other, path))
    assert "It agrees with its own chains." in said
    assert "Not compared with what was sent (--digest): its SHA-256 is " in said


def test_the_exporter_keeps_what_was_sent_and_the_receiver_what_was_compared(archived, store, other):
    path, written = archived
    [line] = [line for line in store.trail.lines() if line.did == "exported a run"]
    assert line.details["sha256"] == written.sha256
    assert written.sha256 in str(written)
    import_archive(other, path, digest=written.sha256)
    assert {line.details["sha256"] for line in other.trail.lines()} == {written.sha256}
    assert all(line.details["expected"] for line in other.trail.lines())


def test_one_run_of_an_archived_study_says_that_there_are_others(archived, store, other, tmp_path):
    first, second = (head.id for head in store.runs.all())
    export_run(store, first, tmp_path / "one.zip", format="zip")
    done = import_archive(other, tmp_path / "one.zip")
    assert done.elsewhere == (second,)
    assert f"Its study has other runs, which are not in it: {second}." in str(done)


def test_a_signed_archive_is_checked_and_names_all_of_its_runs(archived, store, other, tmp_path):
    runs = [head.id for head in store.runs.all()]
    path = tmp_path / "signed.zip"
    export_run(store, runs, path, format="zip", signed=True)
    rewrite(path, cut_run)
    with pytest.raises(BadFile, match="its signature belongs to other runs than it holds"):
        import_archive(other, path)
    export_run(store, runs, path, format="zip", signed=True)
    assert "Its heads are signed by " in str(import_archive(other, path))
