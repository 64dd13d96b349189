"""Least squares on the simplex: coefficients that are not negative and sum to one, for many rows at once.

With two or three points the solution is that of a segment or a triangle. With more, it is found by the active set
method of Lawson and Hanson (1974), with the sum as a constraint instead of a penalty. Coefficients of a row are a
column here, so that sums over the few points are sums of long arrays. Several sets of points, one for each of several
descents, are solved side by side.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from podium.arrays import BoolArray, FloatArray, IntArray

_FLAT = 1e-12  # what is added to the diagonal, relative to it: points that coincide leave the system solvable
_THIN = 1e-6  # a square of the width of a triangle, relative to its points, below which products lose too many digits
_LOST = 1e4  # condition of a matrix above which its inverse loses too many digits
_DUAL = 1e-12  # a gradient below this, relative to its parts, is zero
# What follows says which way is the fastest, and changes no solution.
_FEW = 100  # rows up to which each has a system of all points
_SMALL = 16  # points up to which this holds
_CODED = 60  # bits of the number of a support, with that of its set of points
_OWN = 400  # a support has its inverse from so many rows on: the cube of the number of points, divided by this
_AT_ONCE = 2**19  # numbers in the systems that are solved in one call

_ENDS = {2: (np.array([0]), np.array([1])), 3: (np.array([0, 0, 1]), np.array([1, 2, 2]))}  # of the segments


def simplex_least_squares(points: FloatArray, targets: FloatArray) -> FloatArray:
    """Minimise ``‖targets − A points‖`` over A with rows on the simplex.

    Parameters
    ----------
    points : ndarray of shape (k, m)
    targets : ndarray of shape (n, m)

    Returns
    -------
    ndarray of shape (n, k)
    """
    return np.ascontiguousarray(stacked_least_squares(points[None], targets)[:, 0].T)


def stacked_least_squares(points: FloatArray, targets: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """The same for several sets of points.

    Parameters
    ----------
    points : ndarray of shape (s, k, m)
    targets : ndarray of shape (n, m)
    start : ndarray of shape (k, s, n), optional
        Coefficients on the simplex from which an active set method starts; the nearest points by default.

    Returns
    -------
    ndarray of shape (k, s, n)
    """
    stack, k, _ = points.shape
    if k == 1:
        return np.ones((1, stack, len(targets)))
    gram = points @ points.transpose(0, 2, 1)
    cross = np.empty((k, stack, len(targets)))
    np.matmul(points, targets.T, out=cross.transpose(1, 0, 2))
    if k in _ENDS:
        return _in_triangles(points, targets, gram, cross)
    return _by_active_set(gram, cross, _nearest(gram, cross) if start is None else start)


def _lifted(gram: FloatArray) -> FloatArray:
    """Add a constant, which changes nothing on the simplex, so that the systems are regular."""
    k = gram.shape[1]
    scale = np.einsum("sii->s", gram) / k
    return np.asarray(gram + np.where(scale > 0, scale, 1.0)[:, None, None] * (1 + _FLAT * np.eye(k)))


def _in_triangles(points: FloatArray, targets: FloatArray, gram: FloatArray, cross: FloatArray) -> FloatArray:
    """Coefficients for two or three points: inside, or on the nearest of the segments between two points."""
    k, stack, n = cross.shape
    if k == 2:
        todo = np.arange(stack * n)
        solved = np.zeros((k, stack * n))
    else:
        operator, share = _operators(_lifted(gram))
        solved = np.empty_like(cross)
        np.matmul(operator, cross.transpose(1, 0, 2), out=solved.transpose(1, 0, 2))
        solved += share.T[:, :, None]
        for i in np.flatnonzero(_is_thin(gram)):
            solved[:, i] = _in_thin_triangle(points[i], targets)
        solved = solved.reshape(k, -1)
        todo = np.flatnonzero(solved.min(axis=0) < 0)  # outside
    # From one end of a segment, x·d is the way along it for which the distance is least, and the square decreases by
    # way · (2 x·d − way · d·d).
    first, second = _ENDS[k]
    which = todo // n
    c = cross.reshape(k, -1)[:, todo]
    corner = gram[:, first, first]
    square = corner + gram[:, second, second] - 2 * gram[:, first, second]
    along = c[second] - c[first] + (corner - gram[:, first, second])[which].T
    square = np.maximum(square, 1e-300)[which].T
    way = np.clip(along / square, 0.0, 1.0)
    left = corner[which].T - 2 * c[first] - way * (2 * along - way * square)
    nearest = left.argmin(axis=0)
    way = way[nearest, np.arange(len(todo))]
    solved[:, todo] = 0.0
    solved[first[nearest], todo] = 1 - way
    solved[second[nearest], todo] = way
    solved /= np.ones(k) @ solved
    return solved.reshape(k, stack, n)


def _is_thin(gram: FloatArray) -> BoolArray:
    """Whether three points are nearly on a line, so that their products do not tell where a target is."""
    sides = gram[:, 1:, 1:] - gram[:, 1:, :1] - gram[:, :1, 1:] + gram[:, :1, :1]
    least = np.linalg.eigvalsh(sides)[:, 0]
    return np.asarray(least < _THIN * np.einsum("sii->s", gram))


def _in_thin_triangle(points: FloatArray, targets: FloatArray) -> FloatArray:
    """Coefficients of any sign, along the triangle and across it: their rounding across moves nothing along."""
    turned, widths, axes = np.linalg.svd(points[1:] - points[0], full_matrices=False)
    steps = np.divide(1.0, widths, out=np.zeros_like(widths), where=widths > 1e-15 * widths[0])
    sides = turned @ (((targets - points[0]) @ axes.T) * steps).T
    return np.vstack([1 - sides.sum(axis=0), sides])


def _nearest(gram: FloatArray, cross: FloatArray) -> FloatArray:
    """Coefficients that choose the nearest point of each row."""
    squares = np.diagonal(gram, axis1=1, axis2=2).T[:, :, None] - 2 * cross
    return np.asarray(squares.argmin(axis=0) == np.arange(len(cross))[:, None, None], np.float64)


def _by_active_set(gram: FloatArray, cross: FloatArray, start: FloatArray) -> FloatArray:
    """Minimise ``aᵀ gram a / 2 − aᵀ c`` on the simplex for every column c of `cross`, from coefficients on it."""
    k, stack, n = cross.shape
    lifted = _lifted(gram)
    slack = _DUAL * (float(lifted.max()) + max(float(cross.max()), -float(cross.min())))
    which = np.repeat(np.arange(stack), n)
    a, c = start.reshape(k, -1), cross.reshape(k, -1)
    mask = a > 0
    solved, rows = a, None  # rows that are not solved; at first all of them
    for _ in range(10 * k + 10):
        best = _on_supports(lifted, c, mask, which)
        outside = best < 0
        blocked = np.flatnonzero(outside.any(axis=0))  # columns with a coefficient below zero
        if len(blocked):
            best[:, blocked], mask[:, blocked] = _towards(a[:, blocked], best[:, blocked], outside[:, blocked])
        gradient = _times(gram, best, which)
        gradient -= c
        gradient -= np.einsum("ij,ij->j", best, gradient)
        gradient *= ~mask
        gradient[:, blocked] = 0.0
        falling = np.flatnonzero(gradient.min(axis=0) < -slack)
        mask[gradient[:, falling].argmin(axis=0), falling] = True
        if rows is None:
            solved, rows = best, np.arange(stack * n)
        else:
            solved[:, rows] = best
        todo = np.concatenate([falling, blocked])
        if not len(todo):
            break
        todo.sort()
        rows, a, c, mask, which = rows[todo], best[:, todo], c[:, todo], mask[:, todo], which[todo]
    solved /= np.ones(k) @ solved
    return solved.reshape(k, stack, n)


def _times(gram: FloatArray, a: FloatArray, which: IntArray) -> FloatArray:
    """Each column by the matrix of its set of points."""
    if len(gram) == 1:
        return np.asarray(gram[0] @ a)
    product = np.empty_like(a)
    ends = np.searchsorted(which, np.arange(len(gram) + 1)).tolist()
    for matrix, (first, last) in zip(gram, pairwise(ends), strict=True):
        np.matmul(matrix, a[:, first:last], out=product[:, first:last])
    return product


def _towards(a: FloatArray, best: FloatArray, outside: BoolArray) -> tuple[FloatArray, BoolArray]:
    """Go from coefficients on the simplex towards others until the first is zero."""
    step = np.divide(a, a - best, out=np.full_like(a, np.inf), where=outside)
    length = np.minimum(step.min(axis=0), 1.0)
    moved = a + length * (best - a)
    moved[step <= length] = 0.0
    np.maximum(moved, 0.0, out=moved)
    return moved, moved > 0


def _on_supports(gram: FloatArray, cross: FloatArray, support: BoolArray, which: IntArray) -> FloatArray:
    """Solutions on given supports, with the sum of the coefficients one; signs are free."""
    k, n = cross.shape
    if n <= _FEW and k <= _SMALL:
        masks = support.T
        systems = _padded(gram[which], masks)
        given = np.stack([np.where(support, cross, 0.0).T, masks], axis=2)
        return _with_sum_one(np.linalg.solve(systems, given)).T
    bits = k + len(gram).bit_length()
    if bits > _CODED:
        return _by_size(gram, cross, support, which)
    code = which << k
    for j, inside in enumerate(support):
        code += inside.astype(np.intp) << j
    order = (code.astype(np.uint16) if bits <= 16 else code).argsort(kind="stable")  # short numbers are sorted faster
    code = code[order]
    first = np.flatnonzero(np.concatenate([[True], code[1:] != code[:-1]]))
    counts = np.diff(first, append=n)
    shared = np.flatnonzero(counts > k**3 / _OWN)
    masks = (code[first[shared], None] >> np.arange(k)) % 2 == 1
    systems = _padded(gram[code[first[shared]] >> k], masks)
    operator, share = _operators(systems, masks)
    exact = np.abs(operator).max(axis=(1, 2), initial=0.0) * np.einsum("sii->s", systems) < _LOST
    operator, share, shared = operator[exact], share[exact], shared[exact]
    solved = np.empty_like(cross)
    rest = np.ones(len(counts), dtype=bool)
    rest[shared] = False
    if len(shared):
        rows = order[np.repeat(~rest, counts)]
        ends = np.concatenate([[0], counts[shared].cumsum()]).tolist()
        given = cross.take(rows, axis=1)
        found = share.T.repeat(counts[shared], axis=1)
        for matrix, (begin, end) in zip(operator, pairwise(ends), strict=True):
            found[:, begin:end] += matrix @ given[:, begin:end]
        solved[:, rows] = found
    if rest.any():
        rows = order[np.repeat(rest, counts)]
        solved[:, rows] = _by_size(gram, cross[:, rows], support[:, rows], which[rows])
    return solved


def _padded(gram: FloatArray, masks: BoolArray) -> FloatArray:
    """The matrix of each support, with a one on the diagonal for what is not in it."""
    return np.where(masks[:, :, None] & masks[:, None, :], gram, np.eye(masks.shape[1]))


def _with_sum_one(found: FloatArray) -> FloatArray:
    """Solutions without a constraint, and what a change of their sum adds, to solutions with sum one."""
    free, ones = found[:, :, 0], found[:, :, 1]
    return np.asarray(free + ((1 - free.sum(axis=1)) / ones.sum(axis=1))[:, None] * ones)


def _operators(gram: FloatArray, masks: BoolArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Matrix and vector by which a column becomes its solution, for each system."""
    inverse = np.linalg.inv(gram)
    if masks is not None:
        inverse *= masks[:, :, None] & masks[:, None, :]
    ones = inverse.sum(axis=2)
    total = ones.sum(axis=1, keepdims=True)
    share = ones / np.where(total > 0, total, 1.0)
    return inverse - share[:, :, None] * ones[:, None, :], share


def _by_size(gram: FloatArray, cross: FloatArray, support: BoolArray, which: IntArray) -> FloatArray:
    """A system for each column, without the zeros; those of the same size together."""
    k = gram.shape[1]
    solved = np.zeros_like(cross)
    sizes = support.sum(axis=0)
    for p in np.unique(sizes).tolist():
        every = np.flatnonzero(sizes == p)
        step = max(_AT_ONCE // p**2, 1)
        for i in range(0, len(every), step):
            columns = every[i : i + step]
            inside = np.nonzero(support[:, columns].T)[1].reshape(-1, p)
            cells = (which[columns] * k)[:, None, None] + inside[:, :, None]
            given = np.ones((len(columns), p, 2))
            given[:, :, 0] = cross[inside, columns[:, None]]
            found = np.linalg.solve(gram.ravel()[cells * k + inside[:, None, :]], given)
            solved[inside, columns[:, None]] = _with_sum_one(found)
    return solved
