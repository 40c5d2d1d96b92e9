"""The data sets of the benchmark: samples that are always there, and reference files of the field where they are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacita.core.errors import ParameterError, UnknownMethodError, did_you_mean
from tacita.core.streams import Seed, Streams
from tacita.data.microdata import Microdata
from tacita.data.samples.reference_files import reference_path

__all__ = ["BENCHMARK_SETS", "BenchmarkSet", "find_sets"]


@dataclass(frozen=True, eq=False)
class BenchmarkSet:
    """Open data with a name, and what they are in one sentence."""

    name: str
    data: Microdata
    about: str


def find_sets(
    wanted: Sequence[str] | Mapping[str, Microdata] | None, *, size: int, seed: Seed
) -> tuple[tuple[BenchmarkSet, ...], dict[str, str]]:
    """Make or read the data sets.

    Parameters
    ----------
    wanted
        Names out of :data:`BENCHMARK_SETS`, or data of one's own by name; None for all that are there.
    size
        Records at most. Samples are made with as many; of a larger file as many are drawn at random.
    seed
        Makes samples and draws repeatable.

    Returns
    -------
    tuple of BenchmarkSet, dict of str to str
        The sets, and the reason of each that is not there.

    Raises
    ------
    UnknownMethodError, ParameterError
        When there is no set of a name, or one is named twice.
    """
    if isinstance(wanted, Mapping):
        own = {
            name: BenchmarkSet(name, _drawn(name, data, size, seed), "data of the user")
            for name, data in wanted.items()
        }
        return tuple(own.values()), {}
    names = tuple(BENCHMARK_SETS) if wanted is None else tuple(wanted)
    for name in names:
        if name not in BENCHMARK_SETS:
            raise UnknownMethodError(
                f"There is no benchmark set named '{name}'.{did_you_mean(name, BENCHMARK_SETS)} There are: "
                f"{', '.join(BENCHMARK_SETS)}."
            )
    if len(set(names)) < len(names):
        raise ParameterError("benchmark: the same set is named twice.")
    found: list[BenchmarkSet] = []
    absent: dict[str, str] = {}
    for name in names:
        about, file, make = BENCHMARK_SETS[name]
        path = None if file is None else reference_path(file)
        if file is not None and path is None:
            absent[name] = f"The file '{file}' is not there; set TACITA_REFERENCE_DATA to the directory that has it."
            continue
        found.append(BenchmarkSet(name, _drawn(name, make(path, size, seed), size, seed), about))
    return tuple(found), absent


def _drawn(name: str, data: Microdata, size: int, seed: Seed) -> Microdata:
    """Return as many records as are wanted, drawn at random and kept in their order."""
    if len(data) <= size:
        return data
    rng = Streams(seed).stream("benchmark", "records", name)
    rows = rng.choice(len(data), size, replace=False)
    rows.sort()
    # A copy of its own: a part that is linked to a larger file would be paired with that.
    return Microdata(data.take(rows).to_arrow(), data.schema)


# --- one maker for each set -------------------------------------------------------------------------------------------------

_Maker = Callable[[Path | None, int, Seed], Microdata]


def _households(_: Path | None, size: int, seed: Seed) -> Microdata:
    from tacita.data.samples import household_survey

    return household_survey(size, seed=seed)


def _businesses(_: Path | None, size: int, seed: Seed) -> Microdata:
    from tacita.data.samples import business_survey

    return business_survey(size, seed=seed)


def _persons(_: Path | None, size: int, seed: Seed) -> Microdata:
    from tacita.data.samples import person_register

    return person_register(size, seed=seed)


def _file(path: Path | None, size: int, seed: Seed) -> Microdata:
    del size, seed
    from tacita.data.read import read

    assert path is not None  # noqa: S101 - find_sets looked
    return read(path)


def _utilities(path: Path | None, size: int, seed: Seed) -> Microdata:
    """Read the file without its first five columns, which say who and when, as the papers do."""
    data = _file(path, size, seed)
    return data.drop(data.names[:5])


def _adult(path: Path | None, size: int, seed: Seed) -> Microdata:
    """Read the file with the hierarchies beside it; all columns are keys but the class of salary, which is confidential."""
    from tacita.data.hierarchy import Hierarchy

    assert path is not None  # noqa: S101 - find_sets looked
    data = _file(path, size, seed)
    names = [name for name in data.names if name != "salary-class"]
    trees = {name: path.with_name(f"adult_hierarchy_{name}.csv") for name in names}
    return Microdata.from_frame(
        data.to_arrow(),
        keys=names,
        confidential=["salary-class"],
        scales={name: "nominal" for name in data.names if name != "age"},
        hierarchies={name: Hierarchy.read(file) for name, file in trees.items() if file.is_file()},
    )


BENCHMARK_SETS: dict[str, tuple[str, str | None, _Maker]] = {
    "households": ("made-up survey of households: keys, amounts, weights", None, _households),
    "businesses": ("made-up survey of businesses: keys, skewed amounts, weights", None, _businesses),
    "persons": ("made-up register of persons: nine keys, no amounts", None, _persons),
    "census": ("1080 records, 13 numeric columns of the American census bureau", "census.csv", _file),
    "eia": ("4092 records, 10 numeric columns of the energy authority", "eia.csv", _utilities),
    "tarragona": ("834 businesses, 13 numeric columns of accounts", "tarragona.csv", _file),
    "adult": ("30162 persons, eight keys with hierarchies", "adult/adult.csv", _adult),
}
"""Every set by name: what it is, the reference file that it needs, and how it is made."""
