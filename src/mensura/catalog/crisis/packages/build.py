"""Build the world of a package."""

from dataclasses import dataclass
from random import Random

from mensura.catalog.crisis.mail.mailbox import make_mail
from mensura.catalog.crisis.packages.check import check
from mensura.catalog.crisis.packages.find import find_package, shipped
from mensura.catalog.crisis.packages.package import Package
from mensura.catalog.crisis.schedule import Placement
from mensura.catalog.crisis.world.backdrop import Backdrop, make_scene
from mensura.catalog.crisis.world.conference import FOUND, Conference
from mensura.catalog.crisis.world.data import read
from mensura.catalog.crisis.world.handbook import manual, pages
from mensura.catalog.crisis.world.programme.ruling import manual_rules
from mensura.catalog.crisis.world.site import make_site
from mensura.catalog.crisis.world.supply.money import order_cost
from mensura.catalog.crisis.world.values import draw_values
from mensura.errors import BadFile
from mensura.once import once


@once(most=32)
def build_world(package: str) -> Conference:
    """Build the world of a package by its name or path: always the same one, and never one that contradicts itself.

    >>> build_world("crisis-1").name
    'crisis-1'
    """
    found = find_package(package)
    made = make(found, place=package)
    if package not in shipped() and (wrong := check(made.world)):
        more = f" There is {len(wrong) - 1} more of it." if len(wrong) > 1 else ""
        raise BadFile(f"{package} is refused: {wrong[0]}{more} See: mensura generate crisis --lint {package}")
    return with_floors(made, found)


@dataclass(frozen=True)
class Built:
    """A world, without what the linter found out about it, and how it is claimed to be solved."""

    world: Conference
    witness: Placement | None
    """The repaired schedule from which its letters were drawn; of a world that was written out, what is stored."""


def build(package: Package, *, place: str = "") -> Conference:
    """Build the world of a package, without what the linter found out about it."""
    return make(package, place=place).world


def make(package: Package, *, place: str = "") -> Built:
    """Build the world of a package, with the schedule by which it is claimed to be solved."""
    where = place or package.name
    if package.world is not None:
        # A world that was edited is another one: what its file says of floors and ceiling is not believed.
        said = {key: said for key, said in package.world.items() if key not in FOUND}
        return Built(read(Conference, said, place=where), package.found.witness if package.found else None)
    scene = scene_of(package, place=where)
    return Built(assemble(scene, package=package, place=where), scene.solution.place)


def scene_of(package: Package, *, place: str = "") -> Backdrop:
    """Draw everything but the mail; the repaired schedule in it is a secret of the makers."""
    where = place or package.name
    values = draw_values(package.variables, rng=Random(f"values {package.source_seed}"), place=where)
    return make_scene(
        package.parameters,
        seed=package.source_seed,
        first=package.first,
        today=package.today,
        values=values,
        place=where,
    )


def assemble(scene: Backdrop, *, package: Package, place: str = "") -> Conference:
    """Write a scene down as a world, with its mail."""
    events = tuple(draft.event(scene.origin[id]) for id, draft in scene.drafts.items())
    site = make_site(
        events,
        rooms=scene.rooms,
        buildings=scene.buildings.values(),
        people=scene.people,
        speakers=scene.speakers,
        sponsors=scene.staff.sponsors,
        values=scene.values,
        first=scene.first,
        rng=Random(f"site {package.source_seed}"),
    )
    letters, rules = make_mail(scene, site=site, seed=package.source_seed, place=place or package.name)
    spent = sum(
        order_cost(vendor, vendor.product[order.item], quantity=order.quantity, blocks=scene.drafts[order.event].length)
        for order in scene.orders
        for vendor in [scene.vendors[order.vendor]]
    )
    times = {item.draft.id: item.allowed for item in scene.agenda}
    return Conference(
        name=package.name,
        purpose=package.purpose,
        seed=package.source_seed,
        today=scene.today,
        first=scene.first,
        title=scene.field.title,
        boss=scene.staff.boss.id,
        predecessor=scene.staff.predecessor.id,
        buildings=tuple(scene.buildings.values()),
        rooms=tuple(scene.rooms.values()),
        people=tuple(scene.people.values()),
        events=events,
        vendors=tuple(scene.vendors.values()),
        orders=scene.orders,
        site=tuple(site),
        rules=(
            *manual_rules(events, times=times, moved=scene.solution.moved, first=scene.first),
            *rules,
        ),
        letters=tuple(letters),
        loss=scene.loss,
        manual=manual(scene),
        pages=pages(scene),
        budget=float(round(spent * 1.3, -2)),
        minutes=scene.parameters.minutes,
    )


def with_floors(made: Built, package: Package) -> Conference:
    """Add what the linter found out about the package, or else what can be known without a search.

    Floors stay unknown, and nothing is charged by them, where a world was edited so that its proof no longer holds.
    """
    world, found = made.world, package.found
    if found is None or found.hash != world.hash:
        from mensura.catalog.crisis.packages.lint import found_at_once

        report = found_at_once(world, witness=made.witness)
        if report is None:
            return world
        found = report.found()
    return world.model_copy(update={name: getattr(found, name) for name in FOUND})
