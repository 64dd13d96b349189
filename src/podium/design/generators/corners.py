"""A regular simplex with outliers, of which the archetypes are known: its corners.

References
----------
M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms, section 9.5.
Dissertation, LMU München.
"""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray
from podium.design.generators import NamedGenerator, classified, dimension
from podium.design.parameter import Parameter
from podium.design.sample import Sample

GROUPS = ("majority", "outlier")


def simplex_corners(d: int) -> FloatArray:
    """Corners of the regular simplex in d dimensions with sides of length 1 and its middle at 0, one per row.

    >>> simplex_corners(1).round(2)
    array([[ 0.5],
           [-0.5]])
    """
    whole = np.eye(d + 1) / np.sqrt(2) - 1 / (np.sqrt(2) * (d + 1))  # in the plane of sum 0 in d + 1 dimensions
    # Rows of the basis of that plane: Helmert's contrasts.
    basis = np.zeros((d, d + 1))
    for i in range(1, d + 1):
        basis[i - 1, :i] = 1
        basis[i - 1, i] = -i
        basis[i - 1] /= np.sqrt(i * (i + 1))
    return np.asarray(whole @ basis.T)


def corners(n: int, rng: np.random.Generator, *, d: int, outliers: float, distance: float, variance: float) -> Sample:
    """Uniform in a regular simplex with sides of length 1; a share of outliers around one far point.

    The outliers are N(μ, variance · I). Their mean μ is uniform on the sphere of radius r + distance · r around the
    middle, with r the distance of a corner from the middle.
    """
    points = simplex_corners(d)
    count = round(outliers * n)
    inside = rng.dirichlet(np.ones(d + 1), n - count) @ points
    direction = rng.standard_normal(d)
    radius = float(np.linalg.norm(points[0])) * (1 + distance)
    middle = radius * direction / np.linalg.norm(direction)
    outside = middle + np.sqrt(variance) * rng.standard_normal((count, d))
    order = rng.permutation(n)
    return classified(np.vstack([inside, outside])[order], (order >= n - count).astype(np.intp), GROUPS)


CORNERS = NamedGenerator(
    name="corners",
    title="a regular simplex with a group of outliers, for archetypal analysis",
    draw=corners,
    n=2000,
    source="M. J. A. Eugster (2011), dissertation, LMU München, section 9.5",
    parameters={
        "d": dimension(2),
        "outliers": Parameter(default=0.05, meaning="share of outliers", minimum=0, maximum=0.9),
        "distance": Parameter(default=2.0, meaning="distance of the outliers from the corners, in radii", minimum=0),
        "variance": Parameter(default=0.05, meaning="variance of the outliers in each dimension", minimum=0),
    },
    task="unsupervised",
)
