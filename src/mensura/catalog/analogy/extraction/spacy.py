"""Statements by a model of spaCy."""

from collections.abc import Sequence
from pathlib import Path

from mensura.catalog.analogy.extraction.dependency import ParsedWord, statements_of
from mensura.catalog.analogy.graph.statement import ReadStatements
from mensura.errors import BadFile, MissingExtra

UNIVERSAL = {"nsubjpass": "nsubj:pass", "auxpass": "aux:pass", "dobj": "obj", "relcl": "acl:relcl", "agent": "obl"}
"""Relations of spaCy's English models by their universal names."""


class SpacyExtractor:
    """Parse sentences with a model of spaCy, by its name or folder."""

    def __init__(self, model: str) -> None:
        try:
            import spacy
        except ImportError:
            raise MissingExtra("Models of spaCy", package="spacy", extra="spacy") from None
        self.name = f"spacy:{model}"
        try:
            self._parse = spacy.load(model)
        except OSError:
            raise BadFile(
                f"spaCy has no model {model!r}; install one as its makers say, or give the folder of one."
            ) from None
        # What a folder holds may change under its name.
        self.version = None if Path(model).is_dir() else f"{spacy.__version__} {self._parse.meta['version']}"
        if "parser" not in self._parse.pipe_names:
            raise BadFile(f"The model {model!r} has no parser, so it finds no subjects and objects; give another.")

    def read(self, sentences: Sequence[str]) -> ReadStatements:
        """Return what the sentences state."""
        return statements_of([_words(document) for document in self._parse.pipe(sentences)])


def _words(document: object) -> list[ParsedWord]:
    """Return words in universal terms; what a preposition governs is taken up to what the preposition belongs to."""
    found = []
    for one in document:  # type: ignore[attr-defined]
        head, relation = one.head, UNIVERSAL.get(one.dep_, one.dep_)
        if relation == "pobj" and head.dep_ in ("prep", "agent"):
            relation = "obl" if head.head.pos_ in ("VERB", "AUX") else "nmod"
            head = head.head
        elif relation in ("prep", "obl") and one.pos_ == "ADP":
            governed = next((child for child in one.children if child.dep_ == "pobj"), None)
            if governed is not None:
                relation, head = "case", governed
        elif relation == "attr":
            relation = "obj"
        number = 0 if one.head is one or one.dep_ == "ROOT" else head.i + 1
        tag = "VERB" if one.pos_ == "AUX" and one.dep_ in ("ROOT", "conj", "advcl", "ccomp", "relcl") else one.pos_
        plural = "Number=Plur" in str(one.morph)
        found.append(ParsedWord(one.i + 1, one.text, one.lemma_, tag, number, relation, plural))
    return found
