"""Questions: several of them answered on one page, each with its own space."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, fields_under, gymnasium_spaces, read_people_json, shown, typed
from mensura.dialogue.spaces.described import read_space
from mensura.errors import Invalid
from mensura.json_file import loads


@dataclass(frozen=True)
class Questions(Space):
    """Several questions on one page, by key: what is asked, and where the answer lies. The answer has the same keys.

    Where several in a row have one scale, people see them as a table, on a phone as a list.

    >>> from mensura.dialogue.spaces.number import Likert
    >>> Questions({"q1": ("I like it.", Likert(7)), "q2": ("I need it.", Likert(7))}).check({"q1": 3, "q2": 8})
    Traceback (most recent call last):
    mensura.errors.Invalid: “I need it.”: Choose a whole number from 1 to 7; got 8.
    """

    kind: ClassVar[str] = "questions"
    questions: Mapping[str, tuple[str, Space]]

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> "Questions":
        given = described["questions"].items()
        return cls({key: (one["text"], read_space(one["space"])) for key, one in given})

    def check(self, answer: Any) -> Json:
        if not isinstance(answer, Mapping) or set(answer) != set(self.questions):
            raise Invalid(
                "Give an answer to each of {keys}; got {got}.", keys=", ".join(self.questions), got=shown(answer)
            )
        return self._each(answer, {key: space.check for key, (_, space) in self.questions.items()})

    def schema(self) -> Json:
        parts = {key: {**space.schema(), "description": text} for key, (text, space) in self.questions.items()}
        return {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}

    def draw(self, rng: np.random.Generator) -> Json:
        return {key: space.draw(rng) for key, (_, space) in self.questions.items()}

    def parse(self, form: Mapping[str, str]) -> Any:
        """Read fields "answer.<place of the question>", or one line of JSON."""
        spaces = {key: space for key, (_, space) in self.questions.items()}
        if any(name.startswith("answer.") for name in form):
            fields = {key: fields_under(form, f"answer.{place}") for place, key in enumerate(spaces)}
            return self._each(fields, {key: space.parse for key, space in spaces.items()})
        try:
            written = loads(typed(form))
        except ValueError:
            raise Invalid(self.hint_for_people()) from None
        if not isinstance(written, Mapping) or set(written) != set(spaces):
            return written
        return self._each(written, {key: partial(read_people_json, space) for key, space in spaces.items()})

    def _each(self, given: Mapping[str, Any], how: Mapping[str, Callable[[Any], Any]]) -> Json:
        done = {}
        for key, act in how.items():
            try:
                done[key] = act(given[key])
            except Invalid as wrong:
                raise Invalid("“{question}”: {wrong}", question=self.questions[key][0], wrong=wrong.said) from None
        return done

    @property
    def percent(self) -> bool:
        return any(space.percent for _, space in self.questions.values())

    def hint(self) -> str:
        asked = "; ".join(f"{key} ({text}): {space.hint()}" for key, (text, space) in self.questions.items())
        return f"A JSON object with an answer to each question. {asked}"

    def hint_for_people(self) -> str:
        return f"{self.hint()}{' Write shares in percent.' if self.percent else ''}"

    def gym(self) -> Any:
        return gymnasium_spaces().Dict({key: space.gym() for key, (_, space) in self.questions.items()})

    def from_gym(self, action: Any) -> Json:
        return {key: space.from_gym(action[key]) for key, (_, space) in self.questions.items()}

    def data(self) -> Json:
        asked = {key: {"text": text, "space": space.data()} for key, (text, space) in self.questions.items()}
        return {"kind": self.kind, "questions": asked}


def unfolded(given: Mapping[str, Any], *, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Return answers by key with those of several questions apart, each under a prefix and its own key.

    >>> dict(unfolded({"page1": {"q1": 3, "q2": 5}, "q3": "x"}))
    {'q1': 3, 'q2': 5, 'q3': 'x'}
    """
    for key, value in given.items():
        if isinstance(value, Mapping):
            for own, part in value.items():
                yield f"{prefix}{own}", part
        else:
            yield key, value
