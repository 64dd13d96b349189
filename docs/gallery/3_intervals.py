"""
Intervals
=========

Where the performance lies, and how well its mean is known: two different questions.
"""

import podium

pima = podium.examples.load_ulas2008().select(dataset="pima")

# %%
# The middle 90% of the values of each algorithm.

ax = podium.plot.percentile_intervals(pima, alpha=0.1)

# %%
# The mean, with Student's t because there are few replications. Overlap is a first impression, not a test.

ax = podium.plot.intervals(pima, kind="t")

# %%
# Any statistic, by the bootstrap.

ax = podium.plot.intervals(pima, kind="bootstrap", statistic="median", seed=1)
