"""One writer per file, whatever its name: a lock on the file itself, which the system releases when the process ends.

The lock is on a byte far behind the end of the file, on its own open file: symbolic links, other paths and hard links
lead to the same lock, and there is no lock file to delete. POSIX has a trap: when a process closes *any* of its open
files on an inode, it loses the locks of *all* of them there, those of SQLite included. So a file opened for a lock
stays open until no connection of this process uses that inode any more.

Where the system has no such locks (there is no module `fcntl`), an exclusive transaction on a second database beside
the file takes their place. It knows one file by one name: another name of it (a hard link, a mount) is another lock.
The claim inside the database (see `Database.claim`) then stops the older of two writers at its next write.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.errors import StorageError

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

Inode = tuple[int, int]
_AT = 2**40  # beyond the bytes that SQLite locks, which are at 2**30
_TAKEN = (errno.EACCES, errno.EAGAIN)


@dataclass
class _Use:
    connections: int = 0
    idle: list[int] = field(default_factory=list)  # open files without a lock, kept open because of the trap


_uses: dict[Inode, _Use] = {}
_guard = threading.Lock()


def by_inode() -> bool:
    """Return whether this system can lock a file whatever its name."""
    return fcntl is not None


def register(path: Path) -> Inode:
    """Note that a connection to a file is open; return which file it is."""
    status = os.stat(path)
    inode = status.st_dev, status.st_ino
    with _guard:
        _uses.setdefault(inode, _Use()).connections += 1
    return inode


def unregister(inode: Inode) -> None:
    """Note that a connection is closed."""
    with _guard:
        use = _uses[inode]
        use.connections -= 1
        if use.connections == 0:
            for descriptor in _uses.pop(inode).idle:
                os.close(descriptor)


@contextmanager
def writer_lock(path: Path, inode: Inode) -> Iterator[bool]:
    """Take the lock of a file that is registered; yield False if another writer has it."""
    with _locked_inode(path, inode) if by_inode() else _locked_beside(path) as ours:
        yield ours


@contextmanager
def _locked_inode(path: Path, inode: Inode) -> Iterator[bool]:
    with _guard:
        idle = _uses[inode].idle
        descriptor = idle.pop() if idle else None
    if descriptor is None:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise StorageError(f"The warehouse {str(path)!r} cannot be locked: {error.strerror}.") from error
        status = os.fstat(descriptor)
        if (status.st_dev, status.st_ino) != inode:
            os.close(descriptor)
            raise StorageError(f"The warehouse {str(path)!r} was replaced by another file while it was open.")
    ours = False
    try:
        ours = _lock(descriptor)
        yield ours
    finally:
        if ours:
            _unlock(descriptor)
        with _guard:
            use = _uses.get(inode)
            if use is None:
                os.close(descriptor)
            else:
                use.idle.append(descriptor)


def _lock(descriptor: int) -> bool:
    """Lock an open file; unlike those of a process, such a lock also holds against this process itself."""
    try:
        if _has_byte_locks():
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _request(fcntl.F_WRLCK))
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise StorageError(
            f"The file system of the warehouse does not lock files: {error.strerror}. Use a local disk, or PostgreSQL."
        ) from error
    return True


def _unlock(descriptor: int) -> None:
    if _has_byte_locks():
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _request(fcntl.F_UNLCK))
    else:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _has_byte_locks() -> bool:
    """Return whether one byte can be locked for an open file; a lock of the whole file disturbs SQLite's on NFS."""
    return sys.platform == "linux" and hasattr(fcntl, "F_OFD_SETLK") and struct.calcsize("P") == 8


def _request(kind: int) -> bytes:
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, _AT, 1, 0)


@contextmanager
def _locked_beside(path: Path) -> Iterator[bool]:
    beside = Path(f"{path}-run")
    connection: Any = sqlite3.connect(beside, timeout=0, isolation_level=None)
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            yield False
            return
        yield True
    finally:
        connection.close()
        with suppress(OSError):  # another process may have it open
            beside.unlink(missing_ok=True)
