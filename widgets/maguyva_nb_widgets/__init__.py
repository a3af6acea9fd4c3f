"""Panel views over one search state; ``explore`` is the way in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maguyva_nb_widgets.app import explore

__all__ = ["explore"]


def __getattr__(name: str) -> Any:
    """Loads Panel only when ``explore`` is asked for."""
    if name == "explore":
        from maguyva_nb_widgets.app import explore

        return explore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
