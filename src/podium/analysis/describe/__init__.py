"""What one looks at before any test: summaries of the performance distributions and of the ranks."""

from podium.analysis.describe.summary import summarize

__all__ = ["summarize"]
