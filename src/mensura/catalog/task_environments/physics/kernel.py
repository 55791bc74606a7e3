"""The compiled step: the only place where bodies move. All of it is in one file, because numba caches by file."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.task_environments.physics.program import Numbers
from mensura.machine_code import compiler

EXACT, PAPER, ORIGINAL = 0, 1, 2
MASS, KINETIC, STATIC, GRAVITY, SLOPE, DRAG, LOW, HIGH = range(8)
TIME, ENERGY, WASTED, CREATED, STEPS, OVER, SOLVED, DISTANCE = range(8)
LOCK, SHUT, KICK, WAVE, FUEL, STEER, SELECT, ROTATE = range(8)
EDGE = 1e-9
"""How far outside its tolerance a value still counts as on the edge: rounding must not decide who arrives."""
compiled: Any = compiler(Path(__file__).parent, extra="task-environments")
# Passing a dozen arrays costs more than the work of these functions.
inlined: Any = compiler(Path(__file__).parent, extra="task-environments", inline=True)


@compiled
def full_power(u, q, f, h):  # type: ignore[no-untyped-def]
    """Return the speed after h at power q and resistance f per kilogram, from the closed form.

    With w = q / f and a = u / w, time is (w / f) · (-ln|1 - a| - a); Newton's method solves it for a. It is needed
    where a body creeps, so that friction settles its speed within a step.
    """
    w = q / f
    a, wait = u / w, h * f / w
    if a < 1.0:
        sum_ = -math.log(1.0 - a) - a + wait
        b = math.exp(-1.0 - sum_)
        for _ in range(60):
            if b >= 1.0 or b == 0.0:
                break
            change = (b - math.log(b) - 1.0 - sum_) / (1.0 - 1.0 / b)
            b -= change
            if abs(change) <= 1e-15 * b:
                break
        return w * (1.0 - min(b, 1.0))
    if a == 1.0:
        return u
    total = a - 1.0 + math.log(a - 1.0) - wait
    y = total if total < 0.0 else math.log(1.0 + total)
    for _ in range(60):
        change = (math.exp(y) + y - total) / (math.exp(y) + 1.0)
        y -= change
        if abs(change) <= 1e-15:
            break
    return w * (1.0 + math.exp(y))


@compiled
def braking(u, q, f):  # type: ignore[no-untyped-def]
    """Return time and distance from speed u to rest, under a brake of power q and resistance f per kilogram."""
    a = f * u / q
    if abs(a) < 0.01:
        # The brackets cancel: u - ln(1 + u) = u²/2 - u³/3 ..., and one power more for the distance.
        time = distance = 0.0
        power = a * a
        for k in range(2, 9):
            time += power / k
            distance += power * a / (k + 1)
            power = -power * a
        return time * q / (f * f) if f else u * u / (2.0 * q), (
            distance * q * q / (f * f * f) if f else u * u * u / (3.0 * q)
        )
    log = math.log(1.0 + a)
    return (q / (f * f)) * (a - log), (q * q / (f * f * f)) * (log - a + a * a / 2.0)


@compiled
def move_exactly(v, p, friction, pull, hold, drag, h):  # type: ignore[no-untyped-def]
    """Return the way made in h and the speed after it, with power integrated as energy.

    All are per kilogram: p power with the sign of its direction, friction, pull (down the slope, against the value),
    hold (what static friction bears) and drag. In each part of the step the work done and the kinetic energy gained
    add up to the energy put in; the step is divided where the body stops or turns.
    """
    moved = 0.0
    for _ in range(4):
        if v == 0.0:
            if p == 0.0:
                if abs(pull) <= hold:
                    return moved, 0.0
                s = -1.0 if pull > 0.0 else 1.0
            else:
                s = 1.0 if p > 0.0 else -1.0
        else:
            s = 1.0 if v > 0.0 else -1.0
        u, q, f = v * s, p * s, friction + pull * s
        if q == 0.0:
            r = u - (f + drag * u * u) * h
            if drag != 0.0:
                middle = max(u - 0.5 * (f + drag * u * u) * h, 0.0)
                r = u - (f + drag * middle * middle) * h
            if r >= 0.0:
                return moved + s * 0.5 * (u + r) * h, s * r
            time = u * h / (u - r)
            moved += s * 0.5 * u * time
        else:
            g = f + drag * u * u
            r = math.sqrt(max(u * u + 2.0 * q * h, 0.0)) - g * h
            if q > 0.0 and g * h > 0.005 * (u + r):
                r = full_power(u, q, g, h)
                return moved + s * (q * h - 0.5 * (r * r - u * u)) / g, s * r
            # Friction over the way at the first speed errs as much to one side as at the last to the other.
            r = 0.5 * (max(r, 0.0) + math.sqrt(max(u * u + 2.0 * h * (q - g * u), 0.0)))
            # With energy linear in time, speed is a root of it, and this is its mean.
            way = h * (u * u + u * r + r * r) / (1.5 * (u + r))
            energy = u * u + 2.0 * (q * h - (f + 0.5 * drag * (u * u + r * r)) * way)
            if energy > 0.0:
                return moved + s * way, s * math.sqrt(energy)
            time, way = braking(u, -q, f + 0.5 * drag * u * u)
            time = min(time, h)
            moved += s * way
        h -= time
        v = 0.0
        if h <= 0.0:
            break
    return moved, 0.0


@compiled
def move_by_force(v, p, friction, pull, hold, drag, h, original):  # type: ignore[no-untyped-def]
    """Return the same by the printed equations: power over speed is a force, and where it would turn it stops.

    From rest it starts with the speed that energy allows, in the original program with half of it.
    """
    if v == 0.0:
        r = math.copysign(math.sqrt((0.5 if original else 2.0) * abs(p) * h), p)
        push = r / h - pull
        r = 0.0 if abs(push) <= hold else h * (push - math.copysign(friction, push))
    else:
        r = v + h * (math.copysign(abs(p / v), p) - pull - math.copysign(friction + drag * v * v, v))
        if r * v < 0.0:
            r = 0.0
    return h * r, r


@inlined
def share_power(given, cut, shared, mass, motors, power, rates):  # type: ignore[no-untyped-def]
    """Share the power of motors among bodies, per kilogram; rates: energy spent per second, and what is wasted."""
    power[:] = 0.0
    rates[:] = 0.0
    for j in range(len(given)):
        driving = False
        useful = given[j] * (1.0 - motors[j, 2])
        for b in range(len(power)):
            if shared[j, b] != 0.0:
                driving = True
                power[b] += useful * shared[j, b] / mass[b]
        # A motor that only passes its power on spends nothing itself: those that it chooses do.
        if driving:
            rates[0] += abs(given[j]) + cut[j]
            rates[1] += abs(given[j]) - abs(useful) + cut[j]


@inlined
def apply_transitions(x, v, mass, given, cut, spent, locked, shared, amounts, change, listed, barred, made, h):  # type: ignore[no-untyped-def]
    """Apply all transitions that act between steps: locks, events, fuel, selection and rotation of power."""
    t = made * h
    locked[:] = barred
    for k in range(len(change)):
        kind, i, j, a, b = change[k, 0], change[k, 1], change[k, 2], change[k, 3], change[k, 4]
        first, second, third = amounts[k, 0], amounts[k, 1], amounts[k, 2]
        if kind == LOCK:
            seen = v[j] if a else x[j]
            locked[i] |= seen > first or seen < second
        elif kind == SHUT:
            locked[i] |= (t / first + third) % 1.0 < second
        elif kind == KICK:
            # Steps are counted, so that no event is lost to rounding.
            if made > 0.0 and math.floor(t / first + EDGE) > math.floor((t - h) / first + EDGE):
                v[i] += second
        elif kind == FUEL:
            left = max(second - spent[j], 0.0)
            mass[i] = first + left / third
            if left == 0.0:
                given[j] = cut[j] = 0.0
        elif kind == SELECT:
            count = b // 2
            if not b % 2:
                for place in range(count):
                    given[listed[a + place]] = 0.0
            chosen = min(max(math.floor(x[i]), 0), count - 1)
            given[listed[a + chosen]] = given[j]
        elif kind == ROTATE:
            c, s = math.cos(x[i]), math.sin(x[i])
            shared[j, a], shared[j, b] = c * abs(c), s * abs(s)


@compiled
def reach(way, whole, pace, last, h):  # type: ignore[no-untyped-def]
    """Return when in a step of h that covers the whole, begun and ended at these paces, a part of the way is covered.

    The mean acceleration of the step is taken for all of it; one that ends at rest stopped before its end. Where power
    drives or brakes, a body is then said to arrive a little late and never early.
    """
    time = min(2.0 * whole / pace, h) if last == 0.0 and pace * whole > 0.0 else h
    bend = (whole - pace * time) / (time * time)
    root = pace + math.copysign(math.sqrt(max(pace * pace + 4.0 * bend * way, 0.0)), whole)
    return h if root == 0.0 else min(max(2.0 * way / root, 0.0), h)


@inlined
def check_goals(x, v, before, speed, met, since, now, numbers, goal, needs, dependents, order, t, h, physics):  # type: ignore[no-untyped-def]
    """Update the goals after a step from t to t + h; return the time at which the last one was met, or -1."""
    last = -1.0
    end = t + h
    for place in range(len(order)):
        g = order[place]
        body, of, other, reset = goal[g, 0], goal[g, 1], goal[g, 2], goal[g, 5]
        if reset >= 0:
            seen = v[reset] if goal[g, 6] else x[reset]
            if seen > numbers[g, 7] or seen < numbers[g, 8]:
                met[g], since[g] = np.inf, np.inf
                for d in range(len(met)):
                    if dependents[g, d]:
                        met[d], since[d] = np.inf, np.inf
        old, new = (speed[body], v[body]) if of else (before[body], x[body])
        target = numbers[g, 0]
        # Speeds are taken to change evenly within a step.
        pace, last_pace = ((new - old) / h, 1.0) if of else (speed[body], v[body])
        if other >= 0:
            # Seen from the target, it is the body that moves.
            old, new = old - (speed[other] if of else before[other]), new - (v[other] if of else x[other])
            target = 0.0
            pace, last_pace = ((new - old) / h, 1.0) if of else (pace - speed[other], last_pace - v[other])
        width = numbers[g, 1]
        old, new = old - target, new - target
        entered = t
        if physics == ORIGINAL:
            holds = abs(new) < width
            entered = end
        elif goal[g, 3]:
            holds = (old < 0.0) != (new < 0.0) or new == 0.0
            entered = t + reach(-old, new - old, pace, last_pace, h)
        else:
            holds = abs(new) <= width + EDGE
            if abs(old) > width + EDGE and holds:
                edge = width if old > 0.0 else -width
                entered = t + reach(edge - old, new - old, pace, last_pace, h)
        now[g] = holds
        if met[g] < np.inf:
            continue
        if not holds:
            since[g] = np.inf
            continue
        ready = 0.0
        for r in range(len(met)):
            if needs[g, r]:
                if goal[g, 4] or physics == ORIGINAL:
                    holds = holds and now[r]
                else:
                    ready = max(ready, met[r])
        if since[g] < np.inf:
            entered = since[g]
        held = numbers[g, 2]
        entered = max(entered, ready, numbers[g, 3], ready + numbers[g, 5])
        if not holds or entered > end or entered + held > min(numbers[g, 4], ready + numbers[g, 6]):
            since[g] = np.inf
            continue
        since[g] = entered
        if entered + held <= end:
            met[g] = entered + held
            last = max(last, met[g])
    # It can only be solved at a step at which something was met.
    if last >= 0.0:
        for g in range(len(met)):
            if met[g] == np.inf:
                return -1.0
    return last


@compiled
def step_one(x, v, mass, given, cut, spent, tally, met, since, numbers, fixed, steps, h, physics):  # type: ignore[no-untyped-def]
    """Step one instance so many times, or until it is over."""
    count = len(x)
    power, rates = np.empty(count), np.empty(2)
    locked, now = fixed.locked.copy(), np.zeros(len(met), dtype=np.bool_)
    before, speed = np.empty(count), np.empty(count)
    shared = fixed.share.copy()
    # Taken out of their tuples once: inside the loop numba would count references to each at every step.
    aims, goal, needs, dependents, order = numbers.goal, fixed.goal, fixed.needs, fixed.dependents, fixed.order
    bodies, motors, amounts, kinds = numbers.body, numbers.motor, numbers.change, fixed.body_kind
    change, listed, barred = fixed.change, fixed.listed, fixed.locked
    most_time, most_energy = fixed.limits[0], fixed.limits[1] * (1.0 + EDGE)
    made, time, energy, wasted, created = tally[STEPS], tally[TIME], tally[ENERGY], tally[WASTED], tally[CREATED]
    over, solved, finished, changes = tally[OVER] > 0.0, -1.0, -1.0, len(change) > 0
    resist = np.empty((count, 4))
    for b in range(count):
        weight = bodies[b, GRAVITY] * math.cos(bodies[b, SLOPE])
        resist[b, 0], resist[b, 1] = bodies[b, KINETIC] * weight, bodies[b, GRAVITY] * math.sin(bodies[b, SLOPE])
        resist[b, 2], resist[b, 3] = bodies[b, STATIC] * weight, bodies[b, DRAG] / mass[b]
    share_power(given, cut, shared, mass, motors, power, rates)
    for _ in range(steps):
        if over:
            break
        t = made * h
        if changes:
            apply_transitions(x, v, mass, given, cut, spent, locked, shared, amounts, change, listed, barred, made, h)
            share_power(given, cut, shared, mass, motors, power, rates)
            for j in range(len(given)):
                spent[j] += abs(given[j]) * h
        for b in range(count):
            u = v[b]
            before[b], speed[b] = x[b], u
            if locked[b] or kinds[b]:
                continue
            p, friction, pull, hold, drag = power[b], resist[b, 0], resist[b, 1], resist[b, 2], resist[b, 3]
            if physics == EXACT:
                way, r = move_exactly(u, p, friction, pull, hold, drag, h)
            else:
                way, r = move_by_force(u, p, friction, pull, hold, drag, h, physics == ORIGINAL)
                put_in = math.copysign(abs(p) * h, p * (u + r))
                gained = 0.5 * (r * r - u * u) + (friction + drag * r * r) * abs(way) + pull * way - put_in
                created += max(gained, 0.0) * mass[b]
            place = x[b] + way
            if place > bodies[b, HIGH]:
                place, r = bodies[b, HIGH], 0.0
            elif place < bodies[b, LOW]:
                place, r = bodies[b, LOW], 0.0
            x[b], v[b] = place, r
        if changes:
            lead(x, v, before, speed, locked, bodies, amounts, change, t, h, physics)
        made += 1.0
        solved = check_goals(x, v, before, speed, met, since, now, aims, goal, needs, dependents, order, t, h, physics)
        passed = h
        if solved >= 0.0 and physics == EXACT:
            passed = min(max(solved - t, 0.0), h)
            # It ends at this moment, not with the step: bodies stand where they were then.
            for b in range(count):
                x[b] = before[b] + (x[b] - before[b]) * passed / h
                v[b] = speed[b] + (v[b] - speed[b]) * passed / h
        time = t + passed
        energy += rates[0] * passed
        wasted += rates[1] * passed
        finished = max(finished, solved)
        if physics != ORIGINAL:
            over = solved >= 0.0 or energy > most_energy or t + h >= most_time * (1.0 - EDGE)
    tally[STEPS], tally[TIME], tally[ENERGY], tally[WASTED], tally[CREATED] = made, time, energy, wasted, created
    # The program looks at limits between ticks only, and the rest of a tick after solving still costs.
    if physics == ORIGINAL and steps > 0:
        over = finished >= 0.0 or energy > most_energy or time > most_time * (1.0 + EDGE)
    if over and tally[OVER] == 0.0:
        tally[OVER] = 1.0
        kept = energy <= most_energy and time <= most_time * (1.0 + EDGE)
        if finished >= 0.0 and (kept or physics == ORIGINAL):
            tally[SOLVED] = 1.0
    tally[DISTANCE] = distance(x, v, met, bodies, aims, goal)


@compiled
def distance(x, v, met, bodies, numbers, goal):  # type: ignore[no-untyped-def]
    """Add up how far goals that are not met are from being so, each in widths of what its body can reach."""
    total = 0.0
    for g in range(len(met)):
        body, of, other = goal[g, 0], goal[g, 1], goal[g, 2]
        state = v if of else x
        off = abs(state[body] - (numbers[g, 0] if other < 0 else state[other])) - numbers[g, 1]
        width = bodies[body, HIGH] - bodies[body, LOW]
        if off > 0.0 and met[g] == np.inf:
            total += off / (1.0 if of or width == np.inf else width)
    return total


@inlined
def lead(x, v, before, speed, locked, bodies, amounts, change, t, h, physics):  # type: ignore[no-untyped-def]
    """Move the bodies that no force moves: those that are steered, and those on a wave."""
    for k in range(len(change)):
        kind, i, j, a, b = change[k, 0], change[k, 1], change[k, 2], change[k, 3], change[k, 4]
        if locked[i] or (kind != STEER and kind != WAVE):
            continue
        if kind == STEER:
            # The way that the speed body made, in the direction it had half way.
            angle = 0.5 * (before[a] + x[a]) if physics == EXACT else before[a]
            way = x[j] - before[j] if physics == EXACT else speed[j] * h
            ahead, later = (math.sin(angle), math.sin(x[a])) if b else (math.cos(angle), math.cos(x[a]))
            x[i] += way * ahead
            v[i] = v[j] * later
            if not (bodies[i, LOW] <= x[i] <= bodies[i, HIGH]):
                x[i], v[i] = min(max(x[i], bodies[i, LOW]), bodies[i, HIGH]), 0.0
        else:
            turn = 2.0 * math.pi * ((t + h) / amounts[k, 2] + amounts[k, 3])
            x[i] = amounts[k, 0] + amounts[k, 1] * math.sin(turn)
            v[i] = amounts[k, 1] * math.cos(turn) * 2.0 * math.pi / amounts[k, 2]


@compiled
def advance(x, v, mass, given, cut, spent, tally, met, since, numbers, fixed, steps, h, physics):  # type: ignore[no-untyped-def]
    """Step every instance so many times."""
    for i in range(len(x)):
        own = Numbers(numbers.body[i], numbers.motor[i], numbers.change[i], numbers.goal[i])
        step_one(
            x[i], v[i], mass[i], given[i], cut[i], spent[i], tally[i], met[i], since[i], own, fixed, steps, h, physics
        )


@compiled
def begin(x, v, mass, numbers, fixed):  # type: ignore[no-untyped-def]
    """Put bodies that a transition rules where it has them at the start."""
    for i in range(len(x)):
        for k in range(len(fixed.change)):
            kind, body = fixed.change[k, 0], fixed.change[k, 1]
            n = numbers.change[i, k]
            if kind == WAVE:
                turn = 2.0 * math.pi * n[3]
                x[i, body] = n[0] + n[1] * math.sin(turn)
                v[i, body] = n[1] * math.cos(turn) * 2.0 * math.pi / n[2]
            elif kind == FUEL:
                mass[i, body] = n[0] + n[1] / n[2]
