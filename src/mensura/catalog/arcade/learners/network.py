"""The network of Nature 2015: three convolutions, one layer of 512, and a value for each action."""

from typing import Any

import numpy as np

from mensura.catalog.arcade.learners.torch_extra import import_torch
from mensura.catalog.arcade.world.sight import SIDE


def make_network(actions: int, *, seed: int | None = None) -> Any:
    """Return a network that maps four pictures of bytes, scaled to 0 to 1, to the values of the actions.

    With a seed its first weights are drawn from it: uniform within 1 / sqrt(inputs), as in the program of Nature 2015.
    """
    torch = import_torch()
    layers = torch.nn
    network = layers.Sequential(
        layers.Conv2d(4, 32, 8, stride=4),
        layers.ReLU(),
        layers.Conv2d(32, 64, 4, stride=2),
        layers.ReLU(),
        layers.Conv2d(64, 64, 3),
        layers.ReLU(),
        layers.Flatten(),
        layers.Linear(3136, 512),
        layers.ReLU(),
        layers.Linear(512, actions),
    )
    if seed is not None:
        rng = np.random.default_rng([seed, 0])
        with torch.no_grad():
            for layer in network:
                if hasattr(layer, "weight"):
                    bound = float(layer.weight[0].numel()) ** -0.5
                    for part in (layer.weight, layer.bias):
                        drawn = rng.uniform(-bound, bound, size=tuple(part.shape)).astype(np.float32)
                        part.copy_(torch.from_numpy(drawn))
    return network


def values(network: Any, stacks: Any) -> Any:
    """Return the values of the actions for stacks of byte pictures."""
    return network(stacks.float().mul_(1 / 255))


class Shrinker:
    """Makes grey pictures small on the device where they are seen.

    Parameters
    ----------
    height, width
        Of the pictures.
    sight
        How they are seen.
    device
        Where.
    """

    def __init__(self, height: int, width: int, sight: str, device: Any) -> None:
        from mensura.catalog.arcade.world.sight import matrices

        torch = import_torch()
        left, right = matrices(height, width, sight)
        self.left = torch.from_numpy(left.copy()).to(device)
        self.right = torch.from_numpy(right.copy()).to(device)
        self.device = device

    def __call__(self, pictures: Any) -> Any:
        """Return byte pictures (n, height, width) as bytes (n, 84, 84)."""
        torch = import_torch()
        raw = pictures.to(self.device, non_blocking=True).float()
        small = torch.matmul(torch.matmul(self.left, raw), self.right)
        return small.round_().clamp_(0, 255).to(torch.uint8)


__all__ = ["SIDE", "Shrinker", "make_network", "values"]
