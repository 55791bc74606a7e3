"""Local search at full speed: an agent with a sight of 1 looks its situation up instead of its nine cells."""

from mensura.catalog.lambda_star.batch.chance import Stream, below, seeded
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.ground import Game, Ground, Rewards
from mensura.catalog.lambda_star.batch.situations import CLASSES, SITUATIONS, Situations, Small


@compiled
def situation(rules: Situations, ground: Ground, row: int, column: int, cell: int) -> int:
    """Return the situation of an agent at a row and column with regard to an object on a cell."""
    down = rules.row_class[ground.row_of[cell] - row + ground.rows - 1]
    right = rules.column_class[ground.column_of[cell] - column + ground.columns - 1]
    return int(down * CLASSES + right)


@compiled
def pick(best: Small, which: int, stream: Stream) -> int:
    """Draw one of the best actions of a situation."""
    count = best[which, 0]
    if count == 1:
        return int(best[which, 1])
    return int(best[which, 1 + below(stream, count)])


@compiled
def near_search(rules: Situations, game: Game, out: Rewards) -> None:
    """Go to the best cell in reach, for agents that see no further."""
    ground, good, evil, starts, original, key, first, group = game
    episodes, agents = starts.shape
    iterations = good.shape[1] - 1
    for episode in range(episodes):
        stream = seeded(key, first + episode, group)
        for j in range(agents):
            row = ground.row_of[starts[episode, j]]
            column = ground.column_of[starts[episode, j]]
            seen = situation(rules, ground, row, column, good[episode, 0]) * SITUATIONS + situation(
                rules, ground, row, column, evil[episode, 0]
            )
            for i in range(1, iterations + 1):
                if original and i == 1:
                    action = pick(rules.away, situation(rules, ground, row, column, 0), stream)
                else:
                    action = pick(rules.best, seen, stream)
                row = turned(row + action // 3 - 1, ground.rows)
                column = turned(column + action % 3 - 1, ground.columns)
                seen = situation(rules, ground, row, column, good[episode, i]) * SITUATIONS + situation(
                    rules, ground, row, column, evil[episode, i]
                )
                out[episode, 0, j] += rules.reward[seen]


@compiled
def turned(place: int, length: int) -> int:
    """Bring a place that is at most one step off the grid back onto it from the other side."""
    if place < 0:
        return place + length
    return place - length if place >= length else place
