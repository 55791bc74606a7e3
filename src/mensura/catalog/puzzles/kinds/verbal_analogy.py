"""Verbal analogies: A is to B as C is to which of four words, by the relations of WordNet."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, Use
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import GAP, PuzzlePrompt
from mensura.words.wordnet import RELATIONS, WordNet, find_wordnet, wordnet

GRAMMAR = Grammar("verbal-analogy", {name: Use(background=("English words",)) for name in RELATIONS})
FEWEST = 12
"""Words that must stand in both of two relations before these are asked for against one another."""
WORDINGS = {
    "plain": "Which word completes the analogy?",
    "sentence": "The first two words are related, and so are the other two in the same way. Which word is missing?",
}
OFFERED, LEXICON = "Choose among these words: ", ". Relations are those of "
LETTERS = {"lower": str.lower, "upper": str.upper}


class VerbalAnalogy(Kind):
    """Words in a relation that no other of the offered ones stands in, by any sense of any of them.

    Offered are, for two words C and C' and two relations, what each leads to from each: one has the wrong relation,
    one belongs to the wrong word, one has both faults. Which of the four is asked for is drawn last, and only sets are
    taken in which each could be: nothing about the four tells which it is. They belong to the problem, for only of
    them is it said that no other is right.
    """

    name = "verbal-analogy"
    about = "A is to B as C is to which of four words?"
    combines: ClassVar[str] = (
        "A program is one relation: the first pair of words stands in it in some sense of both, and so does the "
        "third word with an offered one. Elements are words."
    )
    grammar = GRAMMAR
    rules = (1, 1)
    axes: ClassVar[dict[str, tuple[str, ...]]] = {
        "symbols": tuple(LETTERS),
        "layout": ("analogy", "column"),
        "direction": ("forward", "backward"),
        "wording": tuple(WORDINGS),
    }

    def require(self) -> None:
        """Look for WordNet."""
        find_wordnet()

    @cached_property
    def _contrasts(self) -> list[tuple[tuple[str, str], tuple[int, ...]]]:
        """Pairs of relations with the words that stand in both."""
        words = {name: np.unique(wordnet().pairs(name)[:, 0]) for name in RELATIONS}
        found = [
            ((one, other), tuple(np.intersect1d(words[one], words[other]).tolist()))
            for place, one in enumerate(RELATIONS)
            for other in RELATIONS[place + 1 :]
        ]
        return [(pair, both) for pair, both in found if len(both) >= FEWEST]

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw two relations and two words, what they lead to, and then which of the four is asked for."""
        lexicon = wordnet()
        contrasts = self._contrasts
        relations, words = contrasts[int(rng.integers(len(contrasts)))]
        two = [words[place] for place in rng.choice(len(words), size=2, replace=False)]
        four = [_led(lexicon, relation, word, rng) for word in two for relation in relations]
        examples = [_example(lexicon, relation, rng) for relation in relations]
        if any(not one for one in examples) or len({*two, *four}) < 6:
            return None
        asked = [(word, relation) for word in two for relation in range(2)]
        for place, (word, relation) in enumerate(asked):
            standing = [lexicon.stand(relations[relation], word, one) for one in four]
            if standing != [other == place for other in range(4)]:
                return None
        place = int(rng.integers(4))
        word, relation = asked[place]
        example = examples[relation]
        if {word, *four} & set(example):
            return None
        offered = [lexicon.words[four[at]] for at in rng.permutation(4)]
        shown = {
            "pair": [lexicon.words[one] for one in example],
            "word": lexicon.words[word],
            "offered": offered,
            "lexicon": lexicon.id,
        }
        derivation = Derivation(GRAMMAR, (GRAMMAR.step(relations[relation]),), size=2)
        return Puzzle(shown, lexicon.words[four[place]], derivation)

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Try every relation in which the pair stands, with every offered word; of words it lacks, nothing is found."""
        lexicon = wordnet()
        if any(text not in lexicon.places for text in (*shown["pair"], shown["word"], *shown["offered"])):
            return Explained((), 0)
        one, other, word = (lexicon.places[text] for text in (*shown["pair"], shown["word"]))
        relations = [name for name in RELATIONS if GRAMMAR.lengths[name] <= limit]
        found = [
            Explanation(Derivation(GRAMMAR, (GRAMMAR.step(name),), size=2), text)
            for name in relations
            if lexicon.stand(name, one, other)
            for text in shown["offered"]
            if lexicon.stand(name, word, lexicon.places[text])
        ]
        return Explained(tuple(found), len(relations) * len(shown["offered"]))

    def offers(self, shown: Any) -> Sequence[Any]:
        """Return the words that the question names."""
        return list(shown["offered"])

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Show the pair, the word and the gap; the words offered are named in the question."""
        words = [self.write(word, presentation) for word in (*shown["pair"], shown["word"])]
        cells = [*({"type": "text", "words": word} for word in words), GAP]
        if presentation.of("direction") == "backward":
            cells = [cells[place] for place in (1, 0, 3, 2)]
        offered = ", ".join(self.write(word, presentation) for word in shown["offered"])
        question = f"{WORDINGS[presentation.of('wording')]} {OFFERED}{offered}{LEXICON}{shown['lexicon']}."
        return PuzzlePrompt(self.name, question, cells, presentation.of("layout", "analogy"))

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a word in small or capital letters."""
        return LETTERS[presentation.of("symbols", "lower")](value)

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the pair, the word, the words offered and the lexicon."""
        cells: Sequence[Mapping[str, Any]] = prompt.cells
        if prompt.presentation.get("direction") == "backward":
            cells = [cells[place] for place in (1, 0, 3, 2)]
        one, other, word = (str(cell["words"]).lower() for cell in cells[:3])
        _, _, rest = prompt.question.partition(OFFERED)
        offered, _, lexicon = rest.removesuffix(".").partition(LEXICON)
        return {"pair": [one, other], "word": word, "offered": offered.lower().split(", "), "lexicon": lexicon}

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Return the words in small letters."""
        return [option.lower() for option in options]


def _led(lexicon: WordNet, relation: str, word: int, rng: np.random.Generator) -> int:
    """Draw a word to which a relation leads from one."""
    pairs = lexicon.pairs(relation)
    low, high = np.searchsorted(pairs[:, 0], [word, word + 1])
    return int(pairs[rng.integers(low, high), 1])


def _example(lexicon: WordNet, relation: str, rng: np.random.Generator) -> list[int]:
    """Draw a pair of words that stand in this relation only; nothing where the draw stands in another too."""
    pairs = lexicon.pairs(relation)
    one, other = (int(word) for word in pairs[int(rng.integers(len(pairs)))])
    return [one, other] if lexicon.relations(one, other) == [relation] else []
