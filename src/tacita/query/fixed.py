"""What is fixed for a data version: its published catalogue, and everything that draws noise.

Two catalogues of one version are two sets of cutpoints, whose differences are small bins. Two settings of the noise
are two draws, whose mean is closer to the truth; two sizes of a subsample are nested, and their difference is a few
true records. So both are entered into the journal when a version is first opened, and compared ever after.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tacita.core.errors import ParameterError
from tacita.query.catalogue.version import Version
from tacita.query.journal.base import QueryJournal
from tacita.query.policy.parts import part_to_plain
from tacita.query.policy.policy import Policy
from tacita.query.residuals.settings import ResidualSettings

__all__ = ["NOISE_PARTS", "check_fixed", "version_facts"]

NOISE_PARTS = ("subsample", "cells", "magnitudes", "numbers", "input", "camouflage", "residuals", "privacy")
"""Parts of a policy that draw noise; of ``privacy`` all but the budget, which may be given more."""


def version_facts(version: Version, policy: Policy) -> dict[str, Any]:
    """Return what the journal keeps of a version: digests of the catalogue and of each part that draws noise."""
    plain = policy.to_plain()
    if policy.is_noisy_in_cells:  # the noise of totals, also where the file says nothing of it
        plain["magnitudes"] = part_to_plain("magnitudes", policy.magnitudes)
    if "residuals" in policy.requests:
        plain["residuals"] = part_to_plain("residuals", policy.part("residuals") or ResidualSettings())
    plain.get("privacy", {}).pop("budget", None)
    parts = {word: _digest(plain[word]) for word in NOISE_PARTS if word in plain}
    catalogue = version.catalogue.to_plain()
    return {
        "catalogue": _digest(catalogue),
        "noise": parts,
        "strata": _digest(list(version.strata)),
        "records": len(version),
    }


def check_fixed(journal: QueryJournal, version: Version, policy: Policy) -> None:
    """Refuse to open a version with another catalogue or other noise than it was opened with before.

    Raises
    ------
    ParameterError
        When something that is fixed differs; the message says what.
    """
    facts = version_facts(version, policy)
    for entry in journal.entries():
        if entry.kind != "version" or entry.versions.get("data") != version.id or entry.request is None:
            continue
        known = dict(entry.request)
        if known.get("catalogue") != facts["catalogue"]:
            raise ParameterError(
                "The catalogue must be the one that this data version was opened with before; its classes and cutpoints are "
                "fixed. Give that catalogue, or a new version of the data."
            )
        before, after = dict(known.get("noise", {})), dict(facts["noise"])
        changed = [word for word in NOISE_PARTS if word in before and word in after and before[word] != after[word]]
        if known.get("strata") != facts["strata"] and "subsample" in before and "subsample" in after:
            changed.append("strata")
        if changed:
            raise ParameterError(
                f"The policy draws other noise than before for this data version ({', '.join(changed)}): two draws would average "
                "out. Use the earlier settings, or a new version of the data."
            )


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8")).hexdigest()[:16]
