"""The same systems take schemas and play the imitation game: a grade, a verdict, and where they disagree.

Systems, witnesses and judges are programs here: what is shown is how the three kinds of result are told apart.
"""

import sys
from tempfile import TemporaryDirectory

from mensura.catalog.find import find_test
from mensura.catalog.imitation.versus.comparison import Versus, compare_kinds
from mensura.catalog.imitation.versus.stored import results_of, taken_in
from mensura.catalog.imitation.winograd.files import read_schemas
from mensura.dialogue import Choice, prompt_text
from mensura.running.run import run
from mensura.store import Store, open_store
from mensura.subjects.subject import begin, feedback

ANSWERS = {one.text: schema.candidates[one.right] for schema in read_schemas() for one in schema.sentences}


class System:
    """Knows a share of the schemas (simulated, by being told), and talks as a reference player does."""

    def __init__(self, knows: float, talks: str):
        self.knows = knows
        name, _, rest = talks.partition(":")
        made = find_test("imitation").subjects[name]
        self.player = made(rest) if rest else made()

    def begin(self, rng, role):
        self.rng = rng
        begin(self.player, rng, role)

    def feedback(self, told):
        feedback(self.player, told)

    def __call__(self, ask):
        if not isinstance(ask.space, Choice):
            return self.player(ask)
        right = ANSWERS[prompt_text(ask.prompt).split("\n\n")[0]]
        wrong = [one for one in ask.space.options if one != right]
        return right if self.rng.random() < self.knows else str(self.rng.choice(wrong))


SYSTEMS = {
    "schooled": lambda: System(0.95, "evasive"),
    "talkative": lambda: System(0.60, "parrot"),
}


def compared(store: Store, *, sessions: int) -> Versus:
    """Let every system take both, and a parrot the machine's place as control; return the comparison."""
    cast = {"human": "parrot", "judge": "keyword"}
    short = {"form": "standard", "messages": 5}

    def games(machine, seed):
        whole = {**cast, "machine": machine}
        played = run("imitation", whole, store=store, sessions=sessions, seed=seed, parameters=short)
        return list(store.results.of(played.head.id).values())

    found = {}
    for seed, (name, made) in enumerate(SYSTEMS.items(), 1):
        schemas = run("winograd", made(), store=store, seed=seed, parameters={"switch": False}).head
        found[name] = results_of(store.results.of(schemas.id).values(), games(made(), seed))
    control, _ = taken_in(games("parrot", 9))
    return compare_kinds(
        found,
        benchmark="our sixty schemas",
        judges="a keyword judge (a program)",
        control=control,
        placed="Parrots of written talk, standing for people,",
    )


if __name__ == "__main__":
    with TemporaryDirectory() as folder, open_store(f"{folder}/study.db") as opened:
        print("\n".join(compared(opened, sessions=int(sys.argv[1]) if len(sys.argv) > 1 else 40).lines()))
