"""Files and directories that appear whole or not at all.

The new content is built beside its target under a hidden random name and moved into place when it is complete. A
crash leaves the old content or the new one; at worst a hidden leftover stays beside it, never half a file under the
real name.
"""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tacita.core.errors import FileError, TacitaWarning

__all__ = ["atomic_directory", "atomic_file"]


@contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path in the same directory; when the block ends well, it becomes ``path``.

    An old file is replaced in one step. When the block raises, what it wrote is removed and the old file stays.

    Parameters
    ----------
    path
        Where the file is to be.

    Raises
    ------
    FileError
        When the directory is missing or cannot be written to, ``path`` is a directory, or the block wrote nothing.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_file(Path(folder) / "a.txt") as temporary:
    ...         _ = temporary.write_text("whole")
    ...     (Path(folder) / "a.txt").read_text()
    'whole'
    """
    path = Path(path)
    if path.is_dir():
        raise FileError(f"'{path.name}' must be a file, but it is a directory; choose another name.")
    temporary = _hidden_sibling(path)
    _try_to_create(temporary, path)
    try:
        yield temporary
        if not temporary.is_file():
            raise FileError(f"'{path.name}' cannot be written: nothing was put into its temporary file.")
        with _said_clearly(path):
            _flush(temporary)
            temporary.replace(path)
            _flush(path.parent)
    finally:
        # Libraries put logs beside a file they write (DuckDB: name.wal), so everything under the random name goes.
        for leftover in temporary.parent.glob(glob.escape(temporary.name) + "*"):
            with contextlib.suppress(OSError):
                leftover.unlink()


@contextmanager
def atomic_directory(path: str | Path, overwrite: bool = False) -> Iterator[Path]:
    """Give a temporary directory beside ``path``; when the block ends well, it becomes ``path``.

    With ``overwrite`` an old directory is moved aside first, removed only after the new one is in its place, and
    moved back when that fails.

    Parameters
    ----------
    path
        Where the directory is to be.
    overwrite
        Whether a directory that is there may be replaced.

    Raises
    ------
    FileError
        When ``path`` exists and may not be replaced, is a file, or its parent cannot be written to.
    """
    path = Path(path)
    _check_free(path, overwrite)
    temporary = _hidden_sibling(path)
    with _said_clearly(path):
        temporary.mkdir()
    try:
        yield temporary
        with _said_clearly(path):
            for folder, _, files in os.walk(temporary):
                for name in files:
                    _flush(Path(folder) / name)
                _flush(Path(folder))
        _check_free(path, overwrite)
        _move_into_place(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _move_into_place(temporary: Path, path: Path) -> None:
    with _said_clearly(path):
        if not path.exists():
            temporary.rename(path)
            _flush(path.parent)
            return
        aside = _hidden_sibling(path)
        path.rename(aside)
        try:
            temporary.rename(path)
        except BaseException:
            aside.rename(path)
            raise
        _flush(path.parent)
    shutil.rmtree(aside, ignore_errors=True)
    if aside.exists():
        warnings.warn(
            f"The new '{path.name}' is in place, but the old one could not be removed; it is now '{aside.name}'.",
            TacitaWarning,
            stacklevel=4,
        )


# --- small parts ----------------------------------------------------------------------------------------------------------


def _hidden_sibling(path: Path) -> Path:
    # The name itself may be as long as the file system allows, so only its ending is kept.
    return path.parent / f".tacita-{secrets.token_hex(8)}{path.suffix[:20]}"


def _try_to_create(temporary: Path, path: Path) -> None:
    """Find out now whether the directory can be written to, not after an hour of work."""
    with _said_clearly(path):
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        temporary.unlink()  # some libraries refuse a file that is there and empty


def _check_free(path: Path, overwrite: bool) -> None:
    if not path.exists() and not path.is_symlink():
        return
    if not path.is_dir() or path.is_symlink():
        raise FileError(
            f"'{path.name}' must be a directory, but something else of that name exists; choose another name."
        )
    if not overwrite:
        raise FileError(f"The directory '{path.name}' exists already; choose another name, or allow overwriting it.")


@contextmanager
def _said_clearly(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into ours."""
    try:
        yield
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"'{path.name}' cannot be written: the directory '{path.parent}' does not exist.") from None
    except OSError as error:
        raise FileError(
            f"'{path.name}' cannot be written in the directory '{path.parent}': {error.strerror or 'unknown reason'}. "
            "Nothing was changed; check the permissions and the space left, or choose another directory."
        ) from error


def _flush(path: Path) -> None:
    """Have the operating system put a file or a directory's list of names on the disk."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        if path.is_dir():  # some systems do not open directories; the file itself is safe then
            return
        raise
    try:
        os.fsync(handle)
    except OSError:
        if not path.is_dir():
            raise
    finally:
        os.close(handle)
