"""The compiled step: the only place where bodies move. All of it is in one file, because numba caches by file."""

import math
from typing import Any

import numpy as np
from numba import njit

EXACT, PAPER, ORIGINAL = 0, 1, 2
MASS, KINETIC, STATIC, GRAVITY, SLOPE, DRAG, LOW, HIGH = range(8)
TIME, ENERGY, WASTED, CREATED, STEPS, OVER, SOLVED = range(7)
LOCK, SHUT, KICK, WAVE, FUEL, STEER, SELECT, ROTATE = range(8)
EDGE = 1e-9
"""How far outside its tolerance a value still counts as on the edge: rounding must not decide who arrives."""
compiled: Any = njit(cache=True, nogil=True, error_model="numpy", inline="never")


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
            r = math.sqrt(max(u * u + 2.0 * q * h, 0.0)) - f * h
            if q > 0.0 and f * h > 0.02 * (u + r):
                g = f + drag * u * u
                r = full_power(u, q, g, h)
                return moved + s * (q * h - 0.5 * (r * r - u * u)) / g, s * r
            r = max(r, 0.0)
            energy = 0.0
            for _ in range(2):
                # With energy linear in time, speed is a root of it, and this is its mean.
                way = h * (u * u + u * r + r * r) / (1.5 * (u + r))
                energy = u * u + 2.0 * (q * h - (f + 0.5 * drag * (u * u + r * r)) * way)
                if energy <= 0.0:
                    break
                r = math.sqrt(energy)
            if energy > 0.0:
                return moved + s * way, s * r
            time, way = braking(u, -q, f + 0.5 * drag * u * u)
            time = min(time, h)
            moved += s * way
        h -= time
        v = 0.0
        if h <= 0.0:
            break
    return moved, 0.0


@compiled
def move_as_printed(v, p, friction, pull, hold, drag, h):  # type: ignore[no-untyped-def]
    """Return the same by the printed equations; from rest it starts as energy allows, and stops where it would turn."""
    if v == 0.0:
        r = math.copysign(math.sqrt(2.0 * abs(p) * h), p)
        push = r / h - pull
        if abs(push) <= hold:
            return 0.0, 0.0
        r = r - h * (pull + math.copysign(friction, push))
    else:
        force = math.copysign(abs(p / v), p) - pull - math.copysign(friction + drag * v * v, v)
        r = v + h * force
        if r * v < 0.0:
            r = 0.0
    return h * r, r


@compiled
def move_as_programmed(v, p, friction, pull, hold, drag, h):  # type: ignore[no-untyped-def]
    """Return the same as the original program did: from rest it starts with half the speed that energy allows."""
    if v == 0.0:
        push = math.copysign(math.sqrt(abs(p) / (2.0 * h)), p) - pull
        r = 0.0 if abs(push) <= hold else h * (push - math.copysign(friction, push))
    else:
        force = math.copysign(abs(p / v), p) - pull - math.copysign(friction + drag * v * v, v)
        r = v + h * force
        if r * v < 0.0:
            r = 0.0
    return h * r, r


@compiled
def share_power(given, set_, numbers, fixed, tally, power, rates):  # type: ignore[no-untyped-def]
    """Share the power of motors among bodies; rates become the energy spent per second, and what of it is wasted."""
    power[:] = 0.0
    rates[:] = 0.0
    for j in range(len(given)):
        if not fixed.own[j] and given[j] == 0.0:
            continue
        passed = not fixed.share[j].any()
        # A motor that only passes its power on spends nothing itself: those that it drives do.
        if passed:
            continue
        waste = numbers.motor[j, 2]
        rates[0] += abs(set_[j])
        rates[1] += abs(set_[j]) - abs(given[j]) * (1.0 - waste)
        for b in range(len(power)):
            power[b] += given[j] * (1.0 - waste) * fixed.share[j, b]
