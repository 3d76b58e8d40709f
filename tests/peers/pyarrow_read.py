"""Reads Parquet files with pyarrow and writes what it read as Arrow streams.

pyarrow_read.py FOLDER reads lines from stdin, each a JSON array: number, path, and perhaps the names of columns. For each it
writes FOLDER/number.arrow and a line of JSON to stdout: [number, null], or [number, what went wrong].
"""

import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def read(folder, number, path, columns=None):
    table = pq.ParquetFile(path).read(columns=columns)
    with pa.OSFile(f"{folder}/{number}.arrow", "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def main(folder):
    for line in sys.stdin:
        task = json.loads(line)
        problem = None
        try:
            read(folder, *task)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        print(json.dumps([task[0], problem]), flush=True)


main(sys.argv[1])
