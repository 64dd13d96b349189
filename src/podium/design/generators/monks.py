"""The three monks problems: six nominal attributes, 432 possible points, one logical rule each.

References
----------
S. B. Thrun et al. (1991). The MONK's problems: a performance comparison of different learning algorithms. Technical
report CMU-CS-91-197, Carnegie Mellon University. Data: J. Wnek (1992), UCI Machine Learning Repository, CC BY 4.0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, BoolArray, IntArray
from podium.design.columns import coded
from podium.design.generators import NamedGenerator, bayes_error_of_noise, class_noise, flipped, labels
from podium.design.sample import Sample

LEVELS = (3, 3, 2, 3, 4, 2)
Points = IntArray
Truth = BoolArray


def monks_points() -> Points:
    """Return all 432 points, in the order of the repository's files: the last attribute varies fastest."""
    return np.array(list(product(*(range(1, count + 1) for count in LEVELS))), dtype=np.intp)


def first_rule(a: Points) -> Truth:
    """a1 = a2, or a5 = 1."""
    return np.asarray((a[:, 0] == a[:, 1]) | (a[:, 4] == 1))


def second_rule(a: Points) -> Truth:
    """Exactly two of the six attributes are 1."""
    return np.asarray((a == 1).sum(axis=1) == 2)


def third_rule(a: Points) -> Truth:
    """(a5 = 3 and a4 = 1), or (a5 ≠ 4 and a2 ≠ 3)."""
    return np.asarray(((a[:, 4] == 3) & (a[:, 3] == 1)) | ((a[:, 4] != 4) & (a[:, 1] != 3)))


RULES: dict[int, Callable[[Points], Truth]] = {1: first_rule, 2: second_rule, 3: third_rule}

# The training files as positions among the 432 points, counted from 1.
TRAINING = {
    1: """
    5 6 19 22 27 28 37 39 42 50 51 53 56 57 61 62 64 67 72 76 86 87 88 92 93 94 99 103 107 111 114 116 117
    119 120 124 130 132 134 135 136 137 139 143 144 149 150 153 154 156 157 159 160 167 172 173 176 181 184
    188 191 195 196 197 206 209 210 212 214 216 217 222 223 224 227 239 241 249 253 258 261 264 270 273 274
    275 286 289 290 297 300 308 313 316 324 326 332 337 344 346 352 361 362 366 377 379 383 385 387 392 398
    400 402 403 404 408 409 414 415 416 426 428 430 432
    """,
    2: """
    4 7 9 10 11 13 15 19 23 25 26 37 39 40 42 44 50 58 60 61 62 63 65 66 68 69 70 71 72 75 79 85 87 89 90 93
    94 95 96 98 100 101 102 107 108 110 111 116 117 120 125 126 127 130 134 136 139 145 148 149 156 162 164
    166 167 169 172 175 179 184 185 186 188 190 192 197 200 201 205 213 214 215 217 220 222 223 224 225 228
    229 233 235 236 240 241 242 246 249 253 254 256 258 259 263 266 267 269 272 273 275 278 285 286 288 295
    298 300 302 303 304 305 306 308 310 313 316 317 318 319 320 323 330 331 332 336 338 340 341 342 346 347
    353 355 357 358 361 364 365 366 369 371 372 374 377 382 384 385 387 389 390 398 409 417 419 421 422 425
    427 432
    """,
    3: """
    2 3 4 5 7 9 12 16 28 32 36 39 40 41 42 45 46 53 59 60 61 65 66 67 68 70 71 77 80 81 83 84 89 91 92 99
    103 110 111 113 117 121 122 123 128 134 136 143 145 146 151 152 153 154 164 166 167 172 183 186 198 200
    202 203 209 212 213 214 216 220 226 229 230 239 245 249 251 252 254 261 266 268 271 277 280 281 283 288
    289 291 293 304 306 312 315 326 328 329 340 343 349 354 364 366 370 377 382 383 390 391 400 401 403 404
    407 409 410 420 422 425 430 432
    """,
}
# Class noise of the third training file: six of its 122 classes contradict the rule.
MISLABELLED = (5, 61, 203, 213, 214, 391)


def training_positions(problem: int) -> Points:
    """Return the positions of the training file of a problem among the points, counted from 0."""
    return np.array(TRAINING[problem].split(), dtype=np.intp) - 1


def classical_monks(problem: int) -> Sample:
    """Return the classical data set: the training file (for problem 3 with its class noise), then all 432 points."""
    points = monks_points()
    truth = RULES[problem](points)
    given = truth.copy()
    if problem == 3:
        given[np.array(MISLABELLED) - 1] ^= True
    training = training_positions(problem)
    return _nominal(
        points[np.concatenate([training, np.arange(len(points))])], np.concatenate([given[training], truth])
    )


def monks(n: int, rng: np.random.Generator, *, noise: float, problem: int) -> Sample:
    """Draw points with equal probability, with replacement; each class is wrong with probability `noise`."""
    points = monks_points()
    drawn = points[rng.integers(len(points), size=n)]
    return _nominal(drawn, flipped(RULES[problem](drawn).astype(np.intp), noise, rng))


def _nominal(points: Points, truth: AnyArray) -> Sample:
    columns = {
        f"a{i + 1}": coded(points[:, i] - 1, [str(level + 1) for level in range(count)])
        for i, count in enumerate(LEVELS)
    }
    return Sample(pd.DataFrame(columns), labels(truth.astype(np.intp), ("0", "1")))


def _problem(problem: int, n: int, noise: float) -> NamedGenerator:
    return NamedGenerator(
        name=f"monks{problem}",
        title=f"monks problem {problem}, drawn with replacement from all 432 points",
        draw=partial(monks, problem=problem),
        n=n,
        source="S. B. Thrun et al. (1991), technical report CMU-CS-91-197, Carnegie Mellon University",
        parameters={"noise": class_noise(noise)},
        bayes=bayes_error_of_noise,
        population=partial(classical_monks, problem),
    )


MONKS1 = _problem(1, n=556, noise=0.0)
MONKS2 = _problem(2, n=601, noise=0.0)
MONKS3 = _problem(3, n=554, noise=0.05)
