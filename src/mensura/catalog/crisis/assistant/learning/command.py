"""`mensura generate crisis-learning`: train the assistant in sessions of a script that is told the key."""

import json
from pathlib import Path

import click

from mensura.catalog.crisis.assistant.learning.learned import LEARNERS
from mensura.catalog.crisis.assistant.learning.training import train
from mensura.errors import BadParameter


@click.command()
@click.option("--packages", default="training-1,training-2,training-3,training-4", help="Training packages, in order.")
@click.option("--out", type=click.Path(dir_okay=False), required=True, help="The file to write.")
@click.option("--json", "as_json", is_flag=True, help="Say what was learned as JSON.")
def generate(packages: str, out: str, as_json: bool) -> None:
    """Train the crisis's assistant in training packages and write what it learned, with its sources and checksum."""
    names = packages.replace(",", " ").split()
    if not names:
        raise BadParameter("Name at least one training package, such as --packages training-1.")
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadParameter(f"--packages names {twice[0]} twice; every session is learned from once.")
    # Training takes minutes: what cannot be written is said before.
    if not Path(out).resolve().parent.is_dir():
        raise BadParameter(f"--out {out}: there is no folder {Path(out).parent}.")
    learned = train(names)
    learned.write(out)
    summary: dict[str, object] = {"file": out, "sha256": learned.sha256, "packages": names, "learners": list(LEARNERS)}
    summary["letters"] = len(learned.classifier.get("mails", []))
    summary["answers"] = len(learned.room_finder)
    if as_json:
        click.echo(json.dumps(summary))
    else:
        click.echo(
            f"{out}: learned from {len(names)} sessions, {summary['letters']} mails and {summary['answers']} answers "
            f"of owners; sha256 {learned.sha256[:16]}.",
            err=True,
        )
        click.echo(f"Next: mensura run crisis --condition radar+l --learned {out} --as scripted", err=True)
