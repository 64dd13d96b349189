"""
Sequential experiments
======================

Accumulating replications, and tests that may stop early.
"""

import podium

error = podium.examples.load_pima()

# %%
# The p-value of the first replications: a clear difference, a small one and none. Dots mark the points of
# consecutive significance.
podium.plot.monitor(podium.monitor(error.select(algorithms=["lda", "svm1", "rf"])))

# %%
# A recursive combination test in four stages: p-values between the bounds of rejection and acceptance.
podium.plot.stages(podium.sequential(error, stages=4, rule="shrinking", intervals=False))

# %%
# A mean difference with bounds that hold at all replications together; the grey area is the area of equivalence.
podium.plot.confidence_sequence(podium.inference.confidence_sequence(error, pair=("rf", "svm1"), equivalence=0.005))

# %%
# The replications needed until everything was decided, compared with the fixed design; beaten algorithms are left out.
podium.plot.replications(podium.sequential(error, racing=True, equivalence=0.005, intervals=False))
