"""One register of the census study: everything that is counted of it, and several registers put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.streams import Seed
from tacita.study.census_attacks import RegionDifferences, averages, differences, undone_by_method
from tacita.study.census_counts import CountPairs, crossed_pairs, crossings_of
from tacita.study.census_material import BOUNDS, DESIGNS, VARIABLES, CensusMaterial, make_material
from tacita.study.census_sets import SetFigures, set_figures
from tacita.tables.perturbation.user_information import inform_users
from tacita.tables.readers.count_intervals import Undone

__all__ = ["CensusRound", "joined_rounds", "one_round"]

Frequencies = dict[int, tuple[int, int]]
"""For each deviation how many cells have it, truly and as told."""


@dataclass(frozen=True, eq=False)
class CensusRound:
    """What one register gave, or several together.

    Parameters
    ----------
    controlled, free
        Cells of SAFE in tables of up to three variables, which are controlled, and of four, which are not.
    test
        Cells of the test table: by ``SAFE``, or by design and ``noise D=3``, ``additive D=3`` and so on.
    told
        Deviations of SAFE and of noise with D = 3, as they are and as told to users.
    undone, averaged, differenced
        What attackers found.
    largest
        Largest deviation of SAFE in controlled tables.
    is_safe
        Whether the file under SAFE has no combination with one or two records.
    sums_off
        Sums that do not hold in additive tables.
    notes
        What restoring the sums had to give up.
    sets
        Several tables at once; of the first register where there are several.
    """

    controlled: CountPairs = field(repr=False)
    free: CountPairs = field(repr=False)
    test: dict[tuple[str, str], CountPairs] = field(repr=False)
    told: dict[str, Frequencies]
    undone: dict[str, Undone]
    averaged: FloatArray = field(repr=False)
    differenced: dict[str, RegionDifferences] = field(repr=False)
    largest: int
    is_safe: bool
    sums_off: int
    notes: tuple[str, ...]
    sets: tuple[SetFigures, ...]


def one_round(persons: int, seed: Seed, regions: int) -> CensusRound:
    """Make one register, protect it in all ways, and count; ``regions`` is that of the sets of tables."""
    material = make_material(persons, seed)
    variables = material.original.select(VARIABLES)
    noisy = material.noisy[DESIGNS[0], BOUNDS[0]]
    under_safe = replace(noisy.protected, values=material.safe.astype(np.float64))
    return CensusRound(
        controlled=crossed_pairs(variables, material.masked, crossings_of(VARIABLES, (1, 2, 3))),
        free=crossed_pairs(variables, material.masked, crossings_of(VARIABLES, (4,))),
        test=_test_cells(material),
        told={
            "SAFE": inform_users(under_safe, key=material.key).frequencies,
            f"noise D={BOUNDS[0]}": inform_users(noisy.protected, key=material.key).frequencies,
        },
        undone=undone_by_method(material),
        averaged=averages(material),
        differenced=differences(material),
        largest=material.largest,
        is_safe=material.is_safe,
        sums_off=sum(one.sums_off for one in material.noisy.values()),
        notes=tuple(f"{design} D={D}: {note}" for (design, D), one in material.noisy.items() for note in one.notes),
        sets=tuple(set_figures(persons, regions, material.key, seed)),
    )


def _test_cells(material: CensusMaterial) -> dict[tuple[str, str], CountPairs]:
    truth = material.truth
    found = {("", "SAFE"): CountPairs.of(truth, material.safe)}
    for (design, D), one in material.noisy.items():
        found[design, f"noise D={D}"] = CountPairs.of(truth, one.noisy)
        found[design, f"additive D={D}"] = CountPairs.of(truth, one.additive)
    return found


def joined_rounds(rounds: Sequence[CensusRound]) -> CensusRound:
    """Put several registers together: cells one after the other, frequencies added, averages averaged."""
    first = rounds[0]
    told: dict[str, Frequencies] = {}
    for way in first.told:
        states = sorted({d for one in rounds for d in one.told[way]})
        each = {d: [one.told[way].get(d, (0, 0)) for one in rounds] for d in states}
        told[way] = {d: (sum(n for n, _ in all_), sum(m for _, m in all_)) for d, all_ in each.items()}
    return CensusRound(
        controlled=CountPairs.joined(one.controlled for one in rounds),
        free=CountPairs.joined(one.free for one in rounds),
        test={name: CountPairs.joined(one.test[name] for one in rounds) for name in first.test},
        told=told,
        undone={
            way: Undone(
                sum(one.undone[way].small for one in rounds),
                sum(one.undone[way].known_small for one in rounds),
                sum(one.undone[way].exact for one in rounds),
            )
            for way in first.undone
        },
        averaged=np.mean([one.averaged for one in rounds], axis=0),
        differenced={
            way: RegionDifferences(
                np.concatenate([one.differenced[way].truth for one in rounds]),
                np.concatenate([one.differenced[way].found for one in rounds]),
            )
            for way in first.differenced
        },
        largest=max(one.largest for one in rounds),
        is_safe=all(one.is_safe for one in rounds),
        sums_off=sum(one.sums_off for one in rounds),
        notes=tuple(note for one in rounds for note in one.notes),
        sets=first.sets,
    )
