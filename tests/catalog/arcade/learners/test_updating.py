"""An update is that of Nature 2015, worked out by plain means."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from mensura.catalog.arcade.learners.network import make_network, values  # noqa: E402
from mensura.catalog.arcade.learners.options import Options  # noqa: E402
from mensura.catalog.arcade.learners.replay import Replay  # noqa: E402
from mensura.catalog.arcade.learners.updating import Updater  # noqa: E402

CPU = torch.device("cpu")


def filled(seed, *, rows=24, prioritised=False, reward=1.0):
    """Return a memory of one game with random pictures, a few ends, and rewards."""
    rng = np.random.default_rng(seed)
    replay = Replay(rows, 1, CPU, prioritised=prioritised)
    column = slice(0, 1)
    for step in range(rows - 8):
        picture = torch.from_numpy(rng.integers(256, size=(1, 84, 84), dtype=np.uint8))
        replay.see(step, column, picture, torch.tensor([step % 7 == 0]))
        replay.completed(step)
        replay.acted(step, column, torch.from_numpy(rng.integers(6, size=1)))
        earned = torch.tensor([float(rng.choice([-reward, 0, reward]))])
        replay.earned(step, column, earned, torch.tensor([step % 7 == 6]), torch.tensor([step % 5 != 4]))
    return replay


@pytest.mark.parametrize("double", [False, True])
def test_update_is_the_rmsprop_of_clipped_errors_against_the_target(double):
    options = Options(batch=6, double=double, discount=0.9, rate=0.01)
    replay = filled(1)
    updater = Updater(6, options, replay, None, seed=5, device=CPU)
    with torch.no_grad():
        for part in updater.target.parameters():
            part.mul_(1.5)
    reference, target = make_network(6, seed=5), make_network(6)
    target.load_state_dict(updater.target.state_dict())
    generator = torch.Generator().manual_seed(5)
    mean = [np.zeros(part.shape) for part in reference.parameters()]
    square = [np.zeros(part.shape) for part in reference.parameters()]
    for _ in range(3):
        updater.update(1)
        chance = torch.rand((1, 2, 6), generator=generator)[0]
        rows, columns = replay.draw(chance)
        before, after = replay.stacks(rows, columns)
        reference.zero_grad()
        total = 0.0
        for place in range(6):
            row = int(rows[place])
            with torch.no_grad():
                ahead = values(target, after[place : place + 1])[0]
                best = values(reference, after[place : place + 1])[0].argmax() if double else ahead.argmax()
                wanted = float(replay.rewards[row, 0]) + 0.9 * (not replay.terminal[row, 0]) * float(ahead[best])
            told = values(reference, before[place : place + 1])[0, int(replay.actions[row, 0])]
            if replay.usable[row, 0]:
                total = total + torch.nn.functional.huber_loss(told, torch.tensor(wanted), reduction="sum", delta=1.0)
        total.backward()
        with torch.no_grad():
            for number, part in enumerate(reference.parameters()):
                gradient = part.grad.double().numpy()
                mean[number] = 0.95 * mean[number] + 0.05 * gradient
                square[number] = 0.95 * square[number] + 0.05 * gradient**2
                step = 0.01 * gradient / np.sqrt(square[number] - mean[number] ** 2 + 0.01)
                part.sub_(torch.from_numpy(step).float())
    moved = 0.0
    first = make_network(6, seed=5)
    for mine, theirs, was in zip(updater.parameters, reference.parameters(), first.parameters(), strict=True):
        assert torch.allclose(mine, theirs, atol=1e-5)
        moved += float((mine - was).detach().abs().sum())
    assert moved > 0.1


def test_half_of_a_minibatch_comes_from_the_second_memory():
    first, second = filled(1), filled(2)
    updater = Updater(6, Options(method="her", batch=8), first, second, seed=1, device=CPU)
    asked = []
    for memory, name in ((first, "own"), (second, "second")):
        draw = memory.draw
        memory.draw = lambda chance, draw=draw, name=name: asked.append((name, chance.shape[1])) or draw(chance)
    updater.update(3)
    assert sorted(asked) == [("own", 4)] * 3 + [("second", 4)] * 3
    assert updater.drawn == {"own": 12, "second": 12}


def test_a_weight_that_is_no_number_is_seen():
    updater = Updater(6, Options(batch=4), filled(1), None, seed=1, device=CPU)
    updater.update(1)
    assert updater.finite()
    with torch.no_grad():
        updater.parameters[0][0, 0, 0, 0] = float("nan")
    assert not updater.finite()


def test_learning_values_known_rewards():
    """With no future the value of what was done comes to be its reward."""
    replay = filled(3)
    replay.terminal[...] = True
    replay.usable[...] = True
    updater = Updater(6, Options(batch=16, rate=0.001), replay, None, seed=1, device=CPU)
    rows = torch.arange(3, 14)
    columns = torch.zeros_like(rows)
    before, _ = replay.stacks(rows, columns)

    def error():
        told = values(updater.network, before).gather(1, replay.actions[rows, 0][:, None])[:, 0]
        return float((told - replay.rewards[rows, 0]).abs().mean())

    at_first = error()
    updater.update(90)
    assert error() < at_first / 3
