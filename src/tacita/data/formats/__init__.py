"""File formats: one file each, in and out. :mod:`tacita.data.read` and :mod:`tacita.data.write` choose among them."""
