"""
Computation times
=================

On a logarithmic axis, fastest on top; the diamond is the mean. Here: average training times on 38 data sets, as a
percentage of the slowest algorithm on the same data set.
"""

import podium

times = podium.examples.load_ulas2008("training time")
ax = podium.plot.time(times, "training time")
