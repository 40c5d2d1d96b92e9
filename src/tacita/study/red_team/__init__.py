"""The matrix of the red team: every attack in a setting that it is known to break, and under a defence that holds it.

In come scenes, a few lines each, that put an attacker before a target; out comes a matrix with a figure in every cell. Read
``scene.py`` first.
"""
