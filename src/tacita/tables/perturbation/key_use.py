"""Which data a secret key was used with: a file beside the key, so that nobody draws the noise of other data with it unawares."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import Key
from tacita.data.atomic import atomic_file
from tacita.data.microdata import Microdata

__all__ = ["KeyUse"]


@dataclass(frozen=True)
class KeyUse:
    """The data versions that keys were used with.

    Parameters
    ----------
    path
        The file that keeps them; it is made when there is none.
    version
        A name of the data version, such as ``census 2021, second delivery``; None takes a keyed digest of the data, which is
        another one where a value, or the order of the records, is.
    is_revision
        Whether a new version of the same data is meant: the keys of records are to stay, and the version is added.

    Notes
    -----
    The file has fingerprints of keys and digests under the key, which tell nothing about either; it is readable for its owner
    only. Without ``is_revision`` a key with another version is refused: noise of one key on two sets of data with the same
    identities is the same noise, and cancels in differences.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     KeyUse(f"{folder}/uses.json", version="1").note(Key.draw(), "census.parquet")
    '1'
    """

    path: str | Path
    version: str | None = None
    is_revision: bool = False

    def check(self, key: Key, data: Microdata | str | Path) -> str:
        """Return the name of the version of some data; nothing is written.

        Raises
        ------
        ParameterError
            When the key was used with another version, and no revision is meant.
        FileError
            When the file cannot be read.
        """
        name = self.version or self._digest(key, data)
        versions = self._read().get(key.fingerprint, [])
        if versions and name not in versions and not self.is_revision:
            raise ParameterError(
                f"The key was used with {len(versions)} other version(s) of data; take a key of its own for other data, or say "
                "is_revision=True (--revision) for a revision of the same data, whose records keep their keys."
            )
        return name

    def note(self, key: Key, data: Microdata | str | Path) -> str:
        """Write down that the key is used with some data, and return the name of their version.

        Raises
        ------
        ParameterError
            When the key was used with another version, and no revision is meant.
        FileError
            When the file cannot be read or written.
        """
        name = self.check(key, data)
        known = self._read()
        versions = known.get(key.fingerprint, [])
        if name not in versions:
            with atomic_file(self.path, private=True) as temporary:
                made = json.dumps(known | {key.fingerprint: [*versions, name]}, indent=1)
                temporary.write_text(made, encoding="utf-8")
        return name

    def _digest(self, key: Key, data: Microdata | str | Path) -> str:
        from tacita.data.store.opening import open_store  # loads readers of files

        # Without its schema: the same file has the same name, whether it was read before or not.
        with open_store(Microdata.from_frame(data.to_arrow()) if isinstance(data, Microdata) else data) as store:
            return key.digest("data version", store.content_digest())[:16].hex()

    def _read(self) -> dict[str, list[str]]:
        path = Path(self.path)
        if not path.exists():
            return {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return {str(word): [str(one) for one in versions] for word, versions in found.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            raise FileError(f"The file of key uses '{path.name}' cannot be read; restore it from a copy.") from None
