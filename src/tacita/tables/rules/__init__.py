"""Sensitivity rules: which cells tell too much about somebody, and how far an attacker must be kept from them.

In comes a table; out come its unsafe cells with protection levels. One rule a file; read ``rule.py`` first, then
``p_percent.py`` as the pattern of a rule.
"""
