"""
Mixed-effects models
====================

How much algorithms differ, whether the differences matter, and where the variation comes from.
"""

import podium

accuracy = podium.examples.load_ulas2008("accuracy")
fit = podium.mixed(accuracy)

# %%
# Simultaneous intervals of all differences with an area of equivalence: differences below 5 points do not matter here.

ax = podium.plot.simultaneous_intervals(fit.contrasts(equivalence=(-5, 5)))

# %%
# Most of the variation is between data sets.

ax = podium.plot.variance_shares(fit)

# %%
# Which data sets are hard, and which favour which algorithm.

ax = podium.plot.dataset_effects(fit)

# %%
# Fitted values and residuals.

panels = podium.plot.fitted_boxes(fit)
