"""
Several data sets beside each other
===================================

One panel per data set, with the same algorithms in the same order and colours.
"""

import podium

names = ["balance", "ecoli", "glass", "iris", "monks", "tictactoe", "wine", "zoo"]
results = podium.datasets.load_ulas2008().select(datasets=names)
panels = podium.plot.trellis(results, "box")

# %%
# With an axis of its own for each data set, differences within an easy one show better.

panels = podium.plot.trellis(results, "strip", share_values=False)

# %%
panels = podium.plot.trellis(results.select(datasets=["balance", "ecoli", "glass", "zoo"]), "podium", lines="algorithm")
