"""Typed settings: the one place where the rest of the service asks for values."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from .parser import parse_config, parse_duration

SETTINGS_VARIABLE = "PARCELS_SETTINGS"
DEFAULT_FILE = Path(__file__).resolve().parents[2] / "settings" / "service.toml"


@dataclass(frozen=True)
class ServiceSettings:
    name: str = "parcel-service"
    environment: str = "development"
    log_level: str = "INFO"
    port: int = 8080


@dataclass(frozen=True)
class AuthSettings:
    signing_key: str = "change-me-in-production"
    access_lifetime: float = 900.0
    refresh_lifetime: float = 1_209_600.0
    max_failed_logins: int = 5
    lockout: float = 600.0
    hash_rounds: int = 120_000


@dataclass(frozen=True)
class NetSettings:
    connect_timeout: float = 3.0
    attempts: int = 4
    first_delay: float = 0.2
    longest_delay: float = 8.0
    requests_per_minute: int = 120
    carriers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StorageSettings:
    database: str = ":memory:"
    page_size: int = 50


@dataclass(frozen=True)
class CacheSettings:
    quote_lifetime: float = 300.0
    max_entries: int = 512


@dataclass(frozen=True)
class JobSettings:
    max_attempts: int = 3
    poll_interval: float = 0.5


@dataclass(frozen=True)
class PricingSettings:
    currency: str = "EUR"
    fuel_percent: float = 7.5
    free_pickup_from: Decimal = Decimal("150.00")


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, one attribute for each section of the file."""

    service: ServiceSettings = ServiceSettings()
    auth: AuthSettings = AuthSettings()
    net: NetSettings = field(default_factory=NetSettings)
    storage: StorageSettings = StorageSettings()
    cache: CacheSettings = CacheSettings()
    jobs: JobSettings = JobSettings()
    pricing: PricingSettings = PricingSettings()


@lru_cache(maxsize=8)
def load_settings(path: Path | None = None) -> Settings:
    """Return the settings of the process, reading the file the first time only.

    The file is `path`, or the one named by ``PARCELS_SETTINGS``, or the one that
    comes with the service. Unknown sections and keys are refused, so that a typing
    error never silently falls back to a default.
    """
    chosen = path or Path(os.environ.get(SETTINGS_VARIABLE, DEFAULT_FILE))
    if not chosen.is_file():
        raise ConfigError(f"there is no settings file at {chosen}")
    tree = parse_config(chosen.read_text(encoding="utf-8"), os.environ)
    sections = {one.name: one for one in fields(Settings)}
    unknown = sorted(set(tree) - set(sections))
    if unknown:
        raise ConfigError(f"unknown section {unknown[0]!r} in {chosen.name}")
    defaults = Settings()
    built = {
        name: _build_section(getattr(defaults, name), tree.get(name, {}), name) for name in sections
    }
    settings = Settings(**built)
    _refuse_weak_key(settings)
    return settings


def reset_settings() -> None:
    """Forget what was read, so that the next call reads the file again."""
    load_settings.cache_clear()


def _build_section(default: Any, values: Mapping[str, Any], section: str) -> Any:
    """Build one settings dataclass, converting each value to the default's type."""
    known = {one.name for one in fields(default)}
    converted: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise ConfigError(f"unknown key {section}.{key}", key=f"{section}.{key}")
        converted[key] = _convert(value, getattr(default, key), f"{section}.{key}")
    return type(default)(**converted)


def _convert(value: Any, default: Any, key: str) -> Any:
    """Convert a raw value to the type of the default it replaces."""
    if isinstance(default, float) and isinstance(value, str):
        return parse_duration(value)
    if isinstance(default, Decimal):
        return Decimal(str(value))
    if isinstance(default, float) and isinstance(value, int):
        return float(value)
    if isinstance(default, Mapping) and isinstance(value, Mapping):
        return dict(value)
    if type(value) is not type(default):
        raise ConfigError(
            f"{key} should be {type(default).__name__}, not {type(value).__name__}", key=key
        )
    return value


def _refuse_weak_key(settings: Settings) -> None:
    """Stop a production process that still signs tokens with the sample key."""
    sample = AuthSettings().signing_key
    if settings.service.environment == "production" and settings.auth.signing_key == sample:
        raise ConfigError("auth.signing_key must be changed before running in production")
