"""Runs in the environment of a peer: reads orders line by line, fits a synthesiser to a CSV file, draws a file of its size.

An order is one line of JSON: ``{"method": ..., "data": path, "out": path, "numbers": [...], "seed": 1}``. The answer is one line:
seconds of processor time for fitting and for drawing, or what went wrong. Ends when its input ends.
"""

import json
import sys
import time
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")


def copula(data: pd.DataFrame, numbers: list[str], seed: int) -> tuple[float, float, pd.DataFrame]:
    """Fit SDV's Gaussian copula as its first page does."""
    import torch
    from sdv.metadata import Metadata
    from sdv.single_table import GaussianCopulaSynthesizer

    torch.manual_seed(seed)
    metadata = Metadata()
    metadata.add_table("people")
    for name in data.columns:
        metadata.add_column(name, "people", sdtype="numerical" if name in numbers else "categorical")
    start = time.process_time()
    synthesiser = GaussianCopulaSynthesizer(metadata)
    synthesiser.fit({"people": data})
    fitted = time.process_time()
    made = synthesiser.sample(len(data))
    made = made["people"] if isinstance(made, dict) else made
    return fitted - start, time.process_time() - fitted, made


def cart(data: pd.DataFrame, numbers: list[str], seed: int) -> tuple[float, float, pd.DataFrame]:
    """Fit python-synthpop's trees; it stumbles over columns of ten and more classes, so that these go in as codes."""
    from synthpop.method.cart import CARTMethod

    codes = {name: pd.factorize(data[name], sort=True) for name in data.columns if name not in numbers}
    plain = data.copy()
    for name, (code, _) in codes.items():
        plain[name] = code
    kinds = {name: "numerical" if name in numbers else "categorical" for name in data.columns}
    np.random.seed(seed)
    start = time.process_time()
    trees = CARTMethod(kinds, smoothing=False, proper=False, minibucket=5, random_state=seed)
    trees.fit(plain)
    fitted = time.process_time()
    made = trees.sample(len(data))
    seconds = time.process_time() - fitted
    for name, (_, texts) in codes.items():
        made[name] = np.asarray(texts)[made[name].astype(int)]
    return fitted - start, seconds, made


METHODS = {"copula": copula, "cart": cart}


def main() -> None:
    """Answer orders until there are no more."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # what packages print is no answer
    for line in sys.stdin:
        order = json.loads(line)
        try:
            data = pd.read_csv(order["data"], keep_default_na=False)
            fit, draw, made = METHODS[order["method"]](data, order["numbers"], order["seed"] % 2**32)
            made[list(data.columns)].to_csv(order["out"], index=False)
            answer = {"fit": fit, "draw": draw}
        except Exception as error:  # noqa: BLE001 - whatever goes wrong there is told here
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
