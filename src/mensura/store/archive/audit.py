"""Auditing an archive: it is read into a separate store, and compared there with its chains."""

from pathlib import Path
from secrets import token_bytes
from typing import Any

from mensura.store import open_store
from mensura.store.archive.importer import read_into
from mensura.store.archive.reader import ArchiveReader
from mensura.store.sealed.proof import Proof, audit_run


def audit_archive(path: Path, folder: Path) -> tuple[list[Proof], dict[str, Any]]:
    """Audit every run of an archive; return the proofs, and the signature that it carries, if any.

    A line that was altered is named even where the checksums in the manifest were made to fit.
    """
    with ArchiveReader(path) as archive, open_store(folder / "audit.db", key=token_bytes(32)) as store:
        read_into(store, archive, verified=False)
        proofs = [audit_run(store, run) for run in archive.manifest["runs"]]
        if all(proof.whole for proof in proofs):
            archive.check()
            archive.check_ends()
        return proofs, dict(archive.manifest.get("signature") or {})
