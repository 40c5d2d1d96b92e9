"""The compiler of the kernels: numba when the package is built. Start with ``build.py``."""
