"""The red team at work: what is about to leave is put before every attacker that applies.

In come an original and what is to leave of it, a way to make synthetic data, a protected table, or a directory of releases; out
come campaigns with a grade for each attack. Read ``attack_file.py`` first.
"""

from tacita.compare.red_team.attack_file import attack_file
from tacita.compare.red_team.attack_generator import attack_generator
from tacita.compare.red_team.attack_table import attack_table

__all__ = ["attack_file", "attack_generator", "attack_table"]
