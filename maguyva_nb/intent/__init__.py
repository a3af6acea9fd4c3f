"""What a query wants: ordered rules (code) over cue phrases by family and language (``rules.toml``)."""

from maguyva_nb.intent.classify import TABLES, classify

__all__ = ["TABLES", "classify"]
