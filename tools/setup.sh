#!/bin/sh
# Makes the virtual environment with exactly the versions of constraints.txt and installs Tacita into it.
# usage: setup.sh PYTHON VENV
set -eu
python=$1
venv=$2

"$python" - <<'PY' || { echo "Tacita needs Python 3.11 or later; say which with: make PYTHON=/path/to/python3.11" >&2; exit 1; }
import sys
sys.exit(sys.version_info < (3, 11))
PY

# Debian ships venv apart from Python.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo"; fi
    echo "Installing Debian's package for virtual environments"
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq python3-venv
fi

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
echo "Installing Tacita and the versions of constraints.txt into $venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
