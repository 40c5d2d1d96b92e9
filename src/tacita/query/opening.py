"""Opening data for questions: source, catalogue, policy, key and journal come together, and what was answered is remembered."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.core.errors import ParameterError, TacitaNote, TacitaWarning
from tacita.core.keyed import Key, KeyLike
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.version import Version
from tacita.query.database import Database
from tacita.query.fixed import check_fixed, version_facts
from tacita.query.journal.base import QueryJournal
from tacita.query.journal.journal import open_journal
from tacita.query.models.analyses import load_models
from tacita.query.policy.policy import Policy, PolicyLike
from tacita.query.restrictions.across_versions import check_same_people

if TYPE_CHECKING:
    from tacita.data.microdata import Microdata
    from tacita.data.schema import Schema
    from tacita.query.cutpoints.method import Cutpoints

__all__ = ["open_database"]


def open_database(
    source: Microdata | str | Path,
    *,
    schema: Schema | str | Path | None = None,
    policy: PolicyLike = "mas",
    key: KeyLike | None = None,
    journal: QueryJournal | str | Path | None = None,
    catalogue: Catalogue | str | Path | None = None,
    cutpoints: Cutpoints | Mapping[str, Cutpoints] | None = None,
    record_id: str | None = None,
    table: str | None = None,
    now: Callable[[], float] = time.time,
    previous: Database | None = None,
) -> Database:
    """Open data for statistical questions; records never leave.

    Parameters
    ----------
    source
        Microdata, a file (Parquet, DuckDB, CSV, SPSS, ...) or ``postgresql://...``. It is only read.
    schema
        Its schema, or a schema file.
    policy
        A policy, a file, or a preset: ``mas``, ``tables``, ``audited``, ``camouflage``, ``dp``, ``internal``.
    key
        The secret that all noise comes from: bytes, a file, or a key. Never change it within a data version: two keys
        are two draws of the noise, whose mean is closer to the truth. Without one a key is drawn, and answers differ
        when the data are opened again.
    journal
        A file that every question is entered into before its answer leaves; None keeps the journal in memory.
    catalogue
        What is published about the data, or a file of it; by default it is drafted.
    cutpoints
        How numeric variables are cut where the catalogue is drafted; by default as the policy says, and coarser where bins would
        show values.
    record_id
        The column that identifies each record.
    table
        Which table of a database.
    now
        The clock, in seconds since 1970.
    previous
        The earlier version of the data, opened with the journal that has its answers; the rule ``across_versions``
        looks at these. Both versions need record ids.

    Raises
    ------
    FileError, SchemaError, ParameterError, DataError
        When source, schema, policy, key, catalogue or journal cannot be used; nothing is written then.

    Examples
    --------
    >>> import tacita as tc
    >>> db = tc.query.open(tc.samples.household_survey(2000, seed=1), policy="tables", key=b"an example's key")
    >>> answer = db.ask(tc.query.Tabulate(by=["sex"]), user="ann")
    >>> answer.status, answer.table.shape
    ('answered', (2,))
    """
    from tacita.data.store.opening import open_store

    chosen = Policy.of(policy)
    secret = Key.draw() if key is None else Key.of(key)
    if key is None and journal is not None:
        raise ParameterError(
            "'key' must be given where a journal is kept: without it answers could not be given again."
        )
    if "regress" in chosen.requests:
        load_models()  # while the data are opened, and not while somebody waits for a first answer
    store = open_store(source, schema=schema, record_id=record_id, table=table)
    if isinstance(catalogue, (str, Path)):
        catalogue = Catalogue.read(catalogue)
    if catalogue is None:
        ways = chosen.part("cutpoints") if cutpoints is None else cutpoints
        catalogue = Catalogue.draft(store, cutpoints=ways, coarsen=cutpoints is None)
    version = Version(store, catalogue, secret, strata=_strata(chosen, store.schema.strata, catalogue))
    if (
        not store.schema.keys
        and not store.schema.confidential
        and any(r.name == "row_audit" for r in chosen.restrictions)
    ):
        warnings.warn(
            "The schema gives no column the role of a key or of something confidential, so the rule 'row_audit' has nothing "
            "to audit; give the columns their roles.",
            TacitaNote,
            stacklevel=2,
        )
    version.record_keys  # noqa: B018  hashed while the data are opened, and not while somebody waits for a first answer
    kept = open_journal(journal, key=secret, identities=chosen.identities)
    check_fixed(kept, version, chosen)
    if previous is not None:
        check_same_people(previous.version, version)
    made = Database(version, chosen, kept, key=secret, now=now, previous=previous)
    made.replay()
    made.tell("version", request=version_facts(version, chosen))
    return made


def _strata(policy: Policy, declared: tuple[str, ...], catalogue: Catalogue) -> tuple[str, ...]:
    """The strata that records are dropped within: those of the policy, else the design strata of the schema."""
    named = policy.strata or tuple(name for name in declared if name in catalogue and catalogue[name].classes)
    if not named and policy.subsample is not None:
        warnings.warn(
            "No stratum is named, so records are dropped from each universe as a whole; a universe that is padded with a "
            "large region then keeps its small part as it is. Name the geography in 'strata' of the policy.",
            TacitaWarning,
            stacklevel=3,
        )
    return named
