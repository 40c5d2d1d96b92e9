"""Topic directories: trees of categories, what is filed under them, and the index that finds the categories of a text.

In come the Open Directory's own dump, a table of paths, or WordNet; out comes a :class:`Directory`, a :class:`TopicIndex` of it,
and texts with their topics, :class:`Classified`. Read ``directory.py`` first, then ``topic_index.py``.

* Readers: ``read_directory.py`` finds out which one it takes: ``odp.py``, ``path_table.py``, ``wordnet.py``.
* The index: ``words.py`` splits texts, ``topic_build.py`` makes arrays, ``topic_file.py`` keeps them, ``lookups.py`` asks them.
"""
