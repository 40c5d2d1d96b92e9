"""The policy of a database: what may be asked, which restrictions hold, how answers are protected. A TOML file is its form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tacita.core import registry
from tacita.core.errors import FileError, ParameterError, TacitaError, did_you_mean
from tacita.core.metadata import parse_toml, read_text
from tacita.core.toml import toml_key, toml_value
from tacita.query.policy.parts import PARTS, Part, part_from_plain, part_to_plain
from tacita.query.requests import KINDS_OF_REQUEST
from tacita.query.restrictions.restriction import Restriction

__all__ = ["Policy", "PolicyLike", "presets"]

_PRESETS = Path(__file__).parent / "presets"
_WORDS = ("name", "requests", "identities", "standard_errors", "strata", "restriction", *PARTS)


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What a database answers, and how.

    Parameters
    ----------
    name
        What it is called in reports and journals.
    requests
        Kinds of request that are answered at all; everything else is refused.
    restrictions
        Rules that a question has to pass. The first stage that refuses ends it; any refusal wins over a review, any
        review over an answer.
    parts
        How records are dropped, cells and numbers protected: ``subsample``, ``cells``, ``magnitudes``, ``numbers``,
        ``camouflage``, ``privacy``, ``models``, ``cutpoints``, ``residuals``; each an object of its kind.
    strata
        Variables whose combinations are the strata that records are dropped within; fixed for a data version.
    identities
        Whether the journal keeps pseudonyms of users. The paper's system keeps none.
    standard_errors
        Whether tables come with standard errors. They are sums of squares of the response, which no auditor of sums sees.

    Raises
    ------
    ParameterError
        When a kind of request, a restriction or a part is not known, or parts contradict each other.

    Notes
    -----
    Nothing is allowed that no rule has looked at: a policy without restrictions refuses everything, unless
    ``requests`` stands beside a restriction that applies. Thresholds are secret, so the file of a policy is internal.

    Examples
    --------
    >>> policy = Policy.preset("mas")
    >>> policy.name, "regress" in policy.requests
    ('mas', True)
    >>> Policy.from_toml(policy.to_toml()) == policy
    True
    """

    name: str = "own"
    requests: tuple[str, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    strata: tuple[str, ...] = ()
    identities: bool = True
    standard_errors: bool = True

    def __post_init__(self) -> None:
        for word in ("requests", "restrictions", "strata"):
            object.__setattr__(self, word, tuple(getattr(self, word)))
        object.__setattr__(self, "parts", dict(sorted(self.parts.items())))
        for kind in self.requests:
            if kind not in KINDS_OF_REQUEST:
                near = did_you_mean(str(kind), KINDS_OF_REQUEST)
                raise ParameterError(f"Policy: there is no kind of request {kind!r}.{near}")
        for restriction in self.restrictions:
            if not isinstance(restriction, Restriction):
                raise ParameterError(
                    f"Policy: restrictions must be Restriction objects, got {type(restriction).__name__}."
                )
        for word, part in self.parts.items():
            if word not in PARTS or not isinstance(part, tuple(PARTS[word].values())):
                raise ParameterError(f"Policy: there is no part '{word}' of type {type(part).__name__}.")
        self._check_parts_agree()

    def _check_parts_agree(self) -> None:
        """Check that no part of the policy undoes another: an exact answer beside a noisy one about the same records does."""
        asked, rules = set(self.requests), {restriction.name for restriction in self.restrictions}
        if "privacy" in self.parts:
            if {"subsample", "camouflage", "input", "numbers"} & set(self.parts) or self.is_noisy_in_cells:
                raise ParameterError("Policy: 'privacy' goes with no other protection; it is a way of its own.")
            if "privacy_budget" not in rules:
                raise ParameterError("Policy: 'privacy' must have the restriction 'privacy_budget', or it never ends.")
            loose = [r.name for r in self.restrictions if r.traits.stage != "request" and r.name != "privacy_budget"]
            if loose:
                raise ParameterError(
                    f"Policy: beside 'privacy' there must be no restriction that looks at records, such as '{loose[0]}': its "
                    "refusals are answers that nobody pays for."
                )
        if "camouflage" in self.parts:
            if asked - {"statistic", "tabulate", "regress"}:
                raise ParameterError(
                    "Policy: under 'camouflage' only 'statistic', 'tabulate' and 'regress' may be in 'requests'."
                )
            if "confidential_universe" not in rules:
                raise ParameterError("Policy: 'camouflage' must have the restriction 'confidential_universe'.")
        if self.is_noisy_in_cells and "statistic" in asked and "numbers" not in self.parts:
            raise ParameterError(
                "Policy: 'statistic' must have noise in 'numbers' where 'cells' have, or counts are exact."
            )
        if "numbers" in self.parts and {"tabulate", "quantiles"} & asked and not self.is_noisy_in_cells:
            raise ParameterError("Policy: tables must have noise in 'cells' where 'numbers' have, or counts are exact.")

    def __hash__(self) -> int:
        return hash(self.digest)

    # --- the parts by name --------------------------------------------------------------------------------------------

    @property
    def subsample(self) -> Any:
        """How records are dropped before an analysis; None where they are not."""
        return self.parts.get("subsample")

    @property
    def cells(self) -> Any:
        """How counts of cells are protected."""
        from tacita.query.noise.cell_noise import Plain

        return self.parts.get("cells", Plain())

    @property
    def is_noisy_in_cells(self) -> bool:
        """Whether counts of cells are changed before they are shown."""
        from tacita.query.noise.cell_noise import Plain

        return not isinstance(self.cells, Plain)

    @property
    def magnitudes(self) -> Any:
        """How totals of cells are protected, where counts are."""
        from tacita.query.noise.magnitude_key import MagnitudeKey

        return self.parts.get("magnitudes", MagnitudeKey())

    def part(self, word: str) -> Any:
        """Return another part, or None."""
        if word not in PARTS:
            raise ParameterError(f"Policy: there is no part '{word}'.{did_you_mean(word, PARTS)}")
        return self.parts.get(word)

    @property
    def digest(self) -> str:
        """A hash of the whole policy; internal, since it confirms a guess of the thresholds."""
        text = json.dumps(self.to_plain(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()

    # --- files ----------------------------------------------------------------------------------------------------------

    def to_plain(self) -> dict[str, Any]:
        """Return the policy ready for TOML and JSON."""
        found: dict[str, Any] = {"name": self.name, "requests": list(self.requests), "identities": self.identities}
        if not self.standard_errors:
            found["standard_errors"] = False
        if self.strata:
            found["strata"] = list(self.strata)
        for word, part in self.parts.items():
            found[word] = part_to_plain(word, part)
        return {**found, "restriction": [{"name": r.name, **r.to_plain()} for r in self.restrictions]}

    def to_toml(self) -> str:
        """Return the policy as a file."""
        plain = self.to_plain()
        lines = [
            f"{toml_key(k)} = {toml_value(v)}"
            for k, v in plain.items()
            if not isinstance(v, dict) and k != "restriction"
        ]
        for word, value in plain.items():
            if isinstance(value, dict):
                lines += ["", f"[{word}]", *(f"{toml_key(k)} = {toml_value(v)}" for k, v in value.items())]
        for row in plain["restriction"]:
            lines += ["", "[[restriction]]", *(f"{toml_key(k)} = {toml_value(v)}" for k, v in row.items())]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_plain(cls, given: Mapping[str, Any]) -> Policy:
        """Build a policy from the tables of a file; every problem names what it is about."""
        unknown = [word for word in given if word not in _WORDS]
        if unknown:
            raise ParameterError(f"A policy has no setting '{unknown[0]}'.{did_you_mean(unknown[0], _WORDS)}")
        for word in ("requests", "strata"):
            value = given.get(word, [])
            if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
                raise ParameterError(f"Policy: '{word}' must be a list of names.")
        rows = given.get("restriction", [])
        if not isinstance(rows, (list, tuple)):
            raise ParameterError("Policy: restrictions stand in [[restriction]] tables, with two brackets.")
        for word in ("identities", "standard_errors"):
            if not isinstance(given.get(word, True), bool):
                raise ParameterError(f"Policy: '{word}' must be true or false.")
        if not isinstance(given.get("name", ""), str):
            raise ParameterError("Policy: 'name' must be a text.")
        return cls(
            name=given.get("name", "own"),
            requests=tuple(given.get("requests", ())),
            restrictions=tuple(_restriction(number, row) for number, row in enumerate(rows, 1)),
            parts={word: part_from_plain(word, given[word]) for word in PARTS if word in given},
            strata=tuple(given.get("strata", ())),
            identities=given.get("identities", True),
            standard_errors=given.get("standard_errors", True),
        )

    @classmethod
    def from_toml(cls, text: str) -> Policy:
        """Read a policy from TOML."""
        return cls.from_plain(parse_toml(text, "The policy", error=ParameterError))

    @classmethod
    def read(cls, path: str | Path) -> Policy:
        """Read a policy file; it may begin with ``preset = "mas"`` and change what follows.

        Raises
        ------
        FileError, ParameterError
            When the file cannot be read, or is no policy; the message names the file.
        """
        given = parse_toml(read_text(path, "The policy"), "The policy")
        start = given.pop("preset", None)
        try:
            base = {} if start is None else cls.preset(start).to_plain()
            return cls.from_plain({**base, **given})
        except TacitaError as error:
            raise ParameterError(f"The policy '{Path(path).name}': {error}") from error

    @classmethod
    def preset(cls, name: str) -> Policy:
        """Return a policy that comes with the package."""
        if name not in presets():
            raise ParameterError(
                f"'policy' must be one of the presets {', '.join(presets())} or a file, got {str(name)[:60]!r}."
                f"{did_you_mean(str(name), presets())}"
            )
        return cls.from_toml((_PRESETS / f"{name}.toml").read_text(encoding="utf-8"))

    @classmethod
    def of(cls, given: PolicyLike) -> Policy:
        """Return a policy from what a user may give: one, a preset by name, or a file."""
        if isinstance(given, Policy):
            return given
        if isinstance(given, str) and given in presets():
            return cls.preset(given)
        if isinstance(given, (str, Path)):
            path = Path(given)
            if path.suffix == ".toml" or path.is_file():
                return cls.read(path)
            return cls.preset(str(given))
        raise ParameterError(f"'policy' must be a policy, a preset or a file, got {type(given).__name__}.")

    def with_restrictions(self, more: Iterable[Restriction]) -> Policy:
        """Return a policy that asks for more; a second list never loosens the first."""
        from dataclasses import replace

        return replace(self, restrictions=(*self.restrictions, *more))


PolicyLike: TypeAlias = Policy | str | Path


def presets() -> tuple[str, ...]:
    """Return the names of the policies that come with the package."""
    return tuple(sorted(path.stem for path in _PRESETS.glob("*.toml")))


def _restriction(number: int, row: object) -> Restriction:
    if not isinstance(row, Mapping) or not isinstance(row.get("name"), str):
        raise ParameterError(f"Restriction {number} of the policy must be a table with 'name'.")
    try:
        kind = registry.find("restriction", row["name"])
        made = kind.from_plain({word: value for word, value in row.items() if word != "name"})
    except TacitaError as error:
        raise ParameterError(f"Restriction {number} of the policy: {error}") from error
    if not isinstance(made, Restriction):
        raise FileError(f"'{row['name']}' is no restriction.")
    return made
