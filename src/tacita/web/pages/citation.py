"""How an answer is cited: a line of text and an entry of BibTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

__all__ = ["Citation"]

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_NEEDS_CARE = re.compile(r"[\\~^&%$#_{}]")


@dataclass(frozen=True, kw_only=True)
class Citation:
    """What has to be said of an answer, so that somebody else finds it again.

    Parameters
    ----------
    dataset
        Title of the data set.
    question
        The question in words.
    server
        Title of the server.
    id
        Id of the answer.
    version
        Id of the data version.
    accessed
        When the answer was looked at.
    address
        Where the answer stands.

    Examples
    --------
    >>> cited = Citation(dataset="Survey", question="Mean of x", server="Tacita", id="7f00", version="v1",
    ...                  accessed=date(2026, 1, 2), address="http://localhost/explore/answer/7f00")
    >>> print(cited.text)
    Survey: Mean of x. Tacita, answer 7f00, data version v1. Accessed 2 January 2026. http://localhost/explore/answer/7f00
    """

    dataset: str
    question: str
    server: str
    id: str
    version: str
    accessed: date
    address: str

    @property
    def text(self) -> str:
        """The citation as a line of text."""
        day = f"{self.accessed.day} {self.accessed:%B %Y}"
        return (
            f"{self.dataset}: {self.question}. {self.server}, answer {self.id}, data version {self.version}. "
            f"Accessed {day}. {self.address}"
        )

    @property
    def bibtex(self) -> str:
        """The citation as an entry of BibTeX; the year is that of the access."""
        fields = {
            "title": f"{{{_latex(f'{self.dataset}: {self.question}')}}}",
            "author": f"{{{_latex(self.server)}}}",
            "year": str(self.accessed.year),
            "note": _latex(f"Answer {self.id}, data version {self.version}, accessed {self.accessed.isoformat()}"),
            "howpublished": f"\\url{{{self.address}}}",
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@misc{{tacita-{self.id[:12]},", *lines, "}"])


def _latex(text: str) -> str:
    """Write the signs that have a meaning in LaTeX so that they stand for themselves."""
    return _NEEDS_CARE.sub(lambda found: _LATEX[found[0]], " ".join(text.split()))
