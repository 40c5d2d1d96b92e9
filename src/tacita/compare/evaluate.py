"""Evaluate: run every applicable measure on a masked file and its original."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tacita.compare.parts import find_measure
from tacita.compare.score import Score, fitting_score
from tacita.compare.scorecard import Scorecard, quoted_names
from tacita.core import registry
from tacita.core.arrays import BoolArray
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.parameters import Columns
from tacita.core.progress import track
from tacita.core.selectors import Selector
from tacita.data.measure import LARGE_FILE, Measure, Measured, OtherRecords, lean
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair, Pairing, check_files, pair_records
from tacita.data.scenario import Scenario, ScenarioLike
from tacita.data.schema import Schema
from tacita.release.recipe import Recipe
from tacita.release.release import Release
from tacita.risk.strongest import ALWAYS, ALWAYS_SYNTHETIC, AttackedMeasured, Strongest

__all__ = [
    "AskedMeasures",
    "default_measures",
    "evaluate",
    "find_measure",
    "known_release",
    "measure_pair",
    "score_pairing",
]


def evaluate(
    original: Microdata,
    masked: Microdata | Release,
    *,
    measures: Sequence[str | Measure] | None = None,
    columns: Columns | None = None,
    scenario: ScenarioLike = None,
    pairing: Pairing = "auto",
    among: BoolArray | None = None,
    score: str | Path | Score | None = None,
) -> Scorecard:
    """Measure what masking cost and what risk is left.

    Parameters
    ----------
    original
        The data before masking.
    masked
        The data after masking, or the release. Where they know the masks that made them, the attacks that these are weakest
        against are run with their parameters.
    measures
        Names of registered measures, or measures with parameters of their own; by default every applicable one
        that stands on a card by default (``tacita methods`` says which). A card of synthetic records has those of synthetic
        files too, and not those that only mean something where a record came from another.
    columns
        The columns that are measured: compared by losses, and guessed in interval disclosure. For measures given by name; by
        default each measure's own choice. What the intruder knows is another matter: see ``scenario``.
    scenario
        What the intruder knows, for risks given by name: a :class:`Scenario`, its words, or a file. By default the keys of the
        schema; records are linked by the numeric keys, and where there are none by all numeric columns.
    pairing
        ``auto`` pairs by the link kept inside and otherwise by the nearest record (primed measures); ``order`` pairs by
        row order, ``link`` and ``nearest`` insist on the one or the other.
    among
        Measure only some records: for each original record whether it belongs to them. Each is still compared with the
        whole of the other file, so a linked record was found among all.
    score
        How the score is made: a :class:`Score`, the name of one (``default``, ``categorical``, ``mixed``, ``synthetic``,
        ``plain``, ``overview``, ``primed``) or a TOML file. By default one of the first three, for the numbers and categories
        that are measured, and ``synthetic`` for a synthetic file. The measures that it needs are taken with it; one that cannot
        be computed leaves the card without a score.

    Returns
    -------
    Scorecard
        Measures by name; those that cannot be computed are listed with the reason, and its notes name the columns of the
        original that could not be compared.

    Raises
    ------
    ParameterError
        When ``measures`` has two different measures of one name, or another argument is not what it may be.
    ColumnError
        When a file does not have one of the ``columns``.
    MeasureError
        When the files share no column, cannot be paired as asked for, or no measure at all can be computed for the
        columns.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    >>> card = tc.evaluate(data, masked, columns=["income"])
    >>> card.pairing
    'link'
    >>> card["rid"] <= 100
    True
    """
    released = known_release(masked)
    check_files(original, released)
    known = Scenario.of(scenario)
    known.check(original.schema)
    scoring = fitting_score(score, original.schema, columns, known, is_synthetic=released.is_synthetic)
    pair = pair_records(original, released, score_pairing(pairing, scoring))
    if among is not None:
        pair = pair.among(among)
    asked_for = AskedMeasures(columns, known, original.schema)
    scored = None if score is None else scoring
    chosen = asked_for.measures(measures, scored, is_synthetic=released.is_synthetic)
    needed = {m if isinstance(m, str) else m.name for m in measures or ()}
    if columns is not None and not isinstance(columns, (str, Selector)):
        pair.check_shared(columns, owner="evaluate")
    asked = {*needed, *(() if score is None else scoring.measures)}
    results, skipped = measure_pair(pair, chosen, needed, as_asked=asked)
    card = Scorecard(
        original=original,
        masked=released,
        results=results,
        skipped=skipped,
        pairing=pair.how,
        scoring=scoring,
        scenario=known,
    )
    if skipped and not results and (columns is not None or (measures is None and card.notes)):
        of_what = "for these columns" if columns is not None else "of these files"
        why = " ".join([*card.notes, *(f"{', '.join(names)}: {reason}" for reason, names in card.reasons.items())])
        raise MeasureError(f"No measure could be computed {of_what}. {why}")
    return card


def measure_pair(
    pair: Pair,
    chosen: Sequence[Measure],
    needed: Collection[str] = (),
    *,
    as_asked: Collection[str] = (),
    share: float = 1.0,
) -> tuple[dict[str, tuple[Measure, Measured]], dict[str, str]]:
    """Take measures of paired files; return results, and the reasons of those that cannot be computed and need not be.

    Parameters
    ----------
    pair
        The paired files.
    chosen
        The measures.
    needed
        Names of measures that were asked for: one that cannot be computed raises.
    as_asked
        Names of measures that run as they are, however long; the others are bounded in time.
    share
        The share of the usual work that such a bounded measure may do.
    """
    results: dict[str, tuple[Measure, Measured]] = {}
    skipped: dict[str, str] = {}
    for measure in track(sorted(chosen, key=lambda m: isinstance(m, Strongest)), "Measuring"):
        try:
            if isinstance(measure, Strongest):  # comes last and takes what is there
                found = measure.of_card(pair, list(results.values()))
                results = _with_attacks(results, measure, _lean_attacks(found, pair))
                continue
            fitted = measure if measure.name in as_asked else measure.fitted(pair, share=share)
            measured = _with_note(fitted.of_pair(pair), _left_out(measure, pair))
            results[measure.name] = (fitted, lean(measured, fitted, pair))
        except (MeasureError, ColumnError) as error:
            if measure.name in needed:
                raise  # a measure that was asked for by name must not vanish from the card
            left_out = _left_out(measure, pair)
            skipped[measure.name] = f"{error} It is {left_out}." if left_out else str(error)
    return results, skipped


def _lean_attacks(found: AttackedMeasured, pair: Pair) -> AttackedMeasured:
    """Do as :func:`lean` for every attack; the records of the whole are those of the strongest, which comes first."""
    if len(pair.rows) < LARGE_FILE:
        return found
    attacks = tuple(a._replace(measured=lean(a.measured, a.measure, pair)) for a in found.attacks)
    return replace(found, per_record=None, attacks=attacks).with_records(OtherRecords(attacks[0].measured))


def known_release(masked: Microdata | Release) -> Microdata:
    """Return the masked data; those of a release know the steps of its recipe."""
    if not isinstance(masked, Release):
        return masked
    return masked.data if masked.data.history else masked.data.with_history(Recipe.from_toml(masked.recipe))


def _with_attacks(
    results: Mapping[str, tuple[Measure, Measured]], measure: Strongest, found: AttackedMeasured
) -> dict[str, tuple[Measure, Measured]]:
    """Put the strongest attack first among the risks, and the attacks that know the method last, each name once."""
    losses = {name: entry for name, entry in results.items() if entry[0].kind == "loss"}
    usual = {*ALWAYS, *ALWAYS_SYNTHETIC}
    further = {a.measure.name: (a.measure, a.measured) for a in reversed(found.attacks) if a.measure.name not in usual}
    return {
        **losses,
        measure.name: (measure, found),
        **results,
        **{n: e for n, e in further.items() if n not in results},
    }


def _left_out(measure: Measure, pair: Pair) -> str:
    """Return in words the columns that the rule of a measure selects in the original and that it cannot compare."""
    absent, misfits = pair.left_out(measure.columns, scales=frozenset(measure.traits.scales))
    words = [f"without {quoted_names(absent, 5)}, not in the masked file"] if absent else []
    words += [f"without {quoted_names(misfits, 5)}, numeric in one file only"] if misfits else []
    return "; ".join(words)


def _with_note(measured: Measured, note: str) -> Measured:
    return replace(measured, note="; ".join(words for words in (measured.note, note) if words)) if note else measured


@dataclass(frozen=True)
class AskedMeasures:
    """What is measured in data of a schema, and what the intruder knows of them."""

    columns: Columns | None
    scenario: Scenario
    schema: Schema

    def build(self, name: str) -> Measure:
        """Return the measure of a name."""
        return find_measure(name).under(self.scenario, self.schema, self.columns)

    def measures(
        self, given: Sequence[str | Measure] | None, scoring: Score | None = None, *, is_synthetic: bool = False
    ) -> list[Measure]:
        """Return the measures to take: those asked for or all default ones, and those of the score where there is one."""
        usual = default_measures(is_synthetic=is_synthetic) if given is None else given
        asked = _one_of_each([self._built(m) for m in usual])
        return asked if scoring is None else self._with_parts(asked, scoring, given or ())

    def _built(self, measure: str | Measure) -> Measure:
        if isinstance(measure, Measure):
            return measure
        if not isinstance(measure, str):
            raise ParameterError(f"evaluate: 'measures' must be names or measures, got {type(measure).__name__}.")
        return self.build(measure)

    def _with_parts(self, asked: list[Measure], scoring: Score, given: Sequence[str | Measure]) -> list[Measure]:
        """Add the measures of the score, with the parameters that it gives them."""
        chosen = {measure.name: measure for measure in asked}
        own = {measure.name for measure in given if isinstance(measure, Measure)}
        for part in scoring.parts:
            built = part.build(self.scenario, self.schema, self.columns)
            if part.measure not in own:
                chosen[part.measure] = built
            elif part.parameters and built != chosen[part.measure]:
                raise ParameterError(
                    f"evaluate: the score '{scoring.name}' and 'measures' give '{part.measure}' different parameters."
                )
        return list(chosen.values())


def _one_of_each(measures: Sequence[Measure]) -> list[Measure]:
    """Refuse two different measures of one name: results are kept by name, and one of them would vanish."""
    found: dict[str, Measure] = {}
    for measure in measures:
        if found.setdefault(measure.name, measure) != measure:
            raise ParameterError(
                f"'measures' must have one measure of each name, got '{measure.name}' twice with different parameters; "
                "take them one after the other."
            )
    return list(found.values())


def score_pairing(asked: Pairing, scoring: Score) -> Pairing:
    """Return how to pair: a score of primed measures needs the nearest record."""
    if scoring.pairing in ("auto", asked):
        return asked
    if asked != "auto":
        raise ParameterError(
            f"evaluate: the score '{scoring.name}' is made of primed measures, so 'pairing' must be "
            f"'{scoring.pairing}', got '{asked}'."
        )
    return scoring.pairing


def default_measures(*, is_synthetic: bool) -> list[str]:
    """Return the measures that stand on a card where none are named.

    Records that come from nobody have no originals to be compared with, and a rare one finds nobody: of the usual measures
    those of pairs and those of the file alone stay away.
    """
    kinds = [m for m in registry.methods() if issubclass(m, Measure)]
    if not is_synthetic:
        return [m.name for m in kinds if m.traits.by_default]
    usual = (m for m in kinds if m.traits.by_default and not m.traits.paired and not m.traits.of_file)
    return [m.name for m in dict.fromkeys((*usual, *(m for m in kinds if m.traits.of_synthetic)))]
