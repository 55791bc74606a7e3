"""What the program of 2018 has, as published in its source: masses, endorphins, temperatures and numbers in files."""

import pytest

from mensura.catalog.pagi_world.senses.sensors import PALM
from mensura.catalog.pagi_world.senses.sight import points_of
from mensura.catalog.pagi_world.world.behaviour import EIGHTH
from mensura.catalog.pagi_world.world.kinds import BY_ID, KINDS, SCHEDULES

TABLE = {
    "apple": (1, 10, 0, 1),
    "bacon": (1, 100, 0, 2),
    "poison": (1, -10, 0, 3),
    "steak": (1, 5, 0, 20),
    "bluePill": (1, 5, 0, 21),
    "redPill": (1, -5, 0, 22),
    "wallBlock": (50, 0, 0, 6),
    "horizontalWall": (50, 0, 0, 7),
    "verticalWall": (50, 0, 0, 8),
    "rightRamp": (50, 0, 0, 4),
    "leftRamp": (50, 0, 0, 5),
    "floatingRightRamp": (None, 0, 0, 9),
    "floatingLeftRamp": (None, 0, 0, 10),
    "floatingHorizontalWall": (None, 0, 0, 11),
    "floatingVerticalWall": (None, 0, 0, 12),
    "floatingWallBlock": (None, 0, 0, 13),
    "blueDynamite": (1, 0, 0, 14),
    "greenDynamite": (1, 0, 0, 15),
    "redDynamite": (1, 0, 0, 16),
    "blueWall": (None, 0, 0, 17),
    "greenWall": (None, 0, 0, 18),
    "redWall": (None, 0, 0, 19),
    "medkit": (1, 0, 0, 23),
    "largeMedkit": (1, 0, 0, 24),
    "triggerBox": (None, 0, 0, 26),
    "lavaBlock": (5, 0, 1000, 27),
    "iceBlock": (5, 0, -1000, 28),
    "bowlingBall": (100, 0, 0, 29),
}
OTHERS = (
    "soldier", "healthySoldier", "button", "lever", "switch", "key", "lockBox", "breakableBox", "openableBox", "rung",
    "link", "movingPlatform", "dispenser", "weight", "beam", "flame", "hotPlate", "lavaField", "waterSource", "drain",
)  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_a_kind_has_the_published_numbers(name):
    mass, endorphin, temperature, number = TABLE[name]
    kind = KINDS[name]
    assert (kind.mass, kind.endorphin, kind.temperature) == (mass, endorphin, temperature)
    assert BY_ID[number] is kind


def test_everything_that_the_paper_names_is_there():
    assert set(OTHERS) <= set(KINDS)
    assert BY_ID[25].name == "soldier"
    assert (KINDS["lavaBlock"].friction, KINDS["iceBlock"].friction) == (10, 0.01)
    assert KINDS["wallBlock"].outline == ("box", 2.55, 2.55)
    assert KINDS["triggerBox"].outline == ("box", 4.0, 4.0)
    assert KINDS["movingPlatform"].of == (10.0, 9.0)
    assert 15 <= KINDS["largeMedkit"].of <= 20
    assert len(SCHEDULES) == 6


def test_senses_lie_where_the_program_has_them():
    assert EIGHTH == ((0, 1.2), (0.9, 0.9), (1.2, 0), (0.9, -0.9), (0, -1.2), (-0.9, -0.9), (-1.2, 0), (-0.9, 0.9))
    assert PALM == ((0, 0.65), (0.6, 0), (0, -0.65), (-0.6, 0), (0, 0))
    original = points_of("V", "original")
    assert original[0].tolist() == [-2.25, 1.65]
    assert (original[21] - original[0]).round(6).tolist() == [0.148, 0]
    assert (original[1] - original[0]).round(6).tolist() == [0, 0.1475]
    peripheral = points_of("P", "original")
    assert peripheral[0].tolist() == [-14.5, 0.5]
    assert (peripheral[11] - peripheral[0]).tolist() == [2, 0]


def test_with_names_off_numbers_tell_kinds_apart():
    seen = {}
    for kind in KINDS.values():
        if kind.touchable and not kind.name.startswith("floating"):
            seen.setdefault(kind.visual, []).append(kind.name)
    # Of one stuff, and told apart by their outlines.
    alike = [names for names in seen.values() if len(names) > 1]
    assert alike == [["wallBlock", "horizontalWall", "verticalWall"], ["rightRamp", "leftRamp"]]
