"""Two names on one disk exchanged in a single step, where the system can do it."""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

__all__ = ["exchange", "move_to_free_name"]

_AT_FDCWD = -100
_NOREPLACE, _EXCHANGE = 1, 2
_NOT_HERE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What a kernel or a file system answers that knows no such flag."""


def exchange(one: Path, other: Path) -> bool:
    """Exchange two files or directories; at every moment each name leads to one of them.

    Returns
    -------
    bool
        False where the system cannot do it (no Linux, an old kernel, some network file systems); nothing happened then.

    Raises
    ------
    OSError
        When it can and fails.
    """
    return _rename(one, other, _EXCHANGE)


def move_to_free_name(one: Path, other: Path) -> None:
    """Give something another name, which must be free.

    Where the system has no such step the name is looked at before; somebody who makes an empty directory of that name in
    between loses it.

    Raises
    ------
    FileExistsError
        When the name is taken.
    """
    if _rename(one, other, _NOREPLACE):
        return
    if os.path.lexists(other):
        raise _of_system(errno.EEXIST, other)
    os.rename(one, other)  # noqa: PTH104 - so that every move goes through one function


def _rename(one: Path, other: Path, flag: int) -> bool:
    call = _system_call()
    if call is None:
        return False
    if call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), flag) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        return False
    raise _of_system(number, one)


def _of_system(number: int, path: Path) -> OSError:
    """Return the error that the system itself would raise; who asked for the move turns it into one of ours."""
    return OSError(number, os.strerror(number), str(path))


@functools.cache
def _system_call() -> Callable[..., int] | None:
    """Return ``renameat2`` of the C library, None where there is none."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    call.restype = ctypes.c_int
    found: Callable[..., int] = call
    return found
