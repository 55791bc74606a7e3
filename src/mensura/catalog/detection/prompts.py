"""What a subject is shown: the briefing about the world, reports as they come in, and the desk of a patrol."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any, ClassVar

from mensura.dialogue import Prompt, TableView

REPORT_COLUMNS = ("number", "reported", "day", "kind", "actor", "other", "item", "target")
Rows = Sequence[Sequence[Any]]


def own_files(name: str, *, wide: bool = False) -> dict[str, Any]:
    """Name the template and the script of a page of ours, and the style that all of them share."""
    files = {"template": f"{name}.html", "script": f"{name}.js", "style": "detection.css"}
    return {"package": __package__, **files, "wide": wide}


def _listed(cases: Sequence[Mapping[str, Any]]) -> list[str]:
    return ["Cases in evidence:\n" + "\n".join(dumps(dict(case)) for case in cases)] if cases else []


@dataclass(frozen=True)
class Dossier(Prompt):
    """What is known of the world before any report: its modes, targets, people, patterns, and cases in evidence.

    `tables` hold columns by name, as in the files of `mensura generate detection`; `cases` are objects of the
    specification, in part and partly wrong; `parameters` say how the world was made.
    """

    kind: ClassVar[str] = "detection-briefing"
    page: ClassVar[dict[str, Any]] = {"package": __package__, "template": "briefing.html", "style": "detection.css"}
    tables: Mapping[str, Mapping[str, Sequence[Any]]]
    patterns: Mapping[str, Any]
    cases: Sequence[Mapping[str, Any]]
    parameters: Mapping[str, float]
    words: str

    def text(self) -> str:
        from yaml import safe_dump

        parts = [self.words]
        for name, columns in self.tables.items():
            parts.append(TableView(list(columns), list(zip(*columns.values(), strict=True)), title=name).text())
        given = {"Event patterns": self.patterns, "Parameters of the world": self.parameters}
        return "\n\n".join([*parts, safe_dump(given, sort_keys=False, width=110).rstrip(), *_listed(self.cases)])

    def places(self) -> list[dict[str, Any]]:
        """Return every target with the modes it supports, destructive ones first, and what each needs.

        >>> tables = {"modes": {"mode": ["M0", "M1"], "destructive": [False, True], "asset": ["C1", "R2"]},
        ...           "targets": {"target": ["T0", "T0"], "mode": ["M0", "M1"]}}
        >>> Dossier(tables, {}, [], {}, "").places()[0]["modes"][0]
        {'mode': 'M1', 'destructive': True, 'assets': ['R2']}
        """
        modes: dict[str, dict[str, Any]] = {}
        table = self.tables["modes"]
        for mode, destructive, asset in zip(table["mode"], table["destructive"], table["asset"], strict=True):
            found = modes.setdefault(mode, {"mode": mode, "destructive": bool(destructive), "assets": []})
            found["assets"].append(asset)
        open_to: dict[str, list[dict[str, Any]]] = {}
        for target, mode in zip(self.tables["targets"]["target"], self.tables["targets"]["mode"], strict=True):
            open_to.setdefault(target, []).append(modes[mode])
        return [
            {"target": target, "modes": sorted(open_to[target], key=lambda each: not each["destructive"])}
            for target in sorted(open_to, key=lambda each: int(each[1:]))
        ]


@dataclass(frozen=True)
class Reports(Prompt):
    """Reports since the last ask, one row each, in the order of `REPORT_COLUMNS`, and cases new in evidence.

    A page also shows what came before and the briefing; neither is logged again, as replaying brings them back.
    """

    kind: ClassVar[str] = "detection-reports"
    page: ClassVar[dict[str, Any]] = own_files("reports", wide=True)
    rows: Rows
    today: int
    words: str
    cases: Sequence[Mapping[str, Any]] = ()
    before: Rows = ()
    briefing: Dossier | None = None

    def data(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("kind", "rows", "today", "words", "cases")}

    def page_data(self) -> dict[str, Any]:
        places = [] if self.briefing is None else self.briefing.places()
        briefing = None if self.briefing is None or not self.before else self.briefing.data() | {"words": ""}
        return {**self.data(), "before": self.before, "places": places, "briefing": briefing}

    def text(self) -> str:
        shown = [["" if cell is None else cell for cell in row] for row in self.rows]
        table = TableView(REPORT_COLUMNS, shown, title=f"Day {self.today}").text()
        return "\n\n".join([self.words, *_listed(self.cases), table])


@dataclass(frozen=True)
class Situation(Prompt):
    """Where a patrol stands: the day, what was done and what it cost, and the attacks that went through.

    `acts_left` are those still possible today; `alerts` in force are (target, level, last day), `arrests` (day, name,
    whether right), `attacks` (day, target, damage); `places`, targets and their modes, are for the page.
    """

    kind: ClassVar[str] = "detection-desk"
    page: ClassVar[dict[str, Any]] = own_files("desk", wide=True)
    today: int
    days: int
    acts_left: int
    costs: Mapping[str, float]
    prices: Mapping[str, float]
    alerts: Sequence[tuple[str, int, int]]
    arrests: Sequence[tuple[int, str, bool]]
    attacks: Sequence[tuple[int, str, float]]
    places: Sequence[Mapping[str, Any]] = ()

    def data(self) -> dict[str, Any]:
        return {name: value for name, value in super().data().items() if name != "places"}

    def page_data(self) -> dict[str, Any]:
        return super().data()

    def text(self) -> str:
        lines = [f"Day {self.today} of {self.days}; {self.acts_left} acts left today."]
        lines.append("Costs so far: " + ", ".join(f"{what} {cost:g}" for what, cost in self.costs.items()) + ".")
        lines += [f"{target} is on alert {level} up to day {last}." for target, level, last in self.alerts]
        lines += [
            f"Day {day}: {name} arrested, {'rightly' if right else 'wrongly'}." for day, name, right in self.arrests
        ]
        lines += [f"Day {day}: attack on {target}, damage {damage:g}." for day, target, damage in self.attacks]
        return "\n".join(lines)
