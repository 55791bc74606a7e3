"""An archive is opened on a page of another laboratory: verified, and confined to what pages load."""

import json
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from mensura.running.study import conduct, make_study
from mensura.running.study.membership.looking import ENTERED
from mensura.running.study.registration.keeping import write_study_archive
from mensura.store import Store, open_store
from tests.store.archive.conftest import rewrite

PLAN = {
    **{"name": "sent", "test": "coin", "casts": {"told": "stated", "guesser": "chance"}, "factors": {"flips": [2]}},
    **{"sessions": 3, "hypotheses": [{"score": "quadratic_score", "compare": ["told", "guesser"]}]},
}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    """Give the store of another laboratory."""
    with open_store(tmp_path / "elsewhere.db") as opened:
        yield opened


@pytest.fixture
def archive(elsewhere: Store, tmp_path: Path) -> Path:
    """Give the archive of a study that was carried out there."""
    study = make_study(PLAN)
    conduct(study, store=elsewhere)
    write_study_archive(study, tmp_path / "sent.zip", store=elsewhere)
    return tmp_path / "sent.zip"


def send(client: Any, path: Path, **fields: str) -> Any:
    data = {"csrf": client.token("/lab/me"), **fields}
    return client.post("/lab/studies/import", data=data, files={"file": (path.name, path.read_bytes())})


def test_a_study_is_opened_elsewhere_and_found_as_it_was(erin: Any, store: Store, archive: Path) -> None:
    assert "/lab/studies/import" in erin.get("/lab/studies").text
    digest = sha256(archive.read_bytes()).hexdigest()
    first = send(erin, archive)
    assert first.status_code == 200
    assert "It agrees with its own chains." in first.text
    assert digest in first.text
    assert 'href="/lab/studies/sent"' in first.text
    again = send(erin, archive, digest=digest)
    assert "0 new rows" in again.text
    assert "It is the file that was sent" in again.text
    registration = erin.get("/lab/studies/sent.json").json()["analysis"]["registration"]
    assert registration["before_data"]
    assert [line.who for line in store.trail.about("sent", beginning="imported an archive")] == ["Erin", "Erin"]


def altered(files: dict[str, bytes]) -> None:
    files["exclusions.jsonl"] += files["results.jsonl"].splitlines(keepends=True)[0]


def cut(files: dict[str, bytes]) -> None:
    files["results.jsonl"] = b"".join(files["results.jsonl"].splitlines(keepends=True)[:-1])


def renamed(files: dict[str, bytes]) -> None:
    files["runs.jsonl"] = files["runs.jsonl"].replace(b'"test": "coin-v1"', b'"test": "./evil.py:coin"')


def recast(files: dict[str, bytes]) -> None:
    lines = [json.loads(line) for line in files["runs.jsonl"].splitlines()]
    lines[0]["cast"] = json.dumps({"": "./evil.py:run"})
    files["runs.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def replanned(files: dict[str, bytes]) -> None:
    lines = [json.loads(line) for line in files["runs.jsonl"].splitlines()]
    details = json.loads(lines[0]["details"])
    details["plan"]["invitation"] = {"survey": "./evil.py:survey"}
    lines[0]["details"] = json.dumps(details)
    files["runs.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (altered, "has other fields than its table"),
        (cut, "it is not what was written"),
        (renamed, "There is no test called"),
        (recast, "which pages do not load"),
        (replanned, "a plan that pages do not load"),
    ],
)
def test_what_was_altered_or_names_a_file_to_run_is_refused_in_a_sentence(
    erin: Any, store: Store, archive: Path, tmp_path: Path, change: Any, words: str
) -> None:
    before = len(store.runs.all())
    forged = tmp_path / "forged.zip"
    copyfile(archive, forged)
    rewrite(forged, change)
    answer = send(erin, forged)
    assert answer.status_code in (400, 404, 422), answer.status_code
    assert words in unescape(answer.text)
    assert "mensura-import-" not in answer.text, "where the file lay is nobody's business"
    assert len(store.runs.all()) == before
    for wrong in ({"digest": "0" * 64}, {"digest": "nonsense"}):
        assert send(erin, archive, **wrong).status_code in (400, 422)
    assert len(store.runs.all()) == before


def test_who_adds_to_a_study_of_others_by_its_name_is_in_its_trail(
    erin: Any, anna: Any, store: Store, archive: Path
) -> None:
    assert send(anna, archive).status_code == 403
    owner = store.accounts.add("Olga", password="a long enough password", role="member")
    store.members.put("sent", owner, role="owner", added_by="Olga")
    assert send(erin, archive).status_code == 200
    did = [(line.who, line.did) for line in store.trail.about("sent")]
    assert did == [("Erin", ENTERED), ("Erin", "imported an archive")]


def test_a_file_that_is_none_is_said(erin: Any, tmp_path: Path) -> None:
    (tmp_path / "none.zip").write_bytes(b"no zip at all")
    answer = send(erin, tmp_path / "none.zip")
    assert answer.status_code in (400, 422)
    assert "it is not a zip file" in unescape(answer.text)
    assert "Choose the file" in erin.submit("/lab/studies/import").text
