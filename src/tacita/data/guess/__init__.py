"""What the columns of a foreign file seem to be.

In come columns and what the file says of them; out come a scale, a role and the reason for each, suspected missing codes,
and a draft of a schema that a person edits.

Read ``facts.py`` first (what is looked at), then ``roles.py`` and ``scales.py`` (what follows from it); ``names.py`` and
``codebooks.py`` have the words.
"""
