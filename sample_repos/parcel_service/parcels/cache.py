"""A small in-process cache whose entries expire."""

from __future__ import annotations

import functools
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from .config import load_settings
from .log import get_logger

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

logger = get_logger(__name__)


class TTLCache(Generic[K, V]):
    """Keeps values for a while; the least recently used goes first when full."""

    def __init__(
        self,
        lifetime: float,
        max_entries: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.lifetime = lifetime
        self._max_entries = max_entries
        self._clock = clock
        self._entries: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def get(self, key: K) -> V | None:
        """Return the value if it is still fresh, else None."""
        entry = self._entries.get(key)
        if entry is None or entry[0] <= self._clock():
            self._entries.pop(key, None)
            self.misses += 1
            return None
        self._entries.move_to_end(key)
        self.hits += 1
        return entry[1]

    def put(self, key: K, value: V) -> None:
        """Remember a value, making room when the cache is full."""
        self._entries[key] = (self._clock() + self.lifetime, value)
        self._entries.move_to_end(key)
        self._evict()

    def forget(self, key: K) -> bool:
        """Drop one entry; tells whether it was there."""
        return self._entries.pop(key, None) is not None

    def purge(self) -> int:
        """Drop every expired entry and return how many there were."""
        now = self._clock()
        stale = [key for key, (expires, _) in self._entries.items() if expires <= now]
        for key in stale:
            del self._entries[key]
        return len(stale)

    def _evict(self) -> None:
        room = self._max_entries or load_settings().cache.max_entries
        while len(self._entries) > room:
            key, _ = self._entries.popitem(last=False)
            logger.debug("cache is full, dropped %r", key)

    def __len__(self) -> int:
        return len(self._entries)


def cached(lifetime: float) -> Callable[[Callable[..., V]], Callable[..., V]]:
    """Decorator: remember the result of a function for `lifetime` seconds.

    Arguments must be hashable. The cache hangs on the wrapper as ``.cache`` so that
    tests and administrative code can empty it.
    """

    def decorate(function: Callable[..., V]) -> Callable[..., V]:
        store: TTLCache[Any, V] = TTLCache(lifetime)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> V:
            key = (args, tuple(sorted(kwargs.items())))
            known = store.get(key)
            if known is not None:
                return known
            fresh = function(*args, **kwargs)
            store.put(key, fresh)
            return fresh

        wrapper.cache = store  # type: ignore[attr-defined]
        return wrapper

    return decorate
