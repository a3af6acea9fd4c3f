"""A small server of embeddings that speaks the form of OpenAI, over a real socket, with every kind of bad day."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Service:
    """``answers`` are what comes first: a status, ``"hang"``, or a number of dimensions as ``{"dimensions": n}``."""

    url: str = ""
    dimensions: int = 8
    answers: list[Any] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving() -> Iterator[Service]:
    """The service, up until the end of the block."""
    service = Service()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(service))
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        service.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def vector(text: str, dimensions: int) -> list[float]:
    """Numbers that depend on the text alone, of no particular length."""
    return [float(byte) + 1 for byte in hashlib.sha256(text.encode()).digest()[:dimensions]]


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.requests.append({**body, "path": self.path})
            service.keys.append(self.headers.get("Authorization", ""))
            answer = service.answers.pop(0) if service.answers else 200
            if answer == "hang":
                service.closing.wait(30)
                return
            status = answer if isinstance(answer, int) else 200
            made = {"dimensions": service.dimensions} | (answer if isinstance(answer, dict) else {})
            self._send(status, _body(body["input"], **made) if status == 200 else {"error": {"message": "no luck"}})

        def _send(self, status: int, content: dict[str, Any]) -> None:
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


def _body(texts: Sequence[str], dimensions: int, keep: int | None = None) -> dict[str, Any]:
    rows = [{"object": "embedding", "index": i, "embedding": vector(text, dimensions)} for i, text in enumerate(texts)]
    # A service may answer in any order; the index says which row is whose.
    data = rows[:keep][::-1]
    return {"object": "list", "model": "tiny", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
