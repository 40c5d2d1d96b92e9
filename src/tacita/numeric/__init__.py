"""Kernels on plain arrays. They know nothing of frames, roles or files; those with numba load when first used."""
