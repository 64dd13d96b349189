"""
Orders
======

Preferences as relations: on each of 21 data sets, and what they have in common.
"""

import podium
from podium import Relation

chains = podium.examples.load_uci_chains()
relations = {name: Relation.from_chain(chain) for name, chain in chains.items()}

# %%
# A Hasse diagram: the best at the bottom, an edge from each algorithm up to those that are directly worse.

ax = podium.plot.hasse(relations["monks3"])

# %%
# The same as a table.

ax = podium.plot.incidence(relations["monks3"])

# %%
# How far apart the relations of the data sets are.

ax = podium.plot.distances(podium.relations.distances(relations))

# %%
# Data sets on which the algorithms behave similarly.

ax = podium.plot.dendrogram(podium.relations.distances(relations))
