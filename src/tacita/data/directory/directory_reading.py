"""What a reader of a topic directory found: how much there was, what was left out, what was broken and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["DirectoryReading"]


@dataclass(frozen=True, kw_only=True)
class DirectoryReading:
    """How the reading of a directory went; counts only, never a text of the file.

    Parameters
    ----------
    form
        What the file was taken for: ``odp``, ``table`` or ``wordnet``.
    records
        How many entries there were, with those that were left out.
    kept
        How many of them are in the directory.
    left_out
        Why entries are not in the directory, with counts.
    broken
        What was not as the form wants it and was mended, with counts.
    """

    form: str
    records: int
    kept: int
    left_out: Mapping[str, int] = field(default_factory=Counter)
    broken: Mapping[str, int] = field(default_factory=Counter)

    def words(self) -> str:
        """Return all of it in a few lines.

        Examples
        --------
        >>> print(DirectoryReading(form="odp", records=5, kept=4, left_out={"without a title": 1}).words())
        4 of 5 entries read (odp).
        Left out: without a title 1.
        """
        lines = [f"{self.kept} of {self.records} entries read ({self.form})."]
        for head, counts in (("Left out", self.left_out), ("Mended", self.broken)):
            found = [f"{reason} {count}" for reason, count in sorted(counts.items()) if count]
            if found:
                lines.append(f"{head}: {', '.join(found)}.")
        return "\n".join(lines)
