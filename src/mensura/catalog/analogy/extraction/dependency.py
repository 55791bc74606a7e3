"""From dependency trees (Universal Dependencies) to statements: one set of rules for every parser."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from mensura.catalog.analogy.extraction.shallow.closed import CONNECTIVES, CONTROLLED
from mensura.catalog.analogy.graph.skeleton import Kind
from mensura.catalog.analogy.graph.statement import Connection, NounPhrase, ReadStatements, Statement

BARE = frozenset(["to"])


@dataclass(frozen=True)
class ParsedWord:
    """A word of a parsed sentence: the number of its head (0 for the root) and its relation to it."""

    number: int
    form: str
    lemma: str
    tag: str
    head: int
    relation: str
    plural: bool = False


@dataclass
class _Clause:
    verb: ParsedWord
    subjects: list[ParsedWord]
    objects: list[ParsedWord]
    further: list[tuple[str, ParsedWord]]
    passive: bool
    negated: bool
    first: int | None = None

    @property
    def does(self) -> list[ParsedWord]:
        return self.objects if self.passive else self.subjects


def statements_of(parsed: Sequence[Sequence[ParsedWord]]) -> ReadStatements:
    """Return what parsed sentences state."""
    statements: list[Statement] = []
    connections: list[Connection] = []
    previous: _Clause | None = None
    for number, words in enumerate(parsed):
        tree = _Tree(words)
        for clause in tree.clauses.values():
            made = _statements(clause, tree, number)
            if made:
                clause.first = len(statements)
                statements += made
        connections += tree.connections()
        root = tree.clauses.get(next((one.number for one in words if one.head == 0), 0))
        marker = tree.opening()
        if root is not None and root.first is not None:
            if marker and previous is not None and previous.first is not None:
                kind: Kind = "cause" if CONNECTIVES[marker] == "effect" else "time"
                connections.append(Connection(kind, previous.first, root.first, marker))
            previous = root
    return ReadStatements(tuple(statements), tuple(connections))


class _Tree:
    def __init__(self, words: Sequence[ParsedWord]) -> None:
        self.words = {one.number: one for one in words}
        self.under: dict[int, list[ParsedWord]] = defaultdict(list)
        for one in words:
            self.under[one.head].append(one)
        self.clauses: dict[int, _Clause] = {}
        for one in words:
            copula = [held for held in self.under[one.number] if held.relation == "cop"]
            if one.tag == "VERB" or (copula and one.tag in ("NOUN", "PROPN", "PRON")):
                self.clauses[one.number] = self._clause(one, copula)
        for clause in self.clauses.values():
            self._share(clause)

    def _clause(self, one: ParsedWord, copula: Sequence[ParsedWord]) -> _Clause:
        held = self.under[one.number]
        negated = any(word.lemma in ("not", "never", "n't") for word in held)
        subjects = self._all(held, "nsubj", "csubj")
        if copula:
            verb = ParsedWord(copula[0].number, copula[0].form, "be", "VERB", one.head, one.relation)
            return _Clause(verb, subjects, [one], [], False, negated)
        passive = any(word.relation in ("nsubj:pass", "aux:pass", "nsubjpass", "auxpass") for word in held)
        if passive:
            agents = [
                word for word in held if word.relation in ("obl:agent", "obl", "nmod") and self._case(word) == "by"
            ]
            patients = self._all(held, "nsubj:pass", "nsubjpass")
            rest = [(self._case(word), word) for word in held if word.relation.startswith("obl") and word not in agents]
            return _Clause(one, self._joined(agents), patients, rest, True, negated)
        objects = self._all(held, "obj", "dobj")
        oblique = [(self._case(word), word) for word in held if word.relation.split(":")[0] in ("obl", "iobj")]
        oblique = [pair for pair in oblique if pair[0] and pair[1].tag in ("NOUN", "PROPN", "PRON")]
        return _Clause(one, subjects, objects, oblique, False, negated)

    def _share(self, clause: _Clause) -> None:
        """Find subjects that stand with another verb: in relative, conjoined and infinitive clauses."""
        head = self.words.get(clause.verb.head)
        if head is None:
            return
        role = clause.verb.relation
        parent = self.clauses.get(head.number)
        relative = {word.number for word in self.under[clause.verb.number] if word.lemma in ("who", "which", "that")}
        if role.startswith("acl"):
            for held in (clause.subjects, clause.objects):
                for at, word in enumerate(held):
                    if word.number in relative:
                        held[at] = head
            if not clause.subjects and not clause.passive:
                clause.subjects.append(head)
            elif not clause.objects and clause.passive:
                clause.objects.append(head)
        elif parent is not None and role in ("conj", "xcomp", "advcl"):
            marked = any(word.relation == "mark" and word.lemma not in BARE for word in self.under[clause.verb.number])
            if role == "advcl" and marked:
                return
            giver = parent.objects if role == "xcomp" and parent.verb.lemma in CONTROLLED and parent.objects else None
            given = giver if giver is not None else parent.does
            target = clause.objects if clause.passive else clause.subjects
            if not target:
                target.extend(given)

    def _all(self, held: Sequence[ParsedWord], *relations: str) -> list[ParsedWord]:
        return self._joined([one for one in held if one.relation in relations])

    def _joined(self, found: list[ParsedWord]) -> list[ParsedWord]:
        return found + [
            other for one in found for other in self.under[one.number]
            if other.relation == "conj" and other.tag in ("NOUN", "PROPN", "PRON")
        ]  # fmt: skip

    def _case(self, one: ParsedWord) -> str:
        return next((word.lemma.lower() for word in self.under[one.number] if word.relation == "case"), "")

    def phrase(self, one: ParsedWord) -> NounPhrase:
        """Return a noun with its modifiers."""
        modifiers = tuple(
            word.form.lower()
            for word in self.under[one.number]
            if word.relation in ("amod", "compound", "nmod") and not self._case(word)
        )
        return NounPhrase(
            one.lemma.lower(), one.form, modifiers, plural=one.plural or one.lemma.lower() in ("they", "them"),
            name=one.tag == "PROPN", pronoun=one.tag == "PRON",
        )  # fmt: skip

    def connections(self) -> list[Connection]:
        """Return the second-order edges that markers between clauses state."""
        found: list[Connection] = []
        for clause in self.clauses.values():
            head = self.clauses.get(clause.verb.head)
            if head is None or clause.first is None or head.first is None or clause.verb.relation != "advcl":
                continue
            held = self.under[clause.verb.number]
            words = [word for word in held if word.relation in ("mark", "advmod") and word.number < clause.verb.number]
            marker = " ".join(word.form.lower() for word in words if word.relation == "mark")
            bare = "to" if marker == "to" else ""
            marker = marker if marker in CONNECTIVES else next(
                (word.form.lower() for word in words if word.form.lower() in CONNECTIVES), bare
            )  # fmt: skip
            kind = "end" if marker == "to" else CONNECTIVES.get(marker, "")
            one, other = clause.first, head.first
            if kind in ("cause", "condition"):
                found.append(Connection(kind, one, other, marker))  # type: ignore[arg-type]
            elif kind == "end":
                found.append(Connection("purpose", other, one, marker))
            elif kind:
                found.append(Connection("time", *((one, other) if kind == "earlier" else (other, one)), marker))
        return found

    def opening(self) -> str:
        """Return the connective with which the sentence looks back at the one before, "" without one."""
        first = [word.form.lower() for word in list(self.words.values())[:3]]
        for length in (3, 1):
            marker = " ".join(first[:length])
            if CONNECTIVES.get(marker) in ("effect", "next"):
                return marker
        return ""


def _statements(clause: _Clause, tree: _Tree, sentence: int) -> list[Statement]:
    preposition = ""
    objects, further = clause.objects, clause.further
    if not objects and further and not clause.passive:
        preposition, first = further[0]
        objects, further = [first], further[1:]
    subjects: list[NounPhrase | None] = [*(tree.phrase(one) for one in clause.subjects)] or [None]
    others: list[NounPhrase | None] = [*(tree.phrase(one) for one in objects)] or [None]
    lemma = clause.verb.lemma.lower()
    found = [
        Statement(lemma, subject, other, sentence, clause.negated, preposition)
        for subject, other in product(subjects, others)
        if subject is not None or other is not None
    ]
    if clause.objects:
        found += [
            Statement(lemma, others[0], tree.phrase(word), sentence, clause.negated, held, oblique=True)
            for held, word in further[:2]
        ]
    return found
