"""Writes small files with pyarrow: peers_pyarrow.py DIRECTORY. import_peers.js cuts pages out of them."""

import sys

import pyarrow as pa
import pyarrow.parquet as pq

N = 330


def table():
    small = [None if i % 7 == 3 else (i * i) % 23 for i in range(N)]
    return pa.table(
        {
            "i32": pa.array([(i * 7919) % 100003 - 50000 for i in range(N)], pa.int32()),
            "i32_wrap": pa.array([(-(2**31) if i % 2 else 2**31 - 1) for i in range(N)], pa.int32()),
            "i64_null": pa.array([None if i % 5 == 0 else i * 10**12 for i in range(N)], pa.int64()),
            "f64": pa.array([i / 8 for i in range(N)], pa.float64()),
            "f32_null": pa.array([None if 40 < i < 90 else i / 4 for i in range(N)], pa.float32()),
            "flag": pa.array([None if i % 11 == 0 else i % 3 == 0 for i in range(N)], pa.bool_()),
            "small": pa.array(small, pa.int64()),
            "word": pa.array([None if i % 13 == 0 else "word %d" % (i % 17) for i in range(N)], pa.string()),
            "text": pa.array(["line %d%s" % (i, "x" * (i * 7 % 40)) for i in range(N)], pa.string()),
            "fixed": pa.array([bytes([i % 256, i % 7, 0, 1, 2]) for i in range(N)], pa.binary(5)),
            "nothing": pa.array([None] * N, pa.int32()),
        }
    )


def main(folder):
    delta = {name: "DELTA_BINARY_PACKED" for name in ("i32", "i32_wrap", "i64_null")}
    delta |= {"word": "DELTA_BYTE_ARRAY", "fixed": "DELTA_BYTE_ARRAY", "text": "DELTA_LENGTH_BYTE_ARRAY"}
    split = {name: "BYTE_STREAM_SPLIT" for name in ("i32", "i32_wrap", "i64_null", "f64", "f32_null", "small", "fixed")}
    for name, options in {
        "v1-dictionary-snappy": {"data_page_version": "1.0", "compression": "snappy"},
        "v2-dictionary-zstd": {"data_page_version": "2.0", "compression": "zstd"},
        "v1-delta-gzip": {"data_page_version": "1.0", "use_dictionary": False, "column_encoding": delta, "compression": "gzip"},
        "v2-delta": {"data_page_version": "2.0", "use_dictionary": False, "column_encoding": delta, "compression": "none"},
        "v1-fallback": {"dictionary_pagesize_limit": 400, "compression": "snappy"},
        "v1-split-zstd": {"data_page_version": "1.0", "use_dictionary": False, "column_encoding": split, "compression": "zstd"},
        "v2-split": {"data_page_version": "2.0", "use_dictionary": False, "column_encoding": split, "compression": "none"},
    }.items():
        pq.write_table(
            table(), f"{folder}/{name}.parquet", data_page_size=600, write_batch_size=60, row_group_size=200,
            store_schema=False, version="2.6", **options,
        )
    print(pa.__version__)


main(sys.argv[1])
