"""The display size test: fit a rectangle on the screen to a bank card."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.display_size.scoring import LEAST, MOST, SCORES, score
from mensura.dialogue import Ask, Number, Prompt, test
from mensura.phrase import phrase

INSTRUCTIONS = phrase(
    "Hold a bank card, or any card of that size, upright against the screen. Move the slider until the rectangle is as "
    "wide as the card. Please keep the zoom of the window as it is from now on."
)
WIDTH = Number(LEAST, MOST, integer=True, unit="px")


@dataclass(frozen=True)
class CardOutline(Prompt):
    """A rectangle as large as the number that is set."""

    kind: ClassVar[str] = "card-outline"
    page: ClassVar[dict[str, str]] = {
        "package": __package__,
        "template": "card.html",
        "script": "card.js",
        "style": "card.css",
    }

    def text(self) -> str:
        return "[A rectangle on the screen, to be made as wide as the short side of a bank card, 53.98 mm.]"


@test("display-size-v1", score=score, scores=SCORES, questions=1)
def display_size(rng: np.random.Generator) -> Generator[Ask, Any, None]:
    """Fit a rectangle on the screen to a bank card."""
    yield Ask([INSTRUCTIONS, CardOutline()], WIDTH, key="width")
