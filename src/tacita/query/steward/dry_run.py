"""A dry run: is a request well-formed, and what shape has its answer? On a stand-in, where asking costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacita.core.errors import TacitaError
from tacita.query.answer import Answer
from tacita.query.database import Database
from tacita.query.question import RefusalError, understand
from tacita.query.requests import QueryRequest, request_from_plain
from tacita.query.steward.trial import exact_policy, trial_of

__all__ = ["DryRun", "dry_run"]


@dataclass(frozen=True, kw_only=True)
class DryRun:
    """What can be said of a request before it is asked.

    Parameters
    ----------
    is_well_formed
        Whether the request can be understood and no rule that looks at the request alone refuses it.
    reasons
        Names of the rules that do.
    hint
        What the catalogue has instead; made of published metadata only.
    part
        Where the answer will be: ``table``, ``model``, ``value``, ``interval``, ``quantiles`` or ``plots``; empty where
        the stand-in gives none.
    shape
        Of a table its number of classes by variable; of a model its number of coefficients, or of variables; of
        quantiles their number; empty for one number.
    columns
        Variables of a table, labels of coefficients, names of correlated variables.
    """

    is_well_formed: bool
    reasons: tuple[str, ...] = ()
    hint: str = ""
    part: str = ""
    shape: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def dry_run(db: Database, request: QueryRequest | Mapping[str, Any] | str | bytes) -> DryRun:
    """Look at a request without asking it.

    Parameters
    ----------
    db
        A database opened on a stand-in (:func:`stand_in`), with the catalogue and the policy of the real one. On the
        real one it would tell what the policy hides.
    request
        The request, or its JSON form.

    Returns
    -------
    DryRun
        Whether it is well-formed, and the shape of its answer.

    Notes
    -----
    Nothing is entered, spent or remembered. Rules that look at records or at what was answered are not asked: what they
    say of the stand-in says nothing of the originals. The number of coefficients may differ from the real one, where
    sparse classes are absorbed.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.query.steward import stand_in
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> real = tc.query.open(data, policy="mas", key=b"an example's key")
    >>> seen = stand_in(data, seed=7, catalogue=real.catalogue)
    >>> db = tc.query.open(seen, policy="mas", key=b"any other key will do", catalogue=real.catalogue)
    >>> dry_run(db, tc.query.Tabulate(by=["sex", "urban"])).shape
    (2, 3)
    >>> dry_run(db, tc.query.Tabulate(by=["sexx"])).reasons
    ('unknown_variable',)
    """
    trial = trial_of(db, exact_policy(db.policy))
    try:
        asked = request if isinstance(request, QueryRequest) else request_from_plain(request)
    except TacitaError as error:
        return DryRun(is_well_formed=False, reasons=("request_form",), hint=str(error))
    if asked.kind not in db.policy.requests:
        return DryRun(is_well_formed=False, reasons=("not_offered",))
    try:
        question = understand(asked, trial.version, db.policy, trial.history, "", 0.0)
    except RefusalError as refused:
        return DryRun(is_well_formed=False, reasons=(refused.rule,), hint=refused.hint)
    early = [rule for rule in db.policy.restrictions if rule.traits.stage == "request" and rule.applies(question)]
    reasons = tuple(rule.name for rule in early if rule.judge(question).decision == "deny")
    if reasons:
        return DryRun(is_well_formed=False, reasons=reasons)
    part, shape, columns = _shape(trial.ask(asked))
    return DryRun(is_well_formed=True, part=part, shape=shape, columns=columns)


def _shape(answer: Answer) -> tuple[str, tuple[int, ...], tuple[str, ...]]:
    """Where the answer is, its shape, and what its places are called."""
    if answer.table is not None:
        return "table", tuple(answer.table.shape), tuple(answer.table.by)
    if answer.model is not None:
        plain = answer.model.to_plain()
        if "coefficients" in plain:
            labels = tuple(str(row["label"]) for row in plain["coefficients"])
            return "model", (len(labels),), labels
        names = tuple(map(str, plain.get("variables", ())))
        return "model", (len(names), len(names)), names
    if answer.quantiles is not None:
        return "quantiles", (len(answer.quantiles.get("quantiles", ())),), ()
    for part in ("interval", "value", "plots"):
        if getattr(answer, part) is not None:
            return part, (), ()
    return "", (), ()
