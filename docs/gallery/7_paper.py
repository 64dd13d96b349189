"""
For a paper
===========

``size="column"`` is 3.3 inches wide, with text to match. `podium.plot.save` keeps text as text in SVG and PDF files.
Combine several plots in one figure through axes, as always in matplotlib.
"""

import matplotlib.pyplot as plt

import podium

results = podium.examples.load_ulas2008()
wine = results.select(dataset="wine")
ax = podium.plot.podium(wine, size="column")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 2.8), layout="constrained")
ax = podium.plot.box(wine, ax=left, size="column")
ax = podium.plot.places(wine, ax=right, size="column")

# %%
# Colours belong to names; some can be replaced.

ax = podium.plot.strip(wine, size="column", palette={"c45": "black"})
