"""`mensura generate puzzles` makes files of puzzles; `mensura puzzles` shows cards, checks files and compares kinds."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

import click

from mensura.console import json_option, next_step, print_json, say, show
from mensura.errors import BadParameter

FILE = click.Path(path_type=Path, dir_okay=False)
HELP = {"help_option_names": ["-h", "--help"]}


@click.command("puzzles", context_settings=HELP)
@click.option("--kind", "kinds", default="all", show_default=True, help="Kinds, with commas between; or all.")
@click.option("--load", default="", help="Rules, 2..4; or parts of the load: memory=3..5,types=2.")
@click.option("--count", type=click.IntRange(1), default=100, show_default=True, help="How many puzzles.")
@click.option("--presentation", default="plain", show_default=True, help="plain, mixed, or axes: form=pixels,base=8.")
@click.option("--answer", type=click.Choice(["choice", "construct"]), default="choice", show_default=True)
@click.option("--seed", type=click.IntRange(0), default=None, help="Make it repeatable.")
@click.option("-o", "--out", type=FILE, default=None, help="Where they go, one JSON object on each line; else stdout.")
def generate(
    kinds: str, load: str, count: int, presentation: str, answer: str, seed: int | None, out: Path | None
) -> None:
    """Make a file of puzzles, each with its answer, derivation, load and the proof that no other answer is as simple.

    \b
      mensura generate puzzles --kind number-series --load 2..4 --count 500 --seed 1 -o items.jsonl
      mensura generate puzzles --kind matrix,grid --load memory=3..5 --presentation mixed -o items.jsonl
    """
    from itertools import count as numbers

    from mensura.catalog.puzzles.files.line import write_lines
    from mensura.catalog.puzzles.kinds.find import ALL, PLACES, why_missing
    from mensura.catalog.puzzles.posing import PuzzleRequest, drawn
    from mensura.dialogue import Seed, generator
    from mensura.stats.wording import several

    request = PuzzleRequest(kinds, count, load, presentation, "construct" if answer == "construct" else "choice")
    request.refuse()
    if kinds == ALL:
        for name in PLACES:
            if reason := why_missing(name):
                say(f"{name} is left out: {reason}")
    root = int(generator(Seed.choose(seed).value).integers(2**63))
    lines, seen = [], set()
    with _progress(count, "puzzles") as advance:
        for kind, number in ((name, number) for number in numbers() for name in request.names):
            line = drawn(kind, number, root=root, order=request.order)
            # A structure in another presentation is the same problem: who has solved one would know the other.
            if line.structure not in seen:
                seen.add(line.structure)
                lines.append(line)
                advance()
            elif number > 50 * count:
                raise BadParameter(f"There are only {len(lines)} different puzzles of this load. Ask for fewer.")
            if len(lines) == count:
                break
    if out is None:
        for line in lines:
            click.echo(line.text)
        return
    write_lines(lines, out)
    kinds_made = several(len({line.kind for line in lines}), "kind")
    say(f"Wrote {several(len(lines), 'puzzle')} of {kinds_made} to {out}.")
    bank = quote(str(out))
    next_step(f"mensura puzzles verify {bank}", f"mensura run puzzles --as synthesis --bank {bank}")


@click.group("puzzles", context_settings=HELP)
def command() -> None:
    """Look at what takes and makes puzzles: the survey's cards, the grammar, files of puzzles, overlaps of kinds.

    \b
      mensura puzzles card                      every subject beside the works of the survey
      mensura puzzles grammar --json            operations by kind
      mensura puzzles verify items.jsonl        answers, loads and proofs computed again
      mensura puzzles overlaps --json           which kinds ask for the same, by theory and by answers
    """


@command.command("card")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
def card(names: tuple[str, ...], as_json: bool) -> None:
    """Show the survey's card of our subjects and of the works it cites; with NAMEs, only of these."""
    from mensura.catalog.puzzles.cards.card import COLUMNS, our_cards, row_of, survey_words, surveyed
    from mensura.catalog.puzzles.cards.size import HOW
    from mensura.errors import unknown

    cards = {one.name: one for one in (*our_cards(), *surveyed())}
    for name in names:
        if name not in cards:
            raise unknown("card", name, known=cards, see="mensura puzzles card shows all of them.")
    chosen = [cards[name] for name in names or cards]
    if as_json:
        print_json({"cards": [one.as_json() for one in chosen], "surveyed": survey_words(), "size": HOW})
        return
    for one in chosen:
        click.echo(f"\n{one.name}")
        for column, cell in zip(COLUMNS[1:], row_of(one)[1:], strict=True):
            click.echo(f"  {column + ':':<24}{cell}")
    say(f"\nThe survey found {survey_words()}; it cites {len(surveyed())} of them. {HOW}")
    next_step("mensura run puzzles --as synthesis --kinds all --count 200")


@command.command("verify")
@click.argument("file", type=FILE)
@json_option
def verify(file: Path, as_json: bool) -> None:
    """Compute again all that every puzzle in FILE claims, and say which differ.

    Exits with 3 where a claim is wrong, else with 1 where a generated puzzle has no proof that could be checked.
    """
    from mensura.catalog.puzzles.files.line import read_lines
    from mensura.catalog.puzzles.verifying import verify_lines

    lines = read_lines(file)
    with _progress(len(lines), "puzzles") as advance:
        found = verify_lines(lines, progress=advance)
    told = [f"{name}: {'; '.join(problems)}" for name, problems in found.wrong.items()]
    told += [f"{name}: {reason}" for name, reason in found.unproven.items()]
    told += [f"{name}: not checked, {reason}" for name, reason in found.unchecked.items()]
    show({"file": str(file), "puzzles": len(lines), **found.as_json()}, [*told, found.words], as_json=as_json)
    next_step(f"mensura run puzzles --as synthesis --bank {quote(str(file))}")
    if found.wrong or found.unproven:
        sys.exit(3 if found.wrong else 1)


@command.command("convert")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--from", "form", type=click.Choice(["oeis", "arc", "digit-matrices"]), required=True, help="What it holds."
)
@click.option("-o", "--out", type=FILE, required=True, help="Where the puzzles go.")
def convert(file: Path, form: str, out: Path) -> None:
    """Turn a published set into puzzles: sequences (CSV), ARC tasks (JSON files or a folder), digit matrices."""
    from importlib import import_module

    from mensura.catalog.puzzles.files.line import read_line, write_lines
    from mensura.stats.wording import several

    module = import_module(f"mensura.catalog.puzzles.files.{form.replace('-', '_')}")
    lines = getattr(module, f"{form.replace('-', '_')}_lines")(file)
    count = write_lines((read_line(line) for line in lines), out)
    say(f"Wrote {several(count, 'puzzle')} to {out}.")
    next_step(f"mensura run puzzles --as synthesis --bank {quote(str(out))} --answer construct")


@command.command("difficulty")
@click.argument("problems", type=FILE)
@click.argument("accuracies", type=FILE)
@json_option
def difficulty(problems: Path, accuracies: Path, as_json: bool) -> None:
    """Show how far load goes with what people got wrong in digit matrices, by problem type and rule condition.

    PROBLEMS is the JSON of the problems, ACCURACIES the CSV of answers by condition. The published answers name no
    problems, so that conditions are compared and no item is calibrated.
    """
    from mensura.catalog.puzzles.files import digit_matrices as digits
    from mensura.stats import proportion_estimate

    held, told = digits.read_problems(problems), digits.read_accuracies(accuracies)
    loads = digits.loads_by_condition(held)
    conditions = [
        {
            **vars(row.condition),
            "who": row.who,
            "right": proportion_estimate(row.generated, n=row.count).as_json(),
            "load": loads[row.condition],
        }
        for row in told
    ]
    found = digits.load_relations(held, told)
    lines = [
        f"{row.who}, {digits.TYPES[row.condition.rules]}, {row.condition.words}: "
        f"{proportion_estimate(row.generated, n=row.count)}, {loads[row.condition]['length']:.1f} bits"
        for row in told
    ]
    lines += [f"{one.part}: {one.every} over all conditions; {one.without_logic} without logic" for one in found]
    relations = {one.part: {"all": one.every.as_json(), "without_logic": one.without_logic.as_json()} for one in found}
    show({"conditions": conditions, "relations": relations, "items": None}, lines, as_json=as_json)
    say("The published answers name no problems: conditions are compared, and no item is calibrated.")


@command.command("grammar")
@json_option
def grammar(as_json: bool) -> None:
    """List for each kind how rules combine, and for each operation what it does, which constants it may take, how many
    elements it must have seen before it says anything, and its bits: enough to list all programs and repeat a proof.
    """
    from mensura.catalog.puzzles.describing import describe_kind, kind_lines
    from mensura.catalog.puzzles.kinds.find import PLACES, find_kind

    kinds = [find_kind(name) for name in PLACES]
    lines = [line for kind in kinds for line in kind_lines(kind)]
    show({"kinds": {kind.name: describe_kind(kind) for kind in kinds}}, lines, as_json=as_json)
    next_step("mensura puzzles overlaps")


@command.command("overlaps")
@click.option("--scores", type=FILE, help="CSV with a column for each kind and a row of accuracies for each person.")
@click.option("--courses", type=click.IntRange(0), default=8, show_default=True, help="Number of learners' courses.")
@json_option
def overlaps(scores: Path | None, courses: int, as_json: bool) -> None:
    """Show which kinds ask for the same: by shared operations, by answers, and by what lessons in one gain in another.

    Without --scores the answers are those of simulated people, and are labelled so. Reports of runs that 30 or more
    people took show the same of their answers.
    """
    from dataclasses import replace

    from mensura.catalog.puzzles.theory import compare_overlaps, read_scores_of_people
    from mensura.catalog.puzzles.transfer import transfer_matrix

    found = compare_overlaps() if scores is None else read_scores_of_people(scores)
    if courses:
        with _progress(courses, "courses") as advance:
            taught = transfer_matrix(found.theory.kinds, courses=courses, progress=advance)
        found = replace(found, transfer=taught)
    show(found.as_json(), found.lines, as_json=as_json)
    next_step("mensura run puzzles --as synthesis --kinds all --count 200")


@contextmanager
def _progress(total: int, what: str) -> Iterator[Callable[[], None]]:
    """Show how much of long work is done, on stderr, only where someone looks."""
    if not sys.stderr.isatty() or total < 2:
        yield lambda: None
        return
    with click.progressbar(length=total, label=what, file=sys.stderr) as bar:
        yield lambda: bar.update(1)
