"""The contribution of a system to the page of `mensura tour`: one picture from a run and two sentences.

A system declares its stop by an entry point of the group `mensura.tour`: a function that is handed a `Guide`, takes a
few sessions with it and returns a `TourStop`. The module of the function lies in the folder of the system, beside
`dialogue.py`: tests in that folder and beneath it are shown by this stop.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mensura.dialogue import Event, Instance
from mensura.exhibit.group import Group


class Guide(Protocol):
    """Takes sessions for a stop, with a fixed seed."""

    def __call__(self, test: str, cast: str | Mapping[str, str], *, sessions: int = 1, **parameters: Any) -> Group:
        """Return the sessions of a subject, or of a subject for each role, with their scores and records."""

    def again(self, group: Group) -> tuple[Instance, Sequence[Event], dict[str, Any]]:
        """Return the last session of a group as `replay` reads it: what was administered, its events, and how."""


@dataclass(frozen=True)
class TourStop:
    """One system on the tour.

    Parameters
    ----------
    title
        What the system is called.
    asks
        What it asks, in a sentence.
    found
        What came out of the run, in a sentence.
    picture
        The picture from the run: SVG, or an element of HTML that brings its own styles.
    words
        What the picture shows, for readers who cannot see it.
    command
        What to type to see more.
    """

    title: str
    asks: str
    found: str
    picture: str
    words: str
    command: str = ""

    @property
    def is_svg(self) -> bool:
        """Return whether the picture is SVG, which is shown as an image so that its styles and names stay apart."""
        return self.picture.lstrip().startswith("<svg")

    @property
    def address(self) -> str:
        """The picture as an address that holds all of it."""
        return f"data:image/svg+xml;base64,{b64encode(self.picture.encode()).decode()}"


def flipbook(drawings: Sequence[str], *, seconds: float = 0.2) -> str:
    """Return drawings of one size, SVG, as one SVG that shows them one after the other for ever.

    Readers who asked for little motion see the last one.

    >>> flipbook(['<svg viewBox="0 0 1 1"></svg>'] * 2, seconds=1).count("animation-delay")
    2
    """
    count = len(drawings)
    start = drawings[0]
    box = start[start.index('viewBox="') + 9 :].partition('"')[0]
    shown = "".join(
        f'<g style="animation-delay:{number * seconds:.2f}s">{drawing}</g>' for number, drawing in enumerate(drawings)
    )
    style = (
        "g.book>g{visibility:hidden;animation:turn "
        f"{count * seconds:.2f}s steps(1) infinite}}@keyframes turn{{0%{{visibility:visible}}"
        f"{100 / count:.4f}%{{visibility:hidden}}}}@media (prefers-reduced-motion:reduce)"
        "{g.book>g{animation:none}g.book>g:last-child{visibility:visible}}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><style>{style}</style>'
    return f'{head}<g class="book">{shown}</g></svg>'
