"""Networks from a file of edges: two columns of a table, each row a link."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.errors import DataError
from tacita.games.social.network import Network

if TYPE_CHECKING:
    from tacita.data.columns import Codes
    from tacita.data.microdata import Microdata

__all__ = ["read_network"]


def read_network(path: str | Path, *, columns: tuple[str, str] | None = None) -> Network:
    r"""Read a network from a list of edges.

    Parameters
    ----------
    path
        CSV, TSV, Parquet or whatever else :func:`tacita.read` takes; with a header.
    columns
        The two columns with the ends of each link; without it the first two.

    Raises
    ------
    DataError
        When a user is missing in a row, there are fewer than two columns, or a link leads from a user to himself.
    FileError
        When the file cannot be read.
    ColumnError
        When there is no column of that name.

    Complexity
    ----------
    O(rows log rows) time.

    Notes
    -----
    Ends are compared as they are read: 7 in a column of numbers and 7 in one of texts are one user, 07 and 7 are not.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder) / "edges.csv"
    ...     _ = place.write_text("from,to\nAnn,Ben\nBen,Cem\nBen,Ann\n")
    ...     network = read_network(place)
    >>> network, network.merged
    (Network of 3 users, 2 links, 1)
    """
    from tacita.data.read import read  # loads when used

    data = read(path)
    if columns is None:
        if len(data.names) < 2:
            raise DataError(f"'{Path(path).name}' must have two columns, one for each end of a link; it has one.")
        columns = (data.names[0], data.names[1])
    if len(data) == 0:
        raise DataError(f"'{Path(path).name}' has no edges.")
    ends = [_coded(data, name) for name in columns]
    texts = any(isinstance(name, str) for end in ends for name in end.categories)
    names: dict[Hashable, int] = {}
    numbered = [_numbers(end, names, texts=texts) for end in ends]
    return Network.of_arrays(np.stack(numbered, axis=1), len(names), names=tuple(names))


def _coded(data: Microdata, name: str) -> Codes:
    coded = data.codes(name)
    missing = int((coded.values < 0).sum())
    if missing:
        raise DataError(f"Column '{name}' has no user in {missing} rows; every edge needs two ends.")
    return coded


def _numbers(end: Codes, names: dict[Hashable, int], *, texts: bool) -> np.ndarray:
    """Return the numbers of the users of one column; new names get the next ones."""
    places = [names.setdefault(_plain(name, texts), len(names)) for name in end.categories]
    return np.array(places, np.int64)[end.values]


def _plain(name: Hashable, texts: bool) -> Hashable:
    if isinstance(name, (float, np.floating)) and float(name).is_integer():
        name = int(name)
    elif isinstance(name, np.generic):
        name = name.item()
    return str(name) if texts else name
