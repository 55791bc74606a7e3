"""Clauses: who does what to what, read from phrases from left to right."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mensura.catalog.analogy.extraction.shallow.closed import BACKWARD, CONNECTIVES, CONTROLLED, word_set
from mensura.catalog.analogy.extraction.shallow.phrases import SentencePhrase
from mensura.catalog.analogy.graph.skeleton import Kind
from mensura.catalog.analogy.graph.statement import NounPhrase

COMPLEMENT = word_set(
    "ability attempt promise way right chance desire time effort decision need opportunity plan permission reason "
    "tendency failure wish ambition offer refusal able money one anything something"
)
"""Nouns that an infinitive completes, so that it states no purpose."""
INFINITIVE = word_set(
    "want try begin start need like seem promise decide learn plan hope fail manage agree refuse attempt wish "
    "love hate intend continue appear tend offer expect have be prefer help dare happen prove get"
)
"""Verbs that an infinitive completes."""
QUANTITY = word_set(
    "some any all each many most several few one none kind type sort number lot couple majority variety series "
    "set pair group amount part half both much rest"
)
"""Words before "of" that say how much or what kind of what comes after it, which is the one that is meant."""
DOUBTFUL = word_set("because since after before until till once than as like")
"""Words that stand before a clause or before a noun phrase."""


@dataclass
class Verb:
    """A verb of a sentence with all that was found to be its subjects and objects."""

    lemma: str
    subjects: list[NounPhrase] = field(default_factory=list)
    objects: list[NounPhrase] = field(default_factory=list)
    passive: bool = False
    negated: bool = False
    preposition: str = ""
    completed: bool = False
    """An adjective stands after it, so that what comes later is no object of it."""
    expletive: bool = False
    further: list[tuple[str, NounPhrase]] = field(default_factory=list)
    """Prepositions and nouns after them, beside the object."""

    @property
    def does(self) -> list[NounPhrase]:
        """Return who a verb that shares its subject with this one speaks of."""
        return self.objects if self.passive else self.subjects


@dataclass(frozen=True)
class Tie:
    """A connective between two verbs."""

    kind: Kind
    first: Verb
    second: Verb
    by: str


class ClauseReader:
    """Read a text sentence by sentence; `verbs` and `ties` hold what was found."""

    def __init__(self) -> None:
        self.verbs: list[tuple[int, Verb]] = []
        self.ties: list[Tie] = []
        self._main: Verb | None = None

    def read(self, items: Sequence[SentencePhrase], sentence: int) -> None:
        """Read the phrases of one sentence."""
        _Sentence(self, items, sentence).read()

    def tie(self, kind: str, one: Verb, other: Verb, by: str) -> None:
        """Keep that a verb stands behind a connective of this kind, and another verb in the other clause."""
        if kind in ("cause", "condition"):
            self.ties.append(Tie(kind, one, other, by))  # type: ignore[arg-type]
        elif kind == "end":
            self.ties.append(Tie("purpose", other, one, by))
        elif kind == "earlier":
            self.ties.append(Tie("time", one, other, by))
        else:
            self.ties.append(Tie("cause" if kind == "effect" else "time", other, one, by))


class _Sentence:
    def __init__(self, reader: ClauseReader, items: Sequence[SentencePhrase], number: int) -> None:
        self.reader, self.items, self.number = reader, items, number
        self.subject: list[NounPhrase] = []
        self.outer: list[NounPhrase] = []
        self.open: Verb | None = None
        self.last: Verb | None = None
        self.main: Verb | None = None
        self.list: list[NounPhrase] | None = None
        self.near: NounPhrase | None = None
        self.antecedent: NounPhrase | None = None
        self.marker = ""
        self.embedded = False
        self.relative = False
        self.expletive = False
        self.waiting: list[tuple[str, str, Verb]] = []
        self.unowned: list[Verb] = []

    def read(self) -> None:
        for at, one in enumerate(self.items):
            if one.kind == "noun":
                self._noun(at, one)
            elif one.kind == "verb":
                self._verb(at, one)
            elif one.kind == "connective":
                self._connective(at, one)
            elif one.kind == "subordinator":
                self.embedded = True
                self._close()
            elif one.kind == "relative":
                self._relative(at)
            elif one.kind == "adjective" and self.open is not None and not self.open.objects:
                self.open.completed = True
            elif one.kind == "comma" and self.open is not None and self.open.objects:
                self.open = None
        if self.main is not None:
            self.reader._main = self.main

    def _kind(self, at: int) -> str:
        return self.items[at].kind if 0 <= at < len(self.items) else "stop"

    def _close(self) -> None:
        if self.subject:
            self.outer = self.subject
        self.subject, self.open, self.list = [], None, None

    def _before_verb(self, at: int) -> bool:
        """Return whether a noun phrase is followed by a verb of which it can be the subject."""
        joined = self._kind(at - 1) in ("coordinator", "connective", "subordinator")
        at += 1
        while self._kind(at) == "preposition" and self.items[at].lemma == "of" and self._kind(at + 1) == "noun":
            at += 2
        if self._kind(at) == "coordinator" and self._kind(at + 1) == "noun":
            return self._before_verb(at + 1) and self.open is None
        if self._kind(at) != "verb":
            return False
        one = self.items[at]
        if one.form == "participle":
            return joined or self._kind(at + 1) != "preposition"
        return one.form == "finite"

    def _noun(self, at: int, one: SentencePhrase) -> None:
        if one.expletive:
            self._close()
            self.expletive = True
            return
        assert one.noun is not None
        before = self.items[at - 1] if at else None
        joined = before is not None and (
            before.kind == "coordinator" or (before.kind == "comma" and self.list is not None)
        )
        if before is not None and before.kind == "preposition":
            if before.lemma == "of" and self._kind(at - 2) == "noun":
                self._meant(self.items[at - 2].noun, one.noun)
                return
            self._after_preposition(before.lemma, one.noun)
            self.near = one.noun
            return
        self.near = one.noun
        goes_on = joined and self.list is not None and not self._new_clause(at)
        if goes_on and self.list is not None and (self._kind(at - 1) == "coordinator" or self._lists(at)):
            self.list.append(one.noun)
            return
        taking = self.open
        # A relative clause takes its object, though the verb of the clause around it comes next.
        within = taking is not None and bool(self.outer) and self._kind(at - 1) == "verb"
        if taking is not None and (within or not self._before_verb(at)) and not (before and before.kind == "comma"):
            if not taking.completed and not (taking.passive and taking.objects):
                if taking.objects and self._kind(at - 1) == "noun" and not taking.preposition:
                    # To give somebody something: the thing is the object.
                    taking.objects = []
                if not taking.objects:
                    taking.objects = [one.noun]
                    self.list = taking.objects
                return
            if taking.passive:
                return
        if self.subject and self._kind(at - 1) == "comma" and not self._before_verb(at):
            # An apposition.
            return
        self._close()
        self.subject = [one.noun]
        self.list = self.subject

    def _meant(self, quantity: NounPhrase | None, noun: NounPhrase) -> None:
        """Put a noun in the place of the word that only says how many or what kind of it."""
        if quantity is None or quantity.lemma not in QUANTITY:
            return
        for held in (self.subject, *((self.open.subjects, self.open.objects) if self.open else ())):
            for at, one in enumerate(held):
                if one is quantity:
                    held[at] = noun
        self.near = noun

    def _new_clause(self, at: int) -> bool:
        return self._before_verb(at) and (self.open is not None or self.list is not self.subject)

    def _lists(self, at: int) -> bool:
        """Return whether a noun phrase behind a comma goes on with an enumeration that ends in and."""
        place = at + 1
        while self._kind(place) in ("comma", "noun"):
            place += 1
        return self._kind(place) == "coordinator" and self._kind(place + 1) == "noun"

    def _after_preposition(self, preposition: str, noun: NounPhrase) -> None:
        taking = self.open
        if taking is None:
            return
        if taking.passive and preposition == "by" and not taking.subjects:
            taking.subjects = [noun]
            self.list = taking.subjects
        elif not taking.passive and not taking.objects and not taking.completed:
            taking.objects, taking.preposition = [noun], preposition
            self.list = taking.objects
        else:
            taking.further.append((preposition, noun))

    def _connective(self, at: int, one: SentencePhrase) -> None:
        if one.lemma in DOUBTFUL and self._kind(at + 1) in ("noun", "preposition") and not self._clause_follows(at + 1):
            return
        if one.lemma == "then" and any(kind == "condition" for _, kind, _ in self.waiting):
            return
        if self._kind(at - 1) == "coordinator" and CONNECTIVES[one.lemma] not in BACKWARD:
            # A new clause begins with its condition: what follows is what it is a condition of.
            self.main = None
        self.marker = one.lemma
        if one.lemma not in ("then", "later", "finally", "eventually", "afterwards") or self._kind(at + 1) == "noun":
            self._close()

    def _clause_follows(self, at: int) -> bool:
        if self._kind(at) != "noun":
            return False
        while self._kind(at) in ("noun", "preposition", "coordinator", "adjective"):
            at += 1
        return self._kind(at) == "verb"

    def _relative(self, at: int) -> None:
        self.antecedent = self.near
        self.relative = True
        if self.subject:
            self.outer = self.subject
        self.subject, self.open = [], None
        if self._kind(at + 1) == "verb" and self.near is not None:
            self.subject = [self.near]
            self.antecedent = None

    def _verb(self, at: int, one: SentencePhrase) -> None:
        made = Verb(one.lemma, passive=one.passive, negated=one.negated)
        marker, self.marker = self.marker, ""
        infinitive = one.form == "infinitive" or (CONNECTIVES.get(marker) == "end" and not self.subject)
        main = False
        if infinitive:
            subjects = self._of_infinitive()
            self._purpose(at, made, marker)
        elif one.form == "gerund":
            subjects = self._of_gerund(at, made)
        elif one.form == "participle" and self._reduced(at):
            made.passive = True
            subjects = [self.near] if self.near else []
        else:
            main = not self.relative and not self.embedded
            subjects = self._of_finite(at)
        if self.relative and self.antecedent is not None and not infinitive:
            if made.passive:
                subjects = [self.antecedent]
            else:
                made.objects = [self.antecedent]
            self.antecedent = None
        if made.passive:
            made.objects = list(subjects)
        else:
            made.subjects = list(subjects)
        made.expletive, self.expletive = self.expletive, False
        self.reader.verbs.append((self.number, made))
        self._tied(made, marker, main, infinitive)
        if not (infinitive or one.form == "gerund"):
            self.relative = self.embedded = False
        self.subject, self.open, self.last, self.list = [], made, made, None

    def _of_infinitive(self) -> list[NounPhrase]:
        if self.last is None:
            return list(self.subject)
        if self.last.lemma in CONTROLLED and self.last.objects:
            return list(self.last.objects)
        if self.last.completed and any(one.pronoun for one in self.last.does):
            # It is impossible to do something: nobody in particular does it.
            return []
        return list(self.last.does)

    def _of_gerund(self, at: int, made: Verb) -> list[NounPhrase]:
        if self._kind(at - 1) == "noun" and self.near is not None and self.subject:
            self.outer = self.subject
            return [self.near]
        if self._kind(at - 1) == "noun" and self.near is not None and self.open is not None:
            return [self.near]
        if self.last is not None:
            return list(self.last.does)
        if self._kind(at - 1) in ("preposition", "connective", "stop"):
            self.unowned.append(made)
        return []

    def _of_finite(self, at: int) -> list[NounPhrase]:
        if self.subject:
            found = list(self.subject)
        elif self.expletive:
            found = []
        elif self._kind(at - 1) in ("coordinator", "connective") and self.last is not None:
            found = list(self.last.does)
        elif self.outer:
            found = list(self.outer)
            self.outer = []
        else:
            found = list(self.last.does) if self.last is not None else []
        for one in self.unowned:
            if not one.subjects and found and not one.passive:
                one.subjects = list(found)
        self.unowned = []
        return found

    def _reduced(self, at: int) -> bool:
        """Return whether a participle follows its noun: the model used in retrieval."""
        if self._kind(at - 1) != "noun" or self.near is None:
            return False
        after = self.items[at + 1] if at + 1 < len(self.items) else None
        if self.subject and self.near is self.subject[-1]:
            return (
                after is not None and after.kind == "preposition" and after.lemma == "by" and self._verb_later(at + 1)
            )
        return not self.subject and (after is None or after.kind in ("preposition", "comma"))

    def _verb_later(self, at: int) -> bool:
        return any(one.kind == "verb" and one.form == "finite" for one in self.items[at:])

    def _purpose(self, at: int, made: Verb, marker: str) -> None:
        if marker or self.last is None or self.last is not self.open:
            return
        complete = self.last.objects and self.last.lemma not in CONTROLLED and self.last.lemma not in INFINITIVE
        if complete and not (self.near and self.near.lemma in COMPLEMENT) and self._kind(at - 1) == "noun":
            self.reader.tie("end", made, self.last, "to")

    def _tied(self, made: Verb, marker: str, main: bool, infinitive: bool) -> None:
        kind = CONNECTIVES.get(marker, "")
        if kind in BACKWARD:
            earlier = self.main or self.reader._main
            if earlier is not None:
                self.reader.tie(kind, made, earlier, marker)
            self.main = made
        elif kind:
            other = self.main or (self.last if infinitive else None)
            if other is not None:
                self.reader.tie(kind, made, other, marker)
            else:
                self.waiting.append((marker, kind, made))
        elif main:
            for word, earlier_kind, one in self.waiting:
                self.reader.tie(earlier_kind, one, made, word)
            self.waiting = []
            self.main = made
