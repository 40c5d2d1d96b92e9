"""What an optimisation made: the data, and loss and risk before and after."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tacita.compare.optimise.kept_claims import KeptClaims
from tacita.compare.optimise.optimise_settings import Method
from tacita.compare.optimise.post_masking import PostMasked, PostMaskingTask
from tacita.compare.optimise.primed_score import ScoreParts, score_parts
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import TacitaWarning
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.risk.strongest import StrongestAttack

__all__ = ["BAND", "Aim", "Optimised", "as_optimised", "is_within_band"]

BAND = 0.01
"""Half-width of the band of IL1' relative to its target, constraint (5.4)."""


@dataclass(frozen=True, eq=False)
class Optimised:
    """Optimised data, and what the optimisation did to loss and risk.

    Parameters
    ----------
    data
        The optimised data, linked to the original as the masked data are.
    before, after
        Loss and risk of the masked and of the optimised data.
    method
        The search that was run.
    columns
        The columns that it worked on, those that an intruder knows first.
    known
        How many columns the intruder knows.
    changed_records, changed_values
        How much differs from the masked data.
    steps
        Steps of the search: values that were tried, or iterations of the gradient method.
    stopped
        Why it stopped, and whether IL1' is outside its band then.
    seconds
        How long it took, measuring included.
    seed
        Repeats the search; internal, as the seed of a mask is.
    target_ratio
        What IL1' should come to, relative to before; None for ``score``, which has no such target.
    il1_ratio
        What it came to, in the reading of the search; None where it was 0 before.
    dropped
        Claims of the masks that do not hold any more, in words.
    strongest_before, strongest_after
        The attack that identifies most records of the masked and of the optimised data, with the masks that made them known;
        None where the link to the original is not.
    """

    data: Microdata
    before: ScoreParts
    after: ScoreParts
    method: Method
    columns: tuple[str, ...]
    known: int
    changed_records: int
    changed_values: int
    steps: int
    stopped: str
    seconds: float
    seed: Seed
    target_ratio: float | None = None
    il1_ratio: float | None = None
    dropped: tuple[str, ...] = ()
    strongest_before: StrongestAttack | None = None
    strongest_after: StrongestAttack | None = None

    @property
    def gain(self) -> float:
        """Percent by which Score' fell."""
        return 100 * (1 - self.after.score / self.before.score) if self.before.score else 0.0

    @property
    def is_in_band(self) -> bool | None:
        """Whether IL1' came to within 1 percent of its target, constraint (5.4); None where it has no target."""
        return is_within_band(self.il1_ratio, self.target_ratio)

    def rows(self) -> list[dict[str, Any]]:
        """Return one table row for each number: before, after and the change."""
        rows = [
            {"measure": name, "what": what, "before": old, "after": new, "change": new - old}
            for name, what in _WORDS.items()
            if (old := getattr(self.before, name)) is not None and (new := getattr(self.after, name)) is not None
        ]
        if self.strongest_before is not None and self.strongest_after is not None:
            then, now = self.strongest_before, self.strongest_after
            what = f"strongest attack: {' -> '.join(dict.fromkeys((then.measure, now.measure)))}"
            rows.append(
                {
                    "measure": "strongest",
                    "what": what,
                    "before": then.upper,
                    "after": now.upper,
                    "change": now.upper - then.upper,
                }
            )
        return rows

    def as_plain(self) -> dict[str, Any]:
        """Return everything but the data, ready for JSON; without the seed, which must stay inside."""
        return {
            "method": self.method,
            "columns": list(self.columns),
            "known": list(self.columns[: self.known]),
            "changed": {"records": self.changed_records, "values": self.changed_values},
            "steps": self.steps,
            "stopped": self.stopped,
            "il1": {"ratio": self.il1_ratio, "target_ratio": self.target_ratio, "is_in_band": self.is_in_band},
            "seconds": self.seconds,
            "before": self.before.as_plain(),
            "after": self.after.as_plain(),
            "gain": self.gain,
            "dropped": list(self.dropped),
            "strongest": {
                "before": None if self.strongest_before is None else self.strongest_before.as_plain(),
                "after": None if self.strongest_after is None else self.strongest_after.as_plain(),
            },
        }

    def __repr__(self) -> str:
        parts = ", ".join(
            f"{name} {getattr(self.before, name):.4g} -> {getattr(self.after, name):.4g}"
            for name in ("e", "il1", "il", "dld", "rid", "score")
        )
        lost = f"; no longer holds: {'; '.join(self.dropped)}" if self.dropped else ""
        return f"Optimised by {self.method} ({parts}; {self.stopped}{lost})"


def is_within_band(ratio: float | None, target: float | None) -> bool | None:
    """Whether IL1' is within 1 percent of its target; None where one of them is not there.

    Examples
    --------
    >>> is_within_band(0.505, 0.5), is_within_band(0.506, 0.5), is_within_band(0.5, None)
    (True, False, None)
    """
    return None if ratio is None or target is None else abs(ratio - target) <= (BAND + 1e-9) * target


def il1_ratio(task: PostMaskingTask, values: FloatArray, nearest: IntArray) -> float | None:
    """Return IL1' of the values relative to that of the masked file, in the reading of the task; None where that is 0."""
    before, after = (task.losses(y, near) for y, near in ((task.y, task.nearest), (values, nearest)))
    if np.isnan(before).all() or np.isnan(after).all() or not np.nanmean(before) > 0:
        return None
    return float(np.nanmean(after) / np.nanmean(before))


def _outcome(
    task: PostMaskingTask, values: FloatArray, nearest: IntArray, target_ratio: float | None, stopped: str
) -> tuple[float | None, str]:
    """Return IL1' relative to before, and why the search stopped; warn where IL1' is not in its band."""
    ratio = il1_ratio(task, values, nearest)
    if is_within_band(ratio, target_ratio) is not False:
        return ratio, stopped
    warnings.warn(
        f"optimise: IL1' came to {ratio:.3g} of what it was, outside its band of 1 percent around the 'target_ratio' "
        f"{target_ratio:g}; raise 'share' or 'max_steps', or ask for another 'target_ratio'.",
        TacitaWarning,
        stacklevel=4,
    )
    return ratio, f"{stopped}, IL1' outside its band"


class Aim(NamedTuple):
    """The search that is run, and what it shall reach: IL1' relative to before, and E; None where nothing was asked."""

    method: Method
    target_ratio: float | None
    target_e: float | None


def as_optimised(
    task: PostMaskingTask,
    found: PostMasked,
    masked: Microdata,
    before: ScoreParts,
    own: tuple[IntArray, IntArray] | None,
    claims: KeptClaims,
    *,
    aim: Aim,
    seed: Seed,
    started: float,
) -> Optimised:
    """Check what was found and measure it; records that rounding put outside the rules go back to their masked values."""
    values = task.rules.restored(task.y, found.values)
    task.rules.verify(values, "optimised", task.y)
    nearest = task.nearest_of(values)
    after = score_parts(task.x, values, known=task.known, nearest=nearest, own=own)
    changed = (values != task.y) & ~np.isnan(task.y)
    is_short = found.stopped == "target reached" and after.e > 1.001 * (aim.target_e or 0) + 1e-9
    ended = "no further improvement" if is_short else found.stopped
    ratio, stopped = _outcome(task, values, nearest, aim.target_ratio, ended)
    names = task.rules.names
    data = masked.with_numbers({name: values[:, j] for j, name in enumerate(names) if changed[:, j].any()})
    lost, others = claims.dropped(masked, data)
    if lost:
        warnings.warn(
            f"optimise: the result no longer has {'; '.join(lost)}. Mask again, or optimise fewer columns.",
            TacitaWarning,
            stacklevel=3,
        )
    return Optimised(
        data=data,
        before=before,
        after=after,
        method=aim.method,
        columns=names,
        known=task.known,
        changed_records=int(changed.any(axis=1).sum()),
        changed_values=int(changed.sum()),
        steps=found.steps,
        stopped=stopped,
        seconds=time.monotonic() - started,
        seed=seed,
        target_ratio=aim.target_ratio,
        il1_ratio=ratio,
        dropped=(*lost, *others),
    )


_WORDS = {
    "e": "error of the moments, E",
    "il1": "mean relative error of the values, IL1'",
    "il": "information loss, IL'",
    "dld": "linked to the nearest original, DLD'",
    "rid": "rank intervals of the nearest original, ID'",
    "score": "Score'",
    "paired_dld": "linked to the own original",
    "paired_rid": "rank intervals of the own original",
}
