"""Prompt: what is shown, as data first. A string is Markdown; a list shows its parts one below the other."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Union

from mensura.dialogue.canonical import fields_data
from mensura.dialogue.kind import Kinds, class_of_kind
from mensura.extension import extensions, load

PROMPTS = "mensura.prompts"
"""Entry points of packages that bring prompts which files of items may hold."""

PromptLike = Union[str, "Prompt", Sequence["PromptLike"]]


class Prompt(Kinds, ABC):
    """A prompt, as data; pages draw it from `data`, terminals and language models read `text`."""

    kind: ClassVar[str]
    beside: ClassVar[tuple[str, ...]] = ()
    """The extra fields of items with such a prompt in files; banks ignore them."""

    def data(self) -> dict[str, Any]:
        """Return all that is shown, as JSON."""
        return fields_data(self)

    def page_data(self) -> dict[str, Any]:
        """Return what a page needs to draw it: the data, or more where the page shows a world that lives on.

        A world too large to be logged at every ask logs only what is new in `data`; replaying the session brings the
        rest back, so that what the page showed can be shown again.
        """
        return self.data()

    @abstractmethod
    def text(self) -> str:
        """Return the same in plain text."""


def read_prompt(data: Mapping[str, Any]) -> Prompt | None:
    """Make a prompt again from its data, by the class of its kind; None where no class that can is at hand.

    A class that a package brings is an entry point in the group `mensura.prompts`, and has a class method `read`.
    """
    kind = str(data.get("kind", ""))
    found = class_of_kind(kind, Prompt)
    if found is None and (point := extensions(PROMPTS).get(kind)) is not None:
        found = load(point)
    return found.read(data) if hasattr(found, "read") else None


def prompt_data(prompt: Any, *, page: bool = False) -> Any:
    """Return any prompt as JSON: a string stays itself, a list becomes a list; for a page, all that it draws."""
    if isinstance(prompt, str):
        return prompt
    if isinstance(prompt, Prompt):
        return prompt.page_data() if page else prompt.data()
    if isinstance(prompt, Sequence):
        return [prompt_data(part, page=page) for part in prompt]
    raise TypeError(f"A prompt is a string, a Prompt or a list of these; got {type(prompt).__name__}.")


def prompt_text(prompt: Any) -> str:
    """Return any prompt in plain text.

    >>> print(prompt_text(["Look:", "there"]))
    Look:
    <BLANKLINE>
    there
    """
    if isinstance(prompt, str):
        return prompt
    if isinstance(prompt, Prompt):
        return prompt.text()
    return "\n\n".join(prompt_text(part) for part in prompt)
