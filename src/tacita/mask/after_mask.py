"""What is looked at after every mask: values that came out as they were, broken bounds, columns that give masked ones away.

Masks and recipes go through here. Warnings have the names of columns and shares, never values.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import TacitaWarning
from tacita.data.bounds import outside_bounds
from tacita.data.columns import same_buffers, to_floats
from tacita.data.microdata import Microdata
from tacita.data.unchanged import unchanged
from tacita.numeric.statistics.linear_copies import depends_on, linear_copies

if TYPE_CHECKING:
    from tacita.mask.base import Mask

__all__ = ["look_at_mask", "look_at_release"]

_FEWEST = 10
"""Values below which a share says little, so that nothing is warned of."""
_MASKED = 0.5
_LARGEST = 1e140
_DESIGN = {"identifier", "weight", "household"}


def look_at_mask(mask: Mask, data: Microdata, masked: Microdata) -> None:
    """Warn where a mask left more of a column than it may, and where it put values outside declared bounds."""
    owner = type(mask).__name__
    if mask.traits.keeps_rows and len(masked) == len(data) and mask.keeps_at_most is not None:
        _warn_of_unchanged(owner, mask, data, masked, mask.keeps_at_most)
    before, after = outside_bounds(data), outside_bounds(masked)
    broken = {name: count for name, count in after.items() if count > before.get(name, 0)}
    if broken:
        found = ", ".join(f"{count} in '{name}'" for name, count in broken.items())
        _warn(
            f"{owner}: some masked values lie outside the declared bounds of their column ({found}); they cannot be released."
        )


def _warn_of_unchanged(owner: str, mask: Mask, data: Microdata, masked: Microdata, limit: float) -> None:
    found = []
    for name in mask.audited(data):
        if name not in masked.schema:
            continue
        looked = unchanged(data, masked, name)
        if looked.same.sum() <= _FEWEST * min(limit, _MASKED):
            continue  # too few for a share above the limit
        telling = looked.telling
        if getattr(mask, "keep_zeros", False) and data.schema[name].scale == "numeric":
            telling = telling & (data.float(name) != 0)
        share = looked.share(telling)
        if telling.sum() >= _FEWEST and (share > limit or share == 1.0):
            found.append(f"{_percent(share)} of '{name}'")
        elif limit <= _MASKED and (out := looked.standing_out & telling).sum() >= _FEWEST and looked.share(out) > limit:
            found.append(f"{_percent(looked.share(out))} of the rare or extreme values of '{name}'")
    if found:
        more = f" and of {len(found) - 8} more columns" if len(found) > 8 else ""
        _warn(
            f"{owner}: many values came out as they were, the most frequent value of a column not counted: "
            f"{', '.join(found[:8])}{more}. At most {_percent(limit)} are expected; {mask.advice}."
        )


def _percent(share: float) -> str:
    """Return a share in percent, 100 only where it is all."""
    return f"{100 * share:.0f} %" if share in (0.0, 1.0) else f"{min(100 * share, 99.9):.3g} %"


def look_at_release(owner: str, original: Microdata, masked: Microdata) -> None:
    """Warn of columns that leave as they were and tell masked ones: totals of masked parts, copies, linear combinations."""
    if len(original) != len(masked) or not np.array_equal(original.origin_rows(), masked.origin_rows()):
        return
    names = [
        c.name
        for c in masked.schema
        if c.name in original.schema
        and c.scale == "numeric" == original.schema[c.name].scale
        and not _DESIGN.intersection(c.roles)
    ]
    kept = [name for name in names if _is_as_it_was(original, masked, name)]
    if not kept:
        return
    moved = [name for name in names if name not in kept and _is_masked(original, masked, name)]
    if not moved:
        return
    found_for = zip(kept, linear_copies(_finite(original, kept), original.floats(moved)), strict=True)
    telling = {name: parts for name, parts in found_for if parts}
    y = masked.floats(moved) if telling else None
    # Masked values that fit the column as well were made to: it is part of an identity, and tells nothing of the others.
    telling = {
        name: parts for name, parts in telling.items() if y is None or not depends_on(_finite(masked, [name])[:, 0], y)
    }
    found = [f"'{name}' (of {', '.join(moved[j] for j in parts)})" for name, parts in telling.items()]
    if found:
        _warn(
            f"{owner}: {', '.join(found[:8])} leave as they were and are totals, copies or other sums of masked columns, so "
            "they give these away; mask them too, name them in 'identities', or drop them."
        )


def _is_as_it_was(original: Microdata, masked: Microdata, name: str) -> bool:
    before, after = original._column(name), masked._column(name)
    return same_buffers(before, after) or masked.column(name).equals(original.column(name))


def _finite(data: Microdata, names: list[str]) -> FloatArray:
    """Return columns that no mask looked at: what is infinite or too large to be squared counts as missing here."""
    found = np.column_stack([to_floats(data.column(name), name) for name in names])
    found[~(np.abs(found) < _LARGEST)] = np.nan
    return found


def _is_masked(original: Microdata, masked: Microdata, name: str) -> bool:
    """Whether most values of a column have changed, its most frequent one not counted: zeros often stay zeros."""
    looked = unchanged(original, masked, name)
    return looked.share() < _MASKED or looked.share(looked.telling) < _MASKED


def _warn(text: str) -> None:
    warnings.warn(text, TacitaWarning, stacklevel=4)
