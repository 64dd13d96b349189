"""
Computation times
=================

On a logarithmic axis, the fastest on top; the diamond is the mean. Here: average training times on 38 data sets, in per
cent of the slowest algorithm on the same data set.
"""

import podium

times = podium.datasets.load_ulas2008("training time")
ax = podium.plot.time(times, "training time")
