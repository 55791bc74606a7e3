"""Replay memory: every picture once, stacks of four by index, on the device that learns."""

from typing import Any

from mensura.catalog.arcade.learners.torch_extra import import_torch
from mensura.catalog.arcade.world.sight import SIDE

EDGE = 6
"""Rows at the seam between newest and oldest that are not drawn, as their pictures are half written over."""


class Replay:
    """The last transitions of several games side by side: a row a step, a column a game.

    Parameters
    ----------
    rows, columns
        How many steps are kept of how many games.
    device
        Where.
    prioritised
        Whether transitions are drawn by the size of their last error.
    """

    def __init__(self, rows: int, columns: int, device: Any, *, prioritised: bool = False) -> None:
        torch = import_torch()
        if rows <= EDGE + 2:
            raise ValueError(f"A replay memory needs more than {EDGE + 2} rows; got {rows}.")
        self.rows, self.columns, self.device = rows, columns, device
        shape = (rows, columns)
        self.pictures = torch.zeros((*shape, SIDE, SIDE), dtype=torch.uint8, device=device)
        self.first = torch.zeros(shape, dtype=torch.bool, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.rewards = torch.zeros(shape, dtype=torch.float32, device=device)
        self.terminal = torch.zeros(shape, dtype=torch.bool, device=device)
        # A transition whose next picture was never seen, as its episode was cut, is not learned from.
        self.usable = torch.zeros(shape, dtype=torch.bool, device=device)
        self.head = torch.zeros((), dtype=torch.int64, device=device)
        self.complete = 0
        self.priorities = torch.zeros(shape, dtype=torch.float32, device=device) if prioritised else None
        self.greatest = torch.ones((), dtype=torch.float32, device=device)
        self._back = torch.arange(-3, 2, device=device)

    def see(self, row: int, columns: slice, pictures: Any, first: Any) -> None:
        """Write what is seen at a step."""
        place = row % self.rows
        self.pictures[place, columns] = pictures
        self.first[place, columns] = first

    def acted(self, row: int, columns: slice, actions: Any) -> None:
        """Write what was done at a step."""
        self.actions[row % self.rows, columns] = actions

    def earned(self, row: int, columns: slice, rewards: Any, terminal: Any, usable: Any) -> None:
        """Write what came of a step."""
        place = row % self.rows
        self.rewards[place, columns] = rewards
        self.terminal[place, columns] = terminal
        self.usable[place, columns] = usable
        if self.priorities is not None:
            self.priorities[place, columns] = self.greatest * usable

    def completed(self, row: int) -> None:
        """Say that the rows before this one are complete in every column, and their next pictures seen."""
        self.complete = row
        self.head.fill_(row)

    @property
    def filled(self) -> int:
        """Return how many rows can be drawn from."""
        return max(0, min(self.complete, self.rows - EDGE) - 3)

    def draw(self, chance: Any) -> tuple[Any, Any]:
        """Return rows and columns of transitions drawn with numbers between 0 and 1, of shape (2, n).

        Nothing here depends on the host, so that the whole of an update can be captured and played again.
        """
        torch = import_torch()
        room = (self.head.clamp(max=self.rows - EDGE) - 3).clamp(min=1)
        if self.priorities is not None:
            age = (self.head - 1 - torch.arange(self.rows, device=self.device)) % self.rows
            weights = (self.priorities * (age < room)[:, None]).double().flatten()
            sums = weights.cumsum(0)
            place = torch.searchsorted(sums, chance[0].double() * sums[-1], right=True).clamp(max=len(weights) - 1)
            return place // self.columns, place % self.columns
        back = (chance[0].double() * room).long()
        rows = (self.head - 1 - back) % self.rows
        columns = (chance[1].double() * self.columns).long()
        return rows, columns

    def stacks(self, rows: Any, columns: Any) -> tuple[Any, Any]:
        """Return the pictures before and after transitions, four each; before an episode all is black."""
        at = (rows[:, None] + self._back) % self.rows
        column = columns[:, None]
        pictures = self.pictures[at, column]
        begins = self.first[at, column]
        # What lies before the last beginning belongs to another episode.
        two, three = begins[:, 2] | begins[:, 3], begins[:, 3]
        one = begins[:, 1] | two
        seen = import_torch().stack([~one, ~two, ~three, three | ~three], dim=1)
        four = begins[:, 4]
        after = import_torch().stack([~(two | four), ~(three | four), ~four, four | ~four], dim=1)
        return pictures[:, :4] * seen[..., None, None], pictures[:, 1:] * after[..., None, None]

    def probability(self, rows: Any, columns: Any) -> Any:
        """Return how likely each drawn transition was, relative to drawing all alike."""
        assert self.priorities is not None
        room = (self.head.clamp(max=self.rows - EDGE) - 3).clamp(min=1)
        total = self.priorities.double().sum().clamp(min=1e-9)
        return (self.priorities[rows, columns] / total * room * self.columns).float()

    def set_priorities(self, rows: Any, columns: Any, errors: Any) -> None:
        """Write how large the errors of transitions were (to the power .6, after Schaul et al. 2016)."""
        assert self.priorities is not None
        sizes = (errors.abs() + 1e-6) ** 0.6
        self.priorities[rows, columns] = sizes
        self.greatest.copy_(import_torch().maximum(self.greatest, sizes.max()))

    def tensors(self) -> dict[str, Any]:
        """Return all that is kept, as far as it is filled."""
        used = min(self.complete + 2, self.rows)
        named = {"pictures", "first", "actions", "rewards", "terminal", "usable"}
        kept = {name: getattr(self, name)[:used].clone() for name in named}
        if self.priorities is not None:
            kept["priorities"] = self.priorities[:used].clone()
            kept["greatest"] = self.greatest.clone()
        return kept

    def load(self, kept: dict[str, Any], complete: int) -> None:
        """Take back what was kept."""
        for name, tensor in kept.items():
            if name == "greatest":
                self.greatest.copy_(tensor)
            else:
                getattr(self, name)[: len(tensor)] = tensor.to(self.device)
        self.completed(complete)
