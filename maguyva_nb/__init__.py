"""maguyva-nb: answers questions about an unfamiliar codebase, and shows why.

``from maguyva_nb import explore; explore(path)`` opens the explorer in a notebook.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "explore"]


def __getattr__(name: str) -> Any:
    """Loads ``explore`` (and with it Panel) only when it is asked for."""
    if name == "explore":
        from maguyva_nb_widgets import explore

        return explore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
