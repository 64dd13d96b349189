"""
Mixed-effects models
====================

How much algorithms differ, whether it matters, and where the variation comes from.
"""

import podium

accuracy = podium.datasets.load_ulas2008("accuracy")
fit = podium.mixed(accuracy)

# %%
# Simultaneous intervals of all differences with an area of equivalence: differences below 5 points do not matter here.

ax = podium.plot.simultaneous_intervals(fit.contrasts(equivalence=(-5, 5)))

# %%
# Data sets make most of the variation.

ax = podium.plot.variance_shares(fit)

# %%
# Which data sets are hard, and which algorithm likes which data set.

axes = podium.plot.dataset_effects(fit)

# %%
# What the model says, and what it leaves unsaid.

axes = podium.plot.fitted_boxes(fit)
