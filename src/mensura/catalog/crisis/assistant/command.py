"""`mensura generate crisis-learning`: train the assistant by sessions of ordinary use."""

import json

import click

from mensura.catalog.crisis.assistant.learned import LEARNERS
from mensura.catalog.crisis.assistant.training import train


@click.command()
@click.option("--packages", default="training-1,training-2,training-3,training-4", help="Training packages, in order.")
@click.option("--out", type=click.Path(dir_okay=False), required=True, help="The file to write.")
@click.option("--json", "as_json", is_flag=True, help="Say what was learned as JSON.")
def generate(packages: str, out: str, as_json: bool) -> None:
    """Train the crisis's assistant in training packages and write what it learned, with its sources and checksum."""
    names = [name for name in packages.replace(",", " ").split() if name]
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
