"""PyTorch, imported only when something is learned or a learner plays."""

from typing import Any

from mensura.errors import MissingExtra


def import_torch() -> Any:
    """Return PyTorch, or say in a line how to get it."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("Learners", package="torch", extra="learn") from None
    return torch


def choose_device(name: str) -> Any:
    """Return the device of a name; `auto` takes a GPU where there is one."""
    torch = import_torch()
    return torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
