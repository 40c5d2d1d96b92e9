"""Global recoding: categories of a column are put together, everywhere in the file alike."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, ParameterError, SchemaError
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.grc import Recoding
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.mask.base import Mask
from tacita.mask.recode.ladders import as_text, described, key_ladder, recoded_column, with_labels

__all__ = ["GlobalRecode", "interval_labels"]


_MISSING = "(missing)"
"""New label that makes a value missing."""


def interval_labels(breaks: Sequence[float], *, is_whole: bool) -> list[str]:
    """Name the intervals that breaks cut the line into: below the first, [b_i, b_(i+1)), from the last on.

    Examples
    --------
    >>> interval_labels([18, 30, 65], is_whole=True)
    ['below 18', '18-29', '30-64', '65 or more']
    >>> interval_labels([0.5, 1], is_whole=False)
    ['below 0.5', '[0.5, 1)', '1 or more']
    """
    shown = [as_text(float(b)) for b in breaks]
    named = [
        (shown[i] if int(b) - int(a) == 1 else f"{shown[i]}-{int(b) - 1}")
        if is_whole
        else f"[{shown[i]}, {shown[i + 1]})"
        for i, (a, b) in enumerate(itertools.pairwise(breaks))
    ]
    return [f"below {shown[0]}", *named, f"{shown[-1]} or more"]


@dataclass(frozen=True, kw_only=True)
class GlobalRecode(Mask):
    r"""Replace the values of a column by coarser ones: a level of its hierarchy, intervals, or a list of new labels.

    Every record with the same value gets the same new one, ``x' = g(x)``, so tables of the recoded columns are tables of the
    original with rows added up.

    Protects rare categories and exact values by letting them share a label with others. Does not protect a combination that
    stays rare at the new labels: count by ``k_anonymity``, and let ``generalise`` choose the levels.

    Parameters
    ----------
    levels
        Level of the column's hierarchy that its values become: ``{"age": 2}``; 0 leaves them as they are.
    breaks
        Cut points of a numeric column: ``{"age": [18, 30, 65]}`` makes the intervals below 18, [18, 30), [30, 65), from 65 on.
    labels
        Names of the intervals, one more than there are cut points: ``{"age": ["child", "young", "middle", "old"]}``.
    map
        New labels of single values: ``{"region": {"north": "coast", "west": "coast"}}``. Others stay as they are;
        ``(missing)`` makes a value missing.
    grc
        Rules in the form of a mu-ARGUS ``.grc`` file, as its text: ``{"age": "1: -29\n2: 30-"}``; see
        :mod:`tacita.data.grc` for what is understood and :meth:`from_grc` for files.

    Returns
    -------
    Microdata
        With the named columns recoded to texts. A numeric, ordinal or date column whose new labels keep its order is ordinal
        now, with its labels in that order; every other one is nominal. What is left of its hierarchy stays with it.

    Raises
    ------
    ParameterError
        When nothing is to be recoded, a column is named by two of the parameters, or cut points do not rise.
    ColumnError
        When a column is not there, has no hierarchy or not that level, or no value that the map or the rules name.
    DataError
        When the hierarchy does not cover a value.

    Preserves
    ---------
    Nothing of single values. Frequencies of the new labels are sums of frequencies of the old values.

    Complexity
    ----------
    O(n) time and memory for each column.

    Notes
    -----
    An interval contains its lower cut point. Missing values stay missing, whatever the hierarchy or the rules say. A map and
    rules compare values as texts, whole numbers without a point; rules compare numbers as numbers where the column is numeric.

    References
    ----------
    Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control; Hundepool, A. et al. (2012), Statistical
    disclosure control, section 3.5 (global recoding).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = GlobalRecode(breaks={"age": [30, 65]}).apply(data)
    >>> masked.schema["age"].categories
    ('below 30', '30-64', '65 or more')
    """

    name = "global_recode"
    title = "Global recoding"
    attacks = (Attack(measure="individual_risk", knows="the coarser categories of everybody"),)
    faces = ("key_match", "probabilistic_link")
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, recodes=True)
    levels: Mapping[str, int] = field(default_factory=dict)
    breaks: Mapping[str, Sequence[float]] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    map: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    grc: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_plain(), sort_keys=True))

    def check(self) -> None:
        """Check the tables against each other."""
        named = [name for table in (self.levels, self.breaks, self.map, self.grc) for name in table]
        if not named:
            raise ParameterError("GlobalRecode: one of 'levels', 'breaks', 'map' and 'grc' must name a column.")
        twice = [name for name in named if named.count(name) > 1]
        if twice:
            raise ParameterError(f"GlobalRecode: column '{twice[0]}' must be recoded in one way, but two are given.")
        for name, level in self.levels.items():
            if not isinstance(level, int) or isinstance(level, bool) or level < 0:
                raise ParameterError(f"GlobalRecode: 'levels' must have a whole number, at least 0, for '{name}'.")
        for name, cuts in self.breaks.items():
            if not _rises(cuts):
                raise ParameterError(f"GlobalRecode: 'breaks' must have rising numbers for '{name}'.")
        for name, texts in self.labels.items():
            if name not in self.breaks:
                raise ParameterError(f"GlobalRecode: 'labels' name the intervals of '{name}', which has no 'breaks'.")
            if isinstance(texts, str) or len(set(texts)) < len(texts) or len(texts) != len(self.breaks[name]) + 1:
                wanted = len(self.breaks[name]) + 1
                raise ParameterError(f"GlobalRecode: 'labels' must have {wanted} different texts for '{name}'.")
        for name, table in self.map.items():
            if not isinstance(table, Mapping) or not table or not all(isinstance(v, str) for v in table.values()):
                raise ParameterError(f"GlobalRecode: 'map' must have a table of new labels for '{name}'.")
        for name, text in self.grc.items():
            if not isinstance(text, str):
                raise ParameterError(f"GlobalRecode: 'grc' must have the text of a .grc file for '{name}'.")
            try:
                Recoding.from_grc(text)
            except SchemaError as error:
                raise ParameterError(f"GlobalRecode: 'grc' of '{name}': {' '.join(error.problems)}") from None
        for word in ("breaks", "labels"):  # lists and tuples are one thing, here and in a recipe
            object.__setattr__(self, word, {name: tuple(v) for name, v in getattr(self, word).items()})

    def worked_on(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns that are recoded."""
        return tuple(name for table in (self.levels, self.breaks, self.map, self.grc) for name in table)

    @classmethod
    def from_grc(cls, files: Mapping[str, str | Path]) -> GlobalRecode:
        """Return the mask for ``.grc`` files of some columns: ``GlobalRecode.from_grc({"age": "age.grc"})``."""
        return cls(grc={name: Recoding.read(path).to_grc() for name, path in files.items()})

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Recode the named columns."""
        made = data
        for name, level in self.levels.items():
            made = self._to_level(made, name, level)
        for name, cuts in self.breaks.items():
            made = self._to_intervals(made, name, cuts)
        for name, table in self.map.items():
            made = self._to_labels(made, name, "map", {str(key): label for key, label in table.items()})
        for name, text in self.grc.items():
            made = self._by_rules(made, name, Recoding.from_grc(text))
        return made

    def _to_level(self, data: Microdata, name: str, level: int) -> Microdata:
        hierarchy = data.schema[name].hierarchy
        if hierarchy is None or level >= hierarchy.depth:
            has = "no hierarchy" if hierarchy is None else f"levels 0 to {hierarchy.depth - 1}"
            raise ColumnError(f"GlobalRecode: 'levels' asks for level {level} of column '{name}', which has {has}.")
        if level == 0:
            return data
        ladder = key_ladder(data, name, owner="GlobalRecode")
        codes = np.where(data.is_missing(name), -1, ladder.up[level][ladder.codes])
        column = recoded_column(data.schema[name], hierarchy, level)
        return with_labels(data, name, codes, ladder.labels[level], column, owner="GlobalRecode")

    def _to_intervals(self, data: Microdata, name: str, cuts: Sequence[float]) -> Microdata:
        if data.schema[name].scale != "numeric":
            raise ColumnError(f"GlobalRecode: 'breaks' cut numeric columns, but '{name}' is {data.schema[name].scale}.")
        values = data.float(name)
        kind = data.type_of(name)
        is_whole = pa.types.is_integer(kind) and all(float(cut).is_integer() for cut in cuts)
        labels = list(self.labels.get(name) or interval_labels(cuts, is_whole=is_whole))
        codes = np.where(np.isnan(values), -1, np.searchsorted(np.asarray(cuts, float), values, side="right"))
        return with_labels(data, name, codes, labels, described(data.schema[name], labels), owner="GlobalRecode")

    def _by_rules(self, data: Microdata, name: str, rules: Recoding) -> Microdata:
        is_number = data.schema[name].scale == "numeric"
        texts = [as_text(value) for value in data.codes(name).categories]
        table = {text: rules.new_code(text, is_number=is_number) for text in texts}
        changed = {text: _MISSING if new is None else new for text, new in table.items() if new != text}
        kept = {text: text for text, new in table.items() if new == text and text in rules.new_codes}
        return self._to_labels(data, name, "grc", {**kept, **changed})

    def _to_labels(self, data: Microdata, name: str, word: str, table: Mapping[str, str]) -> Microdata:
        column, codes = data.schema[name], data.codes(name)
        texts = [as_text(value) for value in codes.categories]
        if texts and not any(text in table for text in texts):
            raise ColumnError(
                f"GlobalRecode: '{word}' names no value that column '{name}' has; nothing would be recoded."
            )
        new = [table.get(text, text) for text in texts]
        labels = [label for label in dict.fromkeys(new) if label != _MISSING]
        place: dict[str, int] = {label: i for i, label in enumerate(labels)} | {_MISSING: -1}
        recoded = np.array([*(place[label] for label in new), -1], dtype=np.int64)[codes.values]
        shown = described(column, _in_order(column.scale, column.categories, new))
        return with_labels(data, name, recoded, labels, shown, owner="GlobalRecode")


def _rises(cuts: Any) -> bool:
    if not isinstance(cuts, (list, tuple, np.ndarray)):
        return False
    numbers = [isinstance(cut, (int, float)) and bool(np.isfinite(cut)) for cut in cuts]
    return bool(numbers) and all(numbers) and all(a < b for a, b in itertools.pairwise(cuts))


def _in_order(scale: str, declared: Sequence[Any] | None, new: Sequence[str]) -> list[str] | None:
    """Return new labels in the order of the old values, if that is an order and it is not taken from the data alone."""
    if scale != "ordinal" or declared is None:
        return None
    runs = [label for i, label in enumerate(new) if label != _MISSING and (i == 0 or label != new[i - 1])]
    return runs if len(set(runs)) == len(runs) else None
