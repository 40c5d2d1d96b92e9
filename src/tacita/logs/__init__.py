"""Query-log anonymisation: search logs in which every user hides among others, and the interests are still there.

In come a log and, for most methods, what a topic directory says of its queries; out comes a log of profiles that each stand for
at least k users. Read ``anonymiser.py`` first, then ``semantic_microaggregation.py``.
"""

from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation

__all__ = ["AnonymisedLog", "Anonymiser", "SemanticMicroaggregation"]
