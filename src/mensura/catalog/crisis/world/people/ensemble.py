"""The ensemble: people are made here, each with a name, an address and a way of writing that nobody else has."""

import re
import unicodedata
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, get_args

from mensura.catalog.crisis.world.people.person import Person, Style
from mensura.yaml_file import read_yaml

STYLES: tuple[Style, ...] = get_args(Style)


@cache
def names() -> dict[str, Any]:
    """Read the names that people and places are drawn from."""
    said: dict[str, Any] = read_yaml(Path(__file__).with_name("names.yaml"))
    return said


def slug(words: str) -> str:
    """Make an id of a name.

    >>> slug("Kestrel Bay")
    'kestrel-bay'
    """
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


class Ensemble:
    """Everyone in a world; `add` makes one more.

    >>> cast = Ensemble(rng=Random(1))
    >>> ada = cast.add(post="speaker")
    >>> ada.mail.endswith(".example"), cast.people == [ada]
    (True, True)
    """

    def __init__(self, *, rng: Random) -> None:
        self._rng = rng
        self._known = names()
        self._families = rng.sample(self._known["family"], len(self._known["family"]))
        self._taken: set[str] = set()
        self._phones: set[str] = set()
        self.people: list[Person] = []

    def add(self, *, post: str, affiliation: str = "", style: Style | None = None) -> Person:
        """Make someone; family names are not used twice before all have been used."""
        rng = self._rng
        family = self._families[len(self.people) % len(self._families)]
        given = rng.choice(self._known["given"])
        while f"{given} {family}" in self._taken:
            given = rng.choice(self._known["given"])
        name = f"{given} {family}"
        self._taken.add(name)
        affiliation = affiliation or self.affiliation()
        domain = f"{slug(affiliation)}.example"
        person = Person(
            id=slug(name),
            name=name,
            mail=f"{slug(given)[0]}.{slug(family)}@{domain}",
            phone=self._phone(),
            affiliation=affiliation,
            fax=self._phone() if rng.random() < 0.45 else "",
            site=f"https://{domain}/{slug(family)}" if rng.random() < 0.6 else "",
            post=post,
            style=style or rng.choices(STYLES, weights=(22, 16, 14, 14, 16, 10, 8))[0],
        )
        if any(person.mail == other.mail for other in self.people):
            person = person.model_copy(update={"mail": f"{slug(name)}@{domain}"})
        self.people.append(person)
        return person

    def affiliation(self) -> str:
        """Draw a place of learning."""
        pattern: str = self._rng.choice(self._known["affiliations"])
        return pattern.format(town=self._rng.choice(self._known["towns"]))

    def firm(self) -> str:
        """Draw the name of a firm."""
        pattern: str = self._rng.choice(self._known["firms"])
        return pattern.format(
            family=self._rng.choice(self._known["family"]), town=self._rng.choice(self._known["towns"])
        )

    def _phone(self) -> str:
        # Numbers 555 0100 to 555 0199 belong to nobody, in every area.
        while True:
            number = f"+1 {self._rng.randrange(201, 990)} 555 {self._rng.randrange(100, 200):04d}"
            if number not in self._phones:
                self._phones.add(number)
                return number
