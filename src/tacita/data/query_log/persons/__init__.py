"""What in a text could name a person: patterns of numbers and addresses, check digits, lists of names and the rules for them.

In come the different texts of a log; out comes a flag for each of them. Read ``names_in_texts.py`` first.
"""
