"""Embedded: an answer that a page of the test's own gives, in a frame that can reach nothing else."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.dialogue.spaces.base import Json, Space, typed
from mensura.dialogue.spaces.shape import check_shape, draw_shape, fit
from mensura.dialogue.spaces.text import storable
from mensura.errors import BadFile, Invalid
from mensura.json_file import loads

TRIALS: Json = {
    "type": "array",
    "minItems": 1,
    "maxItems": 2000,
    "items": {
        "type": "object",
        "properties": {
            "trial_type": {"type": "string", "maxLength": 200},
            "trial_index": {"type": "integer", "minimum": 0},
            "time_elapsed": {"type": "number", "minimum": 0},
            "rt": {"type": ["number", "null"], "minimum": 0},
        },
        "required": ["trial_type", "trial_index", "time_elapsed"],
        "additionalProperties": True,
    },
}
"""The shape of jsPsych's data: a list of trials, each with whatever its plugin adds."""


@dataclass(frozen=True)
class Embedded(Space):
    """JSON of a declared shape that an HTML page gives; programs give the same JSON.

    A test makes a class of its own that says where the files of the page are, and `start` which is opened::

        class Flanker(Embedded):
            kind = "flanker"
            site = {"folder": str(Path(__file__).parent / "flanker"), "start": "index.html"}

    In a package, `"package": __package__` names it in place of the folder; its files are in the folder `pages`.
    """

    kind: ClassVar[str] = "embedded"
    submits: ClassVar[bool] = True
    page: ClassVar[Mapping[str, Any] | None] = {
        "package": "mensura.dialogue.spaces",
        "template": "embedded.html",
        "script": "embedded.js",
    }
    site: ClassVar[Mapping[str, str]] = {}
    """Where the page's files are."""
    shape: Mapping[str, Any]
    """JSON schema of the answer, in the words of `mensura.dialogue.spaces.shape`."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """The data that the page gets with the ask; anyone who answers can read them."""
    height: int = 480
    """Of the frame in pixels, until the page asks for another."""
    longest: int = 500_000
    """Characters of the answer as JSON."""

    def __post_init__(self) -> None:
        check_shape(self.shape)
        if self.site and not (self.site.get("folder") or self.site.get("package")):
            raise BadFile(f"The site of {type(self).__name__} must name a folder or a package.")

    def check(self, answer: Any) -> Any:
        try:
            text = json.dumps(answer, allow_nan=False, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError):
            raise Invalid("The answer must be JSON.") from None
        if len(text) > self.longest:
            raise Invalid(f"The answer has {len(text)} characters as JSON; at most {self.longest} are allowed.")
        if not storable(text) or "\\u0000" in text:
            raise Invalid("The answer holds a character that cannot be stored: NUL, or half of a surrogate pair.")
        return fit(answer, self.shape)

    def schema(self) -> Json:
        return dict(self.shape)

    def draw(self, rng: np.random.Generator) -> Any:
        return draw_shape(self.shape, rng)

    def parse(self, form: Mapping[str, str]) -> Any:
        try:
            return loads(typed(form))
        except (ValueError, RecursionError):
            raise Invalid("The answer must be JSON.") from None

    def hint(self) -> str:
        told = f"People are shown a page that is told {canonical(dict(self.told))}. " if self.told else ""
        return f"{told}Answer with JSON that fits {canonical(self.schema())}."
