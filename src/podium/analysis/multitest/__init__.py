"""Orders by performance and cost: MultiTest, Multi²Test, win tables, and the rank report."""

from podium.analysis.multitest.multi2test import Multi2Test, multi2test
from podium.analysis.multitest.multitest import Edge, MultiTest, multitest
from podium.analysis.multitest.orders_by_cost import OrdersByCost, orders_by_cost
from podium.analysis.multitest.rank_report import RankReport, RankVerdict, StrikingDataset, rank_report
from podium.analysis.multitest.walk import Step
from podium.analysis.multitest.win_table import WinTable, win_table

__all__ = [
    "Edge",
    "Multi2Test",
    "MultiTest",
    "OrdersByCost",
    "RankReport",
    "RankVerdict",
    "Step",
    "StrikingDataset",
    "WinTable",
    "multi2test",
    "multitest",
    "orders_by_cost",
    "rank_report",
    "win_table",
]
