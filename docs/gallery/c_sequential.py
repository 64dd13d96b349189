"""
Sequential experiments
======================

Accumulating replications, and tests that may be looked at early.
"""

import podium

error = podium.datasets.load_pima()

# %%
# The p-value of the first replications: a clear, a small and no difference. Dots mark the points of consecutive
# significance.
podium.plot.monitor(podium.monitor(error.select(algorithms=["lda", "svm1", "rf"])))

# %%
# A recursive combination test in four stages: p-values between the bounds of rejection and acceptance.
podium.plot.stages(podium.sequential(error, stages=4, rule="shrinking", intervals=False))

# %%
# A mean difference with bounds that hold at all replications together; the grey area does not matter.
podium.plot.confidence_sequence(podium.inference.confidence_sequence(error, pair=("rf", "svm1"), equivalence=0.005))

# %%
# What was needed until everything was decided, against the fixed design; algorithms that are beaten are left out.
podium.plot.replications(podium.sequential(error, racing=True, equivalence=0.005, intervals=False))
