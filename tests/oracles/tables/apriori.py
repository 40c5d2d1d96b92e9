"""A-priori lines taken one after the other, by the names of the cells."""

from __future__ import annotations

from collections.abc import Iterable


def replay(lines: Iterable[tuple[str, ...]]) -> dict[str, dict[str, object]] | None:
    """Return for each cell its status, whether rules were taken back, its levels and cost; None for a contradiction."""
    known: dict[str, dict[str, object]] = {}
    for code, word, *numbers in lines:
        cell = known.setdefault(code, {"status": "", "released": False, "levels": None, "cost": None})
        if word == "c":
            cell["cost"] = float(numbers[0])
        elif word == "pl":
            cell["levels"] = (float(numbers[0]), float(numbers[1]))
        elif word == "s":
            cell["released"], cell["levels"] = True, None
            if cell["status"] != "p":
                cell["status"] = "s"
        else:
            if word == "p" and cell["status"] in ("u", "m"):
                return None
            if word in ("u", "m") and cell["status"] == "p":
                return None
            if word in ("u", "m"):
                cell["released"] = False
            cell["status"] = word
    return known
