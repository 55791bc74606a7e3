"""`mensura winograd`: schemas tried before people and machines take them."""

from pathlib import Path

import click

from mensura.console import json_option, show

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
