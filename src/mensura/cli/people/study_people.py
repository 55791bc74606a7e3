"""`mensura study` with people: cohorts, enrolment, payment, encoding, archive and release."""

import csv
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from mensura.cli.options import opened, reading, store_option
from mensura.console import json_option, next_step, print_json, say, show
from mensura.errors import BadFile
from mensura.stats.wording import several
from mensura.table_file import read_table

if TYPE_CHECKING:
    from mensura.running.study.plan import Study
    from mensura.running.study.procedure import Procedure
    from mensura.running.study.recruiting import Applicant
    from mensura.running.study.registration.register import Registration
    from mensura.store import Store

FILE = click.argument("file", type=click.Path(path_type=Path))
YES, NO = ("yes", "true", "1"), ("no", "false", "0")


AMEND = click.option(
    "--amend", default=None, metavar="WHY", help="Declare that the plan is changed from now on, and why; it is stored."
)


def planned(file: Path, store: "Store") -> "tuple[Study, Registration | None, list[str]]":
    """Read the study in FILE, or the stored one of that name, and say in what it differs from the registered plan.

    Returns the plan in force, what is registered, and the differences.
    """
    from mensura.running.study import read_study, stored_study
    from mensura.running.study.registration.register import registration_of, study_runs

    named = not file.exists() and bool(study_runs(str(file), store=store))
    given = stored_study(str(file), store=store) if named else read_study(file)
    registered = registration_of(given.name, store=store)
    changed = registered.deviations(given) if registered else []
    for words in changed:
        say(f"Not as registered: {words}")
    return (registered.in_force if registered and registered.in_force else given), registered, changed


def amended(file: Path, why: str | None, store: "Store", budget: int | None = None) -> "Study":
    """Read the study in FILE for those who come now: as registered, or amended where the reason is given."""
    from mensura.running.study import amend, read_study, stored_study
    from mensura.running.study.registration.register import require_plan, study_runs

    if not file.exists() and why is None and study_runs(str(file), store=store):
        return stored_study(str(file), store=store)
    study = read_study(file, budget=budget)
    if why is not None:
        amend(study, why, store=store)
        say(f"The plan of {study.name} is amended from now on; reports say so.")
    require_plan(study, store=store)
    return study


@click.command("cohorts")
@FILE
@reading
def cohorts(file: Path, store: str | None, as_json: bool) -> None:
    """List which condition meets when, balanced over times of day and days of the week, and the places left."""
    from mensura.running.study.cohorts import cohorts_of
    from mensura.running.study.recruiting import seats_of

    kept = opened(store)
    study, _, _ = planned(file, kept)
    rows = [(one, len(seats_of(study.name, one.number, store=kept))) for one in cohorts_of(study)]
    lines = (f"{one.number}\t{one.slot}\t{one.condition}\t{taken} of {one.places} places taken" for one, taken in rows)
    show([{**vars(one), "taken": taken} for one, taken in rows], lines, as_json=as_json)
    next_step(f"mensura study enrol {file} --from people.csv")


@click.command("enrol")
@FILE
@click.option("--from", "people", type=click.Path(path_type=Path), required=True, help="CSV: cohort,name,contact,...")
@click.option("--url", default="http://localhost:8000", show_default=True, help="Where `mensura serve` is reached.")
@AMEND
@reading
def enrol_people(file: Path, people: Path, url: str, amend: str | None, store: str | None, as_json: bool) -> None:
    """Give people places in cohorts. The CSV has a column for each criterion of FILE with yes or no.

    Those who do not meet a criterion, or have taken part before, are refused with the reason. Links are shown once.
    """
    from mensura.errors import BadParameter
    from mensura.running.study import read_study
    from mensura.running.study.cohorts import cohorts_of
    from mensura.running.study.procedure import Procedure
    from mensura.running.study.recruiting import enrol

    procedure = Procedure.read(read_study(file).procedure)
    # All lines are read before anyone gets a place: a link that was made and not shown would be lost.
    applicants = _applicants(people, procedure)
    places, refused = [], []
    kept = opened(store)
    study = amended(file, amend, kept)
    made = cohorts_of(study)
    for line, cohort, applicant in applicants:
        try:
            given = enrol(study, procedure, made, applicant, cohort=cohort, store=kept)
        except BadParameter as error:
            refused.append({"line": line, "reason": str(error)})
            continue
        link = f"{url}/p/{given.invited.token}"
        places.append({"line": line, "subject": given.subject, "cohort": given.cohort, "link": link})
    lines = (f"{place['subject']}\tcohort {place['cohort']}\t{place['link']}" for place in places)
    show({"enrolled": places, "refused": refused}, lines, as_json=as_json)
    for one in refused:
        say(f"{people}:{one['line']}: {one['reason']}")
    next_step("mensura serve", then="Then open /lab/observe.")


@click.command("pay")
@FILE
@reading
def pay(file: Path, store: str | None, as_json: bool) -> None:
    """List what each participant is to be paid: half hours begun, and milestones that the program has checked."""
    from mensura.running.study.payment import payments
    from mensura.running.study.procedure import Procedure

    kept = opened(store)
    study, _, _ = planned(file, kept)
    terms = Procedure.read(study.procedure).pay
    due = payments(study.name, terms, store=kept)
    if as_json:
        print_json([one.as_json() for one in due])
        return
    if not due:
        say("Nobody has taken part yet.")
    for one in due:
        reached = ", ".join(
            f"{name} {'not known yet' if done is None else 'reached' if done else 'missed'}"
            for name, done in one.milestones.items()
        )
        reached = "withdrew; what was done is erased" if one.withdrew else reached
        hours = "hour" if one.half_hours == 1 else "hours"
        reached = "waited in vain" if one.waiting else reached
        click.echo(f"{one.subject}\t{terms.currency}{one.total:.2f}\t{one.half_hours} half {hours}\t{reached}")


@click.command("encode")
@click.option("--first", type=click.Path(path_type=Path), required=True, help="The first coder's CSV: item,value.")
@click.option("--second", type=click.Path(path_type=Path), required=True, help="The second coder's.")
@click.option("--decisions", type=click.Path(path_type=Path), default=None, help="CSV: item,value,who,why.")
@click.option("-o", "--out", type=click.Path(path_type=Path), default=None, help="Write agreed values, as item,value.")
@json_option
def encode(first: Path, second: Path, decisions: Path | None, out: Path | None, as_json: bool) -> None:
    """Compare what two coders made of the same material; with --decisions settle where they differ."""
    from mensura.running.study.encoding import compare_codings, read_coding, read_decisions, settle

    if first.resolve() == second.resolve():
        raise BadFile(f"{first} is given for both coders; each works alone, in a separate file.")
    one, other = read_coding(first), read_coding(second)
    if decisions is None:
        found = compare_codings(one, other)
        lines = (f"{each.item}\t{each.first or '-'}\t{each.second or '-'}" for each in found)
        show([asdict(each) for each in found], lines, as_json=as_json)
        say(f"{len(found)} of {len({*one, *other})} items differ.")
        next_step("the same with --decisions FILE (item,value,who,why) -o encoded.csv")
        return
    encoding = settle(one, other, read_decisions(decisions))
    if out is not None:
        with out.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("item", "value"), *sorted(encoding.values.items())])
        say(f"Wrote {out}.")
    words = f"{encoding.items} items, agreement {encoding.agreement:.1%}, {len(encoding.decisions)} settled."
    show(encoding.as_json(), [words], as_json=as_json)


@click.command("bias")
@FILE
@click.option("--score", default="final", show_default=True, help="Which score.")
@reading
def bias(file: Path, score: str, store: str | None, as_json: bool) -> None:
    """Test whether it mattered at which time of day or of the week people began, after allowing for conditions."""
    from mensura.running.study.starts import starts_of

    kept = opened(store)
    study, _, _ = planned(file, kept)
    found = starts_of(study, score=score, store=kept)
    data = [{"by": one.by, "f": one.f, "freedom": one.freedom, "p": one.p, "n": one.n} for one in found]
    show(data, (one.sentence for one in found), as_json=as_json)


@click.command("archive")
@FILE
@click.option("--to", "places", type=click.Path(path_type=Path), multiple=True, help="A folder; give at least two.")
@click.option("-o", "--out", "one_file", type=click.Path(path_type=Path), default=None, help="One .zip to be imported.")
@click.option("--verify", is_flag=True, help="Write nothing; read every copy back.")
@click.option("--erase", is_flag=True, help="Remove the sessions of people who have withdrawn since from every copy.")
@store_option
def archive_study(
    file: Path, places: tuple[Path, ...], one_file: Path | None, verify: bool, erase: bool, store: str | None
) -> None:
    """Keep every session that is over in two places, with checksums that are read back.

    With -o the whole study is one file that `mensura import` verifies: plan, sessions, exclusions, invitations, panels
    and analyses, without names.
    """
    from mensura.running.study.archiving import archive, erase_archived, erased_since
    from mensura.running.study.archiving import verify as read_back
    from mensura.running.study.registration.keeping import runs_of_study, write_study_archive

    kept = opened(store)
    if erase:
        gone = erase_archived(places, store=kept, who="command line")
        click.echo(f"{several(len(gone), 'file')} of people who withdrew are removed from {len(places)} places.")
        return
    if verify:
        click.echo(f"{read_back(places)} files are intact in {len(places)} places.")
        if outdated := erased_since(places, store=kept):
            say(f"{len(outdated)} of them tell of people who withdrew since: {', '.join(outdated)}")
            next_step(f"mensura study archive {file} --erase {' '.join(f'--to {place}' for place in places)}")
        return
    study, _, _ = planned(file, kept)
    if one_file is not None:
        written = write_study_archive(study, one_file, store=kept, who="command line", kept=True)
        click.echo(str(written))
        next_step(f"mensura import {quote(str(one_file))} --digest {written.sha256}", when="on the other machine")
        return
    done = archive(runs_of_study(study.name, store=kept), places, store=kept)
    click.echo(f"{several(done.sessions, 'session')} are in {' and '.join(map(str, done.places))}, with SHA256SUMS.")
    next_step(f"mensura study archive {file} --verify {' '.join(f'--to {place}' for place in places)}")


@click.command("erase")
@click.argument("person", metavar="LINK|NUMBER")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
def erase_person(person: str, yes: bool, store: str | None) -> None:
    """Erase a person who asked for it: by their link, their subject number, or as "invitation 7".

    It is the same as if they withdrew by their own link, and cannot be undone. The audit trail says that you did it.
    """
    from mensura.running.people.closing import withdraw

    kept = opened(store)
    found = kept.invitations.find(person)
    if found.status == "withdrawn":
        say(f"The person of {found.sign} has withdrawn, and is erased.")
        return
    told = kept.copies.told(found)
    if not yes:
        click.confirm(
            f"Erase everything of {found.sign} (subject {found.subject_number}) for good?", abort=True, err=True
        )
    withdraw(kept, found.number, who="command line")
    click.echo(f"The person of {found.sign} is erased.")
    for words in told:
        say(words)
    runs = dict.fromkeys(session.rpartition("/")[0] for session in found.sessions)
    next_step(f"mensura audit {next(iter(runs), 'RUN')}" + ", which says how to correct those copies" * bool(told))


@click.command("release")
@FILE
@click.option("-o", "--out", "path", type=click.Path(path_type=Path), required=True, help="The .zip to write.")
@click.option("--to", "whom", required=True, help="Who receives it.")
@click.option("--why", required=True, help="For what.")
@click.option("--training", required=True, help="Their proof of training in the protection of participants.")
@click.option("--with-names", is_flag=True, help="Release it although people's names occur in what they typed.")
@store_option
def release_data(
    file: Path, path: Path, whom: str, why: str, training: str, with_names: bool, store: str | None
) -> None:
    """Write anonymous data for someone, and keep in the audit trail who got what and why."""
    from mensura.running.study.archiving import release
    from mensura.running.study.registration.keeping import runs_of_study

    kept = opened(store)
    study, _, _ = planned(file, kept)
    given = {"to": whom, "why": why, "training": training}
    checksum = release(runs_of_study(study.name, store=kept), path, **given, store=kept, with_names=with_names)
    click.echo(f"{path}\t{checksum}")


PEOPLE = (cohorts, enrol_people, pay, encode, bias, archive_study, release_data, erase_person)


def _applicants(path: Path, procedure: "Procedure") -> "list[tuple[int, int, Applicant]]":
    """Read who would take part: the line at which each stands, the cohort, and what they answered."""
    from mensura.running.study.recruiting import Applicant

    found = []
    for line, row in read_table(path, ("cohort", "name", "contact"), absent="the column {column!r} is missing."):
        answers = {one.key: _yes(row[one.key], path, line) for one in procedure.criteria if row.get(one.key)}
        try:
            cohort = int(row["cohort"])
        except ValueError:
            raise BadFile(f"{path}:{line}: the cohort is a number; got {row['cohort']!r}.") from None
        found.append((line, cohort, Applicant(row["name"], row["contact"], answers)))
    return found


def _yes(text: str, path: Path, line: int) -> bool:
    word = text.casefold()
    if word not in (*YES, *NO):
        raise BadFile(f"{path}:{line}: criteria are answered with yes or no; got {text!r}.")
    return word in YES
