"""Settings of the service. Import from here, not from the modules inside."""

from .compat import getSetting, parseConfig
from .parser import merge_sections, parse_config, parse_duration, parse_size
from .settings import Settings, load_settings, reset_settings

__all__ = [
    "Settings",
    "getSetting",
    "load_settings",
    "merge_sections",
    "parseConfig",
    "parse_config",
    "parse_duration",
    "parse_size",
    "reset_settings",
]
