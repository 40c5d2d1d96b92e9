"""What lies on disk besides data: private workplaces, what interrupted runs left, outputs that may be replaced, literal paths.

In come paths, out come places to write to and answers to "is this ours?". Begin with ``workplace.py``.
"""
