"""Beside: content shown beside the answer where the window has room, such as an artefact next to its rubric."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt, PromptLike, prompt_data, prompt_text


@dataclass(frozen=True)
class Beside(Prompt):
    """A prompt that stays in sight beside the answer on a wide screen, and above it on a narrow one.

    >>> Beside(["A letter:", "Dear all."]).text()
    'A letter:\\n\\nDear all.'
    """

    kind: ClassVar[str] = "beside"
    shown: PromptLike

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "shown": prompt_data(self.shown)}

    def page_data(self) -> dict[str, Any]:
        return {"kind": self.kind, "shown": prompt_data(self.shown, page=True)}

    def text(self) -> str:
        return prompt_text(self.shown)
