"""The inner loops of optimal pairing: rows bid for columns, and shortest augmenting paths settle what is left."""

import heapq
from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Floats, Integers
from mensura.scores.matching.compiled import compiled

# Prices are sums of weights of order one, so anything below this is rounding.
_ZERO = 1e-13


@compiled
def bid(
    start: Integers,
    columns: Integers,
    worth: Floats,
    partner: Integers,
    owner: Integers,
    row_price: Floats,
    column_price: Floats,
) -> Integers:
    """Let rows bid for their best column against their second best (augmenting row reduction); return the losers.

    Columns start at price zero, and a column that was never taken keeps it.
    """
    height = len(start) - 1
    queue = np.arange(height)
    for _ in range(3):
        left = np.empty(height, np.int64)
        waiting = 0
        # Near ties could raise each other's price for ever; the paths settle what the bids leave.
        bids = 4 * height
        for position in range(len(queue)):
            i = queue[position]
            while i >= 0:
                first, second, best, other = 0.0, 0.0, -1, -1
                for entry in range(start[i], start[i + 1]):
                    value = worth[entry] - column_price[columns[entry]]
                    if value > first:
                        second, other = first, best
                        first, best = value, columns[entry]
                    elif value > second or (value == second and value > 0 and other >= 0 and owner[other] >= 0):
                        second, other = value, columns[entry]
                row_price[i] = second
                if best < 0:
                    break
                clear = first > second + _ZERO
                if not clear and owner[best] >= 0 and other >= 0:
                    best = other
                displaced = owner[best]
                if clear:
                    column_price[best] += first - second
                owner[best] = i
                partner[i] = best
                i = -1
                if displaced >= 0:
                    partner[displaced] = -1
                    bids -= 1
                    if clear and bids > 0:
                        i = displaced
                    else:
                        left[waiting] = displaced
                        waiting += 1
        queue = left[:waiting].copy()
    return queue


@compiled
def augment(
    queue: Integers,
    start: Integers,
    columns: Integers,
    worth: Floats,
    partner: Integers,
    owner: Integers,
    row_price: Floats,
    column_price: Floats,
) -> None:
    """Place the rows of the queue, in the arrays given, by shortest paths of regret (Dijkstra with prices).

    A path ends at a free column, or at a row that had better stay alone. Prices stay such that row price + column
    price covers every entry and equals the worth of every pair taken.
    """
    height, width = len(partner), len(owner)
    distance = np.full(width, np.inf)
    before = np.full(width, -1, np.int64)
    done = np.zeros(width, np.bool_)
    row_distance = np.zeros(height)
    seen = np.empty(width, np.int64)
    rows = np.empty(height, np.int64)
    level = np.empty(width, np.int64)
    for each in range(len(queue)):
        root = queue[each]
        row_price[root] = 0.0
        for entry in range(start[root], start[root + 1]):
            row_price[root] = max(row_price[root], worth[entry] - column_price[columns[entry]])
        heap: Any = [(0.0, np.int64(-1))]
        heap.pop()
        many_seen, many_rows, many_level = 0, 1, 0
        rows[0] = root
        row_distance[root] = 0.0
        i = root
        alone = np.inf
        lonely = root
        last = np.int64(-1)
        length = 0.0
        while True:
            base = row_distance[i]
            if base + row_price[i] < alone:
                alone = base + row_price[i]
                lonely = i
            for entry in range(start[i], start[i + 1]):
                j = columns[entry]
                if done[j]:
                    continue
                regret = row_price[i] + column_price[j] - worth[entry]
                along = base + (regret if regret > _ZERO else 0.0)
                if along < distance[j] and along < alone:
                    if distance[j] == np.inf:
                        seen[many_seen] = j
                        many_seen += 1
                    distance[j] = along
                    before[j] = i
                    if along > base:
                        heapq.heappush(heap, (along, j))
                    elif owner[j] < 0:
                        last = j
                        break
                    else:
                        level[many_level] = j
                        many_level += 1
            if last >= 0:
                length = base
                break
            while many_level > 0 and last < 0:
                many_level -= 1
                if not done[level[many_level]]:
                    last = level[many_level]
            while len(heap) > 0 and last < 0:
                along, j = heapq.heappop(heap)
                if not done[j] and along <= distance[j]:
                    last = j
            if last < 0 or distance[last] >= alone:
                last = np.int64(-1)
                length = alone
                break
            length = distance[last]
            if owner[last] < 0:
                break
            done[last] = True
            i = owner[last]
            last = np.int64(-1)
            row_distance[i] = length
            rows[many_rows] = i
            many_rows += 1
        for place in range(many_rows):
            row = rows[place]
            row_price[row] = max(0.0, row_price[row] - (length - row_distance[row]))
        for place in range(many_seen):
            j = seen[place]
            if done[j]:
                column_price[j] += length - distance[j]
        if last < 0:
            last = partner[lonely]
            partner[lonely] = -1
            row_price[lonely] = 0.0
        while last >= 0:
            i = before[last]
            following = partner[i]
            partner[i] = last
            owner[last] = i
            last = following
        for place in range(many_seen):
            distance[seen[place]] = np.inf
            done[seen[place]] = False
