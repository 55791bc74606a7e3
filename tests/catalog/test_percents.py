"""In every test of the catalog people give shares as percents: no page and no terminal takes 0.6 for 60 %."""

import re

import pytest

from mensura.catalog.find import find_test, list_tests
from mensura.dialogue import Density, Number, Probability, Table
from mensura.dialogue.spaces.shares import Shares
from mensura.errors import Invalid
from mensura.running.take import take
from mensura.subjects import Chance
from mensura.web.drawing.prompt import control

from .test_declared import FURTHER, SMALL

CASES = [(name, SMALL.get(name, {})) for name in list_tests()]
CASES += [case for case in FURTHER if case[0] in ("crisis-v2", "forecasting-v1")]
TAKES_SHARES = {
    "analogy-hidden-v1",
    "analogy-plagiarism-v1",
    "analogy-translation-v1",
    "coin-v1",
    "forecasting-v1",
    "lambda-star-ignorance-v1",
    "phrase-readings-v1",
    "sensemaking-v1",
    "task-understanding-v1",
}


class Collector(Chance):
    """Answers by chance and keeps the spaces it was asked in."""

    def __init__(self):
        super().__init__()
        self.spaces = {}

    def __call__(self, ask):
        self.spaces[ask.space.fingerprint] = ask.space
        return super().__call__(ask)


def parts(space):
    """Walk a space and all that it is made of."""
    yield space
    inner = [*space.columns.values()] if isinstance(space, Table) else []
    inner += [each for tool in space.acts.values() for each in tool.arguments.values()]
    for part in inner:
        yield from parts(part)


def is_share(space):
    """Return whether programs give shares of one here, or percents of 100, whatever the space says of itself."""
    schema = space.schema()
    bounds = (schema.get("minimum"), schema.get("maximum"))
    if isinstance(space, Number):
        return bounds == (0, 1) or (space.unit == "%" and bounds == (0, 100))
    if isinstance(space, Shares):
        return space.whole in (1, 100)
    return isinstance(space, Probability) or (isinstance(space, Density) and bool(space.bins)) or bounds == (0, 1)


@pytest.mark.parametrize(("name", "parameters"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_people_give_shares_as_percents(name, parameters):
    test = find_test(name)
    cast = {role: Collector() for role in test.cast_roles(test.fill(parameters))}
    take(test, cast, seed=5, parameters=parameters)
    found = {each.fingerprint: each for one in cast.values() for space in one.spaces.values() for each in parts(space)}
    shares = [space for space in found.values() if is_share(space)]
    quantiles = parameters.get("questions") == "quantities" and "bins" not in parameters
    assert bool(shares) == (name in TAKES_SHARES and not quantiles)
    for space in shares:
        assert space.percent
        fields = re.findall(r"<input (?![^>]*type=.(?:range|hidden))[^>]*>", str(control(space.data())))
        assert fields
        assert all("data-percent" in field and 'value=""' in field for field in fields)
        line = " ".join(["0.5"] * len(fields))
        with pytest.raises(Invalid, match=r"Do you mean 0\.5 % or 50 %\?"):
            space.parse({"answer": line})
        assert space.check(space.parse({"answer": line.replace("0.5", f"{100 / len(fields):.4f}")}))
