"""Particles: one substep of water as an incompressible fluid of positions, which pushes things and is pushed by them.

Positions are moved until the density around every particle is at most that of rest (Macklin and Müller 2013); a
particle and a thing that lie in each other part by their masses, so that what holds a thing up is the water's own
pressure and nothing else.
"""

from math import pi
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.machine_code import compiler

compiled = compiler(Path(__file__).parent, extra="pagi-world")
Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
TREMBLE = 0.07
"""How far a particle is displaced in a substep at most, in spacings. Particles of one size otherwise lie in rows like a
crystal, in which small things hang still that should float."""
RELAX = 50.0
"""Keeps a lone particle's correction small."""
GAP = 0.64
"""Distance of particles from a surface, in spacings. Half a spacing would do if they lay as densely at a surface as
elsewhere; they lie denser there, and this gap makes the water that a thing displaces equal to its area."""


@compiled
def kernel(r2: float, h: float) -> float:
    """Return the weight of a neighbour by the square of its distance."""
    if r2 >= h * h:
        return 0.0
    d = h * h - r2
    return 4.0 / (pi * h**8) * d * d * d


@compiled
def slope(r: float, h: float) -> float:
    """Return how fast the weight falls with distance, of the pointed kernel."""
    if r >= h or r <= 1e-9:
        return 0.0
    return -30.0 / (pi * h**5) * (h - r) * (h - r)


@compiled
def rest_density(spacing: float, h: float) -> float:
    """Return the density of a square lattice."""
    total = 0.0
    for i in range(-4, 5):
        for j in range(-4, 5):
            total += kernel((i * i + j * j) * spacing * spacing, h)
    return total


@compiled
def _neighbours(place: Floats, h: float, most: int) -> Any:
    """Return for each particle how many neighbours it has, and which."""
    n = len(place)
    count, near = np.zeros(n, np.int64), np.zeros((n, most), np.int64)
    if n == 0:
        return count, near
    left, low = place[:, 0].min(), place[:, 1].min()
    wide = int((place[:, 0].max() - left) / h) + 1
    high = int((place[:, 1].max() - low) / h) + 1
    start = np.zeros(wide * high + 1, np.int64)
    cell = np.empty(n, np.int64)
    for i in range(n):
        cell[i] = int((place[i, 1] - low) / h) * wide + int((place[i, 0] - left) / h)
        start[cell[i] + 1] += 1
    for c in range(wide * high):
        start[c + 1] += start[c]
    fill, order = start[:-1].copy(), np.empty(n, np.int64)
    for i in range(n):
        order[fill[cell[i]]] = i
        fill[cell[i]] += 1
    for i in range(n):
        cx, cy = cell[i] % wide, cell[i] // wide
        for gy in range(max(0, cy - 1), min(high, cy + 2)):
            for gx in range(max(0, cx - 1), min(wide, cx + 2)):
                c = gy * wide + gx
                for k in range(start[c], start[c + 1]):
                    j = order[k]
                    if j == i or count[i] >= most:
                        continue
                    dx, dy = place[i, 0] - place[j, 0], place[i, 1] - place[j, 1]
                    if dx * dx + dy * dy < h * h:
                        near[i, count[i]] = j
                        count[i] += 1
    return count, near


@compiled
def _tremble(place: Floats, far: float, beat: int) -> None:
    """Displace every particle by a little, evenly within a square, by a hash of its number and of the substep."""
    for i in range(len(place)):
        mixed = (i * 2654435761 + beat * 2246822519 + 374761393) & 0xFFFFFFFF
        for axis in range(2):
            mixed = ((mixed ^ (mixed >> 15)) * 2246822519 + 3266489917) & 0xFFFFFFFF
            mixed = ((mixed ^ (mixed >> 13)) * 3266489917 + 668265263) & 0xFFFFFFFF
            place[i, axis] += (mixed / 2147483648.0 - 1.0) * far


@compiled
def substep(
    place: Floats,
    speed: Floats,
    gravity: Floats,
    dt: float,
    spacing: float,
    mass: float,
    rounds: int,
    viscosity: float,
    centre: Floats,
    angle: Floats,
    motion: Floats,
    inverse: Floats,
    owner: Whole,
    far: Floats,
    first: Whole,
    count: Whole,
    corners: Floats,
    beat: int,
) -> None:
    """Move particles and the speeds of things on by one substep, in place.

    Parameters
    ----------
    centre, angle, motion, inverse
        Of each thing: its middle, its angle, its speeds (x, y, turn), and one over its mass and its moment.
    owner, far, first, count
        Of each convex part: its thing, how far it reaches, and where its corners are; no corners: a circle.
    beat
        The number of the substep, from which particles tremble.
    """
    n, h, reach = len(place), 2.0 * spacing, GAP * spacing
    rest = rest_density(spacing, h)
    _tremble(place, TREMBLE * spacing, beat)
    before, began, turned = place.copy(), centre.copy(), angle.copy()
    for i in range(n):
        for axis in range(2):
            speed[i, axis] += gravity[axis] * dt
            step = speed[i, axis] * dt
            # No particle goes through what is half a particle thick.
            place[i, axis] += min(max(step, -0.4 * spacing), 0.4 * spacing)
    for b in range(len(centre)):
        if inverse[b, 0] > 0:
            centre[b, 0] += motion[b, 0] * dt
            centre[b, 1] += motion[b, 1] * dt
            angle[b] += motion[b, 2] * dt
    number, near = _neighbours(place, h, 40)
    scale, move = np.empty(n), np.empty((n, 2))
    inverse_particle = 1.0 / mass
    for _ in range(rounds):
        for i in range(n):
            density, gx, gy, total = kernel(0.0, h), 0.0, 0.0, 0.0
            for k in range(number[i]):
                j = near[i, k]
                dx, dy = place[i, 0] - place[j, 0], place[i, 1] - place[j, 1]
                r = np.sqrt(dx * dx + dy * dy)
                density += kernel(r * r, h)
                if r > 1e-9:
                    s = slope(r, h) / (r * rest)
                    gx += s * dx
                    gy += s * dy
                    total += s * s * r * r
            over = density / rest - 1.0
            scale[i] = -over / (total + gx * gx + gy * gy + RELAX / (spacing * spacing) * 0.01) if over > 0 else 0.0
        for i in range(n):
            mx, my = 0.0, 0.0
            for k in range(number[i]):
                j = near[i, k]
                dx, dy = place[i, 0] - place[j, 0], place[i, 1] - place[j, 1]
                r = np.sqrt(dx * dx + dy * dy)
                if r > 1e-9:
                    s = (scale[i] + scale[j]) * slope(r, h) / (r * rest)
                    mx += s * dx
                    my += s * dy
            move[i, 0] = min(max(mx, -0.3 * spacing), 0.3 * spacing)
            move[i, 1] = min(max(my, -0.3 * spacing), 0.3 * spacing)
        for i in range(n):
            place[i, 0] += move[i, 0]
            place[i, 1] += move[i, 1]
        _part(place, reach, inverse_particle, centre, angle, inverse, owner, far, first, count, corners)
    for i in range(n):
        speed[i, 0] = (place[i, 0] - before[i, 0]) / dt
        speed[i, 1] = (place[i, 1] - before[i, 1]) / dt
    for i in range(n):
        ax, ay = 0.0, 0.0
        for k in range(number[i]):
            j = near[i, k]
            dx, dy = place[i, 0] - place[j, 0], place[i, 1] - place[j, 1]
            w = kernel(dx * dx + dy * dy, h) / rest
            ax += w * (speed[j, 0] - speed[i, 0])
            ay += w * (speed[j, 1] - speed[i, 1])
        move[i, 0], move[i, 1] = ax, ay
    for i in range(n):
        speed[i, 0] += viscosity * move[i, 0]
        speed[i, 1] += viscosity * move[i, 1]
    for b in range(len(centre)):
        if inverse[b, 0] > 0:
            motion[b, 0] = (centre[b, 0] - began[b, 0]) / dt
            motion[b, 1] = (centre[b, 1] - began[b, 1]) / dt
            motion[b, 2] = (angle[b] - turned[b]) / dt


@compiled
def _part(
    place: Floats,
    reach: float,
    inverse_particle: float,
    centre: Floats,
    angle: Floats,
    inverse: Floats,
    owner: Whole,
    far: Floats,
    first: Whole,
    count: Whole,
    corners: Floats,
) -> None:
    """Part every particle and every thing that lie in each other, by their masses."""
    for s in range(len(owner)):
        b = owner[s]
        outer = far[s] + reach
        for i in range(len(place)):
            dx, dy = place[i, 0] - centre[b, 0], place[i, 1] - centre[b, 1]
            if dx * dx + dy * dy > outer * outer:
                continue
            c, d = np.cos(angle[b]), np.sin(angle[b])
            nx, ny, depth = 0.0, 0.0, 0.0
            if count[s] == 0:
                r = np.sqrt(dx * dx + dy * dy)
                depth = far[s] + reach - r
                if depth <= 0:
                    continue
                nx, ny = (dx / r, dy / r) if r > 1e-9 else (0.0, 1.0)
            else:
                u, v = dx * c + dy * d, dy * c - dx * d
                best, bx, by, at = -1e18, 0.0, 0.0, 0
                for k in range(count[s]):
                    p, q = first[s] + k, first[s] + (k + 1) % count[s]
                    ex, ey = corners[q, 0] - corners[p, 0], corners[q, 1] - corners[p, 1]
                    length = np.sqrt(ex * ex + ey * ey)
                    ox, oy = ey / length, -ex / length
                    away = (u - corners[p, 0]) * ox + (v - corners[p, 1]) * oy
                    if away > best:
                        best, bx, by, at = away, ox, oy, k
                if best > reach:
                    continue
                if best > 0:
                    # Beyond an end of the side it is the corner that is near.
                    p, q = first[s] + at, first[s] + (at + 1) % count[s]
                    ex, ey = corners[q, 0] - corners[p, 0], corners[q, 1] - corners[p, 1]
                    share = ((u - corners[p, 0]) * ex + (v - corners[p, 1]) * ey) / (ex * ex + ey * ey)
                    if share < 0 or share > 1:
                        e = p if share < 0 else q
                        wx, wy = u - corners[e, 0], v - corners[e, 1]
                        r = np.sqrt(wx * wx + wy * wy)
                        if r >= reach or r < 1e-9:
                            continue
                        bx, by, best = wx / r, wy / r, r
                depth = reach - best
                nx, ny = bx * c - by * d, bx * d + by * c
            lever = dx * ny - dy * nx
            weight = inverse[b, 0] + inverse[b, 1] * lever * lever
            part = depth / (inverse_particle + weight)
            place[i, 0] += part * inverse_particle * nx
            place[i, 1] += part * inverse_particle * ny
            if inverse[b, 0] > 0:
                centre[b, 0] -= part * inverse[b, 0] * nx
                centre[b, 1] -= part * inverse[b, 0] * ny
                angle[b] -= part * inverse[b, 1] * lever
