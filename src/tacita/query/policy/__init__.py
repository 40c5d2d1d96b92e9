"""Policies: which questions a database answers, and how answers are protected, as data.

In comes a TOML file or the name of a preset; out comes a policy: restrictions, subsampling, protection of cells and numbers. Read
``policy.py`` first; the presets are the files in ``presets``.
"""

from tacita.query.policy.policy import Policy, presets

__all__ = ["Policy", "presets"]
