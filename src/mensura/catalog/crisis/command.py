"""`mensura generate crisis`: draw, write out and lint packages; `mensura score crisis`: score a coded sheet."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.errors import BadFile, BadParameter
from mensura.json_file import loads

if TYPE_CHECKING:
    from mensura.catalog.crisis.packages.lint import LintReport
    from mensura.catalog.crisis.packages.package import Package
    from mensura.exhibit import FileScores

PATH = click.Path(path_type=Path)


@click.command("crisis", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--seed", type=click.IntRange(min=0), help="Draw a new package from this seed.")
@click.option(
    "--purpose",
    type=click.Choice(["test", "training", "practice"]),
    default="test",
    show_default=True,
    help="What it is for; the same seed gives another world for each purpose.",
)
@click.option("--name", default="", help="What the package is called.  [default: PURPOSE-SEED]")
@click.option("--package", "given", metavar="NAME|FILE", help="Take an existing package instead of drawing one.")
@click.option(
    "-p", "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Fix a parameter, such as lost_rooms=8."
)
@click.option(
    "--out",
    type=PATH,
    help="Where to write: a folder, or a file ending in .yaml; with --lint the folder for what was found.",
)
@click.option("--world", "whole", is_flag=True, help="Also write the whole world, to be read and edited.")
@click.option("--pdf", is_flag=True, help="Also write the original schedule as PDF.")
@click.option(
    "--lint", "linted", metavar="NAME|FILE", help="Check an existing package or world, and say how hard it is."
)
@click.option("--quick", is_flag=True, help="Take the floors from a known schedule, without the optimiser.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
def generate(linted: str | None, as_json: bool, quick: bool, **given: Any) -> None:
    """Draw a stimulus package of the crisis, prove it solvable, and write it.

    \b
      mensura generate crisis --seed 7 --out mine.yaml
      mensura generate crisis --seed 7 --purpose training --out DIR --world
      mensura generate crisis --lint mine.yaml
    """
    if linted is not None:
        _lint(linted, out=given["out"], quick=quick, as_json=as_json)
    else:
        _generate(given, quick=quick, as_json=as_json)


@click.command("crisis", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--schedule", type=PATH, required=True, help="CSV item,value: an event, and its room with DAY.BLOCK.")
@click.option("--package", default="crisis-1", show_default=True, metavar="NAME|FILE", help="The world it is for.")
def score(schedule: Path, package: str) -> "FileScores":
    """Score a schedule that coders read from a sheet, as `mensura study encode` writes it.

    \b
      mensura score crisis --schedule encoded.csv --package crisis-1

    A line is `papers-a1,garden-room 2.3`: the event, its room, the day and block from 1. Events that are missing have
    no place. Orders are those that stood before; money, rooms asked for, site and briefing are not part of a sheet.
    """
    from mensura.catalog.crisis.scoring.encoded import score_encoded

    return score_encoded(schedule, package=package)


def _lint(name: str, *, out: Path | None, quick: bool, as_json: bool) -> None:
    from mensura.catalog.crisis.packages.find import find_package, shipped
    from mensura.catalog.crisis.packages.lint import lint_package, words_of
    from mensura.catalog.crisis.packages.lint_result import beside

    report = lint_package(find_package(name), quick=quick)
    _say(report, as_json=as_json, words=words_of(report))
    if report.refused:
        raise BadFile(_refusal(report, place=name))
    path = Path(f"{name}.yaml" if name in shipped() else name)
    if out is not None or name not in shipped():
        _store(report, (out or path.parent) / beside(path.name))
    click.echo(f"Next: mensura run crisis --as nothing --package {name}", err=True)


def _generate(given: dict[str, Any], *, quick: bool, as_json: bool) -> None:
    from mensura.catalog.crisis.packages.lint import lint_package, words_of

    package = _package(given)
    path = _path(given["out"], package.name)
    report = lint_package(package, quick=quick)
    if report.refused:
        raise BadFile(_refusal(report, place=package.name))
    written = _write(package, path, report=report, whole=given["whole"], pdf=given["pdf"])
    _say(report, as_json=as_json, words=words_of(report), files=[str(each) for each in written])
    click.echo(f"Next: mensura run crisis --as nothing --package {written[0]}", err=True)


def _package(given: dict[str, Any]) -> "Package":
    from mensura.catalog.crisis.packages.draw import draw_package
    from mensura.catalog.crisis.packages.find import find_package

    if given["given"] is not None:
        if given["seed"] is not None or given["settings"]:
            raise BadParameter("Give either --package or --seed, not both: an existing package has its own seed.")
        return find_package(given["given"])
    if given["seed"] is None:
        raise BadParameter("Give --seed to draw a package, --package to write one out, or --lint to check one.")
    return draw_package(
        seed=given["seed"],
        purpose=given["purpose"],
        name=given["name"],
        parameters=dict(map(_setting, given["settings"])),
    )


def _setting(words: str) -> tuple[str, Any]:
    from mensura.yaml_file import parse_yaml

    name, equals, value = words.partition("=")
    if not equals:
        raise BadParameter(f"--set {words}: expected NAME=VALUE, such as lost_rooms=8.")
    return name, parse_yaml(value, f"--set {words}")


def _path(out: Path | None, name: str) -> Path:
    if out is None:
        return Path(f"{name}.yaml")
    return out if out.suffix in (".yaml", ".yml") else out / f"{name}.yaml"


def _write(package: "Package", path: Path, *, report: "LintReport", whole: bool, pdf: bool) -> list[Path]:
    from mensura.catalog.crisis.packages.build import build
    from mensura.catalog.crisis.packages.lint_result import beside
    from mensura.catalog.crisis.packages.writing import package_words, world_words
    from mensura.catalog.crisis.world.original import original_pdf, original_svg

    written = [_put(path, package_words(package)), _store(report, path.with_name(beside(path.name)))]
    world = build(package) if whole or pdf else None
    if world is not None and whole:
        large = path.with_name(f"{path.stem}.world.yaml")
        written += [_put(large, world_words(world)), _store(report, large.with_name(beside(large.name)))]
    if world is not None and pdf:
        written.append(_put(path.with_suffix(".pdf"), original_pdf(original_svg(world))))
    return written


def _store(report: "LintReport", path: Path) -> Path:
    from mensura.catalog.crisis.packages.lint import stored

    return _put(path, stored(report))


def _put(path: Path, content: str | bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as wrong:
        raise BadFile(f"{path} cannot be written ({wrong.strerror}); give another place with --out.") from None
    return path


def _say(report: "LintReport", *, as_json: bool, words: str, files: list[str] | None = None) -> None:
    if as_json:
        from mensura.dialogue.canonical import canonical

        said = report.data() | ({"files": files} if files else {})
        click.echo(json.dumps(loads(canonical(said)), ensure_ascii=False))
    else:
        click.echo("\n".join([words, *(f"wrote {file}" for file in files or ())]))


def _refusal(report: "LintReport", *, place: str) -> str:
    more = f" and {len(report.findings) - 1} more" if len(report.findings) > 1 else ""
    return f"{place} is refused: {report.findings[0]}{more}"
