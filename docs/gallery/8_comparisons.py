"""
Comparisons
===========

Eight classifiers on 38 data sets, compared pair by pair.
"""

import podium

accuracy = podium.datasets.load_ulas2008("accuracy")
nemenyi = podium.compare(accuracy, method="nemenyi")

# %%
# The critical difference diagram: mean ranks, and bars that join algorithms not known to differ.

ax = podium.plot.critical_difference(nemenyi)

# %%
# Letters instead of bars: algorithms that share a letter are not known to differ.

ax = podium.plot.critical_difference(nemenyi, groups="letters")

# %%
# All against a control.

ax = podium.plot.critical_difference(podium.compare(accuracy, method="nemenyi", control="5nn"))

# %%
# Adjusted p-values.

ax = podium.plot.pvalues(podium.compare(accuracy, method="wilcoxon"))

# %%
# Wins, ties and losses, mean difference and p of each pair.

ax = podium.plot.multi_comparison(podium.compare(accuracy, method="wilcoxon"))
