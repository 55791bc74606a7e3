"""A study as one file: plan, invitations, exclusions, panels and analysis are one chain, and import verifies it."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from mensura.dialogue import Address
from mensura.errors import BadFile
from mensura.running.study import analyse, make_study, register, stored_study
from mensura.running.study.registration.keeping import deeds_of
from mensura.store import SessionHead, Store, import_archive, open_store
from tests.store.archive.conftest import rewrite
from tests.web.lab.studies.test_panels import WANTED
from tests.web.lab.studies.test_people import PLAN, links_of, take

HYPOTHESES = [{"name": "H1", "score": "quadratic_score", "compare": ["few", "many"]}]


@pytest.fixture
def archive(erin: Any, lab: Any, store: Store, tmp_path: Path) -> Path:
    """Give the archive of a study that people took, of whom one is excluded, with a panel and a report."""
    register(make_study({**PLAN, "hypotheses": HYPOTHESES}), store=store)
    links = links_of(erin.submit("/lab/studies/crowd/invitations", {"count": "4"}))
    early = erin.get("/lab/studies/crowd/archive")
    assert early.status_code == 409
    assert "4 sessions of crowd can still be taken" in early.text
    for link in links:
        take(lab, link)
    run = store.runs.all()[-1]
    orphan = Address(session=9)
    store.sessions.add(SessionHead(f"{run.id}/0.0.9", run.id, orphan, dict(run.cast), created=time.time()))
    erin.submit("/lab/studies/crowd/people", {"place.1": "yes", "act": "exclude", "reason": "Fire alarm."})
    erin.submit("/lab/studies/crowd/panels", WANTED)
    for link in links_of(erin.submit("/lab/panels/links", {"panel": "clarity"})):
        take(lab, link)
    erin.submit("/lab/panels/close", {"panel": "clarity"})
    for _ in range(2):
        assert erin.get("/lab/studies/crowd/export").status_code == 200
    file = erin.get("/lab/studies/crowd/archive")
    assert file.headers["content-disposition"] == 'attachment; filename="crowd.zip"'
    path = tmp_path / "crowd.zip"
    path.write_bytes(file.content)
    return path


def forge(source: Path, target: Path, table: str, change: Callable[[dict[str, Any]], bool]) -> None:
    """Change a line of an archive, and make every hash of its manifest fit."""

    def edit(files: dict[str, bytes]) -> None:
        lines = [json.loads(line) for line in files[f"{table}.jsonl"].splitlines()]
        changed = [change(line) for line in lines]
        assert any(changed), table
        files[f"{table}.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    copyfile(source, target)
    rewrite(target, edit)


def deed(kind: str) -> Callable[[dict[str, Any]], bool]:
    """Change what the deeds of a kind say."""

    def change(line: dict[str, Any]) -> bool:
        if line["kind"] != kind:
            return False
        line["body"] = json.dumps({**json.loads(line["body"]), "by_hand": True}, separators=(",", ":"))
        return True

    return change


def plan(line: dict[str, Any]) -> bool:
    """Change which way a hypothesis goes."""
    before = line["details"]
    line["details"] = before.replace('"expect":"different"', '"expect":"greater"')
    return bool(line["details"] != before)


def exclusion(line: dict[str, Any]) -> bool:
    line["planned"] = True
    return True


def test_what_was_done_travels_and_whatever_is_altered_is_refused(archive: Path, tmp_path: Path, store: Store) -> None:
    kinds = [one.kind for one in deeds_of("crowd", store=store)]
    assert "Fire" not in json.dumps([dict(one.body) for one in deeds_of("crowd", store=store)])
    assert {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)} == {
        "invited": 4,
        "put before a panel": 4,
        "judged by a panel": 4,
        "analysed": 4,
        "archived with its study": 5,
    }, "the same analysis is bound once, however often its report is taken"
    ours = analyse(stored_study("crowd", store=store), store=store)
    with open_store(tmp_path / "elsewhere.db") as other:
        import_archive(other, archive)
        assert [one.kind for one in deeds_of("crowd", store=other)] == kinds
        theirs = analyse(stored_study("crowd", store=other), store=other)
        assert theirs.as_json()["planned"] == ours.as_json()["planned"]
        assert theirs.registration is not None
        assert theirs.registration.before_data
        assert (theirs.altered, theirs.excluded) == ([], ours.excluded)
        assert sum(import_archive(other, archive).added.values()) == 0
    with open_store(tmp_path / "third.db") as other:
        for table, change, words in (
            ("runs", plan, "The run's own line"),
            ("deeds", deed("invited"), "Deed 1 (invited)"),
            ("exclusions", exclusion, "Exclusion 1"),
            ("deeds", deed("put before a panel"), "Deed 2 (put before a panel)"),
            ("deeds", deed("judged by a panel"), "Deed 3 (judged by a panel)"),
            ("deeds", deed("analysed"), "(analysed)"),
        ):
            forged = tmp_path / "forged.zip"
            forge(archive, forged, table, change)
            with pytest.raises(BadFile, match="it is not what was written") as refused:
                import_archive(other, forged)
            assert words in str(refused.value)
            assert other.runs.all() == []
