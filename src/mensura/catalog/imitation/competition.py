"""A competition after Loebner: four judges, rounds in which each questions one program and one person, a ranking."""

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mensura.catalog.imitation.beside import beside
from mensura.catalog.imitation.forms import HOSTS, SIDES, GameForm
from mensura.catalog.imitation.interrogation import Interrogation, InterrogationRules
from mensura.catalog.imitation.verdict import ranking, verdict_ask
from mensura.dialogue import Clock, Outcome, Round


def competition(
    form: GameForm,
    rules: InterrogationRules,
    told: Mapping[str, str],
    rng: np.random.Generator,
    clock: Clock,
    *,
    programs: int,
) -> Generator[Round, Any, Outcome]:
    """Hold all rounds, each judge with another pair in each, and let the judges rank the programs in the end."""
    length = rules.end - clock.now
    count = max(len(form.judges), programs)
    # Which program comes when is drawn, so that no place in the order belongs to one.
    order = [int(place) for place in rng.permutation(count)]
    met: dict[str, dict[str, str]] = {judge: {} for judge in form.judges}
    for turn in range(count):
        timed = replace(rules, end=clock.now + length)
        held = []
        for place, judge in enumerate(form.judges):
            pair = order[(place + turn) % count]
            if pair >= programs:
                continue
            token = str(len(met[judge]) + 1)
            one = paired(form, pair + 1)
            met[judge][token] = one.pretender
            seats = dict(zip(SIDES, (one.witnesses[int(at)] for at in rng.permutation(2)), strict=True))
            instructions = dict(zip(one.witnesses, told.values(), strict=True))
            held.append(
                Interrogation(
                    one, timed, seats, [judge], instructions, rng, clock, f"round{turn + 1}/{judge}/", HOSTS[place]
                )
            )
        yield from beside([each.hold() for each in held], clock=clock)
        yield Round([verdict_ask(each.askers[0], each, truth=each.form.truth(each.seats)) for each in held])
    yield Round([ranking(list(tokens), judge=judge, truth=tokens) for judge, tokens in met.items()])
    return Outcome("The competition is over. In each conversation one witness was a program and one a person.")


def paired(form: GameForm, number: int) -> GameForm:
    """Return the form with the witnesses of one pair.

    >>> from mensura.catalog.imitation.forms import form_of
    >>> paired(form_of("loebner"), 2).witnesses
    ('machine2', 'human2')
    """
    return replace(form, pretender=f"{form.pretender}{number}", target=f"{form.target}{number}")
