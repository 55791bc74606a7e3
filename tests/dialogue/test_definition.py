"""Tests as objects: ids, parameters, settings, hashes; and where chance comes from."""

from typing import Annotated, Literal

import numpy as np
import pytest

from mensura.dialogue import Address, Ask, Between, Clock, Instance, Probability, Seed, Test, Timing, generator, test
from mensura.dialogue.canonical import canonical, content_address, short_hash
from mensura.dialogue.session.digest import Digest, fingerprint
from mensura.errors import BadParameter, BrokenTest, UnknownName


@test("example-v3", settings={"long": {"flips": 100}}, roles=lambda **p: [f"player{i}" for i in range(p["flips"])])
def example(
    rng,
    clock=None,
    *,
    flips: int = 2,
    share: float = 0.5,
    named: bool = False,
    words: str | None = None,
    parts: tuple = (),
    way: Literal["up", "down"] = "up",
    loose=None,
):
    """Say what it is.

    More.
    """
    yield Ask("?", Probability())


def test_a_test_knows_its_name_version_and_first_line():
    assert (example.name, example.version, example.about) == ("example", 3, "Say what it is.")
    assert Test.__test__ is False
    assert test.__test__ is False


def test_parameters_are_read_from_text_by_their_types():
    given = {"flips": "7", "share": "0.25", "named": "yes", "words": "hi", "parts": "a, b", "loose": "x"}
    values = example.fill(given)
    expected = {"flips": 7, "share": 0.25, "named": True, "words": "hi", "parts": ("a", "b"), "way": "up", "loose": "x"}
    assert values == expected
    assert example.fill({"words": None, "flips": 3.0})["flips"] == 3


@pytest.mark.parametrize(("name", "value"), [("flips", "many"), ("flips", 2.5), ("named", "perhaps"), ("share", "x")])
def test_a_value_of_the_wrong_type_is_refused_with_the_value(name, value):
    kind = {"flips": "a whole number", "named": "yes or no", "share": "a number"}[name]
    with pytest.raises(BadParameter, match=f"--{name} takes {kind}; got {value!r}"):
        example.fill({name: value})


def test_a_number_outside_its_declared_bounds_is_refused_with_the_value():
    @test("bounded-v1")
    def bounded(
        rng,
        *,
        size: Annotated[int, "How many there are, 1 or more.", Between(1)] = 2,
        slip: Annotated[float | None, "The chance of a slip, from 0 to 0.5.", Between(0, 0.5)] = None,
    ):
        yield Ask("?", Probability())

    for given, words in (
        ({"size": 0}, "--size is at least 1; got 0"),
        ({"size": "-3"}, "--size is at least 1; got -3"),
        ({"slip": 0.6}, "--slip is from 0 to 0.5; got 0.6"),
        ({"slip": "nan"}, "--slip is from 0 to 0.5; got nan"),
    ):
        with pytest.raises(BadParameter, match=words):
            bounded.fill(given)
    assert bounded.fill({"size": 1, "slip": 0.5}) == {"size": 1, "slip": 0.5}
    assert bounded.fill() == {"size": 2, "slip": None}


def test_an_unknown_parameter_or_setting_names_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean flips"):
        example.fill({"flip": 3})
    with pytest.raises(UnknownName, match="Did you mean long"):
        example.fill(setting="lon")


def test_a_setting_gives_values_and_the_user_wins():
    assert example.fill(setting="long")["flips"] == 100
    assert example.fill({"flips": 5}, setting="long")["flips"] == 5


def test_a_parameter_without_default_must_be_given():
    @test("needy-v1")
    def needy(rng, *, size: int):
        yield Ask("?", Probability())

    with pytest.raises(BadParameter, match="--size VALUE"):
        needy.fill()
    assert needy.fill({"size": "3"}) == {"size": 3}


def test_roles_may_depend_on_parameters():
    assert Instance(example, example.fill(), 1).roles == ("player0", "player1")


def test_an_id_without_version_is_refused():
    with pytest.raises(BrokenTest, match="name-v1"):
        test("Coin")(lambda rng: iter(()))


def test_a_test_can_be_called_as_the_plain_generator():
    assert next(example(np.random.default_rng(1))).prompt == "?"


def test_a_saved_state_for_a_test_that_takes_none_is_the_tests_fault():
    with pytest.raises(BrokenTest, match="saved=None"):
        example.begin(np.random.default_rng(1), Clock(), example.fill(), saved={})


def test_equal_hashes_mean_equal_test_parameters_and_scoring():
    first = Instance(example, example.fill(), 1)
    assert first.hash == Instance(example, example.fill(), 2).hash
    assert first.hash != Instance(example, example.fill({"flips": 3}), 1).hash
    rescored = test("example-v3", scoring="2")(example.function)
    assert first.hash != Instance(rescored, example.fill(), 1).hash


def test_streams_depend_on_the_address_and_nothing_else():
    addresses = [Address(), Address(1), Address(0, 1), Address(0, 0, 1)]
    draws = [generator(7, address, stream=stream).random() for address in addresses for stream in ("test", "a", "b")]
    assert len(set(draws)) == len(draws)
    assert generator(7, Address(2, 1, 3), stream="a").random() == generator(7, Address(2, 1, 3), stream="a").random()


def test_a_seed_is_secret_and_long_unless_it_is_given():
    assert Seed.choose(5) == Seed(5, public=True)
    secret = [Seed.choose() for _ in range(20)]
    assert not any(seed.public for seed in secret)
    assert max(seed.value for seed in secret).bit_length() > 100


def test_a_program_pays_a_stated_number_of_ticks():
    assert Timing(cost=3).price("x") == 3
    assert Timing(cost=len).price("four") == 4


def test_canonical_json_knows_numpy_and_refuses_what_is_not_json():
    assert canonical({"b": np.arange(2), "a": np.int64(1), "p": Probability()}) == (
        '{"a":1,"b":[0,1],"p":{"kind":"probability"}}'
    )
    with pytest.raises(TypeError, match="cannot be written as JSON"):
        canonical(object())
    assert len(short_hash(1)) == 16
    assert content_address("a") != content_address("b")


def test_the_digest_changes_with_whatever_a_subject_can_see_and_not_with_truth():
    ask = Ask("?", Probability(), key="k", truth=1)
    seen = fingerprint(ask)
    assert seen == fingerprint(Ask("?", Probability(), key="k", truth=0))
    changed = [
        Ask("!", Probability(), key="k"),
        Ask(["?"], Probability(), key="k"),
        Ask("?", key="k"),
        Ask("?", Probability(), key="l"),
        Ask("?", Probability(), key="k", role="other"),
        Ask("?", Probability(), key="k", until=3),
        Ask("?", Probability(), key="k", reward=0.0),
    ]
    assert len({seen, *map(fingerprint, changed)}) == len(changed) + 1


def test_a_digest_closes_every_hundred_asks_and_may_be_continued():
    ask = Ask("?", Probability())
    digest = Digest()
    assert [digest.add(ask) for _ in range(100)].count(True) == 1
    value = digest.value
    continued = Digest(value)
    digest.add(ask)
    continued.add(ask)
    assert digest.close() == continued.close() != value
    assert digest.close() == digest.value


def test_a_parameter_without_default_is_shown_as_nothing_and_must_be_given():
    @test("needy-v1")
    def needy(rng, *, flips: int):
        yield Ask("?", Probability())

    assert needy.parameters["flips"].shown is None
    assert example.parameters["flips"].shown == 2
    with pytest.raises(BadParameter, match="--flips VALUE"):
        needy.fill()


def test_chance_levels_are_fixed_or_follow_the_parameters():
    @test("fixed-v1", chance={"accuracy": 0.5})
    def fixed(rng):
        yield Ask("?", Probability())

    @test("free-v1", chance=lambda options: {"accuracy": 1 / options})
    def free(rng, *, options: int = 4):
        yield Ask("?", Probability())

    assert fixed.chance_levels(fixed.fill()) == {"accuracy": 0.5}
    assert free.chance_levels(free.fill({"options": 5})) == {"accuracy": 0.2}


def test_a_seed_below_zero_is_refused():
    with pytest.raises(BadParameter, match="of at least 0; got -1"):
        Seed.choose(-1)
    assert Seed.choose(0) == Seed(0, public=True)
