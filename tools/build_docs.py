"""Builds the documentation: writes the reference from the code, then the site into ``site/``.

Run it as ``python tools/build_docs.py``. Any warning is a failure: the exit code is not 0 then.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_LOADED = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)""")


def main() -> int:
    """Generate the reference, then build the site."""
    parser = argparse.ArgumentParser(description="Build the documentation.")
    parser.add_argument("--reference-only", action="store_true", help="write docs/reference and stop")
    parser.add_argument("--site", type=Path, default=ROOT / "site", help="where the site goes")
    asked = parser.parse_args()

    from docs_reference import generate

    written = generate(ROOT / "docs" / "reference")
    sys.stdout.write(f"Wrote {len(written)} pages of the reference.\n")
    return 0 if asked.reference_only else build_site(asked.site)


def build_site(target: Path) -> int:
    """Run MkDocs strictly; return its exit code, which is not 0 after any warning."""
    # Not --quiet: it would silence warnings before --strict can count them.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "--site-dir", str(target.resolve())]
    # The theme speaks of its own future on every build; that is no warning about our pages.
    silent = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, env=silent, capture_output=True, text=True, check=False)
    warned = "WARNING" in done.stderr + done.stdout
    if done.returncode or warned:
        sys.stderr.write(done.stdout + done.stderr)
        return done.returncode or 1
    asking = outside_requests(target)
    if asking:
        sys.stderr.write("Pages must not ask another host for anything:\n" + "\n".join(asking) + "\n")
        return 1
    sys.stdout.write(f"Wrote the site: open {target / 'index.html'}\n")
    return 0


def outside_requests(site: Path) -> list[str]:
    """Return what the pages would load from elsewhere when they are opened; links to follow are no such thing."""
    return [
        f"{page.relative_to(site)}: {found}"
        for page in sorted(site.rglob("*.html"))
        for found in _LOADED.findall(page.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    sys.exit(main())
