"""Writes Parquet files with pyarrow.

pyarrow_write.py FOLDER reads lines from stdin, each a JSON array: number, path of an Arrow stream, options of write_table. For
each it writes FOLDER/number.parquet and a line of JSON to stdout: [number, null], or [number, what went wrong].
"""

import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def write(folder, number, stream, options):
    with pa.OSFile(stream) as source:
        table = pa.ipc.open_stream(source).read_all()
    pq.write_table(table, f"{folder}/{number}.parquet", **options)


def main(folder):
    for line in sys.stdin:
        task = json.loads(line)
        problem = None
        try:
            write(folder, *task)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        print(json.dumps([task[0], problem]), flush=True)


main(sys.argv[1])
