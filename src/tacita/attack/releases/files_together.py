"""Files together: one linkage over all released files, so that what each shows of a victim helps in the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.files.compared import shared_names
from tacita.attack.files.links import LinkingAttack, Links, link_by_cost
from tacita.attack.files.release_link import with_columns_of
from tacita.attack.targets import FileTarget
from tacita.core.traits import AttackTraits

__all__ = ["FilesTogether"]


@dataclass(frozen=True, kw_only=True)
class FilesTogether(LinkingAttack):
    """Find victims in all files that were released: the file that shares most with what is known first, then the next.

    What a file shows of the record that a victim was linked to is taken for known in the next file. The last one is the release.

    Returns
    -------
    Claims
        Of the identity in the release, and of every wanted column.

    Complexity
    ----------
    O(v n d) for v victims and n records of all files together; memory for a block of pairs.

    Notes
    -----
    With one earlier file this is :class:`ReleaseLink`. The figure ``found_by_more`` is the number of columns that the last link
    had beyond those that are known of the victims: with none of them this is a linkage to one file alone.

    References
    ----------
    Ganta, S. R., Kasiviswanathan, S. P. and Smith, A. (2008), Composition attacks and auxiliary information in data privacy.

    Examples
    --------
    >>> import numpy as np, tacita as tc
    >>> data = tc.samples.business_survey(300, seed=1)
    >>> first, then = data.select(["employees", "founded", "wages"]), data.select(["wages", "energy"])
    >>> target = FileTarget(released=data.select(["energy", "profit"]), known=data.select(["employees", "founded"]),
    ...                     wanted=("profit",), earlier=(then, first))
    >>> said = FilesTogether().run(target, np.random.default_rng(1))[0].said
    >>> bool((said == np.arange(300)).mean() > 0.4)
    True
    """

    name = "files_together"
    title = "All released files linked"
    traits = AttackTraits(
        against="file",
        learns="identity",
        knows="some true values of each victim, and all other files that were released of the same people",
        breaks="files that share a column with the next, each of them without what is known of the victims",
        held_by="files without a common column that tells people apart, and masks of these columns",
    )

    def linked_by(self, target: FileTarget) -> tuple[str, ...]:
        """Return the known columns that one of the files has."""
        names = {name for file in (target.released, *target.earlier) for name in file.names}
        return tuple(name for name in target.known.names if name in names)

    def declined(self, target: Any) -> str:
        """Return why it cannot be tried: there must be other files, and a chain of common columns to the release."""
        if not isinstance(target, FileTarget) or not target.earlier:
            return "There is no other file of the same people."
        return "" if self._chain(target) is not None else "No chain of common columns leads to the release."

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds it takes to link the victims to all files."""
        earlier = sum(len(file) for file in target.earlier)
        return super().cost(target) * (1 + earlier / max(len(target.released), 1))

    def _chain(self, target: FileTarget) -> tuple[int, ...] | None:
        """Return the order of the earlier files that can be used; None where the release cannot be reached."""
        names, order = set(target.known.names), list[int]()
        left = list(range(len(target.earlier)))
        while left:
            best = max(left, key=lambda i: len(names & set(target.earlier[i].names)))
            if not names & set(target.earlier[best].names):
                break
            order.append(best)
            left.remove(best)
            names |= set(target.earlier[best].names)
        return tuple(order) if names & set(target.released.names) else None

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Find the victims in one file after the other."""
        known = target.known
        for i in self._chain(target) or ():
            file = target.earlier[i]
            here = replace(target, released=file, known=known, steps=())
            rows = link_by_cost(here, shared_names(known, file), rng)[0].rows
            known = with_columns_of(known, file, rows)
        return link_by_cost(replace(target, known=known), shared_names(known, target.released), rng)[0]

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Link, and say by how many more columns."""
        more = {name for i in self._chain(target) or () for name in target.earlier[i].names} & set(
            target.released.names
        )
        found = float(len(more - set(target.known.names)))
        return tuple(
            replace(claim, figures={**claim.figures, "found_by_more": found}) for claim in super().run(target, rng)
        )
