"""Other ways to anonymise a query log, to compare with: by chance, by removal, by noise, by generalisation.

In come a log and, for some, its topics; out comes what each of them would publish. None is what we recommend; each does what its
paper says and says what it leaves open. Read ``infrequent_removal.py`` first, then ``renamed.py``.
"""
