"""The same optima by other means: cells of the way whose kinetic energies are optimised, and plain simulation."""

import numpy as np
from scipy.optimize import minimize


def transcribed_time(*, mass, resistance, drag, power, distance, energy, cells):
    """Return the least time found by direct transcription; force is constant in a cell, so it is found from above."""
    length = distance / cells

    def parts(kinetic):
        both = np.concatenate(([0.0], kinetic))
        speed = np.sqrt(2 * np.maximum(both, 0) / mass)
        seconds = 2 * length / np.maximum(speed[:-1] + speed[1:], 1e-9)
        spent = np.diff(both) + (resistance + drag * (both[:-1] + both[1:]) / mass) * length
        return seconds, spent

    def spare(kinetic):
        seconds, spent = parts(kinetic)
        return np.concatenate((spent, power * seconds - spent, [energy - spent.sum()])) / energy

    rise = np.minimum(np.arange(1, cells + 1) * length * power / 20, (energy / distance - resistance) * distance / 4)
    found = minimize(
        lambda kinetic: parts(kinetic)[0].sum(), np.maximum(rise, 1.0), method="SLSQP", bounds=[(1e-6, None)] * cells,
        constraints={"type": "ineq", "fun": spare}, options={"maxiter": 400, "ftol": 1e-9},
    )  # fmt: skip
    assert spare(found.x).min() > -1e-6, found.message
    return parts(found.x)[0].sum()


def simulated(powers, *, mass, resistance, drag, distance, tick=0.25, step=0.001, most=60.0):
    """Return time and energy of each row of powers, one a tick (the last goes on); NaN where it does not arrive."""
    rows, ticks = powers.shape
    kinetic, place, spent = np.zeros(rows), np.zeros(rows), np.zeros(rows)
    time = np.full(rows, np.nan)
    for number in range(int(most / step)):
        power = powers[:, min(int(number * step / tick + 1e-9), ticks - 1)]
        first = np.sqrt(2 * kinetic / mass)
        guess = np.sqrt(2 * np.maximum(kinetic + step * (power - (resistance + drag * first**2) * first), 0) / mass)
        speed = (first + guess) / 2
        kinetic = np.maximum(kinetic + step * (power - (resistance + drag * speed**2) * speed), 0)
        going = np.isnan(time)
        way = step * (first + np.sqrt(2 * kinetic / mass)) / 2
        arrives = going & (place + way >= distance)
        share = np.where(arrives, (distance - place) / np.maximum(way, 1e-12), 1.0)
        spent += np.where(going, np.abs(power) * step * share, 0)
        time[arrives] = (number + share[arrives]) * step
        place += way
        if not going.any():
            break
    return time, spent
