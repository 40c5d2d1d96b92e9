"""Policies on one risk-utility map: the same workload and the same attacker for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key, KeyLike
from tacita.query.answer import Answer
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.database import Database
from tacita.query.opening import open_database
from tacita.query.policy.policy import Policy, PolicyLike
from tacita.query.requests import QueryRequest
from tacita.query.steward.linear_attacker import PolicyRisk, risk_of_answers
from tacita.query.steward.trial import exact_policy, trial_of
from tacita.query.steward.utility import PolicyUtility, utility_of_answers
from tacita.query.steward.workload import Workload

if TYPE_CHECKING:
    from tacita.data.microdata import Microdata

__all__ = ["PolicyMap", "PolicyRow", "compare_policies"]


@dataclass(frozen=True)
class PolicyRow:
    """One policy on the map.

    Parameters
    ----------
    policy
        Its name.
    risk
        What the best linear attacker gains.
    utility
        What it leaves of the workload.
    """

    policy: str
    risk: PolicyRisk
    utility: PolicyUtility

    def to_plain(self) -> dict[str, Any]:
        """Return the row ready for JSON."""
        return {"policy": self.policy, "risk": self.risk.to_plain(), "utility": self.utility.to_plain()}


@dataclass(frozen=True)
class PolicyMap:
    """Policies by risk and loss, for the steward; it tells what attacks succeed and must stay inside.

    Parameters
    ----------
    rows
        One for each policy, in the order given.
    """

    rows: tuple[PolicyRow, ...]

    def __getitem__(self, policy: str) -> PolicyRow:
        """Return the row of a policy."""
        for row in self.rows:
            if row.policy == policy:
                return row
        raise ParameterError(f"There is no policy '{policy[:60]}' on the map.")

    @property
    def frontier(self) -> tuple[PolicyRow, ...]:
        """The policies that no other beats in both risk and loss, by rising loss."""
        kept = [
            row
            for row in self.rows
            if not any(
                other.risk.gain <= row.risk.gain
                and other.utility.loss <= row.utility.loss
                and (other.risk.gain, other.utility.loss) != (row.risk.gain, row.utility.loss)
                for other in self.rows
            )
        ]
        return tuple(sorted(kept, key=lambda row: (row.utility.loss, row.risk.gain)))

    def to_plain(self) -> list[dict[str, Any]]:
        """Return all rows ready for JSON."""
        return [row.to_plain() for row in self.rows]

    def to_rows(self) -> dict[str, list[Any]]:
        """Return the map as columns: the form that every frame is made from."""
        return {
            "policy": [row.policy for row in self.rows],
            "gain": [row.risk.gain for row in self.rows],
            "gain_low": [row.risk.low for row in self.rows],
            "gain_high": [row.risk.high for row in self.rows],
            "excess": [row.risk.excess for row in self.rows],
            "answered": [row.utility.answered for row in self.rows],
            "perturbed": [row.utility.perturbed for row in self.rows],
            "relative_error": [row.utility.relative_error for row in self.rows],
            "loss": [row.utility.loss for row in self.rows],
        }


def compare_policies(
    source: Microdata | str | Path,
    policies: Sequence[PolicyLike] | Mapping[str, PolicyLike],
    workload: Workload | Iterable[QueryRequest],
    *,
    key: KeyLike,
    catalogue: Catalogue,
    attack: Workload | Iterable[QueryRequest] | None = None,
    target: str | None = None,
    of: str | None = None,
) -> PolicyMap:
    """Put policies on one map: how much each leaves of a workload, and what the best linear attacker gains.

    Parameters
    ----------
    source
        The data; only read.
    policies
        Policies, presets or files; with names of one's own as a mapping.
    workload
        What users ask.
    key
        The secret that all noise comes from; the same for each policy. Take a key for trials: with that of the
        database, the noise of an answer is that of its answers.
    catalogue
        The published variables, the same for each policy and those that the workload names.
    attack
        What the attacker asks; by default the workload.
    target, of
        What he wants to find out, as in :func:`policy_risk`.

    Raises
    ------
    ParameterError
        When two policies have the same name, or there is none.

    Complexity
    ----------
    That of :func:`policy_utility` and :func:`policy_risk` for each policy; the truth is computed once for each
    different set of limits on models.

    Notes
    -----
    Restrictions that depend on what was answered see the questions in the order of the workload; another order may give
    another loss. Each policy starts with an empty memory, once for the workload and once for the attack.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.query.steward import random_workload
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> catalogue = tc.query.open(data, policy="tables", key=b"an example's key").catalogue
    >>> asked = random_workload(catalogue, 20, seed=1, kinds=["table"], about="victim")
    >>> found = compare_policies(data, ["internal", "tables"], asked, key=b"an example's key", catalogue=catalogue)
    >>> found["tables"].utility.loss > found["internal"].utility.loss
    True
    """
    listed = _named(policies)
    asked = Workload.of(workload)
    wanted = asked if attack is None else Workload.of(attack)
    truths: dict[str, tuple[Answer, ...]] = {}
    rows = []
    for name, policy in listed.items():
        db = open_database(source, policy=policy, key=Key.of(key), catalogue=catalogue)
        exact = exact_policy(policy)
        if exact.digest not in truths:
            truths[exact.digest] = _answers(db, asked, exact)
        utility = utility_of_answers(asked, _answers(db, asked), truths[exact.digest])
        risk = risk_of_answers(db.version, wanted, _answers(db, wanted), target=target, of=of)
        rows.append(PolicyRow(name, risk, utility))
    return PolicyMap(tuple(rows))


def _answers(db: Database, workload: Workload, policy: Policy | None = None) -> tuple[Answer, ...]:
    trial = trial_of(db, policy)
    return tuple(trial.ask(request) for request, _ in workload)


def _named(policies: Sequence[PolicyLike] | Mapping[str, PolicyLike]) -> dict[str, Policy]:
    if isinstance(policies, Mapping):
        found = {str(name): Policy.of(policy) for name, policy in policies.items()}
    else:
        made = [Policy.of(policy) for policy in policies]
        found = {policy.name: policy for policy in made}
        if len(found) < len(made):
            raise ParameterError(
                "compare_policies: two policies have the same name; give them as a mapping with names."
            )
    if not found:
        raise ParameterError("compare_policies: 'policies' must have at least one policy.")
    return found
