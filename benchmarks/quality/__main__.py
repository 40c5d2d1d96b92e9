"""``python -m benchmarks.quality``."""

import benchmarks.quality as package
from benchmarks.tables import main

main(package)
