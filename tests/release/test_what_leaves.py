"""An intruder who has all of public/, in every format, finds nothing that only suppressed or recoded records had."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc

RARE, RARE_LABEL, RARE_GROUP = "lighthouse keeper", "Guards a lighthouse", "coastal service"
UNUSED_CODE, BOUND = 98765, 43219


def survey(n: int = 120) -> tc.Microdata:
    rng = np.random.default_rng(8)
    jobs = ["clerk", "farmer", RARE]
    job = pa.DictionaryArray.from_arrays(pa.array([2, *rng.integers(0, 2, n - 1)], pa.int32()), pa.array(jobs))
    tree = tc.Hierarchy((("clerk", "office", "*"), ("farmer", "field", "*"), (RARE, RARE_GROUP, "*")))
    columns = (
        tc.Column(
            name="house", scale="nominal", roles=("household",), labels=((5000, RARE_LABEL),), bounds=(5000, BOUND)
        ),
        tc.Column(
            name="job",
            scale="nominal",
            roles=("key",),
            hierarchy=tree,
            categories=tuple(jobs),
            labels=((RARE, RARE_LABEL),),
        ),
        tc.Column(
            name="income",
            scale="numeric",
            roles=("confidential",),
            bounds=(0, BOUND),
            missing=(UNUSED_CODE,),
            labels=((UNUSED_CODE, RARE_LABEL),),
        ),
    )
    table = pa.table({"house": np.arange(n) // 3 + 5000, "job": job, "income": np.round(rng.normal(1000, 100, n))})
    return tc.Microdata(table.replace_schema_metadata({"author": RARE}), tc.Schema(columns))


SUPPRESS = tc.mask.LocalSuppression(columns=["job"], k=2)
RECODE = tc.mask.GlobalRecode(map={"job": {RARE: "farmer"}})
NOISE = tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.1)


def everything(public: Path) -> bytes:
    """All bytes of the public side, and those that compression hides."""
    shown = b""
    for path in sorted(public.rglob("*")):
        shown += path.name.encode() + path.read_bytes()
        if path.suffix == ".parquet":
            file = pq.ParquetFile(path, read_dictionary=["job"])
            table = file.read()
            shown += repr([c.dictionary.to_pylist() for c in table.column("job").chunks]).encode()
            shown += repr((table.to_pydict(), file.schema_arrow.metadata, file.metadata.to_dict())).encode()
        if path.suffix == ".feather":
            table = pa.ipc.open_file(str(path)).read_all()
            buffers = [b for c in table.columns for chunk in c.chunks for b in chunk.buffers() if b is not None]
            shown += b"".join(b.to_pybytes() for b in buffers) + repr(table.schema).encode()
    return shown


@pytest.mark.parametrize("format", ["csv", "tsv", "parquet", "feather", "sav", "dta"])
@pytest.mark.parametrize("step", [SUPPRESS, RECODE], ids=lambda step: step.name)
def test_nothing_public_tells_of_the_rare_one(format: str, step: tc.mask.Mask, tmp_path: Path) -> None:
    release = tc.Recipe([step, NOISE]).apply(survey(), seed=1)
    if format in ("csv", "parquet"):
        made = tc.publish(release, tmp_path / "out", format=format, measures=["il1s", "k_anonymity"])
    else:
        made = release.write(tmp_path / "out", format=format)
    shown = everything(made / "public")
    for secret in (RARE, RARE_LABEL, RARE_GROUP, str(BOUND), str(UNUSED_CODE)):
        assert secret.encode() not in shown, secret
        assert secret.encode("utf-16-le") not in shown, secret
    old = set(range(5000, 5040))
    assert not old & set(release.public.to_arrow().column("house").to_pylist())


def test_the_object_that_leaves_is_as_clean_as_the_files() -> None:
    public = tc.Recipe([SUPPRESS, NOISE]).apply(survey(), seed=1).public
    table = public.to_arrow(codes=False)
    assert table.schema.metadata is None
    assert RARE not in table.column("job").combine_chunks().dictionary.to_pylist()
    assert RARE not in str(public.schema.to_toml())


def test_public_metadata_leave_when_the_user_says_so(tmp_path: Path) -> None:
    data = survey()
    data = data.with_schema(data.schema.change("job", public=True))
    tc.Recipe([SUPPRESS, NOISE]).apply(data, seed=1).write(tmp_path / "out")
    text = (tmp_path / "out/public/schema.toml").read_text()
    assert RARE in text
    assert str(BOUND) not in text


def test_external_pictures_show_the_same(tmp_path: Path) -> None:
    from tacita.report.publish import write_pictures

    data = survey()
    card = tc.evaluate(data, tc.Recipe([SUPPRESS, NOISE]).apply(data, seed=1), measures=["il1s", "k_anonymity"])
    made = write_pictures(card, tmp_path / "pictures", form="external")
    assert RARE not in "".join(path.read_text(encoding="utf-8") for path in made if path.suffix == ".svg")
