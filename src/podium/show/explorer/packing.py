"""Arrays as text for a page: the bytes in base64, which a browser turns into typed arrays without reading numbers."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from podium.arrays import AnyArray

_KINDS = {"f8": "<f8", "f4": "<f4", "i4": "<i4", "i1": "i1", "u1": "u1", "u2": "<u2"}


def packed(array: AnyArray, kind: str = "f8") -> dict[str, Any]:
    """Write an array as its type, shape and bytes.

    >>> packed(np.array([[1, 2]]), "u1")
    {'type': 'u1', 'shape': [1, 2], 'bytes': 'AQI='}
    """
    values = np.ascontiguousarray(array, dtype=_KINDS[kind])
    return {"type": kind, "shape": list(values.shape), "bytes": base64.b64encode(values.tobytes()).decode("ascii")}


def whole_kind(largest: int) -> str:
    """Choose the type for whole numbers from 0 to `largest`; the largest number of the type is left free."""
    return "u1" if largest < 255 else "u2" if largest < 65_535 else "i4"


def decimal_kind(values: AnyArray) -> str:
    """Choose the type for numbers that are only drawn: half the bytes, unless some would overflow or vanish.

    >>> decimal_kind(np.array([0.0, 2.5])), decimal_kind(np.array([1e300]))
    ('f4', 'f8')
    """
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return "f4" if not sizes.size or (sizes.max() < 1e30 and sizes.max() > 1e-30) else "f8"


def as_json(facts: Any) -> str:
    """Write facts as JSON that may be embedded in a page: no end of a script, no comment, no line separator."""
    text = json.dumps(facts, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
