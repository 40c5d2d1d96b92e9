"""What compiled kernels stand on: random numbers, threads, lanes of vector arithmetic, and a linear algebra in one thread."""
