"""The draft of a schema as a file that a person edits: columns by their roles, reasons and alternatives as comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tacita.core.toml import toml_key, toml_value
from tacita.core.vocabulary import Scale
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import column_settings

__all__ = ["draft_to_toml"]

_HEAD = """\
# Draft of a schema. Roles and scales are guesses, each with its reason: look them over and change what is wrong.
#
# role:  identifier    names the respondent; never leaves with a release
#        key           an intruder may know it from elsewhere
#        confidential  must not be learned about a respondent
#        weight, household (at most one column each), cluster, stratum, other
# scale: numeric, ordinal (codes with an order), nominal (codes without one), date
"""
_WIDTH = 34


class Proposal(Protocol):
    """What the draft takes from the description of a column."""

    @property
    def proposed_scale(self) -> Scale: ...
    @property
    def reason(self) -> str: ...
    @property
    def scale_reason(self) -> str: ...
    @property
    def remark(self) -> str: ...
    @property
    def suspects(self) -> tuple[tuple[Any, str], ...]: ...


def draft_to_toml(schema: Schema, proposals: Sequence[Proposal]) -> str:
    """Return the text of a schema file: the columns in the order of the data, each line with its reason.

    Values of the data stand in it only where describe shows them too: suspected missing codes, in a comment, and the words
    of a ladder, whose order a schema has to say.
    """
    blocks = [_HEAD]
    for column, proposal in zip(schema, proposals, strict=True):
        blocks.append("\n".join(_block(column, proposal)) + "\n")
    return "\n".join(blocks)


def _block(column: Column, proposal: Proposal) -> list[str]:
    lines = [f"[columns.{toml_key(column.name)}]"]
    for word, text in column_settings(column):
        line = f"{word} = {text}"
        reason = {"role": proposal.reason, "scale": _scale_comment(proposal)}.get(word, "")
        lines.append(f"{line:{_WIDTH}}# {_one_line(reason)}" if reason else line)
    if proposal.suspects:
        codes, why = (
            [code for code, _ in proposal.suspects],
            ", ".join(dict.fromkeys(said for _, said in proposal.suspects)),
        )
        line = f"# missing = {toml_value(codes)}"
        lines.append(f"{line:{_WIDTH}}# suspected ({_one_line(why)}): take away the first # if right")
    if proposal.remark and proposal.remark != proposal.reason:
        lines.append(f"# {_one_line(proposal.remark)}")
    return lines


def _scale_comment(proposal: Proposal) -> str:
    """Return the reason of the scale, with the alternatives where the numbers alone had to tell."""
    if proposal.scale_reason.startswith("few whole numbers"):
        return f"{proposal.scale_reason}; else ordinal or numeric"
    if proposal.proposed_scale == "ordinal" and proposal.scale_reason:
        return f"{proposal.scale_reason}; else nominal"
    return proposal.scale_reason


def _one_line(text: str) -> str:
    """Return a text without line ends and control characters, which no comment may have."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
