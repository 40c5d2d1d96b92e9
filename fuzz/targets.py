"""What is fuzzed: for each kind of file a reader and small whole files of that kind, with a value planted in them."""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["CANARIES", "TARGETS", "Target"]

CANARIES = ("ZQCANARY", "98765432")
"""Data values that no message may have: a text and the beginning of a number."""

TEXT, NUMBER = "ZQCANARY", 98765432.25


@dataclass(frozen=True)
class Target:
    """One kind of file.

    Parameters
    ----------
    name
        Name of the kind.
    ending
        How the name of such a file ends.
    read
        Reads a file.
    seeds
        Makes whole files.
    foreign
        Whether the file is read in a child process.
    """

    name: str
    ending: str
    read: Callable[[Path], Any]
    seeds: Callable[[], list[bytes]]
    foreign: bool = False


def _rows() -> dict[str, list[Any]]:
    return {
        "region": ["north", "south", TEXT, "west", "north", None],
        "age": [31, 47, 52, None, 18, 77],
        "income": [1200.5, NUMBER, None, -9.0, 0.0, 3.25],
    }


def _data() -> Any:
    import pyarrow as pa

    import tacita as tc

    return tc.Microdata.from_frame(pa.table(_rows()), keys=["region"])


def _written(*endings: str) -> list[bytes]:
    import pyarrow as pa

    import tacita as tc
    from tacita.data.schema import Column, Schema

    table = pa.table(_rows())
    columns = (
        Column(name="region", roles=("key",), scale="nominal", label="Region"),
        Column(name="age", scale="ordinal", labels=((31, "young"), (77, "old"))),
        Column(name="income", scale="numeric", missing=(-9,)),
    )
    data = tc.Microdata(table, Schema(columns))
    large = tc.Microdata(pa.concat_tables([table] * 200), Schema(columns))
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for ending in endings:
            for made in (data, large):
                path = tc.write(made, Path(folder) / f"a{ending}", overwrite=True)
                found.append(path.read_bytes())
    return found


def _read(path: Path) -> Any:
    import tacita as tc

    return tc.read(path)


def _by_pyreadstat(function: str, ending: str) -> list[bytes]:
    import pandas as pd
    import pyreadstat

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{ending}"
        getattr(pyreadstat, function)(pd.DataFrame(_rows()).fillna({"region": ""}), str(path))
        return [path.read_bytes()]


def _sas7bdat() -> list[bytes]:
    """Headers of SAS files, 32 and 64 bits, with a page that says what columns there are; no free program writes them."""
    magic = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    found = []
    for wide in (False, True):
        head = bytearray(1024)
        head[:32] = magic
        head[32], head[35], head[37] = (0x33 if wide else 0x22), (0x33 if wide else 0x32), 1
        head[39], head[70] = 0x31, 20
        head[84:92] = b"SAS FILE"
        head[92:156] = b"A".ljust(64)
        shift = 4 if wide else 0
        struct.pack_into("<II", head, 196 + shift, 1024, 4096)
        struct.pack_into("<Q" if wide else "<I", head, 204 + shift, 1)
        page = bytearray(4096)
        struct.pack_into("<HHH", page, 32 if wide else 16, 0, 3, 3)
        at = 40 if wide else 24
        for place, size in ((3000, 480), (2000, 24), (1000, 36)):
            struct.pack_into("<QQBB" if wide else "<IIBB", page, at, place, size, 0, 0)
            at += 24 if wide else 12
        struct.pack_into("<I", page, 3000, 0xF7F7F7F7)
        struct.pack_into("<I", page, 2000, 0xF6F6F6F6)
        page[1000:1004] = b"\xff\xff\xff\xfd"
        found.append(bytes(head) + bytes(page))
    return found


def _xlsx() -> list[bytes]:
    import datetime

    import openpyxl

    with tempfile.TemporaryDirectory() as folder:
        book = openpyxl.Workbook()
        book.active.append(["region", "age", "income", "day"])
        rows = _rows()
        for row in zip(*rows.values(), strict=True):
            book.active.append([*row, datetime.date(2024, 2, 29)])
        book.save(Path(folder) / "a.xlsx")
        return [(Path(folder) / "a.xlsx").read_bytes()]


# --- metadata -----------------------------------------------------------------------------------------------------------

SCHEMA = """
[columns.region]
role = ["key", "stratum"]
scale = "nominal"
categories = ["north", "south", "west", "ZQCANARY"]
hierarchy = [["north", "up", "*"], ["south", "down", "*"], ["west", "up", "*"], ["ZQCANARY", "up", "*"]]
[columns.age]
scale = "numeric"
bounds = [0, 120]
missing = [-9, [997, 999], "refused"]
labels = [[31, "young"], [77, "old"]]
label = "Age"
[columns.income]
role = "confidential"
scale = "numeric"
"""
RECIPE = """
[[step]]
mask = "rank_swap"
columns = ["income", "age"]
p = 10.5
[[step]]
mask = "mdav"
k = 3
[[step]]
mask = "global_recode"
levels = {region = 1}
breaks = {age = [18, 30, 65]}
"""
SCORE = 'name = "mine"\npairing = "auto"\n[bounded]\ndld = 0.5\n'
SCORE += "rid = {weight = 0.25}\nsdid = 0.25\n[parameters.rid]\nwidths = [1, 2, 5]\n"
SEARCH = 'columns = ["income"]\n[[candidate]]\nmask = "rank_swap"\np = {from = 1, to = 9, step = 2}\n[[candidate]]\nname = "n"\n'
SEARCH += '[[candidate.step]]\nmask = "rounding"\nbase = [10, 100]\n'
HRC = "north\n@n1\n@n2\n@@n21\nsouth\n@s1\n"
GRC = '1: -29\n2: 30-64\n"3": 65-\n<MISSING> 9, "99"\n<CODELIST> "ages.cdl"\n'
CSV = (
    'region;age;income;day;code\nnorth;31;1200,5;2024-01-01;01\n"ZQCANARY;x";47;98765432,25;2024-02-29;02\n;NA;;;+49\n'
)
JJ = (
    "0\n4\n0 98765432 4 s 0 200000000 0 0 0\n1 3 2 u 0 30 1 1 0\n2 98765429 3 s 0 200000000 0 0 0\n3 0 1 z 0 9 0 0 0\n"
    "1\n0.0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)\n"
)
APRIORI = "north;u\nsouth;pl;5;8\nwest;p\nTotal;c;4.5\nsouth;ml\n"
TABLE = "region,value,status,count\n"
TABLE += "north,20,published,3\nsouth,30,unsafe,2\nwest,98765432,hidden,9\nTotal,98765482,published,14\n"


@cache
def _table() -> Any:
    from tacita.tables import table_from_cells

    cells = {"region": ["north", "south", "west"], "value": [20.0, 30.0, NUMBER]}
    return table_from_cells(cells, ["region"])


def _json_tables() -> list[bytes]:
    import numpy as np

    from tacita.tables.files.read_write import write_table

    hidden = np.zeros(len(_table()), bool)
    hidden[:2] = True
    with tempfile.TemporaryDirectory() as folder:
        return [
            write_table(_table(), Path(folder) / f"{i}.json", hidden=hidden, secret=secret).read_bytes()
            for i, secret in enumerate((False, True))
        ]


def _read_table(path: Path) -> Any:
    from tacita.tables.files.read_write import read_table

    return read_table(path)


def _read_apriori(path: Path) -> Any:
    from tacita.tables.files.apriori import read_apriori

    return read_apriori(path, _table())


def _schema(path: Path) -> Any:
    import tacita as tc
    from tacita.data.schema_file import schema_from_toml

    data = path.with_name("beside.csv")
    data.write_text("region,age,income\nnorth,31,1\nsouth,refused,2\n")
    tc.read(data, schema=path)
    return schema_from_toml(path)


def _recipe(path: Path) -> Any:
    import tacita as tc

    return tc.Recipe.read(path)


def _score(path: Path) -> Any:
    import tacita as tc

    return tc.Score.read(path)


def _search(path: Path) -> Any:
    from tacita.compare.search.candidates import read_search

    return read_search(path)


def _hierarchy(path: Path) -> Any:
    import tacita as tc

    tree = tc.Hierarchy.read(path)
    return tree.to_csv()


def _grc(path: Path) -> Any:
    from tacita.data.grc import Recoding

    return Recoding.read(path)


def _link(path: Path) -> Any:
    import tacita as tc

    path.replace(path.with_name("link.parquet"))
    return tc.Release.read_link(path.parent)


def _links() -> list[bytes]:
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table({"original_row": list(range(300))}), out, compression="zstd")
    return [out.getvalue()]


def _ledger(path: Path) -> Any:
    from tacita.release.ledger import ledger_entries, warn_of_repetition

    entry = {"input_sha256": "a" * 64, "release_sha256": "b" * 64}
    return warn_of_repetition(entry, ledger_entries(path))


def _journal(path: Path) -> Any:
    from tacita.compare.search.journal import Journal

    return Journal(path, data=_data_of_journal(), measuring="m", candidates=("x", "y"))


@cache
def _data_of_journal() -> Any:
    import pyarrow as pa

    import tacita as tc

    return tc.Microdata.from_frame(pa.table({"a": [1.0, 2.0]}))


def _journals() -> list[bytes]:
    from tacita.compare.search.trial import Trial

    with tempfile.TemporaryDirectory() as folder:
        made = _journal(Path(folder) / "j")
        for seed in (1, 2**127):
            made.add("x", Trial(seed, {"il": 0.5, "dld": 1 / 3}, {"pil": "no"}, ("careful",), seconds=0.5))
        return [(Path(folder) / "j").read_bytes()]


def _out_of_core(path: Path) -> Any:
    from tacita.data.keys.key_counts import count_keys_of_file
    from tacita.data.tabulate import TallyRequest
    from tacita.data.tabulate_file import tally_file

    count_keys_of_file(path, ["region"], memory="200MB")
    return tally_file(path, TallyRequest(by=("region",), responses=("income",)), memory="200MB")


LOG = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n142\tZQCANARY news\t2006-03-01 07:17:12\t\t\n"
LOG += '142\t-\t2006-03-01 07:18:00\t\t\n217\tcafé "x\t2006-03-02 10:00:00\t3\thttp://www.example.com\n' * 3
LOG_CSV = 'user,query,time,rank,url\n1,"ZQCANARY, ""x""",2006-03-01 07:17:12,1,u\n2,tea,2006-03-01T07:17:12+01:00,,\n'
LOG_JSON = (
    '{"user": 1, "query": "ZQCANARY \\u00e9", "time": "2006-03-01 07:17:12", "rank": 3}\n{"user": "x", "query": null}\n'
)


def _read_query_log(path: Path) -> Any:
    from tacita.data.query_log.identifying import identifying_queries
    from tacita.data.query_log.read import read_log

    log = read_log(path)
    identifying_queries(log, rare=2)
    return log.reading.words(), log.searches().compact()


def _log_files(ending: str) -> Callable[[], list[bytes]]:
    def made() -> list[bytes]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({"user": [1, 2] * 40, "query": [TEXT, None] * 40, "rank": [1, 2] * 40})
        out = pa.BufferOutputStream()
        if ending == ".parquet":
            pq.write_table(table, out)
        else:
            with pa.ipc.new_file(out, table.schema) as writer:
                writer.write_table(table)
        return [out.getvalue().to_pybytes()]

    return made


def _packed(text: str) -> bytes:
    import gzip

    return gzip.compress(text.encode(), mtime=0)


def _texts(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


_CSVS = (
    CSV,
    CSV.replace(";", "\t"),
    CSV.replace(",", ".").replace(";", ","),
    CSV.replace(";", "|").replace("\n", "\r\n"),
)
_LEDGER = json.dumps([{"input_sha256": "a" * 64, "release_sha256": "c" * 64}], indent=2)

TARGETS = {
    target.name: target
    for target in (
        Target("csv", ".csv", _read, lambda: [*_texts(*_CSVS)(), CSV.encode("utf-16"), CSV.encode("cp1252")]),
        Target("tsv", ".tsv", _read, _texts(_CSVS[1])),
        Target("parquet", ".parquet", _read, lambda: _written(".parquet")),
        Target("feather", ".feather", _read, lambda: _written(".feather")),
        Target("duckdb", ".duckdb", _read, lambda: _written(".duckdb")[:1]),
        Target("sav", ".sav", _read, lambda: _written(".sav"), foreign=True),
        Target("zsav", ".zsav", _read, lambda: _written(".zsav"), foreign=True),
        Target("por", ".por", _read, lambda: _by_pyreadstat("write_por", ".por"), foreign=True),
        Target("dta", ".dta", _read, lambda: _written(".dta"), foreign=True),
        Target("sas7bdat", ".sas7bdat", _read, _sas7bdat, foreign=True),
        Target("xpt", ".xpt", _read, lambda: _by_pyreadstat("write_xport", ".xpt"), foreign=True),
        Target("xlsx", ".xlsx", _read, _xlsx, foreign=True),
        Target("csv out of core", ".csv", _out_of_core, _texts(*_CSVS)),
        Target("parquet out of core", ".parquet", _out_of_core, lambda: _written(".parquet")),
        Target("schema", ".toml", _schema, _texts(SCHEMA)),
        Target("recipe", ".toml", _recipe, _texts(RECIPE)),
        Target("score", ".toml", _score, _texts(SCORE)),
        Target("search", ".toml", _search, _texts(SEARCH)),
        Target("hierarchy csv", ".csv", _hierarchy, _texts("a;x;*\nb;x;*\nc;y;*\n")),
        Target("hrc", ".hrc", _hierarchy, _texts(HRC)),
        Target("grc", ".grc", _grc, _texts(GRC)),
        Target("table csv", ".csv", _read_table, _texts(TABLE)),
        Target("table json", ".json", _read_table, _json_tables),
        Target("jj", ".jj", _read_table, _texts(JJ)),
        Target("apriori", ".hst", _read_apriori, _texts(APRIORI)),
        Target("link", ".parquet", _link, _links),
        Target("ledger", ".json", _ledger, _texts(_LEDGER)),
        Target("journal", ".jsonl", _journal, _journals),
        Target(
            "log", ".txt", _read_query_log, lambda: [*_texts(LOG, LOG * 50)(), LOG.encode("utf-16"), _packed(LOG * 9)]
        ),
        Target("log csv", ".csv", _read_query_log, _texts(LOG_CSV, LOG_CSV.replace(",", ";"))),
        Target("log json", ".jsonl", _read_query_log, _texts(LOG_JSON, LOG_JSON * 50)),
        Target("log parquet", ".parquet", _read_query_log, _log_files(".parquet")),
        Target("log arrow", ".arrow", _read_query_log, _log_files(".arrow")),
    )
}
