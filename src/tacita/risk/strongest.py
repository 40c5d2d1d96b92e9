"""The strongest attack: of all that an intruder can do with the columns and the method, what identifies most records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, Self, cast, runtime_checkable

from tacita.core import registry
from tacita.core.attacks import KnownAttack
from tacita.core.errors import ColumnError, MeasureError
from tacita.core.method import Method
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector, all_columns
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.measure import NO_SETTINGS, Measure, Measured, OtherRecords, lean
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair
from tacita.data.scenario import Scenario
from tacita.data.schema import Schema
from tacita.risk.base import Risk
from tacita.risk.synthetic.matching_risk import MatchingRisk

__all__ = [
    "ALWAYS",
    "ALWAYS_SYNTHETIC",
    "SEARCH_SHARE",
    "AttackedMeasured",
    "RunAttack",
    "Strongest",
    "StrongestAttack",
    "strongest_of",
]

ALWAYS = ("dld", "pld", "individual_risk")
"""Attacks that need no knowledge of the method."""
ALWAYS_SYNTHETIC = ("citizen_match", "tcap")
"""The same for synthetic records: as they come from nobody, what counts is what they tell of people with the same keys."""
SEARCH_SHARE = 0.2
"""Share of the usual work that an attack may take on each of the many files of a search."""
_USUAL = Scenario()
_UNKNOWN = "the method was not known to the evaluation, so attacks that use it were not run"


@dataclass(frozen=True)
class StrongestAttack:
    """The attack that identifies most records.

    Parameters
    ----------
    measure
        The registered name of the risk.
    value
        The percentage of records that it identifies rightly; of synthetic records, that tell of a person rightly beyond chance.
    upper
        What counts: the upper end of the 95 % interval where a sample of the records was attacked, otherwise the value.
    knows
        What the intruder knows, in words. It names columns and parameters of the mask, so it stays inside.
    is_sampled
        Whether a sample of the records was attacked.
    """

    measure: str
    value: float
    upper: float
    knows: str
    is_sampled: bool = False

    def as_plain(self) -> dict[str, Any]:
        """Return the attack ready for JSON."""
        return {
            "measure": self.measure,
            "value": self.value,
            "upper": self.upper,
            "knows": self.knows,
            "sampled": self.is_sampled,
        }


class RunAttack(NamedTuple):
    """An attack that was run: the measure, what came out, what is said of it, and what it is called among the parts."""

    measure: Measure
    measured: Measured
    attack: StrongestAttack
    label: str


@dataclass(frozen=True, eq=False)
class AttackedMeasured(Measured):
    """The result of :class:`Strongest`, with all attacks that were run, strongest first."""

    attacks: tuple[RunAttack, ...] = field(default=(), repr=False)


@runtime_checkable
class _Attackable(Protocol):
    """What this room needs to know of a mask."""

    def attacks_on(self, data: Microdata) -> tuple[KnownAttack, ...]: ...


class _Planned(NamedTuple):
    measure: Measure
    label: str
    method: str


@dataclass(frozen=True, kw_only=True)
class Strongest(Risk):
    """Share of records that the strongest attack identifies: the largest of all attacks that can be computed.

    Distance linkage, probabilistic linkage and the individual risk need no knowledge of the method. Every mask further names the
    attacks that it is weakest against, and an intruder knows the method and its parameters, though not the seed: where
    the masked data know which masks made them, those attacks are run with these parameters.

    Parameters
    ----------
    columns
        What the intruder may know at most to link records by. By default each attack has its own choice: the numeric keys for
        those that know nothing of the method, and the columns that a mask worked on for those that know it.
    key_columns
        The columns that together single out records, for the individual risk. By default those that have this role, or
        ``columns`` where they are given.
    knows_sample
        Whether the intruder knows who is in the file; see the measure ``individual_risk``.
    search
        Whether less work is spent on each file, as in a search over many.

    Returns
    -------
    Measured
        Percent of records; each record's chance under the strongest attack; what each attack counts as parts. A sampled
        attack counts by the upper end of its 95 % interval.

    Raises
    ------
    MeasureError
        When no attack can be computed.

    Complexity
    ----------
    That of the attacks: near O(n log n) for most; probabilistic linkage is O(n^2 d) and is bounded by samples, or left out and
    named where that would still take long.

    Notes
    -----
    The columns that a mask worked on are taken as known: whoever masks a column fears that somebody knows it. Give
    ``columns`` for another scenario. With several masks on one column each attack is tried as if its mask were the only one.
    The individual risk counts keys that are categories, and numbers that were not changed: a number that was disturbed is
    rare without being anybody's. Risks that a card has computed already, and that identify records, take part as well and
    are not computed again.

    With records paired by nearness, linkage counts hits of the nearest original, as in the primed measures. Records of a
    synthetic file come from nobody, so that there is nobody to link: there the risks by which people and records meet in their
    keys (``citizen_match``, ``tcap``) take the place of linkage, with what is right beyond chance.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2001), for linkage as a measure of risk; Nin, J., Herranz, J. and Torra, V. (2008),
    Rethinking rank swapping to decrease disclosure risk, for intruders who know the method.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1).drop(["income"])
    >>> money = ["earnings", "other_income", "tax", "savings"]
    >>> masked = tc.mask.RankSwap(columns=money, p=10).apply(data, seed=7)
    >>> found = Strongest(columns=money)(data, masked)
    >>> found.attacks[0].attack.measure
    'rank_swap_linkage'
    >>> found.value > 2 * tc.risk.DistanceLinkage(columns=money)(data, masked).value
    True
    """

    name = "strongest"
    title = "Strongest attack"
    traits = MeasureTraits(scales=SCALES, per_record=True, unit="%", upper=100.0)
    columns: Columns = all_columns()
    key_columns: Columns | None = None
    knows_sample: bool = False
    search: bool = False

    @classmethod
    def under(
        cls,
        scenario: Scenario,
        schema: Schema,
        columns: Columns | None = None,
        settings: Mapping[str, Any] = NO_SETTINGS,
    ) -> Self:
        """Return the measure for what an intruder knows in a scenario; what is measured plays no part."""
        del columns
        chosen: dict[str, Any] = {}
        if scenario.known != _USUAL.known:
            chosen["columns"] = scenario.known
        if scenario.keys != _USUAL.keys or "columns" in chosen:
            chosen["key_columns"] = scenario.keys
        if scenario.knows_sample:
            chosen["knows_sample"] = True
        del schema
        return cls.from_plain({**chosen, **settings})

    def measure(self, pair: Pair, names: tuple[str, ...]) -> AttackedMeasured:
        """Run all attacks and return the strongest."""
        return self.among(pair, names, ())

    def of_card(self, pair: Pair, results: Iterable[tuple[Measure, Measured]]) -> AttackedMeasured:
        """Return the strongest attack, given what a card has computed already."""
        names = pair.resolve(self.columns, owner=type(self).__name__, scales=frozenset(self.traits.scales))
        if not len(pair.rows):
            raise MeasureError(f"{type(self).__name__}: there are no paired records to measure.")
        return self.among(pair, names, [entry for entry in results if _takes_part(pair, type(entry[0]))])

    def among(self, pair: Pair, names: tuple[str, ...], done: Sequence[tuple[Measure, Measured]]) -> AttackedMeasured:
        """Run the attacks that are not done yet, and take the largest of all."""
        run = [_run(pair, _Planned(m, m.name, ""), found) for m, found in done if _is_sound(pair, m)]
        refused: dict[str, str] = {}
        for planned in self._planned(pair, names, refused):
            try:
                measure = planned.measure.fitted(pair, share=SEARCH_SHARE if self.search else 1.0)
                known = next(
                    (i for i, e in enumerate(run) if _is_one_of(pair, e.measure, measure, planned.measure)), None
                )
                if known is None:
                    measured = lean(measure.of_pair(pair), measure, pair)
                    run.append(_run(pair, planned._replace(measure=measure), measured))
                elif planned.method:  # the same attack, now with what makes it the one to fear
                    done_already = run[known]
                    run[known] = _run(pair, planned._replace(measure=done_already.measure), done_already.measured)
            except ColumnError as error:  # without keys there is no risk of keys; a mask's own columns are there
                refused[planned.label] = str(error) if planned.method or not run else ""
            except MeasureError as error:
                refused[planned.label] = str(error)
        if not run:
            reasons = " ".join(dict.fromkeys(reason for reason in refused.values() if reason))
            raise MeasureError(f"{type(self).__name__}: no attack could be computed. {reasons}")
        run.sort(key=lambda entry: -entry.attack.upper)
        first = run[0]
        return AttackedMeasured(
            first.attack.upper,
            parts=_counted(run),
            note="; ".join(_words(first.attack, pair, refused)),
            upper=first.measured.upper,
            attacks=tuple(run),
        ).with_records(OtherRecords(first.measured))

    def _planned(self, pair: Pair, names: tuple[str, ...], refused: dict[str, str]) -> Iterator[_Planned]:
        """Give the attacks to run: those that need no method, then those that the masks name."""
        scenario = None if self.columns == all_columns() else names
        for word in ALWAYS_SYNTHETIC if pair.masked.is_synthetic else ALWAYS:
            kind = _risk(word)
            if issubclass(kind, MatchingRisk):
                known = self._known_keys(pair, kind, scenario)
                if known != {"columns": ()}:
                    yield _Planned(kind.from_plain(known), word, "")
                continue
            if kind.traits.of_file:  # only of keys that were not disturbed, see _is_sound
                keys = self._keys(pair, scenario)
                columns = tuple(n for n in _fitting(pair, kind, keys) if _is_sound(pair, kind(columns=(n,))))
                if columns:
                    yield _Planned(kind.from_plain({"columns": columns, "knows_sample": self.knows_sample}), word, "")
                continue
            columns = () if scenario is None else _fitting(pair, kind, scenario)
            if scenario is None or columns:
                yield _Planned(kind(columns=columns) if columns else kind(), word, "")
        for step in pair.steps:
            for attack in _attacks_on(step, pair.original, refused):
                kind = _risk(attack.measure)
                if pair.masked.is_synthetic and not _takes_part(pair, kind):
                    continue
                label = f"{attack.measure} after {step.name}"
                if issubclass(kind, MatchingRisk):  # its columns are keys, whatever the mask worked on
                    known = self._known_keys(pair, kind, scenario)
                    if known != {"columns": ()}:
                        settings = {**known, **attack.settings}
                        yield _Planned(kind.from_plain(settings), label, f"{step.name}: {attack.knows}")
                    continue
                # A mask that worked on numbers tells nothing about the bands that they became later.
                columns = tuple(n for n in _fitting(pair, kind, attack.columns or names) if n not in pair.banded)
                if scenario is not None:
                    allowed = {*scenario, *self._keys(pair, scenario)}
                    columns = tuple(name for name in columns if name in allowed)
                if attack.columns and not columns:
                    refused[label] = "the intruder knows none of the columns that it masked, as they are in both files."
                    continue
                chosen = {"columns": columns} if attack.columns or scenario is not None else {}
                if chosen == {"columns": ()}:
                    continue
                yield _Planned(kind(**chosen, **attack.settings), label, f"{step.name}: {attack.knows}")

    def _known_keys(
        self, pair: Pair, kind: type[Measure], scenario: tuple[str, ...] | None
    ) -> dict[str, tuple[str, ...]]:
        """Return the keys of a risk by which people and records meet; nothing where its own choice is meant."""
        if scenario is None and self.key_columns is None:
            return {}
        return {"columns": _fitting(pair, kind, self._keys(pair, scenario))}

    def _keys(self, pair: Pair, scenario: tuple[str, ...] | None) -> tuple[str, ...]:
        """Return the columns that single out records: those named, or the intruder's columns, or the keys of the schema."""
        schema = pair.original.schema
        if self.key_columns is None:
            return schema.with_role("key") if scenario is None else scenario
        named = self.key_columns
        return named.pick(schema.columns) if isinstance(named, Selector) else tuple(named)


def _takes_part(pair: Pair, kind: type[Measure]) -> bool:
    """Whether a risk of a card can be the strongest attack: nobody links records that come from nobody."""
    if pair.masked.is_synthetic:
        return issubclass(kind, MatchingRisk)
    return kind.traits.identifies


def _risk(name: str) -> type[Measure]:
    return cast(type[Measure], registry.find("risk", name))


def _attacks_on(step: Method, original: Microdata, refused: dict[str, str]) -> tuple[KnownAttack, ...]:
    """Return the attacks that a mask names; a column that an earlier step made is not in the original."""
    if not isinstance(step, _Attackable):
        return ()
    try:
        return step.attacks_on(original)
    except ColumnError as error:
        refused[step.name] = str(error)
        return ()


def _is_sound(pair: Pair, measure: Measure) -> bool:
    """Whether a risk of the masked file alone may count: rare numbers that were disturbed find nobody by being rare."""
    if not measure.traits.of_file or measure.name == "replay_linkage":
        return True
    names = pair.resolve(measure.columns, owner=type(measure).__name__, scales=frozenset(measure.traits.scales))
    return all(pair.original.schema[name].scale != "numeric" or pair.is_unchanged(name) for name in names)


def _fitting(pair: Pair, kind: type[Measure], names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that a risk can compare in both files."""
    scales, pair = kind.traits.scales, pair.seen_by(frozenset(kind.traits.scales))
    return tuple(
        name
        for name in names
        if all(name in data.schema and data.schema[name].scale in scales for data in (pair.original, pair.masked))
    )


def strongest_of(measure: Measure, measured: Measured, knows: str = "") -> StrongestAttack:
    """Return what is said of one risk that identifies records; its note where nothing else is known of the intruder."""
    counts = measured.value if measured.upper is None else measured.upper
    return StrongestAttack(measure.name, measured.value, counts, knows or measured.note, measured.upper is not None)


def _run(pair: Pair, planned: _Planned, measured: Measured) -> RunAttack:
    measure = planned.measure
    columns = pair.resolve(measure.columns, owner=type(measure).__name__, scales=frozenset(measure.traits.scales))
    knows = f"the true values of {', '.join(columns)}{'; ' if planned.method else ''}{planned.method}"
    return RunAttack(measure, measured, strongest_of(measure, measured, knows), planned.label)


def _is_one_of(pair: Pair, run: Measure, *others: Measure) -> bool:
    """Whether an attack that was run is one of others, however its columns were named."""

    def named(measure: Measure) -> Measure:
        owner, scales = type(measure).__name__, frozenset(measure.traits.scales)
        return replace(measure, columns=pair.resolve(measure.columns, owner=owner, scales=scales))

    return any(type(run) is type(other) and named(run) == named(other) for other in others)


def _counted(run: Sequence[RunAttack]) -> dict[str, float]:
    """Return what each attack counts, by what it is called; two of one name, such as two swaps, are numbered."""
    labels = [entry.label for entry in run]
    numbered = [
        f"{name} #{labels[: i + 1].count(name)}" if labels.count(name) > 1 else name for i, name in enumerate(labels)
    ]
    return {label: entry.attack.upper for label, entry in zip(numbered, run, strict=True)}


def _words(first: StrongestAttack, pair: Pair, refused: dict[str, str]) -> list[str]:
    words = [f"{first.measure}; the intruder knows {first.knows}"]
    if first.is_sampled:
        words.append(f"a sample gave {first.value:.2f}, and the upper end of its 95 % interval counts")
    if not pair.steps:
        words.append(_UNKNOWN)
    words += [f"not run: {label} ({reason.rstrip('.')})" for label, reason in refused.items() if reason]
    return words
