"""One update of a Q-network: draw, error, gradient, step; on a GPU captured once and played again."""

from typing import Any

from mensura.catalog.arcade.learners.network import make_network, values
from mensura.catalog.arcade.learners.options import Options
from mensura.catalog.arcade.learners.replay import Replay
from mensura.catalog.arcade.learners.torch_extra import import_torch

DECAY, FLOOR = 0.95, 0.01
"""Of the RMSProp of Nature 2015: how much of its means stays, and what is added under the root."""


class Updater:
    """The network, its target and the RMSProp of Nature 2015.

    Parameters
    ----------
    actions
        How many there are.
    options
        The numbers of learning.
    replay
        What is learned from.
    second
        A second memory that half of each minibatch is drawn from, or None.
    seed, call
        From which first weights and draws come; draws differ by the number of calls before.
    device
        Where.
    """

    def __init__(
        self,
        actions: int,
        options: Options,
        replay: Replay,
        second: Replay | None,
        *,
        seed: int,
        device: Any,
        call: int = 0,
    ) -> None:
        torch = import_torch()
        if device.type == "cuda":
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
        self.options, self.replay, self.second, self.device = options, replay, second, device
        self.network = make_network(actions, seed=seed).to(device)
        self.target = make_network(actions).to(device)
        self.target.requires_grad_(False)
        self.parameters = list(self.network.parameters())
        self.mean = [torch.zeros_like(part, requires_grad=False) for part in self.parameters]
        self.square = [torch.zeros_like(part, requires_grad=False) for part in self.parameters]
        self.copy_target()
        self.generator = torch.Generator(device=device)
        self.generator.manual_seed(seed + 1_000_003 * call)
        self.chance = torch.zeros((2, options.batch), device=device)
        self.loss = torch.zeros((), device=device)
        self.beta = torch.full((), 0.4, device=device)
        self.updates = 0
        self.drawn = {"own": 0, "second": 0}
        self._graph: Any = None
        self.captured = False

    def copy_target(self) -> None:
        """Make the target what the network is now."""
        torch = import_torch()
        with torch.no_grad():
            for old, new in zip(self.target.parameters(), self.network.parameters(), strict=True):
                old.copy_(new)

    def update(self, times: int) -> None:
        """Make so many updates."""
        if times < 1:
            return
        torch = import_torch()
        chances = torch.rand((times, 2, self.options.batch), generator=self.generator, device=self.device)
        if self.device.type == "cuda" and self._graph is None:
            self._capture()
        for chance in chances:
            self.chance.copy_(chance)
            if self._graph:
                self._graph.replay()
            else:
                self._step()
        self.updates += times
        half = self.options.batch // 2 if self.second else 0
        self.drawn["second"] += half * times
        self.drawn["own"] += (self.options.batch - half) * times

    def finite(self) -> bool:
        """Return whether the last loss and all weights are numbers."""
        torch = import_torch()
        sums = torch.stack([part.detach().sum() for part in self.parameters] + [self.loss])
        return bool(torch.isfinite(sums).all())

    def _step(self) -> None:
        torch = import_torch()
        options = self.options
        half = options.batch // 2 if self.second is not None else 0
        rows, columns = self.replay.draw(self.chance[:, half:])
        parts = [self._transitions(self.replay, rows, columns)]
        if self.second is not None:
            parts.append(self._transitions(self.second, *self.second.draw(self.chance[:, :half])))
        before, after, action, reward, goes_on, usable = (torch.cat(kind) for kind in zip(*parts, strict=True))
        with torch.no_grad():
            ahead = values(self.target, after)
            if options.double:
                best = values(self.network, after).argmax(dim=1, keepdim=True)
                future = ahead.gather(1, best).squeeze(1)
            else:
                future = ahead.max(dim=1).values
            wanted = reward + options.discount * goes_on * future
        told = values(self.network, before).gather(1, action[:, None]).squeeze(1)
        error = told - wanted
        weight = usable.float()
        if self.replay.priorities is not None:
            likely = self.replay.probability(rows, columns)
            own = (likely.clamp(min=1e-6) ** -self.beta).clamp(max=1e6)
            own = own / own.max()
            weight = weight * torch.cat([own, torch.ones(half, device=self.device)])
        # An error beyond 1 pulls as hard as one of 1: the clipped errors of Nature 2015, summed over the minibatch.
        clipped = torch.where(error.abs() <= 1, 0.5 * error**2, error.abs() - 0.5)
        loss = (clipped * weight).sum()
        gradients = torch.autograd.grad(loss, self.parameters)
        with torch.no_grad():
            self._descend(gradients)
            self.loss.copy_(loss.detach() / options.batch)
            if self.replay.priorities is not None:
                self.replay.set_priorities(rows, columns, error.detach()[: len(rows)])

    def _descend(self, gradients: Any) -> None:
        torch = import_torch()
        torch._foreach_lerp_(self.mean, gradients, 1 - DECAY)
        torch._foreach_mul_(self.square, DECAY)
        torch._foreach_addcmul_(self.square, gradients, gradients, 1 - DECAY)
        spread = torch._foreach_mul(self.mean, self.mean)
        spread = torch._foreach_sub(self.square, spread)
        # Means that were rounded for a save may lie a little beyond their squares.
        torch._foreach_clamp_min_(spread, 0.0)
        torch._foreach_add_(spread, FLOOR)
        torch._foreach_sqrt_(spread)
        torch._foreach_addcdiv_(self.parameters, gradients, spread, -self.options.rate)

    @staticmethod
    def _transitions(replay: Replay, rows: Any, columns: Any) -> tuple[Any, ...]:
        before, after = replay.stacks(rows, columns)
        goes_on = (~replay.terminal[rows, columns]).float()
        return (
            before,
            after,
            replay.actions[rows, columns],
            replay.rewards[rows, columns],
            goes_on,
            replay.usable[rows, columns],
        )

    def _capture(self) -> None:
        """Record an update as a graph, so that a thousand launches become one; without it the same is done slowly."""
        torch = import_torch()
        kept = [part.detach().clone() for part in (*self.parameters, *self.mean, *self.square)]
        try:
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    self._step()
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self._step()
            self._graph = graph
            self.captured = True
        except RuntimeError as error:
            torch.cuda.synchronize()
            print(f"An update could not be captured as a graph, and is made step by step: {error}", flush=True)
            self._graph = False
        # Warming up was no learning.
        with torch.no_grad():
            for part, was in zip((*self.parameters, *self.mean, *self.square), kept, strict=True):
                part.copy_(was)
