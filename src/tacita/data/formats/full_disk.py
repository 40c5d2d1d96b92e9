"""Whether it was the disk: libraries that write files blame the data when there is no room left."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from pathlib import Path

__all__ = ["full_disk"]

_NO_ROOM = {errno.ENOSPC: "No space left on device", errno.EFBIG: "File too large"}
if hasattr(errno, "EDQUOT"):
    _NO_ROOM[errno.EDQUOT] = "Disk quota exceeded"
_PROBE = 1 << 20


def full_disk(error: BaseException, folder: Path) -> str | None:
    """Return the system's words for a lack of room, or None when that was not what went wrong.

    Parameters
    ----------
    error
        What a library raised while it wrote.
    folder
        Where it wrote to.

    Notes
    -----
    The number of the error is looked at, then the words of the message. ReadStat has neither, so in the end a file of a
    megabyte is tried beside the one that failed, which is still there and fills the disk.
    """
    number = getattr(error, "errno", None)
    if number in _NO_ROOM:
        return _NO_ROOM[number]
    said = str(error)
    for code, words in _NO_ROOM.items():
        if re.search(rf"{re.escape(words)}|errno:? {code}\b", said, re.IGNORECASE):
            return words
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".tacita-") as probe:
            probe.write(bytes(_PROBE))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as found:
        return _NO_ROOM.get(found.errno or 0)
    return None
