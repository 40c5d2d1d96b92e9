"""Fingerprints of all that Tacita hands out, to see whether a change of the code changed a result.

``python tools/fingerprint.py --against v0.3`` runs every mask, measure, rule and protector, the demo and every help
text in a clean copy of that revision and in this tree, and prints what differs; nothing differs after a change that
only moves or renames. ``--write FILE`` keeps the fingerprints of this tree, ``--with FILE`` compares with kept ones.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import inspect
import io
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
Prints = dict[str, str]
MAY_DIFFER = ("manifest.json", "ledger")  # they name times and versions


def main() -> int:
    """Compare, or write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--against", metavar="REVISION", help="a revision of this repository to compare with")
    parser.add_argument("--with", metavar="FILE", dest="kept", help="fingerprints kept by --write to compare with")
    parser.add_argument("--write", metavar="FILE", help="keep the fingerprints of this tree here")
    given = parser.parse_args()
    if given.write and not given.against and not given.kept:
        Path(given.write).write_text(json.dumps(fingerprints(), indent=1) + "\n", encoding="utf-8")
        return 0
    before = _of_revision(given.against) if given.against else json.loads(Path(given.kept).read_text(encoding="utf-8"))
    after = fingerprints()
    if given.write:
        Path(given.write).write_text(json.dumps(after, indent=1) + "\n", encoding="utf-8")
    return _report(before, after)


def _report(before: Prints, after: Prints) -> int:
    changed = sorted(name for name in before if name in after and before[name] != after[name])
    for title, names in (
        ("changed", changed),
        ("gone", sorted(before.keys() - after.keys())),
        ("new", sorted(after.keys() - before.keys())),
    ):
        for name in names:
            sys.stdout.write(f"{title:8} {name}\n")
    same = len(before.keys() & after.keys()) - len(changed)
    sys.stdout.write(f"{same} of {len(before)} fingerprints are as before.\n")
    return 1 if same < len(before) else 0


def _of_revision(revision: str) -> Prints:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", "--quiet", tree, revision], check=True)
        try:
            kept = Path(folder) / "fingerprints.json"
            there = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree)])}
            subprocess.run([sys.executable, __file__, "--write", kept], check=True, cwd=tree, env=there)
            return dict(json.loads(kept.read_text(encoding="utf-8")))
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], check=True)


def fingerprints() -> Prints:
    """Everything, by name. A method that refuses counts with the kind of its error."""
    sys.path[:0] = [str(Path.cwd())]  # the examples of the tree that is looked at
    made: Prints = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for part in (_public_names, _parameters, _masks, _measures, _tables, _demo, _helps):
            for name, text in part():
                made[name] = hashlib.sha256(text.encode()).hexdigest()[:16]
            sys.stderr.write(f"{part.__name__.strip('_').replace('_', ' ')}: {len(made)} fingerprints\n")
    return made


def _tried(act: Callable[..., str], *given: Any) -> str:
    from tacita.core.errors import TacitaError

    try:
        return act(*given)
    except TacitaError as error:
        return type(error).__name__


def _public_names() -> Iterator[tuple[str, str]]:
    import tacita as tc

    for name in tc.__all__:
        if name != "__version__":
            yield f"name tc.{name}", _signature(getattr(tc, name))
    for room in (tc.mask, tc.loss, tc.risk, tc.tables, tc.samples):
        for name in room.__all__:
            yield f"name {room.__name__}.{name}", _signature(getattr(room, name))


def _signature(named: Any) -> str:
    if inspect.ismodule(named) or not callable(named):
        return "module" if inspect.ismodule(named) else "value"
    try:
        return ", ".join(f"{p.kind} {p.name}" for p in inspect.signature(named).parameters.values())
    except (TypeError, ValueError):
        return "no signature"


def _parameters() -> Iterator[tuple[str, str]]:
    from tacita.core import registry

    for method in registry.methods():
        for p in method.parameters():
            yield f"parameter {method.kind} {method.name}.{p.name}", "required" if p.required else repr(p.default)


def _files() -> dict[str, Any]:
    from tests.conformance.examples import survey

    import tacita as tc

    household = tc.samples.household_survey(400, seed=5)
    return {"survey": survey(300), "full": survey(240, missing=False), "household": household}


def _masks() -> Iterator[tuple[str, str]]:
    from tests.conformance.examples import all_examples, label

    for place, data in _files().items():
        for mask in all_examples("mask"):
            for seed in (1, 7):
                yield f"mask {label(mask)} on {place}, seed {seed}", _tried(_masked, mask, data, seed)


def _masked(mask: Any, data: Any, seed: int) -> str:
    table = mask.apply(data, seed=seed).to_arrow()
    return repr([(name, str(table.column(name).type), table.column(name).to_pylist()) for name in table.column_names])


def _measures() -> Iterator[tuple[str, str]]:
    from tests.conformance.examples import all_examples, disturbed, label

    for place, data in _files().items():
        other = disturbed(data, 0.2)
        for measure in all_examples("loss", "risk"):
            for pairing in ("order", "nearest"):
                name = f"{measure.kind} {label(measure)} on {place}, paired by {pairing}"
                yield name, _tried(_measured, measure, data, other, pairing)


def _measured(measure: Any, original: Any, masked: Any, pairing: str) -> str:
    return repr(measure(original, masked, pairing=pairing))


def _tables() -> Iterator[tuple[str, str]]:
    import tacita as tc

    t = tc.tables
    data = tc.samples.business_survey(1500, seed=3)
    table = tc.tabulate(data, ["region", "size_class"], "turnover")
    rules = {
        "p%": t.PPercent(p=10),
        "dominance": t.Dominance(n=2, share=75),
        "frequency": t.MinimumFrequency(at_least=3),
        "both": t.PPercent(p=10) | t.MinimumFrequency(at_least=3),
    }
    protectors = {
        **{f"suppress {m}": t.Suppress(method=m) for m in ("exact", "fast", "modular", "hypercube")},
        **{f"suppress fast seats {s}": t.Suppress(method="fast", seats=s) for s in ("none", "singletons")},
        **{
            f"round {k}": t.Round(base=1000, kind_of=k, rounding_seed=1)
            for k in ("controlled", "conventional", "random")
        },
        "adjust": t.Adjust(),
    }
    for said, rule in rules.items():
        unsafe = _tried(_cells, rule, table)
        yield f"rule {said}", unsafe
        for kind, protector in protectors.items():
            yield f"protector {kind}, {said}", _tried(_published, protector, table, rule)


def _cells(rule: Any, table: Any) -> str:
    unsafe = rule.judge(table)
    return repr([(name, value.tolist()) for name, value in sorted(vars(unsafe).items()) if hasattr(value, "tolist")])


def _published(protector: Any, table: Any, rule: Any) -> str:
    protected = protector.protect(table, rule.judge(table))
    return repr((np.where(protected.hidden, 0, protected.values).tolist(), protected.hidden.tolist()))


def _demo() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        said = _command("demo", "--output", str(Path(folder) / "demo"))
        yield "demo: what it prints", said.replace(folder, "")
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and not any(word in path.name for word in MAY_DIFFER):
                yield f"demo: {path.relative_to(folder)}", hashlib.sha256(path.read_bytes()).hexdigest()


def _helps() -> Iterator[tuple[str, str]]:
    verbs = ("describe", "assess", "mask", "evaluate", "search", "study", "table", "audit", "methods", "optimise")
    yield "help", _command("--help")
    for verb in verbs:
        yield f"help {verb}", _command(verb, "--help")


def _command(*words: str) -> str:
    from tacita.cli.main import run

    out = io.StringIO()
    before, sys.argv = sys.argv, ["tacita", *words]
    try:
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            run()
    finally:
        sys.argv = before
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
