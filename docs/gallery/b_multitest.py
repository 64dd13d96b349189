"""
Orders by performance and cost
==============================

MultiTest prefers the cheaper algorithm, unless a costlier one is significantly better.
"""

import podium

accuracy = podium.examples.load_ulas2008()
seconds = podium.examples.load_ulas2008("training time")
one = podium.multitest(accuracy, dataset="optdigits", cost=seconds)

# %%
# The prior order from left to right; arcs are tests that override it, numbers are places in the order.
podium.plot.multitest_graph(one)

# %%
# The walk through the graph: at each step, the cheapest of the algorithms that no remaining one must precede.
podium.plot.multitest_walk(one)

# %%
# Cost against performance: circles are on the Pareto front.
podium.plot.cost_tradeoff(one)

# %%
# Over all data sets, without and with the cost.
podium.plot.two_passes(podium.multi2test(accuracy, cost=seconds))
