"""Report: pictures and documents. Nothing else in the package draws."""
