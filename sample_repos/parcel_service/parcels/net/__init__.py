"""Talking to carriers over the network."""

from .client import CarrierClient, NordFreightClient, SwiftPostClient, client_for
from .ratelimit import LimiterRegistry, SlidingWindow, TokenBucket
from .retry import RetryConfig, call_with_retry

__all__ = [
    "CarrierClient",
    "LimiterRegistry",
    "NordFreightClient",
    "RetryConfig",
    "SlidingWindow",
    "SwiftPostClient",
    "TokenBucket",
    "call_with_retry",
    "client_for",
]
