"""Line: one puzzle of a file, generated or foreign, and how it is written and checked.

Each line is a JSON object. `id`, `kind`, `prompt`, `space` and `answer` are needed; `options` where the space is a
choice; everything else may be missing where a foreign set does not say it, and is then unknown, never zero.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps
from pathlib import Path
from typing import Any

from mensura.catalog.puzzles.grammar.load import PARTS as LOAD
from mensura.catalog.puzzles.kinds.find import PLACES
from mensura.catalog.puzzles.making.item import MadeItem
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.dialogue import Choice, Space
from mensura.dialogue.canonical import plain, short_hash
from mensura.dialogue.spaces.base import space_class
from mensura.errors import BadFile, Invalid, MensuraError, unknown
from mensura.json_file import loads
from mensura.text_file import read_text, write_text

PARTS = (
    *("id", "kind", "prompt", "space", "options", "answer", "derivation", "load", "tags", "structure"),
    *("presentation", "grammar", "proof", "source", "licence", "answers", "calibration"),
)
PROOF = ("complexity", "checked", "alternatives")
SHAPES = {"derivation": " of rules, [operation, [constants], what it acts on]", "answers": " of [answer, weight]"}
GENERATED = "mensura generate puzzles"
"""The source of what is made here."""
NEEDED = ("id", "kind", "prompt", "answer")


@dataclass(frozen=True)
class PuzzleLine:
    """One puzzle as a file holds it."""

    id: str
    kind: str
    prompt: PuzzlePrompt
    space: Space
    answer: Any
    load: Mapping[str, float] = field(default_factory=dict)
    """By part; empty where it is unknown."""
    derivation: tuple[Any, ...] = ()
    presentation: Mapping[str, str] = field(default_factory=dict)
    proof: Mapping[str, float] = field(default_factory=dict)
    answers: tuple[tuple[Any, float], ...] = ()
    structure: str = ""
    grammar: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""
    licence: str = ""
    calibration: Mapping[str, Any] | None = None

    @property
    def chance(self) -> float:
        """How often a random answer is right: one in so many options, and never where the answer is constructed."""
        return 1 / len(self.space.options) if isinstance(self.space, Choice) else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the line in the documented order of parts."""
        choice = isinstance(self.space, Choice)
        described = {name: getattr(self, name) for name in PARTS if name not in ("options", "space", "prompt")}
        described |= {
            "derivation": list(self.derivation),
            "answers": [list(one) for one in self.answers],
            "tags": list(self.tags),
            "prompt": self.prompt.data(),
            "space": "choice" if choice else self.space.data(),
            "options": list(self.space.options) if isinstance(self.space, Choice) else None,
        }
        optional = ("options", "answers", "calibration")
        return {name: described[name] for name in PARTS if name not in optional or described[name]}

    @property
    def text(self) -> str:
        """The line as a file holds it."""
        return dumps(self.as_json(), default=plain, ensure_ascii=False)


def line_of(made: MadeItem, *, name: str, source: str = GENERATED) -> PuzzleLine:
    """Write a made item down under a name; a kind whose answers follow from a lexicon says so in its prompt."""
    load = made.load.as_json()
    look = made.presentation.as_json()
    return PuzzleLine(
        id=name,
        kind=made.kind,
        prompt=made.prompt,
        space=made.space,
        answer=made.answer,
        load=load,
        derivation=tuple(made.puzzle.derivation.data()),
        presentation=look,
        proof=made.proof.as_json(),
        answers=made.puzzle.answers,
        structure=made.structure,
        grammar=made.puzzle.derivation.grammar.id,
        tags=(made.kind, f"rules-{made.load.rules}", *(f"{axis}-{value}" for axis, value in look.items())),
        source=source,
        licence="CC0-1.0",
    )


def write_lines(lines: Iterable[PuzzleLine], path: Path) -> int:
    """Write puzzles to a file, one on each line; return how many."""
    texts = [line.text for line in lines]
    write_text(path, "".join(f"{text}\n" for text in texts))
    return len(texts)


def read_lines(path: str | Path) -> list[PuzzleLine]:
    """Read the puzzles of a file.

    Raises
    ------
    BadFile
        If a line is not what it should be; the message names it.
    """
    found = list(_read_each(path))
    if not found:
        raise BadFile(f"{path} holds no puzzles. Write some: mensura generate puzzles --count 100 -o {path}")
    return found


def _read_each(path: str | Path) -> Iterator[PuzzleLine]:
    from json import JSONDecodeError

    seen: dict[str, int] = {}
    for number, text in enumerate(read_text(path).splitlines(), start=1):
        if not text.strip():
            continue
        try:
            line = read_line(loads(text))
            if line.id in seen:
                raise BadFile(f"The id {line.id!r} is also that of line {seen[line.id]}. Give it another.")
        except JSONDecodeError as error:
            raise BadFile(f"{path}:{number}: this is not JSON: {error.msg} at column {error.colno}.") from None
        except MensuraError as error:
            raise BadFile(f"{path}:{number}: {error}") from None
        seen[line.id] = number
        yield line


def read_line(data: Any) -> PuzzleLine:
    """Read one puzzle from its JSON, or raise a sentence that says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise BadFile(f"A line is a JSON object; got {type(data).__name__}.")
    for part in data:
        if part not in PARTS:
            raise BadFile(
                str(unknown("part of a puzzle", str(part), known=PARTS, see=f"Parts are {', '.join(PARTS)}."))
            )
    for part in NEEDED:
        if data.get(part) in (None, ""):
            raise BadFile(f"It has no `{part}`. Each puzzle needs {', '.join(NEEDED)}, and a `space` or `options`.")
    kind = str(data["kind"])
    if kind not in PLACES:
        raise BadFile(str(unknown("kind of puzzle", kind, known=PLACES, see=f"There are {', '.join(PLACES)}.")))
    space = _space(data.get("space"), data.get("options"))
    prompt = _prompt(data["prompt"], kind)
    try:
        answer = space.check(str(data["answer"]) if space.kind in ("choice", "text") else data["answer"])
    except Invalid as error:
        raise BadFile(f"The answer lies outside the space: {error}") from None
    return PuzzleLine(
        id=str(data["id"]),
        kind=kind,
        prompt=prompt,
        space=space,
        answer=answer,
        load=_numbers(data.get("load"), LOAD, "load"),
        derivation=tuple(_list(data, "derivation")),
        presentation=_texts(data, "presentation"),
        proof=_numbers(data.get("proof"), PROOF, "proof"),
        answers=tuple((one[0], float(one[1])) for one in _list(data, "answers", _is_weighed)),
        structure=str(data.get("structure") or short_hash(prompt.data())),
        grammar=str(data.get("grammar") or ""),
        tags=tuple(map(str, _list(data, "tags"))),
        source=str(data.get("source") or ""),
        licence=str(data.get("licence") or ""),
        calibration=data.get("calibration"),
    )


def _space(named: Any, options: Any) -> Space:
    if options is not None:
        if not isinstance(options, list) or len(options) < 2 or len(set(map(str, options))) < len(options):
            raise BadFile(f"`options` are two or more different texts; got {options!r:.60}.")
        return Choice(tuple(map(str, options)))
    described = {"kind": named} if isinstance(named, str) else named
    if not isinstance(described, Mapping) or not isinstance(described.get("kind"), str):
        raise BadFile('It needs `options`, or a `space` such as {"kind": "text"}.')
    found = space_class(described["kind"])
    if found is None:
        raise BadFile(f"There is no space {described['kind']!r}. Name one such as choice, text or number.")
    try:
        return found.read({name: value for name, value in described.items() if name != "kind"})
    except (TypeError, ValueError, KeyError) as error:
        raise BadFile(f"The space {described['kind']} cannot be made: {error}.") from None


def _prompt(data: Any, kind: str) -> PuzzlePrompt:
    """Read a prompt; of a plain text becomes a question without cells."""
    if isinstance(data, str):
        return PuzzlePrompt(kind, data, ())
    if not isinstance(data, Mapping) or not isinstance(data.get("question"), str):
        raise BadFile("`prompt` is a text, or an object with `question` and `cells`.")
    for part in ("cells", "options"):
        cells = data.get(part, [])
        if not isinstance(cells, list | tuple) or any(
            not isinstance(one, Mapping) or "words" not in one for one in cells
        ):
            raise BadFile(f"`{part}` of the prompt is a list of objects with `type` and `words`; got {cells!r:.60}.")
    try:
        prompt = PuzzlePrompt.read({"puzzle": kind, **data})
        prompt.text()
    except (TypeError, KeyError, IndexError, ValueError) as error:
        raise BadFile(f"`prompt` cannot be shown ({error}); docs/puzzles.md says what it holds.") from None
    return prompt


def _numbers(data: Any, names: Sequence[str], part: str) -> dict[str, float]:
    if data is None:
        return {}
    if not isinstance(data, Mapping) or any(name not in names or not _is_number(data[name]) for name in data):
        raise BadFile(f"`{part}` has numbers for {', '.join(names)}; got {data!r:.80}.")
    return {name: data[name] for name in names if name in data}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_weighed(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and _is_number(value[1])


def _list(data: Mapping[str, Any], part: str, fits: Callable[[Any], bool] = lambda one: True) -> list[Any]:
    given = data.get(part)
    if given is not None and not (isinstance(given, list) and all(map(fits, given))):
        raise BadFile(f"`{part}` is a list{SHAPES.get(part, '')}; got {given!r:.60}.")
    return given or []


def _texts(data: Mapping[str, Any], part: str) -> dict[str, str]:
    given = data.get(part) or {}
    if not isinstance(given, Mapping):
        raise BadFile(f"`{part}` is an object of texts; got {given!r:.60}.")
    return {str(name): str(value) for name, value in given.items()}
