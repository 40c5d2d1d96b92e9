"""What makes a wheel: the kernels are compiled, for every processor of this architecture, and put into it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelsBuildHook(BuildHookInterface):
    """Compiles the kernels before a wheel is packed; an editable installation compiles them by `make setup`."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say that the wheel is for this Python and this machine only."""
        if self.target_name != "wheel" or version == "editable":
            return
        build = Path(self.root) / "tools" / "kernels" / "build.py"
        subprocess.run([sys.executable, str(build), "--all-forms"], check=True)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [
            "src/tacita/_kernels/*.so",
            "src/tacita/_kernels/*.pyd",
            "src/tacita/_kernels/contents.json",
        ]
