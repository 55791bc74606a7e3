"""`mensura new`: a test to start from."""

import re
from pathlib import Path

import click

from mensura.console import next_step, say
from mensura.errors import BadParameter
from mensura.text_file import write_text

TEMPLATE = '''"""{title}: say here what it measures, where it comes from and what it does not measure."""

from typing import Annotated

from mensura.dialogue import Ask, Choice, test

COLOURS = Choice(("red", "blue"))


@test("{id}-v1", chance={{"accuracy": 0.5}})
def {name}(rng, *, draws: Annotated[int, "How many balls are drawn from the urn, 1 or more."] = 20):
    """Guess the colour that an urn gives more often; its last draws are shown."""
    red = rng.choice([0.3, 0.7])
    seen = []
    for i in range(draws):
        yield Ask(
            f"Drawn so far: {{', '.join(seen) or 'nothing'}}. Which colour is more common in the urn?",
            COLOURS,
            key=f"draw{{i}}",
            truth="red" if red > 0.5 else "blue",
        )
        seen.append("red" if rng.random() < red else "blue")


def respond(ask):
    """Answer with the colour seen most often: a subject to compare with chance."""
    return "red" if ask.prompt.count("red") > ask.prompt.count("blue") else "blue"
'''


@click.command("new")
@click.argument("name")
def command(name: str) -> None:
    """Write NAME.py: a test of about ten lines and a subject for it, to change into yours.

    \b
      mensura new urn
      mensura check ./urn.py:urn
      mensura run ./urn.py:urn --as ./urn.py:respond --sessions 20
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise BadParameter(f"A test's name is in lower case letters, digits and underscores; got {name!r}.")
    path = Path(f"{name}.py")
    if path.exists():
        raise BadParameter(f"{path} already exists; choose another name or move it away.")
    write_text(path, TEMPLATE.format(title=name.replace("_", " ").capitalize(), id=name.replace("_", "-"), name=name))
    say(f"Wrote {path}.")
    next_step(f"mensura check ./{path}:{name}")
