"""What an identifier denotes: members stand for their class of aliases, and every named object must exist."""

from dataclasses import replace
from typing import Any

from mensura.catalog.detection.hypotheses.compiling import canonical
from mensura.catalog.detection.hypotheses.specification import CaseType, Specification
from mensura.catalog.detection.hypotheses.things import Thing, Things, Values
from mensura.errors import BadFile


def resolve(things: Things, *, specification: Specification, background: Things | None = None) -> Things:
    """Replace members by their classes, add objects that are only named, and refuse names of nothing.

    Objects of types that are not cases may be described in `background`, which both sides share.
    """
    resolved = Things(things.source)
    for name, kind in specification.types.items():
        # By identifier, so that the order of lines decides nothing, not even between equally good pairings.
        for _, thing in sorted(things.of(name).items()):
            resolved.add(_filled(kind, thing))
        if not kind.case and background is not None:
            for uid, thing in background.of(name).items():
                if uid not in resolved.of(name):
                    resolved.add(replace(thing))
    classes = {name: class_of(resolved, kind) for name, kind in specification.types.items() if kind.members}
    for name, kind in specification.types.items():
        if kind.compare == "strict":
            # Objects of equal content are one object, and naming it twice says nothing more.
            first: dict[Any, str] = {}
            same = ((uid, canonical(uid, kind, specification, resolved)) for uid in resolved.of(name))
            classes[name] = {uid: first.setdefault(content, uid) for uid, content in same}
    # From the roots down, so that an object implied by a supercase exists before its own values are looked up.
    for name in reversed(list(specification.types)):
        kind = specification.types[name]
        for thing in list(resolved.of(name).values()):
            thing.alternatives = [
                (probability, _denoted(values, kind, thing, resolved, classes, specification))
                for probability, values in thing.alternatives
            ]
    return resolved


def class_of(things: Things, kind: CaseType) -> dict[str, str]:
    """Map every member, and every class itself, to the class it belongs to.

    Raises
    ------
    BadFile
        If a member belongs to two classes.
    """
    members: dict[str, str] = {}
    for uid, thing in things.of(kind.name).items():
        for _, values in thing.alternatives:
            for member in values.get(kind.members or "", ()):
                if members.setdefault(member, uid) != uid:
                    place = f"{things.source}, line {thing.line}"
                    two = f"{uid!r} and to {members[member]!r}"
                    raise BadFile(f"{place}: {member!r} belongs to {two}; an alias belongs to one {kind.name}.")
    return members | {uid: uid for uid in things.of(kind.name)}


def unalias(hypotheses: Things, *, reference: Things, specification: Specification) -> Things:
    """Let the reference decide which names are one: every class becomes the reference's classes of its members.

    Assertions that become equal are dropped; afterwards classes compare by identifier.
    """
    renamed = {
        name: _renaming(hypotheses, reference, kind) for name, kind in specification.types.items() if kind.members
    }
    result = Things(hypotheses.source)
    for name, kind in specification.types.items():
        if name in renamed:
            for thing in hypotheses.of(name).values():
                for uid in renamed[name][thing.uid]:
                    if uid not in result.of(name):
                        result.add(replace(thing, uid=uid))
            continue
        for thing in hypotheses.of(name).values():
            alternatives = [
                (probability, {key: _rename(kind, key, given, renamed) for key, given in values.items()})
                for probability, values in thing.alternatives
            ]
            result.add(replace(thing, alternatives=alternatives))
    return result


def compare_by_uid(specification: Specification) -> Specification:
    """Return the specification in which classes of aliases compare by identifier alone."""
    types = {
        name: replace(kind, compare="uid", attributes={}, members=None) if kind.members else kind
        for name, kind in specification.types.items()
    }
    return replace(specification, types=types)


def _filled(kind: CaseType, thing: Thing) -> Thing:
    filled = [(chance, _with_members(kind, thing.uid, values)) for chance, values in thing.alternatives]
    known = (thing.line, thing.confidence, thing.costs, thing.submitted, thing.implied)
    return Thing(thing.type, thing.uid, filled, *known)


def _with_members(kind: CaseType, uid: str, values: Values) -> Values:
    """A class that lists no members is the class of its own identifier."""
    return {**values, kind.members: [uid]} if kind.members and not values.get(kind.members) else values


def _renaming(hypotheses: Things, reference: Things, kind: CaseType) -> dict[str, list[str]]:
    true_class = class_of(reference, kind)
    renaming = {}
    for uid, thing in hypotheses.of(kind.name).items():
        members = [member for _, values in thing.alternatives for member in values.get(kind.members or "", ())]
        renaming[uid] = list(dict.fromkeys(true_class.get(member, member) for member in members)) or [uid]
    return renaming


def _rename(kind: CaseType, key: str, given: list[str], renamed: dict[str, dict[str, list[str]]]) -> list[str]:
    domain = kind.attributes[key].domain
    if domain not in renamed:
        return given
    return list(dict.fromkeys(new for uid in given for new in renamed[domain].get(uid, [uid])))


def _denoted(
    values: Values,
    kind: CaseType,
    thing: Thing,
    things: Things,
    classes: dict[str, dict[str, str]],
    specification: Specification,
) -> Values:
    result: Values = {}
    for key, given in values.items():
        attribute = kind.attributes[key]
        if attribute.scalar:
            result[key] = given
            continue
        domain = specification.types[attribute.domain]
        found = classes.get(domain.name)
        uids = given if found is None else list(dict.fromkeys(str(found.get(uid, uid)) for uid in given))
        known = things.of(domain.name)
        # Objects that are nothing but a name, and are no cases, need not be listed.
        if domain.case or domain.compare != "uid":
            for uid in uids:
                if uid not in known:
                    things.add(_implied(domain, uid, thing, key, things))
                    known = things.of(domain.name)
        result[key] = uids
    return result


def _implied(domain: CaseType, uid: str, owner: Thing, key: str, things: Things) -> Thing:
    if not domain.bare:
        raise BadFile(
            f"{things.source}, line {owner.line}: {key} of {owner.type} {owner.uid!r} names the {domain.name} {uid!r}, "
            f"which is not described. Add it, or write `open: true` on {domain.name}."
        )
    return Thing(domain.name, uid, [(1.0, _with_members(domain, uid, {}))], owner.line, implied=True)
