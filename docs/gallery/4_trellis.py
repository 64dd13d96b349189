"""
Several data sets side by side
==============================

One panel per data set, with the same algorithms in the same order and colours.
"""

import podium

names = ["balance", "ecoli", "glass", "iris", "monks", "tictactoe", "wine", "zoo"]
results = podium.examples.load_ulas2008().select(datasets=names)
panels = podium.plot.trellis(results)

# %%
# With a separate axis for each data set, differences within an easy one are easier to see.

panels = podium.plot.trellis(results, kind="strip", share_values=False)

# %%
# `options` are those of the plot in the panels.

four = results.select(datasets=["balance", "ecoli", "glass", "zoo"])
panels = podium.plot.trellis(four, kind="podium", options={"lines": "algorithm"})
