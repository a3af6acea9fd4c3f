"""The explorer as a page of its own, for this computer alone."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Any

import panel as pn

from maguyva_nb.config import Settings
from maguyva_nb.engine import Explorer
from maguyva_nb.errors import MaguyvaError
from maguyva_nb_widgets.app import app_of
from maguyva_nb_widgets.progress import progress_bar
from maguyva_nb_widgets.theme import asset

ADDRESS = "127.0.0.1"


def serve_app(
    path: Path | str,
    *,
    query: str = "",
    port: int = 0,
    open_browser: bool = True,
    settings: Settings | None = None,
    db: Path | None = None,
) -> None:
    """Serves the explorer until interrupted and prints its address; port 0 takes any free one.

    Every browser tab has a state of its own over one shared engine.
    """
    port = _free_port(port)
    with progress_bar(sys.stderr) as listener:
        engine = Explorer.open(path, settings=settings, db=db, progress=listener)
    pn.extension("tabulator")
    pn.config.raw_css = [*pn.config.raw_css, asset("page.css")]

    def page() -> Any:
        return app_of(engine, query)

    print(f"Explorer of {engine.source}: http://{ADDRESS}:{port}/  (stop with Ctrl-C)", flush=True)
    try:
        pn.serve(
            {"/": page},
            address=ADDRESS,
            port=port,
            websocket_origin=[f"{ADDRESS}:{port}", f"localhost:{port}"],
            show=open_browser,
            title=f"{engine.source.name} · maguyva-nb",
            verbose=False,
        )
    finally:
        engine.close()


def _free_port(wanted: int) -> int:
    """The wanted port, or any free one for 0; raises ``MaguyvaError`` when it is taken."""
    with socket.socket() as probe:
        if os.name == "posix":
            # A port just left counts as free, as for the server itself; elsewhere this would free taken ones too.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, wanted))
        except OSError as error:
            raise MaguyvaError(
                f"Port {wanted} of {ADDRESS} cannot be used ({error.strerror}).",
                next="Give another --port, or none for a free one.",
            ) from error
        return int(probe.getsockname()[1])
