"""The environment of a trial: machine, Python and library versions, as one JSON text."""

from __future__ import annotations

import json
import os
import platform
from functools import cache
from importlib import metadata

_LIBRARIES = ("podium", "numpy", "scipy", "pandas", "scikit-learn")


@cache
def environment() -> str:
    """Describe this process's machine and libraries."""
    versions = {}
    for name in _LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # run from a source tree
            versions[name] = "unknown"
    facts = {
        "host": platform.node(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **versions,
    }
    return json.dumps(facts, sort_keys=True)
