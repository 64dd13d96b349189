"""
A regression experiment
=======================

Stopping distances of cars of the 1920s, and of one modern car that stops far sooner: four regression methods on 100
bootstrap samples, tested on the cars that were not drawn. In which samples is the modern car among the learning data?
"""

from time import perf_counter

import numpy as np
from sklearn.linear_model import HuberRegressor, LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer

import podium

cars = podium.examples.load_cars()
speed, distance = cars[["speed"]].to_numpy(float), cars["dist"].to_numpy(float)
algorithms = {
    "linear": LinearRegression(),
    "robust": HuberRegressor(),
    "spline": make_pipeline(SplineTransformer(n_knots=4), LinearRegression()),
    "neighbours": KNeighborsRegressor(7),
}
random = np.random.default_rng(1)
rows = []
for replication in range(1, 101):
    learn = random.integers(0, len(cars), len(cars))
    test = np.setdiff1d(np.arange(len(cars)), learn)
    for name, model in algorithms.items():
        start = perf_counter()
        model.fit(speed[learn], distance[learn])
        seconds = perf_counter() - start
        error = np.mean((model.predict(speed[test]) - distance[test]) ** 2)
        rows.append(
            {"dataset": "cars", "algorithm": name, "replication": replication, "mse": error, "fit time": seconds}
        )
results = podium.read(rows, measure=["mse", "fit time"])
error = results.select(measure="mse")
print(podium.summaries.quartile_chart(error))

# %%
# The upper band of dots shows the samples without the modern car. It is then in the test sample, and all methods
# predict it badly.

ax = podium.plot.podium(error, lines="neutral")

# %%
ax = podium.plot.strip(error)

# %%
ax = podium.plot.time(results)
