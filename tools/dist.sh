#!/bin/sh
# Builds the wheel and the source package into dist/, installs the wheel into a fresh environment, takes compilers out of reach there,
# runs the demo with each form of machine code, and compares what they publish.
# usage: dist.sh PYTHON BIN
set -eu
python=$1
bin=$2

rm -rf dist
"$bin/python" -m build --outdir dist .

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"$python" -m venv "$place/venv"
"$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt dist/*.whl
mkdir "$place/bin"
for name in sh env uname; do ln -s "$(command -v $name)" "$place/bin/$name"; done
cd "$place"
PATH="$place/bin" CC=there-is-none "$place/venv/bin/tacita" demo --output "$place/demo"
PATH="$place/bin" CC=there-is-none TACITA_KERNELS=plain "$place/venv/bin/tacita" demo --output "$place/plain" >/dev/null
diff -r "$place/demo/release/public" "$place/plain/release/public"
echo "Both forms of machine code publish the same."
"$place/venv/bin/python" - <<'PY'
import importlib.util
from tacita.core import machine_code
lacking = [group for group in machine_code._contents() if machine_code.compiled_module(group) is None]
assert machine_code._contents() and not lacking, f"no machine code for {lacking}"
assert importlib.util.find_spec("numba") is None, "numba is needed no more, but it was installed"
print("The wheel runs without a compiler and without numba.")
PY
cd - >/dev/null
ls -l dist
