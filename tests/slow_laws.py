"""Fewer examples of laws that take long."""

from __future__ import annotations

from hypothesis import settings


def few_examples(count: int = 25) -> settings:
    """Try fewer examples than of other laws in every run, but as many in a search (scripts/search)."""
    return settings(max_examples=count) if settings.default.derandomize else settings()
