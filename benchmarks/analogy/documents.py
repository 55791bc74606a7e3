"""Documents to measure on: the corpora beside the checkout where they are, else generated ones of about 200 words."""

import json
from pathlib import Path

import numpy as np

from mensura.catalog.analogy.document.reading import decoded
from mensura.catalog.analogy.extraction.find import find_extractor, graph_of
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.words.taxonomy import taxonomy

DATA = Path(__file__).parents[3] / "shared" / "data" / "analogy"
LINKS = ("", "", "", "", "because {}", "if {}", "so {}", "in order to {}")


def generated(seed: int, *, words: int = 200) -> str:
    """Return a text of about so many words: nouns and verbs by how often WordNet's counts have met them."""
    rng = np.random.default_rng(seed)
    nouns, verbs = common_words()
    own = rng.choice(nouns, size=35, replace=False)
    found: list[str] = []
    while sum(len(one.split()) for one in found) < words:
        first = f"The {rng.choice(own)} {_third(str(rng.choice(verbs)))} the {rng.choice(own)}"
        second = f"the {rng.choice(own)} {_third(str(rng.choice(verbs)))} the {rng.choice(own)}"
        link = str(rng.choice(LINKS))
        if "in order to" in link:
            second = f"{rng.choice(verbs)} the {rng.choice(own)}"
        found.append(f"{first} {link.format(second)}.".replace(" .", "."))
    return " ".join(found)


def common_words() -> tuple[np.ndarray, np.ndarray]:
    """Return nouns and verbs that are met often, and as nothing else more often."""
    words = taxonomy()
    held = []
    for part, other in (("noun", "verb"), ("verb", "noun")):
        counts = words._counts[part]
        held.append(
            np.array(
                sorted(
                    one for one, times in counts.items()
                    if times >= 10 and one.isalpha() and len(one) > 3 and not one.endswith(("s", "ed", "ing"))
                    and times > 20 * max(0, words.count(one, other)) and times > words.count(one, "adj")
                )
            )
        )  # fmt: skip
    return held[0], held[1]


def _third(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def corpus_texts() -> list[str]:
    """Return the texts of the corpora beside the checkout; generated ones where they are not."""
    found = [decoded(file.read_bytes()) for file in sorted(DATA.glob("clough_stevenson/*.txt"))]
    for name in ("orig", "new"):
        file = DATA / "story_analogies" / f"all_tasks_dict_{name}.json"
        if file.is_file():
            found += [text for task in json.loads(file.read_text()).values() for text in task.values()]
    return found or [generated(seed) for seed in range(200)]


def joined(texts: list[str], *, nodes: int, seed: int) -> SkeletonGraph:
    """Return the graph of different documents one after the other, the first to have at least so many nodes."""
    order = np.random.default_rng(seed).permutation(len(texts))
    source = find_extractor("shallow")
    text = ""
    for at in order:
        text += "\n\n" + texts[at]
        if text.count(" ") < 1.2 * nodes:
            continue
        graph = graph_of(text, source)
        if len(graph) >= nodes:
            return graph
    return graph_of(text, source)
