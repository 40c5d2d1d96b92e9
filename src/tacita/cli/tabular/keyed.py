"""Tables with keys on the command line: who the records are, and which data a key was used with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli.files import read_input
from tacita.cli.tabular.cells import dimensions_of
from tacita.cli.tabular.records import Records, table_of
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.tables.model.table import Table
    from tacita.tables.perturbation.key_use import KeyUse
    from tacita.tables.protect.protector import Protector

__all__ = ["DataVersion", "Identity", "KeyOptions", "KeyUses", "Revision", "Unit", "key_files", "uses_beside"]

Identity = Annotated[
    str | None,
    typer.Option("--identity", help="For cell_key: the column that says who a record is, the same in every version."),
]
Unit = Annotated[
    str | None, typer.Option("--unit", help="For cell_key: what a record is; each unit has keys of its own. [person]")
]
KeyUses = Annotated[
    Path | None,
    typer.Option(
        "--key-uses", help="File with the data versions that a key was used with. Default: KEY.uses beside the key."
    ),
]
DataVersion = Annotated[
    str | None, typer.Option("--data-version", help="Name of the data version. Default: a keyed digest of the data.")
]
Revision = Annotated[
    bool,
    typer.Option(
        "--revision", help="The data are a revision of those that the key was used with; records keep their keys."
    ),
]

_NOT_KEYED = ("contributor", "holding", "shadow", "cost", "request", "waiver", "lower", "upper")


def uses_beside(key: str | Path, given: Path | None, version: str | None, is_revision: bool) -> KeyUse:
    """Return where it stands which data a key was used with: the file given, or the one beside the key."""
    from tacita.tables.perturbation.key_use import KeyUse

    place = Path(f"{key}.uses") if given is None else given
    return KeyUse(place, version=version, is_revision=is_revision)


def key_files(how: Protector, uses: Path | None) -> list[Path]:
    """Return the files of a key, which no directory that is replaced may hold."""
    key = getattr(how, "key", None)
    found = [Path(key), Path(f"{key}.uses")] if isinstance(key, str) else []
    return [path for path in (*found, *([] if uses is None else [uses])) if path.exists()]


@dataclass(frozen=True)
class KeyOptions:
    """What the command line says of keys."""

    identity: str | None
    unit: str | None
    uses: Path | None
    version: str | None
    is_revision: bool

    def checked(self, how: Protector, *, is_cells: bool) -> KeyOptions:
        """Return the same, or refuse options of keys where no keyed table is made."""
        said = {
            "--unit": self.unit is not None,
            "--key-uses": self.uses is not None,
            "--data-version": self.version is not None,
            "--revision": self.is_revision,
        }
        odd = next((word for word, there in said.items() if there), None)
        if self.identity is None and odd is not None:
            raise ParameterError(f"{odd} needs --identity, the column that says who a record is.")
        if self.identity is not None and how.name != "cell_key":
            raise ParameterError(f"--identity is for --protector cell_key, not for '{how.name}'.")
        if self.identity is not None and is_cells:
            raise ParameterError("--identity takes records, not --cells.")
        return self

    def made(
        self,
        records: Records,
        groups: list[list[str]],
        tree: list[str] | None,
        response: list[str] | None,
        how: Protector,
        *,
        is_mean: bool,
    ) -> tuple[Table, Callable[[], str] | None]:
        """Make the table, and return it with what notes the use of the key once something is written; None without keys."""
        if self.identity is None:
            return table_of(records, groups, tree, response, is_mean=is_mean), None
        from tacita.tables.perturbation.keyed_table import checked_key, keyed_table

        _check_plain(groups, response, records.facts, is_mean=is_mean)
        given = how.key  # type: ignore[attr-defined]
        key = checked_key(given)
        form = {"separator": records.form.separator, "decimal": records.form.decimal, "encoding": records.form.encoding}
        data: Any = records.file
        more: dict[str, Any] = {}
        if records.memory is None:
            data = read_input(records.file, records.schema, records.sheet, **form)
        else:
            odd = next((name for name, value in form.items() if value is not None), None)
            if odd is not None:
                raise ParameterError(
                    f"--{odd} cannot be given with --identity and --out-of-core; read the file without the latter."
                )
            more = {"schema": records.schema, "memory": records.memory}
        use = uses_beside(given, self.uses, self.version, self.is_revision)
        name = use.check(key, data)
        made = keyed_table(
            data,
            dimensions_of(groups[0], tree),
            response[0] if response else None,
            key=key,
            identity=self.identity,
            unit=self.unit or "person",
            weight=records.facts["weight"],
            **more,
        )
        return made, partial(uses_beside(given, self.uses, name, self.is_revision).note, key, records.file)


def _check_plain(
    groups: list[list[str]], response: list[str] | None, facts: Mapping[str, Any], *, is_mean: bool
) -> None:
    """Refuse what a keyed table cannot be made with."""
    odd = [f"--{name}" for name in _NOT_KEYED if facts[name] is not None]
    if len(groups) > 1:
        odd.append("--link")
    if is_mean:
        odd.append("--means")
    if odd:
        raise ParameterError(f"{odd[0]} cannot be given with --identity; make the table in Python, or without it.")
    if response and len(response) > 1:
        raise ParameterError("--identity takes one --response; make a table of each.")
