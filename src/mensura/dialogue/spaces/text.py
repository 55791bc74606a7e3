"""Text: free words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, gymnasium_spaces, shown
from mensura.errors import Invalid

LETTERS = "abcdefghijklmnopqrstuvwxyz "


@dataclass(frozen=True)
class Text(Space):
    """Free words, between two lengths.

    >>> Text(longest=5).check("too long")
    Traceback (most recent call last):
    mensura.errors.Invalid: The text has 8 characters; at most 5 are allowed.
    """

    kind: ClassVar[str] = "text"
    natural: ClassVar[str] = "mensura.scores.natural:ALIKE"
    longest: int = 10_000
    shortest: int = 0
    lines: int = 4
    """Height of the field for people; 1 is a single line."""

    def check(self, answer: Any) -> str:
        if not isinstance(answer, str):
            raise Invalid("The answer must be a text; got {got}.", got=shown(answer))
        if not storable(answer):
            raise Invalid("The text holds a character that cannot be stored: NUL, or half of a surrogate pair.")
        if len(answer) > self.longest:
            count, most = len(answer), self.longest
            raise Invalid("The text has {count} characters; at most {most} are allowed.", count=count, most=most)
        if len(answer) < self.shortest:
            count, least = len(answer), self.shortest
            raise Invalid("The text has {count} characters; at least {least} are needed.", count=count, least=least)
        return answer

    def schema(self) -> Json:
        return {"type": "string", "minLength": self.shortest, "maxLength": self.longest}

    def draw(self, rng: np.random.Generator) -> str:
        length = int(rng.integers(self.shortest, min(self.longest, self.shortest + 20) + 1))
        return "".join(LETTERS[i] for i in rng.integers(len(LETTERS), size=length))

    def parse(self, form: Mapping[str, str]) -> str:
        # Browsers send CRLF; what was typed has one line end.
        return form.get("answer", "").replace("\r\n", "\n")

    def hint(self) -> str:
        return f"A text of at most {self.longest} characters."

    def gym(self) -> Any:
        return gymnasium_spaces().Text(max_length=self.longest, min_length=self.shortest)


def folded(text: str) -> str:
    """Return a text without what does not count in it: the case of letters, and how much space is between words.

    >>> folded(" New  York ")
    'new york'
    """
    return " ".join(text.split()).casefold()


def storable(text: str) -> bool:
    """Return whether every database can store a text.

    >>> storable("ö"), storable(chr(0)), storable(chr(0xD800))
    (True, False, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\x00" not in text
