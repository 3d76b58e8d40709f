"""Compares Arrow bytes with the Parquet file that they were made from.

Reads a JSON array from stdin, each element [path of Arrow data, path of the Parquet file, names of columns], and writes an
array of what is wrong with each: a list of lines, empty where all is well.
"""

import json
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def form(array):
    """Types and values, as far as two ways to write the same column agree on them."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    if isinstance(array.type, pa.BaseExtensionType):
        return form(array.storage)
    if pa.types.is_dictionary(array.type):
        return form(array.dictionary_decode())
    nulls = array.is_null()
    if pa.types.is_struct(array.type):
        names = [array.type.field(i).name for i in range(array.type.num_fields)]
        return ["struct", names, nulls.to_pylist(), [form(child) for child in array.flatten()]]
    if pa.types.is_map(array.type):
        pairs = pa.StructArray.from_arrays([array.keys, array.items], names=["key", "value"])
        return ["map", form(pa.ListArray.from_arrays(array.offsets, pairs, mask=nulls))]
    if pa.types.is_list(array.type):
        return ["list", pc.list_value_length(array).to_pylist(), form(array.flatten())]
    name = str(array.type)
    if pa.types.is_timestamp(array.type) or pa.types.is_time64(array.type):
        array = array.cast(pa.int64())
    return [name, repr(array.to_pylist())]


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
        ours, theirs = form(table[name]), form(expected[name])
        if ours != theirs:
            problems.append(f"{name}: {table[name].type}, pyarrow's own is {expected[name].type}")
    return problems


def main():
    answers = []
    for task in json.load(sys.stdin):
        try:
            answers.append(compare(*task))
        except Exception as error:
            answers.append([f"{type(error).__name__}: {error}"])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
