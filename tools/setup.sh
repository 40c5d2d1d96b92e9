#!/bin/sh
# Makes the virtual environment with exactly the versions of constraints.txt and installs Tacita into it; then compiles the kernels.
# usage: setup.sh PYTHON VENV
set -eu
python=$1
venv=$2

"$python" - <<'PY' || { echo "Tacita needs Python 3.11 or later; say which with: make PYTHON=/path/to/python3.11" >&2; exit 1; }
import sys
sys.exit(sys.version_info < (3, 11))
PY

# Installs packages of Debian where that is allowed; says no word where it is not.
bring() {
    command -v apt-get >/dev/null 2>&1 || return 1
    if [ "$(id -u)" = 0 ]; then
        as_root=""
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        return 1
    fi
    $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Debian ships venv apart from Python.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "Installing Debian's package for virtual environments"
    bring python3-venv || { echo "Virtual environments are missing: apt-get install python3-venv" >&2; exit 1; }
fi

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
echo "Installing Tacita and the versions of constraints.txt into $venv"
pip="$venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt"
$pip hatchling editables setuptools
$pip --no-build-isolation -e '.[dev]'

# The kernels want a C and a C++ compiler and the header files of Python.
ready() {
    { command -v "${CC:-cc}" && command -v g++; } >/dev/null 2>&1 \
        && "$python" -c 'import pathlib, sysconfig, sys; sys.exit(not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists())'
}
if ! ready; then
    echo "Installing Debian's C compiler for the kernels"
    bring gcc g++ libc6-dev python3-dev || true
fi
"$venv/bin/python" tools/kernels/build.py \
    || echo "The kernels could not be compiled: they run as Python, on small data. 'make kernels' tries again."
