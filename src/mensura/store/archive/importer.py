"""Importing an archive: what is new is added, what is there must be the same, and any doubt changes nothing."""

import re
from hashlib import file_digest
from pathlib import Path

from mensura.errors import BadFile, BadParameter, Conflict, StoreError
from mensura.store.archive.imported import Imported
from mensura.store.archive.merging import Merging
from mensura.store.archive.reader import LARGEST, ArchiveReader
from mensura.store.store import Store

IMPORTED = "imported a run"
"""How the trail says that a run comes from another store."""


def import_archive(store: Store, path: str | Path, *, digest: str = "", largest: int = LARGEST) -> Imported:
    """Bring the runs of an archive into a store. Importing one twice, or a later one of the same runs, is not an error.

    Parameters
    ----------
    digest
        The SHA-256 of the file, as the sender said; another file is refused.
    largest
        Bytes the archive may hold when unpacked.

    Raises
    ------
    BadFile
        If the file is damaged, cut short, hostile, newer than this program or something else; nothing was changed.
    Conflict
        If the store holds a run, session or event of the same name that is another; nothing was changed.
    """
    with ArchiveReader(Path(path), largest=largest) as archive:
        found = compared(Path(path), digest)
        archive.check()
        known = {head.id for head in store.runs.all()}
        added, signed_by = read_into(store, archive, verified=True)
        runs = list(archive.manifest["runs"])
        for run in runs:
            if run not in known:
                store.trail.note("", IMPORTED, run, file=Path(path).name, sha256=found, expected=bool(digest))
        elsewhere = tuple(sorted(archive.ends.named - set(runs)))
        seeds = str(archive.manifest.get("seeds"))
        return Imported(runs, seeds, added, found, bool(digest), archive.bound, signed_by, elsewhere)


def compared(path: Path, digest: str = "") -> str:
    """Return the SHA-256 of a file, which must be the one that was given, if any."""
    wanted = digest.strip().lower()
    if wanted and not re.fullmatch(r"[0-9a-f]{64}", wanted):
        raise BadParameter(f"A SHA-256 is 64 digits from 0 to f; got {digest!r}.")
    with path.open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
    if wanted and found != wanted:
        raise BadFile(
            f"{path} is not the file that was sent: its SHA-256 is {found}, not {wanted}. Nothing was changed; ask for "
            "the archive again."
        )
    return found


def read_into(store: Store, archive: ArchiveReader, *, verified: bool) -> tuple[dict[str, int], str]:
    """Bring the runs of an archive into a store, in one transaction; return the new rows by table, and who signed it.

    Parameters
    ----------
    verified
        Whether a record that is not what was written is refused; an audit takes it in, to say what was altered.
    """
    # What the archive has in plain of runs that are not over is kept back here; the key must be there for that.
    store.keyring.require()
    signed_by = ""
    try:
        with store.database.writing() as connection:
            work = Merging(store, connection, archive)
            added = {
                "runs": work.runs(),
                "sessions": work.sessions(),
                "contents": work.contents(),
                "events": work.events(),
                "truths": work.truths(),
                "results": work.results(),
                "exclusions": work.exclusions(),
                "deeds": work.deeds(),
                "links": work.links(),
            }
            if list(work.run_numbers) != archive.manifest.get("runs"):
                raise BadFile(f"{archive.path} does not hold the runs that its manifest names. Nothing was changed.")
            work.settle()
            if verified:
                work.verify()
                signed_by = archive.check_ends()
                work.keep_back()
    except StoreError as error:
        if type(error) is Conflict or "FOREIGN KEY" not in str(error.__cause__).upper():
            raise
        raise BadFile(f"{archive.path} cannot be imported: it names a content that it does not hold.") from error
    return added, signed_by
