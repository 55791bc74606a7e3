"""Answering: a question by mail is answered from the campus's pages, where one of them speaks of it."""

import re
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.act import Act, call

if TYPE_CHECKING:
    from mensura.catalog.crisis.subjects.worker import Worker

MOST = 2
"""Pages that someone opens for one question before they leave it."""
CLEAR = 2
"""Words that a question and a paragraph share for it to be the answer without further search."""
COMMON = re.compile(
    r"\b(?:about|also|answer|any|anyone|are|can|confirm|could|does|for|from|have|here|how|information|know|may|much|must"
    r"|need|one|please|question|should|sorry|tell|thank|that|the|their|them|there|they|this|urgent|was|what|when|where"
    r"|which|who|will|with|would|you|your)\b"
)
"""Words that do not say what a question is about."""


def reply(worker: "Worker", message: str, question: str) -> Generator[Act, Any, None]:
    """Look for the answer on pages read before, then on a few others, and write what was found."""
    pages = worker.memory.pages
    left = [name for name in worker.screen.raw["pages"] if name not in pages and not name.startswith("help-")]
    shared, answer = best_paragraph(question, "\n\n".join(pages.values()))
    for name in left[:MOST]:
        if shared >= CLEAR:
            break
        said = yield from worker.do(call("look", page="page", item=name))
        pages[name] = said["words"]
        shared, answer = max((shared, answer), best_paragraph(question, said["words"]), key=lambda found: found[0])
    if shared:
        yield from worker.do(call("reply", message=message, text=f"Thank you for asking. {answer}"))


def best_paragraph(question: str, text: str) -> tuple[int, str]:
    """Find the paragraph that shares most words with a question, and how many these are.

    >>> best_paragraph("Where do the shuttles stop?", "# Travel\\n\\nThe shuttle stops here.\\n\\nTaxis do not.")
    (2, 'The shuttle stops here.')
    """
    asked = _telling(question)
    found = [(len(asked & _telling(part)), part) for part in text.split("\n\n") if not part.startswith("#")]
    return max(found, key=lambda one: one[0], default=(0, ""))


def _telling(text: str) -> set[str]:
    """Return the words that say what a text is about, without their endings."""
    words = re.findall(r"[a-z]{3,}", COMMON.sub(" ", text.lower()))
    return {re.sub(r"(?:s|ing|ed|er|ers|ation)$", "", word) for word in words}
