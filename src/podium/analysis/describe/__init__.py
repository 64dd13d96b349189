"""What to look at before any test: summaries of the performance distributions and of the ranks."""

from podium.analysis.describe.intervals import intervals, median_interval, overlaps
from podium.analysis.describe.orders import orders
from podium.analysis.describe.places import places
from podium.analysis.describe.quartile_chart import QuartileChart, QuartileSection, quartile_chart
from podium.analysis.describe.summary import MeasureSummary, summarize
from podium.analysis.describe.worst_case import worst_case

__all__ = [
    "MeasureSummary",
    "QuartileChart",
    "QuartileSection",
    "intervals",
    "median_interval",
    "orders",
    "overlaps",
    "places",
    "quartile_chart",
    "summarize",
    "worst_case",
]
