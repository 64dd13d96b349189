"""Fewer examples of laws that take long."""

from __future__ import annotations

from hypothesis import settings

SEARCHED = 25  # times as many examples are tried in a search as in every run


def few_examples(count: int = 10) -> settings:
    """Try fewer examples than of other laws; a search (scripts/search) tries 25 times as many."""
    return settings(max_examples=count if settings.default.derandomize else count * SEARCHED)
