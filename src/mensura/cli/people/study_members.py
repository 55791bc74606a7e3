"""`mensura study` and its members: who belongs to a study, who took part, and who looked."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mensura.cli.options import opened, reading
from mensura.console import next_step, say, show

if TYPE_CHECKING:
    from mensura.store import Store

STUDY = click.argument("study", metavar="FILE|NAME", type=click.Path(path_type=Path))
WHO = "command line"


def begun(study: Path, store: "Store") -> str:
    """Return the name of a study that has begun, given as its file or by its name."""
    from mensura.running.study import read_study
    from mensura.running.study.membership.joining import require_begun

    name = read_study(study).name if study.is_file() else str(study)
    require_begun(name, store=store)
    return name


@click.command("members")
@STUDY
@click.option("--add", "added", metavar="NAME", default=None, help="Let this account belong to it.")
@click.option(
    "--as", "role", default="analyst", show_default=True, help="owner, experimenter, observer, rater, analyst."
)
@click.option("--remove", "removed", metavar="NAME", default=None, help="Let this account belong to it no longer.")
@reading
def members(study: Path, added: str | None, role: str, removed: str | None, store: str | None, as_json: bool) -> None:
    """List the members of a study, or change them. A study with members is closed to all other accounts."""
    from mensura.running.study.membership.joining import add_member, remove_member

    kept = opened(store)
    name = begun(study, kept)
    if added is not None:
        add_member(name, added, role, store=kept, who=WHO)
    if removed is not None:
        remove_member(name, removed, store=kept, who=WHO)
    found = kept.members.of(name)
    show([vars(one) for one in found], (f"{one.name}\t{one.role}" for one in found), as_json=as_json)
    if not found:
        say(f"Nobody belongs to {name}: accounts see it by their role in the laboratory.")
        next_step(f"mensura study members {study} --add NAME --as owner")


@click.command("identities")
@STUDY
@reading
def identities(study: Path, store: str | None, as_json: bool) -> None:
    """List who the participants of a study are. The audit trail records that you looked."""
    from mensura.running.study.membership.looking import identities_of, invited_to

    kept = opened(store)
    name = begun(study, kept)
    shown = invited_to(name, store=kept)
    rows = identities_of(shown, store=kept, who=WHO, address=getpass.getuser(), study=name)
    show(rows, (f"{row['number']}\t{row['label']}\t{row['name']}\t{row['contact']}" for row in rows), as_json=as_json)
    next_step(f"mensura study looks {study}")


@click.command("looks")
@STUDY
@reading
def looks(study: Path, store: str | None, as_json: bool) -> None:
    """List who looked at the identities of a study, or at it as administrator, and how its members changed."""
    from mensura.running.study.membership.looking import trail_of, whose
    from mensura.store.text import moment

    kept = opened(store)
    found = trail_of(begun(study, kept), store=kept)
    rows = [{"time": one.time, "who": one.who, "did": one.did, **one.details} for one in found]
    lines = (
        "\t".join((moment(one.time), one.who, one.did, whose(one), str(one.details.get("address", ""))))
        for one in found
    )
    show(rows, lines, as_json=as_json)


MEMBERS = (members, identities, looks)
