"""Compile the kernels: from the Python files of ``numeric`` to extension modules in ``tacita/_kernels``.

    python tools/kernels/build.py                 what is not up to date, for this machine
    python tools/kernels/build.py --all-forms     for every processor of this architecture: what goes into a wheel
    python tools/kernels/build.py --group keys    one folder of numeric

Each group is typed by numba and optimised by LLVM in a process of its own, two and more at a time; a C compiler links the result
with the part of numba that every module carries (memory, errors). Nothing of numba is needed to run it.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(ROOT / "src")]

from tacita.core.machine_code import BUILT, CONTENTS, FORMS, PACKAGE, digests, is_changed, read_contents, runs  # noqa: E402

GROUPS = (
    "local_suppression",
    "table_moves",
    "microaggregation",
    "post_masking",
    "nearest",
    "keys",
    "linkage",
    "perturbation",
    "synthesis",
    "safe",
    "additive",
    "user_groups",
    "peer_search",
    "social_games",
    "statistics",
)
"""The folders of ``numeric`` with entries, those that take longest first."""

PLAIN = {"x86_64": "x86-64", "amd64": "x86-64"}
WIDE = ("microaggregation",)
"""Groups with a form for AVX-512: distances in many columns take two thirds of the time with it; others gain nothing."""
BORROWING = ("table_moves",)
"""Groups whose inner kernels borrow arrays from entries and count no references; one that makes an array does not compile."""
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


class BuildError(Exception):
    """Why the kernels could not be compiled, in one line."""


def forms_of(is_for_all: bool, group: str) -> tuple[str, ...]:
    """The kinds of processors to compile a group for: this one's, or all of its architecture."""
    plain = PLAIN.get(platform.machine().lower(), "")
    fast = [form for form in FORMS if plain and (form != "x86-64-v4" or group in WIDE)]
    if is_for_all:
        return (plain, *fast)
    return (next((form for form in reversed(fast) if runs(form)), plain),)


# --- one group, in a process of its own ------------------------------------------------------------------------------------


def compile_group(group: str, forms: tuple[str, ...], folder: Path) -> None:
    """Write the object files of a group, and the list of the files that it was made from."""
    import numba

    from kernels import lanes as _lanes  # noqa: F401  numba learns what lanes are
    from kernels.machine_code import machine_code, one_type_for_numbers
    from kernels.numba_types import numba_type
    from tacita.core import kernel

    def compiler(function: Any, options: Any) -> Any:
        settings: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        if options.inline:
            settings["inline"] = "always"
        if options.sums_in_any_order:
            settings["fastmath"] = {"reassoc", "contract"}
        if group in BORROWING:
            settings["_nrt"] = False
        return numba.njit(**settings)(function)

    kernel.use_compiler(compiler)
    one_type_for_numbers()
    package = importlib.import_module(f"tacita.numeric.{group}")
    root = Path(package.__path__[0])
    for path in sorted(root.rglob("*.py")):  # what else stands in the folder is not compiled, and need not even load
        if "@entry" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join((package.__name__, *path.relative_to(root).with_suffix("").parts)))
    listed = []
    for known in kernel.entries():
        if known.group != group:
            continue
        fast = {"reassoc", "contract"} if known.options.sums_in_any_order else None
        for number, kinds in enumerate(kernel.signatures(known.function)):
            types = tuple(numba_type(kind) for kind in kinds)
            listed.append((f"{known.symbol}__{number}", known.function, types, {"fastmath": fast}))
    for form, code in machine_code(_module_name(group), listed, forms).items():
        (folder / f"{group}-{form}.o").write_bytes(code)
    (folder / f"{group}.json").write_text(json.dumps(_files_of_kernels()), encoding="utf-8")


def _files_of_kernels() -> dict[str, list[str]]:
    """The files of ours that this process has loaded and that hold kernels, or say what their types are."""
    loaded = [
        Path(m.__file__) for n, m in sys.modules.items() if n.startswith("tacita.") and getattr(m, "__file__", None)
    ]
    inside = [
        path for path in loaded if path.is_relative_to(PACKAGE / "numeric") or path == PACKAGE / "core" / "arrays.py"
    ]
    return {path.relative_to(PACKAGE).as_posix(): digests(path) for path in sorted(inside)}


def _module_name(group: str) -> str:
    return f"tacita_{group}"


# --- all groups ------------------------------------------------------------------------------------------------------------


def build(groups: tuple[str, ...], *, is_for_all: bool, jobs: int, is_forced: bool = False) -> list[str]:
    """Compile the groups that are not up to date; return their names."""
    forms = {group: forms_of(is_for_all, group) for group in groups}
    with _alone():
        known = read_contents()
        wanted = [g for g in groups if is_forced or not _is_current(g, known.get(g), forms[g])]
        if not wanted:
            return []
        _check_compiler()
        with tempfile.TemporaryDirectory(prefix="tacita-kernels-") as name:
            folder = Path(name)
            BUILT.mkdir(exist_ok=True)
            with ThreadPoolExecutor(jobs) as pool:
                runtime = pool.submit(_runtime, folder)
                waiting = {pool.submit(_in_a_process, group, forms[group], folder): group for group in wanted}
                for done in as_completed(waiting):
                    group = waiting[done]
                    known[group] = _linked(group, forms[group], folder, runtime.result(), done.result())
                    _write_contents(known)
        return wanted


def _is_current(group: str, known: dict[str, Any] | None, forms: tuple[str, ...]) -> bool:
    return (
        known is not None
        and set(forms) <= set(known["forms"])
        and not is_changed(group, known["files"])
        and all((BUILT / name).is_file() for name in known["modules"].values())
    )


def _write_contents(groups: dict[str, Any]) -> None:
    text = json.dumps({"python": sys.implementation.cache_tag, "groups": groups}, indent=1, sort_keys=True)
    new = BUILT / f"{CONTENTS}.new"
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(BUILT / CONTENTS)


def _in_a_process(group: str, forms: tuple[str, ...], folder: Path) -> dict[str, list[str]]:
    started = time.monotonic()
    command = [sys.executable, "-W", "ignore", str(HERE / "build.py"), "--compile", group, ",".join(forms), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise BuildError(f"The kernels of {group} could not be compiled: {last}")
    sys.stdout.write(f"  {group}: {time.monotonic() - started:.0f} s\n")
    sys.stdout.flush()
    return dict(json.loads((folder / f"{group}.json").read_text(encoding="utf-8")))


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Wait until nobody else compiles into the same directory."""
    BUILT.mkdir(exist_ok=True)
    with (BUILT / ".lock").open("w") as lock:
        with contextlib.suppress(ImportError):  # elsewhere than on Unix two builds at a time are nobody's habit
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- the C compiler --------------------------------------------------------------------------------------------------------


def _check_compiler() -> None:
    """Say in one line what is lacking, before minutes are spent."""
    named = os.environ.get("CC", sysconfig.get_config_var("CC") or "cc").split()[0]
    if os.name == "posix" and not shutil.which(named):
        raise BuildError("There is no C compiler on this machine ('apt-get install gcc g++ python3-dev' brings one).")
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        raise BuildError("The header files of Python are missing ('apt-get install python3-dev' brings them).")


def _runtime(folder: Path) -> list[str]:
    """Compile the part of numba that every module carries; return the object files."""
    from numba.pycc.cc import CC

    from kernels.machine_code import RUNTIME

    common = CC(RUNTIME, source_module=sys.modules[__name__])
    with _quiet("The C compiler failed"):
        return list(common._compile_mixins(str(folder)))


def _linked(
    group: str, forms: tuple[str, ...], folder: Path, runtime: list[str], files: dict[str, list[str]]
) -> dict[str, Any]:
    """Link the modules of a group into their place; return what is written down about it."""
    from numba.pycc.platform import Toolchain

    tools, modules = Toolchain(), {}
    flags = {"linux": ["-pthread", "-Wl,--gc-sections", "-s"], "darwin": ["-Wl,-S"]}.get(sys.platform, [])
    for form in forms:
        name = f"{_module_name(group)}{'.' + form if form else ''}{SUFFIX}"
        new = BUILT / f"new.{name}"
        with _quiet("The linker failed"):
            tools.link_shared(
                str(new),
                [str(folder / f"{group}-{form}.o"), *runtime],
                tools.get_python_libraries(),
                tools.get_python_library_dirs(),
                export_symbols=[f"PyInit_{_module_name(group)}"],
                extra_ldflags=flags,
            )
        new.replace(BUILT / name)
        modules[form] = name
    return {"forms": list(forms), "modules": modules, "files": files}


@contextlib.contextmanager
def _quiet(what: str) -> Iterator[None]:
    """Turn whatever the tools of Python's own build raise into one line."""
    try:
        yield
    except Exception as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise BuildError(f"{what}: {lines[-1]}") from error


def main() -> int:
    """Run the command; 1 and one line on stderr when something is in the way."""
    parser = argparse.ArgumentParser(description="Compile the kernels of Tacita.")
    parser.add_argument("--group", choices=GROUPS, help="only this folder of numeric")
    parser.add_argument("--all-forms", action="store_true", help="for every processor of this architecture")
    parser.add_argument("--force", action="store_true", help="also what is up to date")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="groups at a time")
    parser.add_argument("--compile", nargs=3, metavar=("GROUP", "FORMS", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.compile:
        group, forms, folder = given.compile
        compile_group(group, tuple(forms.split(",")), Path(folder))
        return 0
    started = time.monotonic()
    try:
        made = build(
            (given.group,) if given.group else GROUPS,
            is_for_all=given.all_forms,
            jobs=given.jobs,
            is_forced=given.force,
        )
    except (BuildError, ImportError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if made:
        sys.stdout.write(f"Compiled the kernels of {', '.join(made)} in {time.monotonic() - started:.0f} s.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
