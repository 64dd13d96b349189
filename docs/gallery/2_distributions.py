"""
Distributions
=============

The performance of each algorithm on its own: every value, or the shape of the distribution. The best mean comes first.
"""

import podium

spambase = podium.examples.load_ulas2008().select(dataset="spambase")
ax = podium.plot.strip(spambase)

# %%
# Quartiles, whiskers and outliers; the white dot is the mean.

ax = podium.plot.box(spambase)

# %%
# Over several data sets, each value is the mean on one of them. Density estimates end at the smallest and the largest
# value.

results = podium.examples.load_ulas2008()
ax = podium.plot.density(results)

# %%
# All on one base line, for a few algorithms.

ax = podium.plot.density(results.select(algorithms=["5nn", "c45", "svl", "svr"]), overlay=True)

# %%
ax = podium.plot.histogram(results)

# %%
# Algorithms may also be drawn side by side.

ax = podium.plot.strip(spambase, orientation="vertical")
