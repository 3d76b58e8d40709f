"""Compares Arrow bytes with the Parquet file that they were made from.

Reads a JSON array from stdin, each element [path of Arrow data, path of the Parquet file, names of columns], and writes an
array of what is wrong with each: a list of lines, empty where all is well.
"""

import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq

EDGE = 1500


def plain(column):
    """One array, without what may differ: extension types, dictionaries, times that Python rounds."""
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return array


def values(array):
    if pa.types.is_timestamp(array.type) or pa.types.is_time64(array.type):
        array = array.cast(pa.int64())
    if len(array) > 2 * EDGE:
        array = pa.concat_arrays([array.slice(0, EDGE), array.slice(len(array) - EDGE)])
    return array.to_pylist()


def compare(arrow_path, parquet_path, names):
    with pa.memory_map(arrow_path) as source:
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        table = (pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)).read_all()
    table.validate(full=True)
    expected = pq.ParquetFile(parquet_path).read(columns=names)
    problems = []
    if table.num_rows != expected.num_rows or table.column_names != names:
        problems.append(f"{table.num_rows} rows of {table.column_names}, {expected.num_rows} of {names}")
    for name in names:
        ours, theirs = plain(table[name]), plain(expected[name])
        if ours.type != theirs.type:
            problems.append(f"{name}: type {ours.type}, pyarrow's own is {theirs.type}")
        elif repr(values(ours)) != repr(values(theirs)):
            problems.append(f"{name}: other values")
    return problems


def main():
    answers = []
    for task in json.load(sys.stdin):
        try:
            answers.append(compare(*task))
        except Exception as error:
            answers.append([f"{type(error).__name__}: {error}"])
    json.dump(answers, sys.stdout)


main()
