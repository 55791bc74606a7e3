"""The handbook: the planner's manual, the tools' manuals and the other pages, filled in from Markdown files."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.programme.ruling import sequence
from mensura.catalog.crisis.world.time import BLOCKS, slot_words
from mensura.errors import BadFile

FOLDER = Path(__file__).with_name("pages")


def manual(scene: Backdrop) -> str:
    """Write the planner's manual."""
    return _fill("manual", {**scene.values, **_more(scene)})


def pages(scene: Backdrop) -> dict[str, str]:
    """Write all other pages."""
    known = {**scene.values, **_more(scene)}
    return {name: _fill(name, known) for name in _names() if name != "manual"}


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.md")))


@cache
def _words(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def _fill(name: str, known: Mapping[str, str]) -> str:
    try:
        return _words(name).format_map(known)
    except KeyError as wrong:
        raise BadFile(f"{name}.md: {{{wrong.args[0]}}} is a placeholder without a value.") from None


def _more(scene: Backdrop) -> dict[str, str]:
    houses = scene.buildings
    blocks = "\n".join(f"| {n + 1} | {words} |" for n, words in enumerate(BLOCKS))
    vendors = "\n".join(
        f"| {vendor.name} | {vendor.kind} | {vendor.lead_days} | {vendor.delivery:.0f} | {vendor.change_fee:.0f} "
        f"| {vendor.cancel_fee:.0f} |"
        for vendor in scene.vendors.values()
    )
    tracks = "\n".join(
        f"- {track}: letter {letter}"
        for letter, track in zip("ABCDEFGH", scene.field.tracks[: scene.parameters.tracks], strict=False)
    )
    pairs = "\n".join(
        f"- {scene.drafts[one].short} before {scene.drafts[two].short}" for one, two in sequence(scene.drafts.values())
    )
    return {
        "title": scene.field.title,
        "university": scene.university,
        "boss": scene.staff.boss.name,
        "predecessor": scene.staff.predecessor.name,
        "first_day": slot_words(0, first=scene.first).split(",")[0],
        "blocks": blocks,
        "vendors": vendors,
        "tracks": tracks,
        "sequence": pairs,
        "union": houses["union"].name,
        "north": houses["north"].name,
        "south": houses["south"].name,
        "hotel": houses["hotel"].name,
        "events": str(len(scene.drafts)),
    }
