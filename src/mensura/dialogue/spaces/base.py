"""Space: where an answer must lie. Declared once, it serves every kind of subject."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue.canonical import canonical, fields_data
from mensura.dialogue.kind import Kinds, class_of_kind
from mensura.errors import Invalid, MissingExtra
from mensura.extension import broken, extensions, load

if TYPE_CHECKING:
    from mensura.dialogue.spaces.call import Tool

Json = dict[str, Any]
SPACES = "mensura.spaces"
"""Entry points of packages that bring spaces, each named by its kind."""
BUILT_IN, LIKE = "mensura.dialogue.spaces.", "like"


class Space(Kinds, ABC):
    """Where an answer must lie: the check, the form, the JSON schema, the Gymnasium space, the random answer.

    Subclasses are frozen dataclasses. `check` gives the answer back in its one canonical JSON form or raises
    `Invalid` with a sentence for the subject that answered.
    """

    kind: ClassVar[str]
    natural: ClassVar[str] = ""
    """Where its natural score is, as "module:NAME" of a `mensura.scores.natural.Natural`; empty where it has none."""
    pools: ClassVar[bool] = False
    """Whether several answers have a mean and a median."""
    alternatives: ClassVar[str] = ""
    """The part that lists its alternatives, where it has some."""
    submits: ClassVar[bool] = False
    """Whether its control on a page brings its own buttons."""
    page: ClassVar[Mapping[str, Any] | None] = None
    """Template, script and style that a package brings for it (see `mensura.web.drawing.own_page`)."""

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> Self:
        """Make the space again from what `described` gave."""
        return cls(**{name: value for name, value in described.items() if name not in ("kind", LIKE)})

    @abstractmethod
    def check(self, answer: Any) -> Any:
        """Return the answer in canonical form, or raise `Invalid` with what is wrong."""

    @abstractmethod
    def schema(self) -> Json:
        """Describe valid answers as JSON schema, for models and programs."""

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Any:
        """Draw a valid answer at random: the chance baseline."""

    @abstractmethod
    def parse(self, form: Mapping[str, str]) -> Any:
        """Read an answer that a person gave: the fields of an HTML form, or what was typed (field "answer").

        People write shares as percents (`mensura.dialogue.spaces.percent`); the answer has them as programs do.
        """

    @property
    def percent(self) -> bool:
        """Return whether people give some of its numbers as percents."""
        return False

    def hint(self) -> str:
        """Return in words what a valid answer is, for programs and language models."""
        return f"Answer with JSON that fits {canonical(self.schema())}."

    def hint_for_people(self) -> str:
        """Return in words what `parse` reads, for people at a terminal."""
        return self.hint()

    def gym(self) -> Any:
        """Return the Gymnasium space whose elements `from_gym` turns into answers."""
        raise Invalid(f"A {self.kind} answer has no fixed-size array form, so agents cannot give it.")

    def from_gym(self, action: Any) -> Any:
        """Turn an element of the Gymnasium space into an answer; anything else may raise TypeError or ValueError."""
        return action.item() if hasattr(action, "item") else action

    def answer_by(self, action: Any) -> Any:
        """Return the answer that an agent gives by an action; one outside the Gymnasium space is not a valid answer."""
        try:
            return self.from_gym(action)
        except (TypeError, ValueError):
            return Outside(action)

    @property
    def acts(self) -> Mapping[str, "Tool"]:
        """The tools by name where an answer is {"call": name, "arguments": {...}}; a page has a form for each."""
        return {}

    @property
    def whole(self) -> float | None:
        """Return the sum of the numbers of an answer, if it is fixed."""
        return None

    def pool(self, answers: Sequence[Any], how: Callable[..., Any]) -> Any:
        """Make one answer of several number by number; amounts of a whole are scaled to be one again.

        Parameters
        ----------
        how
            `numpy.mean` or `numpy.median`.
        """
        named = isinstance(answers[0], dict)
        table = np.array([list(answer.values()) if named else answer for answer in answers], dtype=float)
        numbers = how(table, axis=0)
        if self.whole is not None:
            if numbers.sum() == 0:
                numbers = table.mean(axis=0)
            numbers = numbers * (self.whole / numbers.sum())
        if getattr(self, "integer", False):
            numbers = np.rint(numbers).astype(int)
        plain = numbers.tolist()
        return dict(zip(answers[0], plain, strict=True)) if named else plain

    def outcome(self, answer: Any) -> Any:
        """Return what is right, as somebody wrote it, in the form in which it counts, or raise `Invalid`."""
        return self.check(answer)

    def misfit(self, truth: Any) -> str:
        """Return why a truth can be nobody's answer; "" where it can."""
        try:
            answer = self.check(truth)
        except Invalid as wrong:
            return str(wrong)
        return "" if canonical(answer) == canonical(truth) or answer == truth else f"The answer would be {answer!r}."

    def data(self) -> Json:
        """Describe the space itself as JSON, for records and pages."""
        return fields_data(self)

    def described(self) -> Json:
        """Describe all of it, for pages and for subjects in other processes.

        A space too large to be logged at every ask gives only names in `data`, and the rest here. One that a test or a
        package brings also names the kind of ours that it is like, for those who cannot load it.
        """
        ours = (each for each in type(self).__mro__ if each.__module__.startswith(BUILT_IN))
        like = getattr(next(ours), "kind", self.kind)
        return self.data() if like == self.kind else {**self.data(), LIKE: like}

    @cached_property
    def fingerprint(self) -> str:
        """One text for one space, for digests."""
        return canonical(self.data())


class Outside:
    """An action that lies outside the Gymnasium space: no space takes it for an answer."""

    def __init__(self, action: Any) -> None:
        self.action = action

    def __repr__(self) -> str:
        return f"the action {self.action!r}"


def space_class(kind: str) -> type[Space] | None:
    """Find the class of a kind of space: one that is loaded, or one that an installed package brings."""
    found: type[Space] | None = class_of_kind(kind, Space)
    point = extensions(SPACES).get(kind) if found is None else None
    if point is None:
        return found
    brought: Any = load(point)
    if not isinstance(brought, type) or not issubclass(brought, Space) or brought.kind != kind:
        raise broken(point, f"it is {brought!r:.60}, not a class of spaces whose kind is {kind!r}")
    return brought


def typed(form: Mapping[str, str], name: str = "answer") -> str:
    """Return a field of a form, or raise `Invalid` where it is missing."""
    text = form.get(name, "").strip()
    if not text:
        raise Invalid("Nothing was answered.")
    return text


def fields_under(form: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Return the fields of one part of a form as if the part were the whole answer.

    >>> fields_under({"answer.0.age": "7", "answer.0.age.unit": "years", "answer.0.ages": "x"}, "answer.0.age")
    {'answer': '7', 'answer.unit': 'years'}
    """
    size = len(prefix)
    return {"answer" + key[size:]: text for key, text in form.items() if key == prefix or key.startswith(f"{prefix}.")}


def read_people_json(space: Space, value: Any) -> Any:
    """Read a part of what a person wrote as JSON: where people give percents, its numbers are percents."""
    return space.parse(dict(answer_fields(value))) if space.percent else value


def answer_fields(value: Any, name: str = "answer") -> Iterator[tuple[str, str]]:
    """Return the fields of a form that hold an answer as it stands."""
    if isinstance(value, (Mapping, list)):
        for key, part in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from answer_fields(part, f"{name}.{key}")
    else:
        yield name, value if isinstance(value, str) else canonical(value)


def as_number(value: Any, what: str) -> float:
    """Read a number that JSON, numpy or Python may have given; booleans and texts are not numbers."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise Invalid("{what} must be a number; got {got}.", what=what, got=shown(value))
    try:
        number = float(value)
    except OverflowError:
        raise Invalid(
            "{what} is too large; got a number of {count} digits.", what=what, count=len(str(value))
        ) from None
    if number != number or number in (float("inf"), float("-inf")):
        raise Invalid("{what} must be finite; got {got}.", what=what, got=value)
    return number


def read_number(text: str, what: str) -> float:
    """Read a number that a person typed."""
    try:
        return float(text.replace(",", ".")) if text.count(",") == 1 and "." not in text else float(text)
    except ValueError:
        raise Invalid("{what} must be a number; got {got}.", what=what, got=shown(text)) from None


def shown(value: Any) -> str:
    """Show a wrong value in a sentence without letting it fill the page."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def place_in(count: int, action: Any) -> int:
    """Read an element of a Discrete space from 0."""
    number = index(action)
    if not 0 <= number < count:
        raise ValueError(f"{number} is not below {count}")
    return number


def shares_in(count: int, action: Any) -> NDArray[np.float64]:
    """Read weights from 0 to 1 as shares of one; all zero means even shares."""
    weights = np.asarray(action, dtype=float)
    if weights.shape != (count,) or not np.all((weights >= 0) & (weights <= 1)):
        raise ValueError(f"weights are {count} numbers from 0 to 1")
    return weights / weights.sum() if weights.any() else np.full(count, 1 / count)


def gymnasium_spaces() -> Any:
    """Import gymnasium.spaces, or say what to install."""
    try:
        from gymnasium import spaces
    except ImportError:
        raise MissingExtra("Array forms of answers", package="gymnasium", extra="gym") from None
    return spaces
