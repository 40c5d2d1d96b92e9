"""Universes: who a question is about, in a form that does not depend on how the question was worded.

In come conditions on published classes; out come boxes of classes, the records that lie in them, and a name of that
set of records which is the same however it was described. Read ``universe.py`` first, then ``boxes.py``.
"""

from tacita.query.universe.universe import Universe

__all__ = ["Universe"]
