"""Fingerprinted copies: the masked file as each recipient gets it, made from plan, key and name, in any order and at any time."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.data.units import find_units, values_of_units
from tacita.numeric.fingerprints.noise_scale import amplitudes
from tacita.numeric.fingerprints.tardos import draw_biases, draw_codewords, length_needed
from tacita.numeric.fingerprints.variants import Variants, cell_variants, keep_order, spread_positions
from tacita.release.recipients.plan import FingerprintPlan, MarkedColumn

__all__ = ["MOST_RECIPIENTS", "OUTER_BIASES", "FingerprintedCopies", "recipient_names"]

MOST_RECIPIENTS = 10_000
OUTER_BIASES = (0.2, 0.8)
"""Biases of the symbols that recipients draw: one of five variants, so near to 0.2113 and 0.7887 as fifths are."""
_LONGEST = 200


def recipient_names(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the names of recipients: blanks around them cut off, empty lines and comments left out.

    Raises
    ------
    ParameterError
        When there is none, one occurs twice, or one is too long or has characters that cannot be shown.

    Examples
    --------
    >>> recipient_names(["  University of Padua ", "", "# the others", "Bank"])
    ('University of Padua', 'Bank')
    """
    names = [unicodedata.normalize("NFC", line).strip() for line in lines]
    names = [name for name in names if name and not name.startswith("#")]
    if not 1 <= len(names) <= MOST_RECIPIENTS:
        raise ParameterError(f"There must be 1 to {MOST_RECIPIENTS} names of recipients, got {len(names)}.")
    seen: set[str] = set()
    for place, name in enumerate(names, start=1):
        if len(name) > _LONGEST or not name.isprintable():
            raise ParameterError(
                f"The name of recipient {place} must have at most {_LONGEST} characters that can be shown."
            )
        if name.casefold() in seen:
            raise ParameterError(
                f"The name of recipient {place} occurs twice; every recipient needs a name of its own."
            )
        seen.add(name.casefold())
    return tuple(names)


@dataclass(frozen=True, eq=False)
class FingerprintedCopies:
    """All copies of one release.

    Parameters
    ----------
    masked
        The masked file. It is nobody's copy, and stays inside.
    plan
        Where marks are and how large.
    key
        Whoever has it can take the marks off, and make any copy.
    recipients
        Names, one for each copy.
    release
        What tells this release from others; with another one the same key gives other marks.

    Notes
    -----
    Copies are made from the masked file and the key alone. So any number of them tells no more of the original than the masked
    file does, and their mean tends to it: each codeword has mean p in each symbol, and marks are centred by p.

    A codeword depends on key, release and name, not on the other recipients: copies for later ones change no earlier one.
    """

    masked: Microdata = field(repr=False)
    plan: FingerprintPlan = field(repr=False)
    key: Key = field(repr=False)
    recipients: tuple[str, ...]
    release: str = field(repr=False)

    def __post_init__(self) -> None:
        recipient_names(self.recipients)
        for column in self.plan.columns:
            if column.name not in self.masked.schema or self.masked.schema[column.name].scale != "numeric":
                raise DataError(f"The plan of the fingerprints is that of another file: it marks '{column.name}'.")

    @cached_property
    def _own(self) -> Key:
        return self.key.derive("fingerprints", self.release)

    @cached_property
    def biases(self) -> FloatArray:
        """(length + blocks,): how often each symbol is 1; those of the recipients' symbols come last."""
        plan = self.plan
        office = draw_biases(plan.length, plan.coalition, self._own.generator("biases", plan.coalition, plan.length))
        outer = self._own.generator("outer biases", plan.blocks).choice(OUTER_BIASES, size=plan.blocks)
        return np.concatenate([office, outer])

    @cached_property
    def variants(self) -> tuple[Variants, ...]:
        """The two variants of each marked column, in the order of the plan."""
        units = find_units(self.masked, None, owner="Fingerprints")
        made = [self._variants(column, None if units is None else units.labels) for column in self.plan.columns]
        others = [c.name for c in self.masked.schema if c.scale == "numeric" and not c.has_role("weight")]
        fixed = [self.masked.float(name) for name in others if name not in {c.name for c in self.plan.columns}]
        for j in range(len(made)):
            for i in range(len(made)):
                if i != j:
                    made[i], made[j] = keep_order(made[i], made[j])
            for x in fixed:
                plain = Variants(x, x, x, made[j].position)
                made[j] = keep_order(made[j], plain)[0]
                made[j] = keep_order(plain, made[j])[1]
        return tuple(made)

    def _variants(self, column: MarkedColumn, labels: npt.NDArray[np.int64] | None) -> Variants:
        """Draw the variants of one column, once for each household where its members share them."""
        values, rng = self.masked.float(column.name), self._own.generator("cells", column.name)
        is_shared = column.by_unit and labels is not None
        cells = values_of_units(values[:, None], labels)[:, 0] if is_shared and labels is not None else values
        length = self.plan.length + self.plan.blocks
        made = cell_variants(
            cells,
            amplitudes(cells, column.scale, self.plan.share, column.decimals),
            spread_positions(len(cells), length, rng),
            self.biases,
            rng,
            decimals=column.decimals,
            lower=-np.inf if column.lower is None else column.lower,
            upper=np.inf if column.upper is None else column.upper,
        )
        if not is_shared or labels is None:
            return made
        gaps = ~np.isfinite(values)
        zero, one = (np.where(gaps, np.nan, x[labels]) for x in (made.zero, made.one))
        return Variants(values, zero, one, made.position[labels])

    @cached_property
    def _carried(self) -> npt.NDArray[np.bool_]:
        """(length + blocks,): which symbols at least one cell carries."""
        carried = np.zeros(self.plan.length + self.plan.blocks, bool)
        for column in self.variants:
            carried[column.position[column.carries]] = True
        return carried

    @property
    def room(self) -> int:
        """Number of the office's symbols that at least one cell carries."""
        return int(self._carried[: self.plan.length].sum())

    def check_room(self, false_accusation: float) -> int:
        """Return how many symbols so many recipients and such a coalition need, or say that the file has too few.

        Raises
        ------
        DataError
            When the file has not enough room.
        """
        need = length_needed(len(self.recipients), self.plan.coalition, false_accusation)
        if need > self.room:
            raise DataError(
                f"The file has too little room: {len(self.recipients)} recipients, coalitions of up to {self.plan.coalition} and "
                f"a false accusation of {false_accusation:g} need {need} symbols, and its marked cells carry "
                f"{self.room}. Mark more columns, take a larger share of the noise, or ask for smaller coalitions."
            )
        own, theirs = (
            length_needed(1, self.plan.coalition, false_accusation),
            int(self._carried[self.plan.length :].sum()),
        )
        if self.plan.blocks and own > theirs:
            raise DataError(
                f"The file has too little room for the symbols that recipients draw: a judge needs {own} and the marked cells "
                f"carry {theirs}. Mark more columns, or ask for smaller coalitions."
            )
        return need

    def codeword(self, name: str) -> npt.NDArray[np.uint8]:
        """Return (length,): the symbols that the office drew for a recipient."""
        if name not in self.recipients:
            raise ParameterError(f"'{name}' is no recipient.{did_you_mean(name, self.recipients)}")
        rng = self._own.generator("codeword", name)
        return np.asarray(draw_codewords(self.biases[: self.plan.length], 1, rng)[0], np.uint8)

    def codewords(self, names: Sequence[str]) -> npt.NDArray[np.uint8]:
        """Return (recipients, length): their codewords."""
        return np.stack([self.codeword(name) for name in names])

    def copy(self, name: str) -> Microdata:
        """Return the file that a recipient gets; in the asymmetric form without the symbols that it draws itself."""
        return self.masked.with_numbers(self.marked(self.codeword(name)))

    def marked(self, word: npt.NDArray[np.uint8]) -> dict[str, FloatArray]:
        """Return the marked columns for a codeword; cells of symbols beyond its end keep the masked value."""
        found: dict[str, FloatArray] = {}
        for column, cells in zip(self.plan.columns, self.variants, strict=True):
            is_drawn = cells.position < len(word)
            symbol = word[np.where(is_drawn, cells.position, 0)]
            made = np.where(symbol == 1, cells.one, cells.zero)
            found[column.name] = np.asarray(np.where(is_drawn, made, cells.masked), np.float64)
        return found

    def change(self, name: str) -> dict[str, float]:
        """Return for each marked column the mean square of the marks of one copy, in units of the noise's variance there."""
        found = self.marked(self.codeword(name))
        shares = {}
        for column in self.plan.columns:
            x, scale = self.masked.float(column.name), column.scale
            sd = np.interp(x, scale.at, scale.sd)
            shares[column.name] = float(np.nansum((found[column.name] - x) ** 2) / max(float(np.nansum(sd**2)), 1e-300))
        return shares
