"""Tallies of files that are never read into memory: DuckDB adds up, and only cells and large contributors come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, FileError, did_you_mean
from tacita.data.file_query import SOURCE, asking, check_memory, form_of, quoted, typed
from tacita.data.formats.base import plain_types
from tacita.data.formats.csv_form import CsvForm
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import read_declarations
from tacita.data.tabulate import TINY, Shares, Sums, Tally, TallyRequest, coded

__all__ = ["FileColumns", "tally_file"]

Facts = Mapping[str, Mapping[str, Any]]

_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf(inity)?|nan)"
_BLANKS = " \t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_MISSING_WORDS = ("", "NA", "NaN", "N/A", "NULL", "null", "nan", ".")


def tally_file(
    path: str | Path,
    request: TallyRequest,
    *,
    schema: Schema | str | Path | None = None,
    memory: str = "4GB",
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Tally:
    """Tally a Parquet or CSV file without reading it into memory.

    Parameters
    ----------
    path
        The file: .parquet, .csv, .tsv or .txt. The path is taken as it is: no pattern, and no columns from its directories.
    request
        What is to be added up.
    schema
        A schema file or a schema, for roles, hierarchies and missing codes.
    memory
        How much memory DuckDB may use; what does not fit lies in a temporary directory, which is gone afterwards.
    separator, decimal, encoding
        Of a CSV file; found out when left out. The encoding must be UTF-8.

    Notes
    -----
    Contributors in one cell only are cut down to the largest inside DuckDB; those in several cells come back in full, one
    row for each cell. Sums of broken numbers may differ in the last digits from one run to the next.
    """
    path = Path(path)
    check_memory(memory)
    declared = _declared(schema)
    known, form = form_of(path, separator, encoding)
    file = FileColumns(request, declared, form, decimal)
    file.check_names(known)
    with asking(path, form, memory, "cells", in_order=True) as connection:
        _prepare(connection, file)
        codes = plain_types(connection.sql(f"select {_names('d', len(request.by))} from cells").to_arrow_table())
        responses = tuple(_response(connection, file, j) for j in range(len(request.responses)))
    table = codes.rename_columns(list(request.by))
    small = typed(table, {name: declared[name] for name in request.by if name in declared}, form, decimal)
    positions, categories = coded(small, request.by)
    return Tally(tuple(small.schema), positions, categories, responses)


def _declared(schema: Schema | str | Path | None) -> Facts:
    if schema is None:
        return {}
    if isinstance(schema, Schema):
        words = [field.name for field in fields(Column) if field.name != "name"]
        return {column.name: {word: getattr(column, word) for word in words} for column in schema}
    return read_declarations(Path(schema))


# --- columns as DuckDB computes them ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileColumns:
    """The columns of a file as DuckDB is to read them: numbers, missing codes and owners, as they are when it is in memory."""

    request: TallyRequest
    declared: Facts
    form: CsvForm | None
    decimal: str | None

    def _role(self, role: str) -> str | None:
        return next((name for name, facts in self.declared.items() if role in facts.get("roles", ())), None)

    @property
    def weight(self) -> str | None:
        return self._role("weight") if self.request.weight is None else self.request.weight or None

    @property
    def holding(self) -> str | None:
        return self._role("household") if self.request.holding is None else self.request.holding or None

    @property
    def numbers(self) -> dict[str, str]:
        """The columns of numbers and their names in the working table; responses that count records have none."""
        found = {f"x{j}": name for j, name in enumerate(self.request.responses) if name}
        more = {"w": self.weight, "s": self.request.shadow, "c": self.request.cost, "p": self.request.present}
        return found | {short: name for short, name in more.items() if name is not None}

    @property
    def owners(self) -> dict[str, str]:
        found = {"u": self.request.contributor, "h": self.holding}
        return {short: name for short, name in found.items() if name is not None}

    def check_names(self, known: Sequence[str]) -> None:
        for name in [*self.request.by, *self.numbers.values(), *self.owners.values()]:
            if name not in known:
                raise ColumnError(f"Column '{name}' is not in the data.{did_you_mean(name, known)}")
            scale = self.declared.get(name, {}).get("scale", "numeric")
            if name in self.numbers.values() and scale != "numeric":
                raise ColumnError(f"Column '{name}' must be numeric here, but its scale is {scale}.")

    @property
    def sign(self) -> str | None:
        """The decimal sign, None where it is to be found out."""
        if self.form is None or self.form.separator == ",":
            return self.decimal or "."
        return self.decimal

    def number(self, name: str) -> str:
        """Null where the value is missing, infinity where it is no number."""
        missing = self.declared.get(name, {}).get("missing", ())
        column = quoted(name)
        if self.form is not None:
            column = f"trim({column}, {_text(_BLANKS)})"
            words = [*_MISSING_WORDS, *(code for code in missing if isinstance(code, str))]
            column = f"case when {column} in ({', '.join(map(_text, words))}) then null else {column} end"
        plain = f"replace({column}, ',', '.')" if self.sign != "." else column
        cast = f"try_cast({plain} as double)"
        if self.form is not None:
            cast = f"case when {self._is_number(plain, cast, name)} then {cast} end"
        gone = [f"isnan({cast})"]
        for code in missing:
            if isinstance(code, tuple):
                gone.append(f"{cast} between {float(code[0])!r} and {float(code[1])!r}")
            elif not isinstance(code, str):
                gone.append(f"{cast} = {float(code)!r}")
        return f"case when {column} is null or {' or '.join(gone)} then null else coalesce({cast}, 'inf'::double) end"

    def _is_number(self, text: str, cast: str, name: str) -> str:
        """What :mod:`tacita.data.formats.values` calls a number, for DuckDB, which takes more and loses digits silently."""
        kept = [
            f"regexp_full_match({text}, '{_NUMBER}')",
            f"not ({cast} = 0 and regexp_matches({text}, '^[+-]?[0.]*[1-9]'))",
            f"not (abs({cast}) >= 9007199254740992 and isfinite({cast}) and not regexp_matches({text}, '[eE]') "
            f"and (regexp_matches({text}, '[.]0*[1-9]') or "
            f"try_cast(split_part({text}, '.', 1) as hugeint) is distinct from try_cast({cast} as hugeint)))",
        ]
        if self.declared.get(name, {}).get("scale") != "numeric":
            kept += [
                rf"not regexp_matches({text}, '^[+-]?0[0-9]|^\+[0-9]+$')",
                f"not (regexp_full_match({text}, '-?[0-9]+') and try_cast({text} as bigint) is null)",
            ]
        return " and ".join(kept)

    def owner(self, name: str) -> str:
        """Null where the value is missing; text of a CSV file, and whatever a Parquet file has."""
        codes = [code for code in self.declared.get(name, {}).get("missing", ()) if not isinstance(code, tuple)]
        column = quoted(name)
        gone = f"{column}::varchar in ({', '.join(_text(str(code)) for code in codes)})"
        return f"case when {gone} then null else {column} end" if codes else column


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _names(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{i}" for i in range(count))


# --- the working tables -----------------------------------------------------------------------------------------------


def _prepare(connection: Any, file: FileColumns) -> None:
    """Read the file once: the columns that matter, the cell of each record, and numbers for contributors."""
    by = file.request.by
    chosen = ["row_number() over () - 1 as rec"]
    chosen += [f"{quoted(name)} as d{i}" for i, name in enumerate(by)]
    chosen += [f"{file.number(name)} as {short}" for short, name in file.numbers.items()]
    chosen += [f"{file.owner(name)} as {short}" for short, name in file.owners.items()]
    if file.sign is None:
        texts = [quoted(name) for name in file.numbers.values()]
        for word, sign in (("comma", ","), ("point", ".")):
            chosen.append(
                f"({' or '.join(f'coalesce(contains({t}, {_text(sign)}), false)' for t in texts) or 'false'}) as {word}"
            )
    connection.execute(f"create temp table base as select {', '.join(chosen)} from {SOURCE}")
    _check(connection, file)
    keys = _names("d", len(by))
    connection.execute(
        f"create temp table cells as select row_number() over () - 1 as cell, * from (select distinct {keys} from base)"
    )
    same = " and ".join(f"base.d{i} is not distinct from cells.d{i}" for i in range(len(by)))
    kept = ["cells.cell", "base.rec", *(f"base.{short}" for short in file.numbers)]
    joins = f"base join cells on {same}"
    for short in file.owners:
        query = f"select count(*) from base where {short} is not null and try_cast({short} as bigint) is null"
        # Whole numbers are numbered by size, as they are when the file is read.
        order = short if connection.sql(query).fetchall()[0][0] else f"try_cast({short} as bigint), {short}"
        connection.execute(
            f"create temp table {short}_numbers as select {short}, row_number() over (order by {order}) - 1 as number "
            f"from (select distinct {short} from base where {short} is not null)"
        )
        kept.append(f"coalesce({short}_numbers.number, (select count(*) from {short}_numbers) + base.rec) as {short}")
        joins += f" left join {short}_numbers on base.{short} = {short}_numbers.{short}"
    connection.execute(f"create temp table records as select {', '.join(kept)} from {joins}")
    connection.execute("drop table base")
    connection.execute("create temp table ordered as select * from cells order by cell")
    connection.execute("drop table cells")
    connection.execute("alter table ordered rename to cells")


def _check(connection: Any, file: FileColumns) -> None:
    """Raise when a column has something else than numbers, or a weight cannot be one."""
    if file.sign is None:
        query = "select coalesce(bool_or(comma) and bool_or(point), false) from base"
        if connection.sql(query).fetchall()[0][0]:
            raise FileError(
                "Some numbers have decimal commas and some have decimal points; say which is right with decimal=',' or "
                "decimal='.'."
            )
    for short, name in file.numbers.items():
        bad = connection.sql(f"select count(*) from base where isinf({short})").fetchall()[0][0]
        if bad:
            raise DataError(f"Column '{name}' must hold finite numbers, but {bad} of its values are none.")
        if short == "w":
            bad = connection.sql("select count(*) from base where not coalesce(w >= 0, false)").fetchall()[0][0]
            if bad:
                raise DataError(
                    f"The weight '{name}' is negative or missing in {bad} records; weights must be 0 or more."
                )


# --- what comes back --------------------------------------------------------------------------------------------------


def _response(connection: Any, file: FileColumns, j: int) -> Sums:
    x = f"x{j}" if file.request.responses[j] else "1.0"
    w = "w" if "w" in file.numbers else "1.0"
    size = "coalesce(s, 0.0)" if "s" in file.numbers else x
    cost = "coalesce(c, 0.0)" if "c" in file.numbers else "0.0"
    there = f"({x} is not null and p is not null)" if "p" in file.numbers else f"{x} is not null"
    found = connection.sql(
        f"select cells.cell, count(*) filter (where {there} and rec is not null)::bigint, "
        + ", ".join(
            f"coalesce(fsum({v}) filter (where {there}), 0.0)"
            for v in (w, f"{w} * {x}", f"{w} * {size}", f"{w} * {cost}")
        )
        + f", count(*) filter (where not ({there}))::bigint, coalesce(bool_or({x} < 0 or ({there} and {size} < 0)), false) "
        "from cells left join records using (cell) group by cells.cell order by cells.cell"
    ).fetchnumpy()
    _, records, weights, amounts, shadow, costs, left_out, negative = (np.asarray(v) for v in found.values())
    by_unit = "u" if "u" in file.owners else None
    return Sums(
        records=records.astype(np.int64),
        weights=weights,
        amounts=amounts,
        shadow=shadow if "s" in file.numbers else None,
        cost=costs if "c" in file.numbers else None,
        units=_shares(connection, file, (there, size, w), by_unit, records),
        holdings=_shares(connection, file, (there, size, w), "h", records) if "h" in file.owners else None,
        left_out=int(left_out.sum()),
        has_negative=bool(negative.any()),
    )


def _shares(
    connection: Any, file: FileColumns, expressions: tuple[str, str, str], owner: str | None, records: IntArray
) -> Shares:
    there, size, w = expressions
    depth, cells = file.request.depth, len(records)
    without_sign = f"greatest(abs({size}), {TINY!r})"
    columns = [size, without_sign, f"{w} * {without_sign}"]
    kept = len(columns) if "w" in file.numbers else 1
    if owner is None:
        values = ", ".join(f"({column})::double as v{i}" for i, column in enumerate(columns[:kept]))
        found = connection.sql(
            f"select cell, rec as owner, {values} from records where {there} "
            f"qualify row_number() over (partition by cell order by abs({size}) desc, rec) <= {depth}"
        ).fetchnumpy()
        rows = _rows(found, kept)
        return Shares(*rows, records - np.bincount(rows[0], minlength=cells), True)
    values = ", ".join(f"fsum({column}) as v{i}" for i, column in enumerate(columns[:kept]))
    grouped = (
        f"select cell, owner, {_names('v', kept)}, count(*) over (partition by owner) as places "
        f"from (select cell, {owner} as owner, {values} from records where {there} group by all)"
    )
    found = connection.sql(
        f"select cell, owner, {_names('v', kept)}, places from ({grouped}) qualify places > 1 "
        f"or row_number() over (partition by cell, places > 1 order by abs(v0) desc, owner) <= {depth}"
    ).fetchnumpy()
    alone = connection.sql(
        f"select cell, count(*)::bigint as n from ({grouped}) where places = 1 group by cell"
    ).fetchnumpy()
    cell, numbers, sums = _rows(found, kept)
    others = np.bincount(np.asarray(alone["cell"], np.int64), np.asarray(alone["n"]), cells).astype(np.int64)
    others -= np.bincount(cell[np.asarray(found["places"]) == 1], minlength=cells)
    return Shares(cell=cell, owner=numbers, sums=sums, others=others)


def _rows(found: Mapping[str, Any], kept: int) -> tuple[IntArray, IntArray, FloatArray]:
    sums = np.stack([np.asarray(found[f"v{i}"], np.float64) for i in range(kept)])
    return np.asarray(found["cell"], np.int64), np.asarray(found["owner"], np.int64), sums
