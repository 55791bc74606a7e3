"""The rating test: artefacts one after the other, each rated item by item of a rubric."""

from base64 import b64decode
from collections.abc import Generator, Mapping
from typing import Annotated, Any

import numpy as np

from mensura.catalog.rating.scoring import score_rating, scores
from mensura.catalog.rating.settings import ARTEFACTS, RUBRIC
from mensura.dialogue import Ask, Beside, Image, PromptLike, Questions, Save, Space, Text, test
from mensura.survey.rubric import Rubric, RubricItem

PASSAGE = Text(longest=2000, lines=2)
COMMENT = Text(longest=5000, lines=3)


@test("rating-v1", score=score_rating, scores=scores, memory=0)
def rating(
    rng: np.random.Generator,
    *,
    artefacts: Annotated[
        list[Any],
        "What is rated: a list of artefacts, each with code and text, or with code, kind (image), data and "
        "media_type; two made-up answers where nothing is given.",
    ] = ARTEFACTS,
    rubric: Annotated[
        dict[str, Any],
        "What raters are asked: instructions and items, each with key, text and scale; a small rubric for the "
        "made-up answers where nothing is given.",
    ] = RUBRIC,
    saved: Any = None,
) -> Generator[Ask | Save, Any, None]:
    """Rate artefacts by a rubric, blind to where they come from."""
    read = Rubric.read(rubric)
    first = saved["next"] if saved else 0
    if read.instructions and first == 0:
        yield Ask(read.instructions)
    for number in range(first, len(artefacts)):
        artefact = artefacts[number]
        if artefact.get("kind") == "erased":
            # Its maker withdrew; the others keep their places.
            continue
        shown = show(artefact, place=f"{number + 1} of {len(artefacts)}")
        items = [item for item in read.items if item.key in artefact.get("items", [item.key])]
        if read.layout == "page":
            yield from _rate_together(items, shown, code=artefact["code"], comments=read.comments)
            yield Save({"next": number + 1})
            continue
        for item in items:
            yield from _rate(item, shown, code=artefact["code"])
        if read.comments:
            yield Ask([*shown, read.comments], COMMENT, key=f"{artefact['code']}/comment")
        yield Save({"next": number + 1})


def _rate_together(
    items: list[RubricItem], shown: list[PromptLike], *, code: str, comments: str
) -> Generator[Ask, Any, None]:
    """Ask all items on one page beside the artefact; passages are picked one after the other, beside it too."""
    beside: list[PromptLike] = [Beside(shown)]
    for item in items:
        if item.pick:
            yield from _rate(item, beside, code=code)
    together: dict[str, tuple[str, Space]] = {
        item.key: (item.text, item.scale.space) for item in items if not item.pick
    }
    if comments:
        together["comment"] = (comments, COMMENT)
    if together:
        yield Ask(beside, Questions(together), key=f"{code}/page")


def _rate(item: RubricItem, shown: list[PromptLike], *, code: str) -> Generator[Ask, Any, None]:
    key = f"{code}/{item.key}"
    if not item.pick:
        yield Ask([*shown, item.text], item.scale.space, key=key)
        return
    for number in range(1, item.pick + 1):
        words = f"{item.text}\n\nPassage {number} of at most {item.pick}: which is it? Leave empty if there is none."
        passage = yield Ask([*shown, words], PASSAGE, key=f"{key}/{number}/passage")
        if not (passage or "").strip():
            return
        quoted = f"{item.text}\n\nYour passage {number}:\n\n> {passage.strip()}"
        yield Ask([*shown, quoted], item.scale.space, key=f"{key}/{number}")


def show(artefact: Mapping[str, Any], *, place: str) -> list[PromptLike]:
    """Show an artefact under its code, which says nothing of where it comes from."""
    head = f"**Artefact {artefact['code']}** ({place})"
    if artefact.get("kind") == "image":
        picture = Image(b64decode(artefact["data"]), f"artefact {artefact['code']}", artefact["media_type"])
        return [head, picture]
    return [head, artefact["text"] or "(This artefact is empty.)"]
