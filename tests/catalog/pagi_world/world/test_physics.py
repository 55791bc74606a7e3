"""Cases of physics with known answers."""

import json
from dataclasses import replace
from itertools import product

import pytest

from mensura.catalog.pagi_world.world.behaviour import hang, operate
from mensura.catalog.pagi_world.world.joint import angle_of
from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan
from mensura.catalog.pagi_world.world.room_world import RoomWorld
from mensura.catalog.pagi_world.world.saving import again, load_world, save_world
from mensura.catalog.pagi_world.world.terms import TERMS


def world_of(*things, hertz=60, gravity=(0, -9.81), physics="paper", **terms):
    made = RoomWorld(replace(TERMS[physics], tick_seconds=1 / hertz, **terms), gravity)
    for thing in things:
        made.add(ThingPlan.read(thing))
    return made


def floor(y=-1.275, **more):
    return {"kind": "floatingHorizontalWall", "name": "floor", "at": [0, y], "size": [400, 2.55], **more}


@pytest.mark.parametrize(("hertz", "height"), [(60, 95.17675), (50, 95.1931), (240, 95.1154375)])
def test_a_thing_falls_freely_for_a_second(hertz, height):
    world = world_of({"kind": "apple", "at": [0, 100]}, hertz=hertz)
    for _ in range(hertz):
        world.step()
    assert world.find("apple").body.position.y == pytest.approx(height, abs=1e-9)


@pytest.mark.parametrize(("hertz", "apex"), [(50, 7.219716), (60, 7.239775), (240, 7.314470)])
def test_a_jump_is_an_impulse_whatever_the_step(hertz, apex):
    # Hands so long that they hold nothing back: the case is of a body alone.
    world = world_of(floor(), hertz=hertz, reach=(100, 100))
    avatar = world.enter("subject", (0, 1.14))
    assert world.jump(avatar)
    start, top = avatar.body.position.y, 0.0
    for _ in range(2 * hertz):
        world.step()
        top = max(top, avatar.body.position.y - start)
    assert top == pytest.approx(apex, abs=2e-6)


def test_nobody_jumps_from_the_air():
    world = world_of(floor())
    avatar = world.enter("subject", (0, 5))
    assert not world.jump(avatar)
    world.step()
    assert avatar.body.velocity.y < 0


def test_a_jump_pushes_what_it_stands_on():
    world = world_of({"kind": "wallBlock", "at": [0, 0]}, gravity=(0, 0))
    avatar = world.enter("subject", (0, 1.275 + 1.14))
    assert world.jump(avatar)
    world.step()
    assert world.find("wallBlock").body.velocity.y < -5
    assert avatar.body.velocity.y > 5


def test_friction_stops_a_slide_where_it_should():
    block = {"kind": "block", "at": [0, 0.5], "velocity": [10, 0], "friction": 0.4, "mass": 1}
    world = world_of(floor(friction=0.5), block, gravity=(0, -10))
    for _ in range(400):
        world.step()
    assert world.find("block").body.position.x == pytest.approx(25.083, abs=0.01)


def test_the_program_of_2018_mixes_friction_by_the_root_and_bounce_by_the_larger():
    block = {"kind": "block", "at": [0, 0.5], "velocity": [10, 0], "friction": 0.4, "mass": 1}
    world = world_of(floor(friction=0.1), block, gravity=(0, -10), physics="original", hertz=240)
    for _ in range(2400):
        world.step()
    # The root of .1 times .4 is .2, as above.
    assert world.find("block").body.position.x == pytest.approx(25, abs=0.1)
    ball = {"kind": "apple", "at": [0, 10.45], "bounce": 0.75, "size": [0.45]}
    world = world_of(floor(bounce=0.2), ball, gravity=(0, -10), physics="original", hertz=240)
    assert peaks(world, "apple", 0.45)[0] == pytest.approx(5.6096, abs=0.02)


def peaks(world, name, radius, steps=1200):
    body, found, before, rising = world.find(name).body, [], None, False
    for _ in range(steps):
        world.step()
        y = body.position.y - radius
        if before is not None:
            if rising and y < before:
                found.append(before)
            rising = y > before
        before = y
    return found


def test_a_ball_bounces_as_high_as_it_should():
    world = world_of(
        floor(bounce=1.0),
        {"kind": "apple", "at": [0, 10.45], "bounce": 0.75, "size": [0.45]},
        gravity=(0, -10),
        hertz=240,
    )
    first, second = peaks(world, "apple", 0.45)[:2]
    assert first == pytest.approx(5.6096, abs=0.02)
    assert second == pytest.approx(3.1482, abs=0.03)


WEIGHTS, PLACES = (1, 2, 4, 8), (5, 10, 15, 20)


def balance(left, left_at, right, right_at, *, hooks=(-20, -15, -10, -5, 5, 10, 15, 20)):
    world = world_of({"kind": "beam", "name": "beam", "at": [0, 10]})
    world.join(JointPlan("pivot", "", "beam", (0, 10), (-10, 10), locked=True))
    for name, mass, place in (("left", left, -left_at), ("right", right, right_at)):
        weight = world.add(ThingPlan.read({"kind": "weight", "name": name, "mass": mass, "at": [place, 10]}))
        hang(world, weight, world.find("beam"), hooks.index(place))
    return world


@pytest.mark.parametrize("left", WEIGHTS)
def test_the_beam_tells_torques_in_all_cases_of_two_weights(left):
    wrong, balanced = [], 0
    for left_at, right, right_at in product(PLACES, WEIGHTS, PLACES):
        world = balance(left, left_at, right, right_at)
        world.step()
        assert abs(angle_of(world.joints[0])) < 1e-6, "the switch holds it"
        operate(world, "beam")
        for _ in range(180):
            world.step()
        angle, torque = angle_of(world.joints[0]), left * left_at - right * right_at
        balanced += torque == 0
        side = 0 if abs(angle) < 0.05 else 1 if angle > 0 else -1
        if side != (torque > 0) - (torque < 0):
            wrong.append((left, left_at, right, right_at, angle))
    assert wrong == []
    # 32 of all 256 are balanced.
    assert balanced == {1: 7, 2: 9, 4: 9, 8: 7}[left]


def everything(world):
    return json.dumps(save_world(world), sort_keys=True)


def crowd():
    things = [floor()]
    things += [
        {"kind": kind, "name": f"{kind}{n}", "at": [3 * n - 20, 2 + 3 * (n % 4)], "spin": 30}
        for n, kind in enumerate(["apple", "wallBlock", "iceBlock", "bowlingBall", "rightRamp", "baseball"] * 2)
    ]
    world = world_of(*things)
    world.enter("subject", (0, 20))
    world.add(ThingPlan.read({"kind": "link", "name": "rope", "at": [8, 12], "size": [4]}))
    return world


def act(world, tick):
    avatar = world.avatars["subject"]
    avatar.push("LHvec", 30, 40)
    avatar.push("BMH", 200 if tick % 40 < 20 else -200)
    if tick % 25 == 0:
        world.jump(avatar)
    if tick % 30 == 10:
        world.grip(avatar, 0)
    if tick % 30 == 29:
        world.release(avatar, 0)


def test_the_same_acts_give_the_same_bits():
    first, second = crowd(), crowd()
    for tick in range(300):
        for world in (first, second):
            act(world, tick)
            world.step()
    assert everything(first) == everything(second)


def test_a_room_goes_on_with_the_same_bits_after_a_save():
    world = crowd()
    for tick in range(100):
        act(world, tick)
        world.step()
    written = json.dumps(save_world(world))
    going_on, resumed = again(world), load_world(json.loads(written))
    for tick in range(100, 300):
        for one in (going_on, resumed):
            act(one, tick)
            one.step()
    assert everything(going_on) == everything(resumed)


def test_a_copy_and_its_original_part_which_is_why_saving_goes_on_with_the_copy():
    world = crowd()
    for tick in range(150):
        act(world, tick)
        world.step()
    copy = load_world(save_world(world))
    assert everything(world) == everything(copy)
    for tick in range(150, 300):
        for one in (world, copy):
            act(one, tick)
            one.step()
    assert everything(world) != everything(copy)


def test_a_lever_turns_about_its_foot_and_throws_its_target_when_it_leans():
    lever = {"kind": "lever", "name": "lever", "at": [5, 1.2], "target": "beam"}
    world = world_of({"kind": "beam", "name": "beam", "at": [0, 10]}, lever)
    world.join(JointPlan("pivot", "", "beam", (0, 10), (-10, 10), locked=True))
    body = world.find("lever").body
    body.angular_velocity = -2
    for _ in range(90):
        world.step()
        foot = body.local_to_world((0, -1.2))
        assert abs(foot.x - 5) < 0.05
        assert abs(foot.y) < 0.05
    assert world.find("lever").memory["down"]
    assert world.joints[-1].lock is None
    again_ = load_world(save_world(world))
    assert len(again_.joints) == len(world.joints) == 2
