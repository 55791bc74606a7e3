"""`mensura audit`: is a record what was written?"""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import reading
from mensura.console import next_step, print_json, say
from mensura.text_file import read_text

if TYPE_CHECKING:
    from mensura.store.people.copies import Copy
    from mensura.store.sealed.proof import Proof


@click.command("audit")
@click.argument("record", metavar="RUN|FILE.zip", shell_complete=complete_run)
@click.option("--sign", is_flag=True, help="Sign the head of the chain with the laboratory's key, and print that.")
@click.option(
    "--signature", type=click.Path(path_type=Path, exists=True), help="A signature that was printed earlier, to check."
)
@reading
def command(record: str, sign: bool, signature: Path | None, store: str | None, as_json: bool) -> None:
    """Prove that a run is what was written, or name the first line that is not.

    Answers, asks, truths, exclusions and results are bound to one another by a chain of hashes. Every report
    gives its head. Publish or sign the head, and nobody can change what came before unnoticed, not even those who keep
    the store. Without that, the chain shows accidents but not a forger who rewrites all of it.

    \b
      mensura audit last
      mensura audit coin.zip
      mensura audit last --sign > coin.signature
      mensura audit last --signature coin.signature
    """
    from mensura.store.sealed.signature import check_signature
    from mensura.store.sealed.signature import sign as sign_heads

    proofs, own, outdated = _proofs(record, store)
    heads = {proof.run: proof.head for proof in proofs}
    whole = all(proof.whole for proof in proofs)
    signed = {"signed_by": check_signature(own, heads)} if own else {}
    if signature is not None:
        signed = {"signed_by": check_signature(read_text(signature), heads)}
    if sign and whole:
        print_json(sign_heads(heads))
    elif as_json:
        print_json(
            {
                "whole": whole,
                **signed,
                "runs": [proof.data() for proof in proofs],
                "outdated": list(map(vars, outdated)),
            }
        )
    else:
        for proof in proofs:
            click.echo(str(proof))
        for copy in outdated:
            say(copy.mending)
        if signed:
            say(f"Signed by {signed['signed_by']}.")
    next_step(f"mensura report {proofs[0].run} -o report.html" if whole else "restore it from a copy or an export")
    if not whole:
        sys.exit(1)


def _proofs(record: str, store: str | None) -> tuple[list["Proof"], dict[str, Any], list["Copy"]]:
    """Audit a run of the store, or all runs of an archive.

    Gives the archive's own signature too, and the copies of a run that hold what was erased since.
    """
    from mensura.store import open_store
    from mensura.store.sealed.proof import audit_run

    if not record.endswith(".zip"):
        with open_store(store, create=False) as opened:
            proof = audit_run(opened, record)
            return [proof], {}, opened.copies.outdated(proof.run)
    from mensura.store.archive.audit import audit_archive

    with tempfile.TemporaryDirectory(prefix="mensura-audit-") as folder:
        return *audit_archive(Path(record), Path(folder)), []
