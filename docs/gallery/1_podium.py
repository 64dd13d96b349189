"""
The benchmark experiment plot
=============================

A podium with one place per rank. In each replication the algorithms are placed by their performance, and a dot is
drawn in the place taken; within a place each algorithm has its own column, in the order of the means. The bars
count the dots.
"""

import podium

results = podium.examples.load_ulas2008()
digits = results.select(dataset="optdigits")
ax = podium.plot.podium(digits)

# %%
# With lines, each replication is one line. A segment has the colour of the algorithm in the better of its two places.
# The three support vector machines (sv2, svl, svr) share the first three places; c45 is last in every replication.

ax = podium.plot.podium(digits, lines="algorithm")

# %%
# Tied algorithms take their places at random, fixed by a seed, or share them.

ax = podium.plot.podium(digits, lines="neutral", ties="shared")

# %%
# With several data sets, each data set is one line, by its means.

ax = podium.plot.podium(results, lines="algorithm")

# %%
# The counts alone, as a heat map.

ax = podium.plot.places(results)
