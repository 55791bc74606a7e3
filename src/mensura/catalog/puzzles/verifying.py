"""Verifying: all that the puzzles of a file claim, computed anew from what each shows."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from mensura.catalog.puzzles.files.line import GENERATED, PROOF, PuzzleLine
from mensura.catalog.puzzles.grammar.load import load_of
from mensura.catalog.puzzles.kinds.find import PLACES, find_kind, why_missing
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.making.proof import SLACK, simplest
from mensura.catalog.puzzles.scoring import same
from mensura.catalog.puzzles.showing.presentation import AXES, Presentation
from mensura.catalog.puzzles.showing.prompt import LETTERS
from mensura.dialogue import Choice
from mensura.dialogue.canonical import canonical, short_hash

DIGITS = 2e-3
"""How far complexities may differ: files hold three places behind the point."""
UNREADABLE = (ValueError, KeyError, IndexError, TypeError, AttributeError)
"""What reading raises where a puzzle is not of its kind."""


@dataclass
class Verified:
    """What became of the puzzles of a file."""

    right: int = 0
    wrong: dict[str, list[str]] = field(default_factory=dict)
    """Id → what differs."""
    unproven: dict[str, str] = field(default_factory=dict)
    """Id → why a generated puzzle lacks a proof that could be checked."""
    unchecked: dict[str, str] = field(default_factory=dict)
    """Id → why nothing can be said."""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)

    @property
    def words(self) -> str:
        """Sum the check up in a sentence."""
        lacking = f", {len(self.unproven)} are generated and lack their proof" if self.unproven else ""
        left = f", {len(self.unchecked)} could not be checked" if self.unchecked else ""
        return f"{self.right} puzzles have all that they claim, {len(self.wrong)} have not{lacking}{left}."


def verify_lines(lines: Iterable[PuzzleLine], *, progress: Callable[[], None] = lambda: None) -> Verified:
    """Compute what puzzles claim anew and compare."""
    found = Verified()
    for line in lines:
        if reason := why_unchecked(line):
            found.unchecked[line.id] = reason
        elif reason := why_unproven(line):
            found.unproven[line.id] = reason
        elif (problems := problems_of(line)) is None:
            found.unchecked[line.id] = "its presentation cannot be read back"
        elif problems:
            found.wrong[line.id] = problems
        else:
            found.right += 1
        progress()
    return found


def why_unchecked(line: PuzzleLine) -> str:
    """Return why nothing can be said about a puzzle, through no fault of its file; "" where something can."""
    ours = line.source == GENERATED or line.proof or line.grammar == find_kind(line.kind).grammar.id
    if not ours:
        return "it claims no proof: its answer is given by its source"
    return why_missing(line.kind)


def why_unproven(line: PuzzleLine) -> str:
    """Return why a generated puzzle has nothing that its claims could be compared with; "" where it has."""
    grammar = find_kind(line.kind).grammar.id
    if line.grammar != grammar:
        return f"it names the grammar {line.grammar or 'of nothing'}, and that of {line.kind} is {grammar}"
    if missing := [part for part in PROOF if part not in line.proof]:
        return f"it is generated, and its proof lacks {', '.join(missing)}"
    return ""


def problems_of(line: PuzzleLine) -> list[str] | None:
    """Return what differs between what a puzzle claims and what follows from what it shows; None of a raster."""
    kind = find_kind(line.kind)
    try:
        shown = kind.read(line.prompt)
        if shown is None:
            return None
        explained = kind.explain(shown, limit=float(line.proof["complexity"]) + DIGITS + SLACK)
    except UNREADABLE:
        return [f"what it shows cannot be read as a puzzle of the kind {line.kind}"]
    if not explained.found:
        return ["no program of the grammar at or below its complexity gives what is shown"]
    answers = {canonical(one.answer): one.answer for one in explained.found}
    problems = _looks(line, kind, shown)
    if len(answers) > 1 and kind.unique:
        problems.append(f"{len(answers)} different answers are given at or below its complexity")
    right = [one for one in answers.values() if same(line.answer, kind.say(one, line.prompt, line.space))]
    if not right:
        problems.append(f"the answer is not {line.answer!r}")
    elif line.structure not in [short_hash([line.kind, shown, one]) for one in right]:
        problems.append(f"the hash of its structure is not {line.structure}")
    derivation = simplest(explained.found).derivation
    if canonical(derivation.data()) != canonical(list(line.derivation)):
        problems.append(f"its shortest derivation is {canonical(derivation.data())}")
    load = load_of(derivation).as_json()
    problems += [
        f"the {part} of its load is {now:g}, not {f'{line.load[part]:g}' if part in line.load else 'missing'}"
        for part, now in load.items()
        if part not in line.load or abs(now - line.load[part]) > DIGITS
    ]
    proof = {"alternatives": len(explained.found) - 1, "checked": explained.checked}
    problems += [
        f"the proof has {now} {part}, not {line.proof[part]:g}"
        for part, now in proof.items()
        if line.proof[part] != now and kind.unique
    ]
    return problems + _tags(line, kind, int(load["rules"]))


def _looks(line: PuzzleLine, kind: Kind, shown: Any) -> list[str]:
    """Present the same puzzle anew as it claims to be presented, and compare."""
    look, offered = Presentation(line.presentation), line.space.options if isinstance(line.space, Choice) else ()
    drawn = bool(line.prompt.options)
    try:
        options = kind.read_options(line.prompt, [str(one) for one in offered])
        prompt = replace(kind.show(shown, look, options=options), presentation=look.as_json())
        written = list(LETTERS[: len(options)]) if drawn else [kind.write(one, look) for one in options]
    except UNREADABLE:
        return ["an option is not of its kind, or its presentation is unknown"]
    named = kind.offers(shown)
    problems = []
    if canonical(prompt.data()) != canonical(line.prompt.data()):
        problems.append("it is not presented as its presentation says")
    if written != [str(one) for one in offered] or any(named is not None and one not in named for one in options):
        problems.append(f"{', '.join(map(str, offered))} are not all options of its kind")
    return problems


def _tags(line: PuzzleLine, kind: Kind, rules: int) -> list[str]:
    """Name the tags in our words that are false; others are the user's own."""
    ours = {*PLACES, *(f"{axis}-{value}" for axis in AXES for value in kind.axes.get(axis, ()))}
    true = {line.kind, f"rules-{rules}", *(f"{axis}-{value}" for axis, value in line.presentation.items())}
    false = [tag for tag in line.tags if (tag in ours or tag.startswith("rules-")) and tag not in true]
    return [f"its tag {tag} is false" for tag in false]
