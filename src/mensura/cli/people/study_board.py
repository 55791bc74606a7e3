"""`mensura study` while people take part: who is where, links closed and extended, exclusions, replacements."""

from pathlib import Path

import click

from mensura.cli.options import opened, reading, store_option
from mensura.cli.people.study_people import planned
from mensura.console import next_step, say, show
from mensura.stats.wording import several

FILE = click.argument("file", type=click.Path(path_type=Path))
NUMBERS = click.argument("numbers", type=int, nargs=-1, required=True)
WHO = "command line"


@click.command("board")
@FILE
@reading
def board(file: Path, store: str | None, as_json: bool) -> None:
    """Show how far each participant is in the study in FILE, or in a stored study by its name."""
    from mensura.running.study.people.places import places_of

    kept = opened(store)
    places = places_of(planned(file, kept)[0].name, store=kept)
    lines = (f"{one.number}\t{one.cell or '-'}\t{one.state}\t{one.at}\t{one.excluded}".rstrip() for one in places)
    show([one.as_json() for one in places], lines, as_json=as_json)
    next_step(f"mensura study replace {file} NUMBER")


@click.command("replace")
@FILE
@click.argument("number", type=int)
@click.option("--url", default="http://localhost:8000", show_default=True, help="Where `mensura serve` is reached.")
@reading
def replace(file: Path, number: int, url: str, store: str | None, as_json: bool) -> None:
    """Open a place in the same cell for someone instead of invitation NUMBER, whose link is closed."""
    from mensura.running.study.people.changing import replace_place

    kept = opened(store)
    made = replace_place(planned(file, kept)[0], number, store=kept, who=WHO)
    link = {"number": made.number, "cell": made.cell, "link": f"{url}/p/{made.token}"}
    show(link, [f"{made.number}\t{made.cell}\t{link['link']}"], as_json=as_json)


@click.command("close")
@FILE
@NUMBERS
@store_option
def close(file: Path, numbers: tuple[int, ...], store: str | None) -> None:
    """Close the links of these invitations; what was answered stays."""
    from mensura.running.study.people.changing import close_places

    kept = opened(store)
    done = close_places(planned(file, kept)[0].name, numbers, store=kept, who=WHO)
    say(f"{several(len(done), 'link')} closed.")


@click.command("extend")
@FILE
@NUMBERS
@click.option("--days", default=7.0, show_default=True, help="For how many days longer.")
@store_option
def extend(file: Path, numbers: tuple[int, ...], days: float, store: str | None) -> None:
    """Let the links of these invitations stay open longer."""
    from mensura.running.study.people.changing import extend_places

    kept = opened(store)
    done = extend_places(planned(file, kept)[0].name, numbers, days=days, store=kept, who=WHO)
    say(f"{several(len(done), 'link')} extended.")


@click.command("exclude")
@FILE
@NUMBERS
@click.option("--why", default="", help="The reason, in a sentence.")
@click.option("--rule", default="", help="A rule of the registered plan; without it the decision counts as later.")
@click.option("--include", is_flag=True, help="Include them again.")
@store_option
def exclude(file: Path, numbers: tuple[int, ...], why: str, rule: str, include: bool, store: str | None) -> None:
    """Exclude what the people of these invitations did, with the reason."""
    from mensura.running.study.people.changing import exclude_places

    kept = opened(store)
    name = planned(file, kept)[0].name
    done = exclude_places(name, numbers, reason=why, rule=rule, leave_out=not include, store=kept, who=WHO)
    say(f"{several(len(done), 'session')} {'included again' if include else 'excluded'}.")


@click.command("link")
@FILE
@click.option("--close", "shut", is_flag=True, help="Let nobody new come by it; those who have a place go on.")
@click.option("--url", default="http://localhost:8000", show_default=True, help="Where `mensura serve` is reached.")
@reading
def link(file: Path, shut: bool, url: str, store: str | None, as_json: bool) -> None:
    """Open the one link by which people come to the study in FILE; it is the same whenever it is opened."""
    from mensura.running.study.people.arriving import close_entrance, open_entrance
    from mensura.running.study.people.platform import PLACEHOLDERS

    kept = opened(store)
    study = planned(file, kept)[0]
    if shut:
        close_entrance(study.name, store=kept, who=WHO)
        say(f"Nobody new comes by the link of {study.name}.")
        return
    address = f"{url}{open_entrance(study, store=kept, who=WHO).path}"
    platform = str(study.recruiting.get("platform") or "")
    whole = f"{address}?{PLACEHOLDERS[platform]}" if platform in PLACEHOLDERS else address
    show({"link": whole}, [whole], as_json=as_json)
    next_step("mensura serve")


@click.command("ledger")
@FILE
@reading
def ledger(file: Path, store: str | None, as_json: bool) -> None:
    """List what was done about the sessions of the study in FILE: invitations, panels, analyses."""
    from mensura.running.study.registration.keeping import deeds_of
    from mensura.store.text import moment

    kept = opened(store)
    found = deeds_of(planned(file, kept)[0].name, store=kept)
    lines = (f"{moment(one.time)}\t{one.session}\t{one.kind}\t{one.who}".rstrip() for one in found)
    show([vars(one) for one in found], lines, as_json=as_json)


BOARD = (ledger, link, board, replace, close, extend, exclude)
