"""What leaves and what stays: recipes, releases and the traces that a release must not carry.

In come microdata and a list of masks; out comes a release with a public side, which is judged before it leaves, and an
internal side that must stay. Read ``recipe.py`` first, then ``release.py``.
"""
