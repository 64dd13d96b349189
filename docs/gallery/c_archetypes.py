"""
Archetypes
==========

Extreme points of a table, of which all observations are mixtures.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import podium

rng = np.random.default_rng(4)
X = pd.DataFrame(
    rng.dirichlet([0.7, 0.7, 0.7], 200) @ np.array([[0, 0], [8, 1], [3, 7]]) + 0.2 * rng.normal(size=(200, 2)),
    columns=["length", "width"],
)
path = podium.archetypes(X, k=range(1, 8), n_init=5)

# %%
# The residual sum of squares against the number of archetypes.
podium.plot.archetype_scree(path)

# %%
# Data, their hull, the archetypes, and the approximation of the data by the archetypes.
podium.plot.archetype_plane(path[3], approximation=True)

# %%
# Each observation, placed between the archetypes it is a mixture of.
podium.plot.archetype_simplex(path[3])

# %%
# With five outliers: the robust family gives them weight 0.
far = pd.concat([X, pd.DataFrame([14, 12] + 0.4 * rng.normal(size=(5, 2)), columns=X.columns)], ignore_index=True)
robust = podium.ArchetypalAnalysis(3, family="robust").fit(far)
podium.plot.archetype_plane(robust)

# %%
# The way from the start to the solution.
podium.plot.archetype_plane(robust, trace=True)

# %%
# Residuals and weights.
podium.plot.archetype_residuals(robust)

# %%
# Archetypal performances of a domain: parallel coordinates of the performances and the archetypes, and of the
# coefficients; bars of percentiles.
results = podium.examples.load_ulas2008()
some = results.select(datasets=list(results.datasets[:12]))
domain = podium.archetypal.domain_archetypes(some, k=range(1, 7), n_init=3)
podium.plot.archetype_profiles(domain)

# %%
podium.plot.archetype_coefficients(domain)

# %%
podium.plot.archetype_percentiles(domain)

# %%
# More than three archetypes are placed on a circle.
podium.plot.archetype_simplex(domain.choose(5))

# %%
# What other methods call a prototype, and how stable archetypes are.
podium.plot.prototype_profiles(podium.archetypal.prototypes(X, 3))

# %%
podium.plot.stability_curve(podium.archetypal.prototype_stability(X, range(2, 6), resamples=20, n_init=3))

# %%
# Skeletons
# ---------
#
# The archetypes of ten skeletal measurements of 507 people, in centimetres, drawn as skeletons. Left to right: small,
# with wide hips, tall. The figures are those of table 8.1 of Eugster (2011).
measurements = pd.DataFrame(
    {
        "small": [12.0, 16.4, 9.3, 27.3, 22.5, 11.3, 24.3, 16.0, 34.6, 157.8],
        "wide hips": [13.2, 18.6, 9.8, 34.5, 31.2, 12.2, 26.2, 18.4, 36.3, 167.0],
        "tall": [16.0, 21.0, 12.2, 34.5, 29.3, 15.7, 32.8, 22.9, 43.9, 186.7],
    },
    index=["ankle", "knee", "wrist", "hip", "pelvis", "elbow", "chest", "chest depth", "shoulder", "height"],
)


def skeleton(ax, body, middle, colour):
    """Draw a person with these measurements: widths are measured, levels are typical fractions of the height."""
    tall = body["height"]
    level = {"ankle": 0.04, "knee": 0.28, "hip": 0.5, "pelvis": 0.58, "chest": 0.72, "shoulder": 0.82, "neck": 0.86}
    at = {name: share * tall for name, share in level.items()}
    look = {"color": colour, "linewidth": 2.2, "solid_capstyle": "round"}
    for name in ("pelvis", "hip", "chest", "shoulder"):
        ax.plot(middle + np.array([-0.5, 0.5]) * body[name], [at[name]] * 2, **look)
    ax.plot([middle] * 2, [at["hip"], at["neck"]], **look)
    ax.add_patch(plt.Circle((middle, 0.93 * tall), 0.065 * tall, fill=False, color=colour, linewidth=2.2))
    for side in (-0.5, 0.5):
        hip, shoulder = middle + side * body["hip"] * 0.7, middle + side * body["shoulder"]
        ax.plot([middle + side * body["hip"], hip, hip], [at["hip"], at["knee"], at["ankle"]], **look)
        ax.plot([shoulder, shoulder + 8 * side, shoulder + 6 * side], [at["shoulder"], at["pelvis"], at["hip"]], **look)
        for joint, x, y in (
            ("knee", hip, at["knee"]),
            ("ankle", hip, at["ankle"]),
            ("elbow", shoulder + 8 * side, at["pelvis"]),
            ("wrist", shoulder + 6 * side, at["hip"]),
        ):
            half = body[joint] / 4  # measured as the sum of both sides
            ax.plot([x - half, x + half], [y, y], color=colour, linewidth=5, solid_capstyle="butt")


figure, ax = plt.subplots(figsize=(7, 4.6))
for i, (name, colour) in enumerate(zip(measurements, ("#3F74C8", "#D2364B", "#3DA584"), strict=True)):
    skeleton(ax, measurements[name], 80 * i, colour)
    ax.text(80 * i, -12, name, ha="center")
ax.set_aspect("equal")
ax.set_axis_off()
ax.set_ylim(-16, 195)
