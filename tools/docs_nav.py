"""A hook of MkDocs: puts the generated page of every method into the navigation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.exceptions import ConfigurationError

_GROUPS = {
    "mask": "Masks",
    "loss": "Losses",
    "risk": "Risks",
    "rule": "Rules for tables",
    "protector": "Protectors of tables",
    "restriction": "Restrictions of questions",
    "attack": "Attacks",
    "anonymiser": "Anonymisers of query logs",
    "log_measure": "Measures of query logs",
}


def on_config(config: Any) -> Any:
    """Add the pages in docs/reference/methods below the reference."""
    folder = Path(config["docs_dir"]) / "reference" / "methods"
    if not folder.is_dir():
        raise ConfigurationError("The reference is not there yet; run: python tools/build_docs.py")
    methods: list[Any] = ["reference/methods/index.md"]
    for kind, title in _GROUPS.items():
        pages = sorted((_title(page), page.name) for page in folder.glob(f"{kind.replace('_', '-')}-*.md"))
        methods.append({title: [{name: f"reference/methods/{file}"} for name, file in pages]})
    reference = next(entry["Reference"] for entry in config["nav"] if "Reference" in entry)
    if not any("Methods" in entry for entry in reference if isinstance(entry, dict)):
        reference.insert(1, {"Methods": methods})
    return config


def _title(page: Path) -> str:
    return next(line[2:] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("# "))
