"""Reference subjects of the dialogue: minds that read what is shown and answer it."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.place import Attack, GridPoint
from mensura.catalog.sensemaking.exam.probs import Probs, probs_from_table, published_probs
from mensura.catalog.sensemaking.exam.roads import Road, RoadNetwork
from mensura.catalog.sensemaking.minds.mind import ReferenceMind
from mensura.catalog.sensemaking.minds.reference import MINDS, Anchoring
from mensura.catalog.sensemaking.minds.simulated import SimulatedPerson, Variety
from mensura.catalog.sensemaking.showing.atlas import Bars, Handbook, SceneMap
from mensura.catalog.sensemaking.solving.normative import CIRCLE, Walk, estimate_spreads, place_likelihoods
from mensura.catalog.sensemaking.solving.waves import WaveFilter
from mensura.dialogue import Ask, Choice, Distribution, TableView, prompt_text
from mensura.errors import SubjectCrashed

TRUTH = re.compile(r"(?:group|site) \*\*(\w)\*\*")
GROUP = re.compile(r"group \*\*(\w)\*\*")
CREDITS = re.compile(r"(\d+(?:\.\d+)?) credits")


class MindSubject:
    """Lets a mind take the dialogue: it sees maps, tables and bars, as any subject does, and never the truth."""

    recomputes = True

    def __init__(self, mind: ReferenceMind) -> None:
        self.mind = mind
        self.name = mind.name
        self.probs: Probs = published_probs()
        self.belief: NDArray[np.float64] = np.ones(1)
        self.before: dict[str, float] = {}
        self.truth: str | None = None
        self.waves: _Waves | None = None

    def begin(self, rng: np.random.Generator) -> None:
        """Take the session's chance."""
        self.mind.begin(rng)
        self.waves = None

    def feedback(self, told: Ask) -> None:
        """Learn what came true, and what was bought."""
        text = prompt_text(told.prompt)
        if told.key.endswith(".truth"):
            found = TRUTH.search(text)
            self.truth = found[1] if found else None
            if told.key.startswith("7.") and self.waves is not None and self.truth is not None:
                group = GROUP.search(text)
                self.waves.happened(self.truth, None if group is None else group[1])
        elif ".report" in told.key and self.waves is not None:
            self.waves.see(_shown(told.prompt, "The report alone"))

    def __call__(self, ask: Ask) -> Any:
        number, _, rest = ask.key.partition(".")
        if number == "practice":
            return ask.space.draw(self.mind.rng) if ask.space is not None else None
        what = rest.partition(".")[2]
        parts = ask.prompt if isinstance(ask.prompt, list) else [ask.prompt]
        self._read_rules(parts)
        if what == "surprise":
            options = list(self.before)
            return 1 + self.mind.surprise(self.belief, options.index(self.truth or options[0]))
        if what == "choice":
            return list(self.before)[self.mind.pick(self.belief)]
        if what == "allocation":
            return self._shares(self.mind.allocate(self.belief), 100.0)
        if number == "7":
            return self._wave(what, ask, parts)
        if what.startswith(("circle", "centre")):
            return self._draw(what, parts)
        if what.startswith("layer"):
            return self._choose(ask, parts)
        return self._judge(int(number), int(what), ask, parts)

    def _read_rules(self, parts: list[Any]) -> None:
        """Take the rules this exam states."""
        found = next((part for part in parts if isinstance(part, Handbook)), None)
        if found is not None:
            self.probs = self.mind.probs = probs_from_table(found.numbers)

    def _judge(self, number: int, stage: int, ask: Ask, parts: list[Any]) -> dict[str, float]:
        options = _options(ask)
        if number <= 3:
            self.belief = self.mind.judge(_learned(_map(parts), options, self.probs))
        elif number == 4 and stage == 0:
            self.belief = self.mind.judge_sites(_near(_map(parts), self.probs, of="question"))
        else:
            if number >= 5 and stage == 1:
                self._start(parts)
            self.belief = self.mind.update(self.belief, _shown(parts, "The report alone"))
        self.before = dict.fromkeys(options, 0.0)
        return self._shares(self.belief, 1.0)

    def _start(self, parts: list[Any]) -> None:
        shown = _shown(parts, "Before")
        self.belief = self.mind.start(shown, _near(_map(parts), self.probs, of="HUMINT"))

    def _choose(self, ask: Ask, parts: list[Any]) -> str:
        if ask.key.endswith("layer1"):
            self._start(parts)
        menu = [Layer.parse(name) for name in _options(ask)]
        groups = tuple(_bars(parts, "Before"))
        return str(self.mind.choose(self.belief, menu, groups=groups))

    def _draw(self, what: str, parts: list[Any]) -> list[float]:
        seen = _map(parts)
        attacks, walk = _attacks(seen), _walk(seen)
        groups = sorted({attack.group for attack in attacks})
        spreads = {s.group: s for s in estimate_spreads(attacks, groups=groups, walk=walk, probs=self.probs)}
        spread = spreads[what.rpartition(".")[2]]
        place = [float(spread.centre.x), float(spread.centre.y)]
        return place if spread.sigma is None else [*place, CIRCLE * spread.sigma]

    def _wave(self, what: str, ask: Ask, parts: list[Any]) -> Any:
        if self.waves is None:
            self.waves = _Waves(_bars(parts, "Your last report"), self.probs)
        if what == "keep":
            self.waves.shown = _map(parts)
            self.waves.next_trial()
            return "change"
        if what == "groups":
            self.waves.judged = self.mind.judge(self.waves.belief)
            return dict(zip(self.waves.groups, _exact(self.waves.judged).tolist(), strict=True))
        if what == "sites":
            table = next(part for part in parts if isinstance(part, TableView))
            sites = self.waves.see_sites(table)
            self.belief = self.mind.say(self.waves.judged @ sites)
            self.before = dict.fromkeys(self.waves.names, 0.0)
            return self._shares(self.belief, 1.0)
        return self._buy(ask, what)

    def _buy(self, ask: Ask, what: str) -> str:
        assert self.waves is not None
        text = prompt_text(ask.prompt)
        found = CREDITS.search(text)
        offered = {
            Layer.parse(name): float(match[1])
            for name in _options(ask)[1:]
            if (match := re.search(rf"{name} (\d+(?:\.\d+)?)", text))
        }
        if what != "buy1" or found is None:
            return "nothing"
        bought = self.mind.buy(self.waves.belief, offered, credits=float(found[1]), groups=self.waves.groups)
        return str(bought[0]) if bought else "nothing"

    def _shares(self, shares: NDArray[np.float64], whole: float) -> dict[str, float]:
        return dict(zip(self.before, (whole * _exact(shares)).tolist(), strict=True))


class _Waves(WaveFilter):
    """What a mind keeps of Task 7: the belief over groups and the sites of the trial at hand."""

    def __init__(self, reported: Mapping[str, float], probs: Probs) -> None:
        super().__init__(reported, probs)
        self.judged = self.belief
        self.names: tuple[str, ...] = ()
        self.sites = np.ones((len(self.groups), 1))
        self.shown: SceneMap | None = None
        self._pending = False

    @property
    def belief(self) -> NDArray[np.float64]:
        """The belief over groups as probabilities."""
        return self.percents_now / 100

    def see_sites(self, table: TableView) -> NDArray[np.float64]:
        """Chances of the sites for each group, by HUMINT and SOCINT."""
        assert self.shown is not None
        self.names = tuple(str(row[0]) for row in table.rows)
        places = [GridPoint(float(row[1]), float(row[2])) for row in table.rows]
        network = _network(self.shown)
        assert network is not None
        miles = self.shown.miles_per_unit * network.distances(_centres(self.shown), places)
        self.sites = self.chances(miles, [str(row[3]) for row in table.rows])
        return self.sites

    def happened(self, site: str, group: str | None) -> None:
        """Update on the place, and on the group where it was revealed."""
        self.see(self.sites[:, self.names.index(site)])
        if group is not None:
            self.see_group(group)
        self._pending = True

    def next_trial(self) -> None:
        """Let the wave rule carry the belief on, once after each event."""
        if self._pending:
            super().next_trial()
            self._pending = False


def _options(ask: Ask) -> tuple[str, ...]:
    assert isinstance(ask.space, (Choice, Distribution))
    return ask.space.options


def _exact(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(shares / shares.sum())


def _map(parts: list[Any]) -> SceneMap:
    found = next((part for part in parts if isinstance(part, SceneMap)), None)
    if found is None:
        raise SubjectCrashed("No map was shown where one is needed.")
    return found


def _bars(parts: Any, words: str) -> Mapping[str, float]:
    found = next((part.sets[words] for part in parts if isinstance(part, Bars) and words in part.sets), None)
    if found is None:
        raise SubjectCrashed(f"No bars called {words!r} were shown where they are needed.")
    return found


def _shown(parts: Any, words: str) -> NDArray[np.float64]:
    return np.array(list(_bars(parts, words).values())) / 100


def _attacks(shown: SceneMap) -> list[Attack]:
    return [
        Attack(feature.label, GridPoint(*feature.places[0]))
        for feature in shown.features
        if feature.layer in ("events", "new events")
    ]


def _centres(shown: SceneMap) -> list[GridPoint]:
    return [GridPoint(*feature.places[0]) for feature in shown.features if feature.layer == "HUMINT"]


def _network(shown: SceneMap) -> RoadNetwork | None:
    roads = tuple(tuple(feature.places) for feature in shown.features if feature.layer == "roads")
    return _joined(roads) if roads else None


@lru_cache(maxsize=16)
def _joined(roads: tuple[tuple[tuple[float, float], ...], ...]) -> RoadNetwork:
    """The network of some roads; the same few maps come back on every trial."""
    return RoadNetwork(
        tuple(Road(str(number), tuple(GridPoint(*at) for at in road)) for number, road in enumerate(roads, start=1))
    )


def _walk(shown: SceneMap) -> Walk | None:
    network = _network(shown)
    return None if network is None else Walk(network, shown.miles_per_unit)


def _probe(shown: SceneMap) -> list[GridPoint]:
    return [GridPoint(*feature.places[0]) for feature in shown.features if feature.layer == "question"]


def _learned(shown: SceneMap, groups: tuple[str, ...], probs: Probs) -> NDArray[np.float64]:
    walk = _walk(shown)
    spreads = estimate_spreads(_attacks(shown), groups=groups, walk=walk, probs=probs)
    likelihood = place_likelihoods(spreads, _probe(shown)[0], walk, probs)
    weight = np.array([spread.base_rate for spread in spreads]) * likelihood
    return _exact(weight)


def _near(shown: SceneMap, probs: Probs, *, of: str) -> NDArray[np.float64]:
    """By distance alone: of the sites from one centre, or of the centres from one place."""
    network = _network(shown)
    assert network is not None
    miles = shown.miles_per_unit * network.distances(_centres(shown), _probe(shown))
    return _exact(probs.distance_likelihood(miles[0] if of == "question" else miles[:, 0]))


class SimulatedSubject(MindSubject):
    """A person-like subject: another person in every session."""

    def __init__(self) -> None:
        super().__init__(Anchoring())
        self.name = "simulated-person"

    def begin(self, rng: np.random.Generator) -> None:
        """Become someone."""
        self.mind = SimulatedPerson(Anchoring(), Variety(), rng)
        super().begin(rng)


def _reference(kind: type[ReferenceMind]) -> MindSubject:
    return MindSubject(kind())


SUBJECTS: Mapping[str, Callable[[], Any]] = {
    **{name: partial(_reference, kind) for name, kind in MINDS.items() if name != "chance"},
    "simulated-person": SimulatedSubject,
}
