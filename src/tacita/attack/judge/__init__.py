"""The judge: sets the scene for an attacker, keeps the truth from him, and holds his claims against it.

In come an original, what left of it and a scenario; out come targets without the truth, and grades of what was claimed. Attackers
never import this folder. Read ``trial.py`` first.
"""
