"""`mensura winograd`: schemas tried before people and machines take them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.console import json_option, show

if TYPE_CHECKING:
    from mensura.catalog.imitation.winograd.calibration.answers import PersonAnswer

FILE = click.Path(path_type=Path, dir_okay=False)


@click.group("winograd", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Try Winograd schemas, and calibrate them by people's answers.

    \b
      mensura winograd bench mine.jsonl              which are solved without their sentence, which are ambiguous
      mensura winograd calibrate answers.jsonl --items mine.jsonl   what a named sample of people made of each
    """


@command.command("bench")
@click.argument("file", type=FILE)
@click.option("--corpus", multiple=True, type=FILE, help="A text in which words are counted; may be given again.")
@click.option("--people", type=FILE, help="People's answers, JSON lines of person, item, answer, confidence.")
@json_option
def bench(file: Path, corpus: tuple[Path, ...], people: Path | None, as_json: bool) -> None:
    """Try each schema of a file: selectional restriction, ambiguity, needed background, association by word counts.

    A schema is flagged, never dropped. Every verdict says what it rests on: WordNet, counts, people's answers, or what
    the file itself says of its readings. Where there is nothing to go by it is not checked.

    \b
      mensura winograd bench mine.jsonl --corpus novel.txt --corpus news.txt
      mensura winograd bench mine.jsonl --people answers.jsonl --json
    """
    from mensura.catalog.imitation.winograd.bench.bench import try_file
    from mensura.catalog.imitation.winograd.bench.words import words_of_bench
    from mensura.catalog.imitation.winograd.calibration.answers import answers_by_item, read_answers, sample_of

    given = read_answers(people) if people else ()
    sample = sample_of(given) if given else "people"
    found = try_file(file, corpus=corpus, answers=answers_by_item(given), sample=sample)
    show(found.as_json(), words_of_bench(found), as_json=as_json)


@command.command("calibrate")
@click.argument("answers")
@click.option("--items", type=FILE, help="The schemas that were answered; without it, our own.")
@click.option("--rules", "rules_file", type=FILE, help="YAML of inclusion rules, written before the answers.")
@click.option("--takers", multiple=True, help="Who is graded: a file in the same form, or a run; may be given again.")
@click.option("--sample", default="", help="Who the calibrators are, where ANSWERS is a run.")
@click.option("--store", envvar="MENSURA_STORE", metavar="URL", help="Where stored runs are.  [default: mensura.db]")
@json_option
@click.pass_obj
def calibrate(
    sessions: Any,
    answers: str,
    items: Path | None,
    rules_file: Path | None,
    takers: tuple[str, ...],
    sample: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Calibrate schemas by a named sample of people, and show how grades move when the calibrators change.

    ANSWERS is a run of `schema-calibration`, or a file of JSON lines with person, item (id/number), answer, and if
    known confidence (0 to 1), group and sample. Each item gets the chances that it is dead easy, easy for Aunt Edna,
    ambiguous or too narrow; what the rules leave out is listed with the reason. Groups of calibrators are tested for
    items that function differently, and so are groups of takers.

    \b
      mensura run schema-calibration --as human --groups "under 40,40 or older"
      mensura winograd calibrate last --sample "twelve colleagues" --rules rules.yaml --takers systems.jsonl
    """
    from mensura.catalog.imitation.winograd.calibration.calibration import calibrate_schemas
    from mensura.catalog.imitation.winograd.calibration.rules import InclusionRules, read_rules, younger_than
    from mensura.catalog.imitation.winograd.files import OWN, read_schemas

    given = _answers(sessions, answers, sample=sample, store=store)
    rules = read_rules(rules_file) if rules_file else InclusionRules()
    graded = [one for name in takers for one in _answers(sessions, name, sample="", store=store)]
    found = calibrate_schemas(read_schemas(items or OWN), given, rules=rules, takers=graded)
    late = younger_than(rules_file, Path(answers)) if rules_file and Path(answers).is_file() else ""
    lines = [*found.lines(), *([f"Note: {late}"] if late else [])]
    show({**found.as_json(), "note": late or None}, lines, as_json=as_json)


def _answers(sessions: Any, name: str, *, sample: str, store: str | None) -> "tuple[PersonAnswer, ...]":
    """Read answers from a file, or from the sessions of a stored run."""
    from mensura.catalog.imitation.winograd.calibration.answers import answers_of, read_answers

    if Path(name).is_file() or name.endswith(".jsonl"):
        return read_answers(name)
    held = sessions(name, test=("schema-calibration", "winograd"), store=store)
    return answers_of((record for record, _ in held), sample=sample or f"the takers of {name}")
