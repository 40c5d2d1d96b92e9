"""Across releases: what tables, files and answers about one population reveal together, where each is safe alone.

In come plain descriptions of what left; out come one linear system over the smallest groups that they speak of, and claims with
the releases that hurt each other. Read ``plain_table.py`` first, then ``joint_system.py``.
"""

from tacita.attack.releases.across_releases import AcrossReleases, HurtingReleases, hurting_releases
from tacita.attack.releases.files_together import FilesTogether
from tacita.attack.releases.joint_system import JointSystem, joint_system
from tacita.attack.releases.plain_table import PlainDimension, PlainTable

__all__ = [
    "AcrossReleases",
    "FilesTogether",
    "HurtingReleases",
    "JointSystem",
    "PlainDimension",
    "PlainTable",
    "hurting_releases",
    "joint_system",
]
