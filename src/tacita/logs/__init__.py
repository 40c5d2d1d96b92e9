"""Query-log anonymisation: search logs in which every user hides among others, and the interests are still there.

In come a log and, for most methods, what a topic directory says of its queries; out comes a log of profiles that each stand for
at least k users. Read ``anonymiser.py`` first, then ``semantic_microaggregation.py``.
"""

from tacita.data.directory.classified import Classified
from tacita.data.directory.directory import Directory
from tacita.data.directory.read_directory import read_directory
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.query_log.log_columns import LogColumns
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.read import read_log
from tacita.data.query_log.write import write_log
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.log_measure import LogFigure, LogMeasure
from tacita.logs.measures.click_entropy import ClickEntropy
from tacita.logs.measures.hierarchical_variance import HierarchicalVariance
from tacita.logs.measures.lines_kept import LinesKept
from tacita.logs.measures.lonely_queries import LonelyQueries
from tacita.logs.measures.profile_linkage import ProfileLinkage
from tacita.logs.measures.query_frequency import QueryFrequencyCorrelation
from tacita.logs.measures.semantic_remain import SemanticRemain
from tacita.logs.measures.topic_distance import TopicDistance
from tacita.logs.rivals.infrequent_removal import InfrequentRemoval
from tacita.logs.rivals.private_queries import PrivateQueries
from tacita.logs.rivals.random_groups import RandomGroups
from tacita.logs.rivals.selected_removal import SelectedRemoval
from tacita.logs.rivals.syntactic_microaggregation import SyntacticMicroaggregation
from tacita.logs.rivals.wordnet_generalisation import WordnetGeneralisation
from tacita.logs.safety.certify import certify
from tacita.logs.safety.log_certificate import LogCertificate
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation

__all__ = [
    "AnonymisedLog",
    "Anonymiser",
    "Classified",
    "ClickEntropy",
    "Directory",
    "HierarchicalVariance",
    "InfrequentRemoval",
    "LinesKept",
    "LogCertificate",
    "LogColumns",
    "LogFigure",
    "LogMeasure",
    "LonelyQueries",
    "PrivateQueries",
    "ProfileLinkage",
    "QueryFrequencyCorrelation",
    "QueryLog",
    "RandomGroups",
    "SelectedRemoval",
    "SemanticMicroaggregation",
    "SemanticRemain",
    "SyntacticMicroaggregation",
    "TopicDistance",
    "TopicIndex",
    "WordnetGeneralisation",
    "certify",
    "read_directory",
    "read_log",
    "write_log",
]
