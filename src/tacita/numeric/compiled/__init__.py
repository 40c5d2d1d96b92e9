"""What compiled kernels stand on: random numbers, threads, lanes of vector arithmetic, and a linear algebra in one thread.

In come states and pieces of work; out come random words, and results in the order of the pieces. Read ``threads.py`` first.
"""
