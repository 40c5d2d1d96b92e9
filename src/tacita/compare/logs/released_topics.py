"""The topics of released texts: what the directory says of them, and for the path of a category the category itself."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.data.directory.classified import Classified
from tacita.logs.microaggregation.profiles import classify_items

__all__ = ["last_words", "released_topics"]


def last_words(texts: pa.StringArray) -> pa.StringArray:
    """Return what stands last in each path: ``Soccer`` of ``Sports: Soccer``, a text that is no path whole."""
    return pc.replace_substring_regex(texts, r"^.*: ", "")


def released_topics(texts: pa.StringArray, classified: Classified) -> Classified:
    """Return the topics of the texts of a released log that was read from a file.

    Parameters
    ----------
    texts
        The released texts.
    classified
        What a directory says of them as searches; a path such as ``Sports: Soccer`` is a category and no search about soccer.
    """
    tree = classified.tree
    paths = pa.array([": ".join(tree.path(category)) for category in range(len(tree))], pa.string())
    category = pc.fill_null(pc.index_in(texts, value_set=paths), -1).to_numpy(zero_copy_only=False).astype(np.int64)
    rows = np.arange(len(texts), dtype=np.int64)
    return classify_items(np.where(category >= 0, len(texts) + category, rows), classified)
