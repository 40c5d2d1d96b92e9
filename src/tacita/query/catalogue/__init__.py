"""The catalogue: what is published about a data version before anybody asks: variables, classes, cutpoints.

In come the records of a version and what the steward decides; out comes a catalogue, fixed once, and the version as
questions see it: classes as numbers, counts of tables, sets of records. Read ``variable.py`` first, then ``version.py``.
"""

from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.variable import Variable
from tacita.query.catalogue.version import Version

__all__ = ["Catalogue", "Variable", "Version"]
