"""The whole calibration: items, agreement, groups, takers, and what their grades owe to who calibrated."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.catalog.imitation.winograd.bench.ambiguity import check_ambiguity
from mensura.catalog.imitation.winograd.calibration.answers import PersonAnswer, answers_by_item, sample_of
from mensura.catalog.imitation.winograd.calibration.ease import EASES
from mensura.catalog.imitation.winograd.calibration.grade import Grade, grades
from mensura.catalog.imitation.winograd.calibration.items import (
    CalibratedItem,
    agreement_of,
    describe_items,
    functioning_of,
    keys_of,
)
from mensura.catalog.imitation.winograd.calibration.rules import InclusionRules
from mensura.catalog.imitation.winograd.schema import Schema
from mensura.stats import Agreement
from mensura.stats.intervals.bootstrap import record_generator
from mensura.stats.response.functioning import GroupFunctioning
from mensura.stats.rounding import rounded
from mensura.stats.wording import several, spoken


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a named sample of people made of some schemas."""

    sample: str
    persons: int
    items: tuple[CalibratedItem, ...]
    agreement: Agreement | str
    groups: Mapping[str, GroupFunctioning | str]
    """Group of calibrators → items that function differently for it, or why that cannot be said."""
    takers: Mapping[str, GroupFunctioning | str]
    """The same among takers."""
    grades: tuple[Grade, ...]
    rules: InclusionRules

    @property
    def one_aunt(self) -> str:
        """Say whether the groups of calibrators can be taken for one."""
        if not self.groups:
            return "Calibrators are not told apart by group, so nothing is known of more than one Aunt Edna."
        return " ".join(str(one) for one in self.groups.values())

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "sample": self.sample,
            "persons": self.persons,
            "rules": self.rules.as_json(),
            "items": [one.as_json() for one in self.items],
            "agreement": self.agreement if isinstance(self.agreement, str) else self.agreement.coefficient.as_json(),
            "groups": _told(self.groups),
            "takers": _told(self.takers),
            "grades": [one.as_json() for one in self.grades],
        }

    def lines(self) -> list[str]:
        """Return it in lines for a terminal; every item has one."""
        many = Counter(one.likeliest for one in self.items if one.right.n)
        verdicts = Counter(one.verdict for one in self.items)
        said = self.agreement if isinstance(self.agreement, str) else self.agreement.sentence
        lines = [
            f"Calibrated by {self.sample} ({several(self.persons, 'person')}); rules {self.rules.hash}"
            + (f", written {self.rules.written}." if self.rules.written else "."),
            f"Most probably {', '.join(f'{kind} {many[kind]}' for kind in EASES)} of {many.total()} answered items; "
            f"{sum(one.included for one in self.items)} included.",
            f"Ambiguity, as the bench finds it: {', '.join(f'{kind} {n}' for kind, n in verdicts.most_common())}.",
            said,
            self.one_aunt,
        ]
        lines += [f"Among takers: {one}" for one in self.takers.values()]
        lines.append("")
        for one in self.items:
            chances = ", ".join(f"{kind} {one.ease[kind]:.2f}" for kind in EASES)
            left = f"; NOT included: {one.reason}" if one.reason else ""
            lines.append(f"{one.item}: {one.verdict}; {spoken(one.right)} as its author meant; {chances}{left}.")
        if self.grades:
            lines += ["", "Grades by who calibrated:"]
        for grade in self.grades:
            _, low, high = rounded(sum(grade.moves) / 2, *grade.moves)
            moves = "" if low == "unknown" else f"; {low} to {high} with other calibrators like these"
            who = grade.calibrators if not grade.persons else f"{grade.calibrators} ({grade.persons})"
            lines.append(f"  {grade.taker}, {who}: {spoken(grade.grade)} on {several(grade.items, 'item')}{moves}.")
        return lines


def calibrate_schemas(
    schemas: Sequence[Schema],
    answers: Sequence[PersonAnswer],
    *,
    rules: InclusionRules,
    takers: Sequence[PersonAnswer] = (),
) -> Calibration:
    """Calibrate schemas by people's answers under rules written before, and grade takers on what is let in."""
    keys = keys_of(schemas)
    # Lines of a file have no order: sorted, draws from them are the same whatever it is.
    answers = sorted(answers, key=lambda one: (one.person, one.item))
    takers = sorted(takers, key=lambda one: (one.person, one.item))
    rng = record_generator([float(len(one.item) + len(one.answer)) for one in answers])
    groups = functioning_of(answers, keys)
    differing = {
        name
        for found in groups.values()
        if not isinstance(found, str)
        for name, one in found.items.items()
        if one.differs
    }
    said, sample = answers_by_item(answers), sample_of(answers)
    verdicts = {
        name: check_ambiguity(schema, number, said.get(name, ()), sample=sample).verdict
        for schema in schemas
        for number in range(len(schema.sentences))
        if (name := f"{schema.id}/{number}") in keys
    }
    return Calibration(
        sample,
        len({one.person for one in answers}),
        describe_items(answers, keys, rules=rules, verdicts=verdicts, differing=sorted(differing)),
        agreement_of(answers, keys, rng=rng),
        groups,
        functioning_of(takers, keys) if takers else {},
        grades(takers, answers, keys, rules=rules, rng=rng) if takers else (),
        rules,
    )


def _told(found: Mapping[str, GroupFunctioning | str]) -> dict[str, Any]:
    return {name: {"cannot": one} if isinstance(one, str) else one.as_json() for name, one in found.items()}
