"""
Comparisons
===========

Eight classifiers on 38 data sets, compared pair by pair.
"""

import podium

accuracy = podium.examples.load_ulas2008("accuracy")
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
# For one column of a paper, without a title, because the caption has it. Where names do not fit on both sides, all of
# them are on the left; ``sides="one"`` always puts them there.

ax = podium.plot.critical_difference(nemenyi, sides="one", size="column", title="")

# %%
# Adjusted p-values.

ax = podium.plot.pvalues(podium.compare(accuracy, method="wilcoxon"))

# %%
# Wins, ties and losses, mean difference and p of each pair.

ax = podium.plot.multi_comparison(podium.compare(accuracy, method="wilcoxon"))

# %%
# A Bayesian comparison: the credible interval of each pair, with the area of differences that do not matter, and the
# probabilities that the first is better, that both are equivalent, and that the second is better.

few = accuracy.select(algorithms=["svr", "c45", "mlp", "5nn"])
bayes = podium.inference.compare_bayes(few, method="signed rank", equivalence=1)
ax = podium.plot.credible_intervals(bayes)

# %%
# The posterior of one pair as a simplex: each dot is a draw of the shares of the three outcomes.

ax = podium.plot.simplex(bayes, "svr", "c45")
