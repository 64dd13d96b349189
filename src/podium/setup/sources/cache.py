"""Files fetched once: a folder with a checksum beside every file, written atomically."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


def default_folder() -> Path:
    """Return the folder named by ``PODIUM_CACHE``, or else podium's folder where this system keeps caches."""
    if told := os.environ.get("PODIUM_CACHE"):
        return Path(told)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "podium" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "podium"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "podium"


@dataclass(frozen=True)
class Cache:
    """A folder of fetched files; a file that was damaged counts as not there."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return where a file is kept."""
        return self.folder / name

    def holds(self, name: str) -> bool:
        """Tell whether the file is there and unchanged since it was stored."""
        try:
            recorded = self._checksum_path(name).read_text(encoding="ascii").strip()
            return recorded == _checksum(self.path(name).read_bytes())
        except (OSError, UnicodeDecodeError):
            return False

    def store(self, name: str, content: bytes) -> Path:
        """Keep a file; whoever reads at the same time sees the old one or the new one, never a part."""
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        _replace(self.path(name), content)
        _replace(self._checksum_path(name), _checksum(content).encode("ascii"))
        return self.path(name)

    def _checksum_path(self, name: str) -> Path:
        return self.folder / f"{name}.sha256"


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _replace(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
