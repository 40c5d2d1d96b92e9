"""Files and directories that appear whole or not at all.

The new content is made in a private workplace beside its target and moved into place when it is complete. A crash leaves the
old content or the new one under the real name, never half of it; what stays in the workplace is removed by the next run in that
directory (:mod:`tacita.data.disk.leftovers`).
"""

from __future__ import annotations

import errno
import os
import stat
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tacita.core.errors import FileError, TacitaWarning
from tacita.data.disk.exchange import exchange, move_to_free_name
from tacita.data.disk.leftovers import tidy
from tacita.data.disk.outputs import LIST, check_directory, list_files
from tacita.data.disk.workplace import NAME, NEW, OLD, workplace

__all__ = ["atomic_directory", "atomic_file", "new_file", "set_aside"]


@contextmanager
def atomic_file(path: str | Path, *, private: bool = False) -> Iterator[Path]:
    """Give a temporary path on the same disk; when the block ends well, it becomes ``path``.

    An old file is replaced in one step. When the block raises, what it wrote is removed and the old file stays.

    Parameters
    ----------
    path
        Where the file is to be.
    private
        Nobody but its owner may read it. Otherwise a new file has the rights that the system gives, and one that replaces
        another has the rights of that one.

    Raises
    ------
    FileError
        When the directory is missing or cannot be written to, ``path`` is a directory, the disk is full, or the block wrote
        nothing.

    Warns
    -----
    TacitaWarning
        When what an interrupted run had left in the directory was removed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_file(Path(folder) / "a.txt") as temporary:
    ...         _ = temporary.write_text("whole")
    ...     (Path(folder) / "a.txt").read_text()
    'whole'
    """
    path = _absolute(path)
    if path.is_dir():
        raise FileError(f"'{path.name}' must be a file, but it is a directory; choose another name.")
    tidy(path.parent)
    with _said_clearly(path), workplace(path.parent, path.name) as place:
        temporary = place / f"{NEW}{path.suffix[:20]}"
        yield temporary
        if not temporary.is_file():
            raise FileError(f"'{path.name}' cannot be written: nothing was put into its temporary file.")
        if private or path.is_file():
            os.chmod(temporary, 0o600 if private else stat.S_IMODE(path.stat().st_mode) & 0o777)  # noqa: PTH101
        _flush(temporary)
        os.replace(temporary, path)  # noqa: PTH105 - tests stop a process at every call of os
        _flush(path.parent)


@contextmanager
def atomic_directory(
    path: str | Path,
    overwrite: bool = False,
    *,
    kind: str = "output",
    private: Sequence[str] = (),
    inputs: Iterable[str | Path] = (),
) -> Iterator[Path]:
    """Give a temporary directory on the same disk; when the block ends well, it becomes ``path``.

    The finished directory holds a list of its files. With ``overwrite`` an earlier output of the same kind is exchanged for
    the new one in a single step, and removed afterwards; :func:`tacita.data.disk.outputs.check_directory` says what is
    replaced and what is not.

    Parameters
    ----------
    path
        Where the directory is to be.
    overwrite
        Whether an earlier output may be replaced.
    kind
        What the directory is, such as ``release``.
    private
        Folders in it that only the owner may enter, and read (0700, files 0600, whatever the umask); ``"."`` for all.
    inputs
        Files that the output is made from; a directory that holds one of them is not replaced.

    Raises
    ------
    FileError
        When ``path`` exists and may not be replaced, its parent cannot be written to, or the disk is full.

    Warns
    -----
    TacitaWarning
        When what an interrupted run had left was removed, or an old directory could not be.

    Notes
    -----
    Where the system cannot exchange two directories in one step (other systems than Linux, some network file systems), the
    old one is moved into the workplace and the new one to its place. A process that is killed between the two leaves no
    directory under that name; the next run there, or ``tacita clean``, puts the old one back.
    """
    path, inputs = _absolute(path), tuple(inputs)
    tidy(path.parent)
    check_directory(path, kind, overwrite=overwrite, inputs=inputs)
    with _said_clearly(path), workplace(path.parent, path.name) as place:
        made = place / NEW
        os.mkdir(made)  # noqa: PTH102
        yield made
        with new_file(made / LIST, private=True) as file:
            file.write(list_files(made, kind).encode("utf-8"))
        _set_rights(made, path, private)
        for folder, _, files in os.walk(made):
            for name in files:
                _flush(Path(folder) / name)
            _flush(Path(folder))
        check_directory(path, kind, overwrite=overwrite, inputs=inputs)
        _move_into_place(made, path)
    if os.path.lexists(place):
        warnings.warn(
            f"The new '{path.name}' is in place, but the old one could not be removed; it is in '{place.name}'.",
            TacitaWarning,
            stacklevel=3,
        )


@contextmanager
def new_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a file that is not there yet, for the block to write; errors name it.

    Parameters
    ----------
    path
        Where; inside a directory that is being made.
    private
        Nobody but its owner may read it, from the beginning.
    """
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666)
        with os.fdopen(handle, "wb") as file:
            if private and hasattr(os, "fchmod"):
                os.fchmod(handle, 0o600)  # a umask may take rights even from the owner
            yield file
    except FileError:
        raise
    except FileExistsError:
        raise FileError(f"'{path.name}' cannot be written: there is one already.") from None
    except OSError as error:
        raise FileError(f"'{path.name}' cannot be written: {_reason(error)}.") from error


@contextmanager
def set_aside(path: Path) -> Iterator[None]:
    """Move a file out of the way; it comes back when the block ends without a new one in its place.

    After a crash it is the next run in that directory, or ``tacita clean``, that puts it back.
    """
    path = _absolute(path)
    tidy(path.parent)
    with _said_clearly(path):
        place = workplace(path.parent, path.name)
        with place as made:
            os.rename(path, made / OLD)  # noqa: PTH104
            yield


def _move_into_place(made: Path, path: Path) -> None:
    """Put the new directory in its place; an old one is in the workplace then, and goes with it."""
    if not path.exists():
        move_to_free_name(made, path)
    elif not exchange(made, path):
        os.rename(path, made.with_name(OLD))  # noqa: PTH104 - where the next step does not happen, it is put back
        move_to_free_name(made, path)
    _flush(path.parent)


# --- small parts ----------------------------------------------------------------------------------------------------------


def _absolute(path: str | Path) -> Path:
    """Return the path from the root, so that no library takes it for an address, an option or somebody's home."""
    whole = Path(path).absolute()
    if "\0" in str(whole):
        raise FileError("The name of a file or directory must not hold a zero byte.")
    return Path(os.path.realpath(whole)) if whole.name in ("", "..") else whole


def _set_rights(made: Path, path: Path, private: Sequence[str]) -> None:
    if path.is_dir():
        os.chmod(made, stat.S_IMODE(path.stat().st_mode) & 0o777)  # noqa: PTH101
    for place in private:
        for folder, _, files in os.walk(made / place):
            os.chmod(folder, 0o700)  # noqa: PTH101
            for name in files:
                os.chmod(Path(folder) / name, 0o600)  # noqa: PTH101


@contextmanager
def _said_clearly(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into ours."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        if not os.path.lexists(path.parent):
            raise FileError(f"'{path.name}' cannot be written: the directory '{path.parent}' does not exist.") from None
        if error.errno == errno.EEXIST:
            raise FileError(f"'{path.name}' cannot be written: it was made by somebody else meanwhile.") from error
        is_ours = any(
            NAME.fullmatch(folder.name) for folder in path.parents
        )  # a part of an output: its place says nothing
        where = "" if is_ours else f" (in the directory '{path.parent}')"
        raise FileError(
            f"'{path.name}' cannot be written: {_reason(error)}{where}. "
            "Nothing was changed; check the permissions and the space left, or choose another directory."
        ) from error


def _reason(error: OSError) -> str:
    """Return the words of the system; those of a library may quote what it was writing."""
    return os.strerror(error.errno) if error.errno else "unknown reason"


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
