"""Replay memory gives the pictures that were seen, and nothing of another episode."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from mensura.catalog.arcade.learners.replay import EDGE, Replay  # noqa: E402

CPU = torch.device("cpu")


def played(rows, columns, steps, rng, ends=0.1):
    """Return a memory into which a random history was written, and that history in plain lists."""
    replay = Replay(rows, columns, CPU)
    history = [[] for _ in range(columns)]
    ended = np.ones(columns, dtype=bool)
    for step in range(steps):
        pictures = rng.integers(256, size=(columns, 84, 84), dtype=np.uint8)
        replay.see(step, slice(0, columns), torch.from_numpy(pictures), torch.from_numpy(ended))
        replay.completed(step)
        actions = rng.integers(18, size=columns)
        replay.acted(step, slice(0, columns), torch.from_numpy(actions))
        rewards = rng.normal(size=columns).astype(np.float32)
        terminal, cut = rng.random(columns) < ends, rng.random(columns) < ends
        replay.earned(
            step, slice(0, columns), *(torch.from_numpy(what) for what in (rewards, terminal, terminal | ~cut))
        )
        for column in range(columns):
            history[column].append(
                (pictures[column], ended[column], actions[column], rewards[column], terminal[column])
            )
        ended = terminal | cut
    return replay, history


def stack_at(history, step):
    """Return the four pictures up to a step, black before the episode."""
    stack = np.zeros((4, 84, 84), dtype=np.uint8)
    for back in range(4):
        stack[3 - back] = history[step - back][0]
        if history[step - back][1]:
            break
    return stack


@pytest.mark.parametrize(("rows", "steps"), [(40, 30), (40, 95)])
def test_stacks_are_the_last_four_pictures_of_the_same_episode(rows, steps):
    rng = np.random.default_rng(1)
    replay, history = played(rows, 3, steps, rng)
    drawn = replay.draw(torch.from_numpy(rng.random((2, 300), dtype=np.float32)))
    before, after = replay.stacks(*drawn)
    newest = steps - 1
    seen = set()
    for place, (row, column) in enumerate(zip(*(part.tolist() for part in drawn), strict=True)):
        step = newest - (newest - row) % rows
        assert step < newest
        seen.add((step, column))
        assert np.array_equal(before[place].numpy(), stack_at(history[column], step))
        _, _, action, reward, terminal = history[column][step]
        assert replay.actions[row, column] == action
        assert replay.rewards[row, column] == reward
        assert replay.terminal[row, column] == terminal
        if replay.usable[row, column] and not terminal:
            assert np.array_equal(after[place].numpy(), stack_at(history[column], step + 1))
    assert len(seen) > 50
    assert min(step for step, _ in seen) >= max(0, steps - rows + EDGE - 2)


def test_every_filled_transition_can_be_drawn():
    rng = np.random.default_rng(2)
    replay, _ = played(30, 2, 20, rng)
    rows, columns = replay.draw(torch.from_numpy(rng.random((2, 5000), dtype=np.float32)))
    assert {(row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)} == {
        (row, column) for row in range(3, 19) for column in range(2)
    }


def test_prioritised_replay_draws_in_proportion_and_weighs_it_back():
    rng = np.random.default_rng(3)
    replay = Replay(30, 1, CPU, prioritised=True)
    column = slice(0, 1)
    for step in range(12):
        replay.see(step, column, torch.zeros((1, 84, 84), dtype=torch.uint8), torch.tensor([step == 0]))
        replay.completed(step)
        replay.earned(step, column, torch.zeros(1), torch.tensor([False]), torch.tensor([True]))
    rows = torch.arange(3, 11)
    errors = torch.arange(1.0, 9.0)
    replay.set_priorities(rows, torch.zeros_like(rows), errors)
    drawn, _ = replay.draw(torch.from_numpy(rng.random((2, 40_000), dtype=np.float32)))
    counts = np.bincount(drawn.numpy(), minlength=12)[3:11] / 40_000
    expected = errors.numpy() ** 0.6 / (errors.numpy() ** 0.6).sum()
    assert np.allclose(counts, expected, atol=0.01)
    replay.priorities[:3] = 0
    replay.priorities[11:] = 0
    likely = replay.probability(rows, torch.zeros_like(rows)).numpy()
    assert np.allclose(likely, expected * 8, rtol=1e-4)
