"""Fuzzing of everything that reads a file: seeded, bounded, in pure Python.

``make fuzz`` runs 20 000 inputs. ``targets`` has a reader and small whole files for each format, ``mutate`` damages them,
``worker`` reads a range of inputs in a process of its own and ``__main__`` watches the workers: no crash, no exception but
ours, no input over ten seconds or a gigabyte, and no data value in a message. ``corpus`` has the inputs that once failed, and
hostile files made by hand; ``tests/fuzz`` reads each of them once.
"""
