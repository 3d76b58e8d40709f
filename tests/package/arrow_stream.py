"""Reads Parquet files through libpagelane's Arrow C Stream Interface and compares with what pyarrow reads by itself.

arrow_stream.py LIBRARY, with a JSON array of paths on stdin, writes for each path and way of reading what is wrong: an object from
the path to a list of lines, empty where all is well.
"""

import ctypes
import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../js"))
from arrow_pyarrow import form

READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)


class Source(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("file_size", ctypes.c_uint64),
        ("bytes", ctypes.c_char_p),
        ("read", READ),
        ("release", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    ]


class Options(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("columns", ctypes.c_void_p),
        ("n_columns", ctypes.c_uint32),
        ("int96", ctypes.c_int),
        ("keep_dictionaries", ctypes.c_bool),
        ("limits", ctypes.c_void_p),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int),
        ("offset", ctypes.c_uint64),
        ("page", ctypes.c_int64),
        ("number", ctypes.c_int64),
        ("message", ctypes.c_char_p),
    ]


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")]


def read(library, content, options, by_callback):
    """A table, through the file's bytes or through a function that gives ranges of them."""

    def give(_, offset, size, out):
        ctypes.memmove(out, content[offset : offset + size], size)
        return 0

    source = Source(struct_size=ctypes.sizeof(Source), file_size=len(content))
    if by_callback:
        source.read = READ(give)
    else:
        source.bytes = content
    stream, error = Stream(), Error()
    if library.pl_arrow_stream_open(ctypes.byref(source), ctypes.byref(options), ctypes.byref(stream), ctypes.byref(error)):
        raise ValueError(f"not opened: {error.message.decode()}")
    reader = pa.RecordBatchReader._import_from_c(ctypes.addressof(stream))
    table = reader.read_all()
    reader.close()
    # the arrays have to stay when the stream and its source have gone
    return table


def compare(library, path):
    with open(path, "rb") as file:
        content = file.read()
    problems = []
    expected = pq.ParquetFile(path).read()
    for by_callback, keep in ((False, False), (True, True)):
        options = Options(struct_size=ctypes.sizeof(Options), keep_dictionaries=keep)
        table = read(library, content, options, by_callback)
        table.validate(full=True)
        if table.column_names != expected.column_names or table.num_rows != expected.num_rows:
            problems.append(f"{table.num_rows} rows of {table.column_names}")
            continue
        for i, name in enumerate(table.column_names):
            if form(table.column(i)) != form(expected.column(i)):
                problems.append(f"{name}: {table.column(i).type}, pyarrow's own is {expected.column(i).type}")
    return problems


def main():
    library = ctypes.CDLL(sys.argv[1])
    answers = {}
    for path in json.load(sys.stdin):
        try:
            answers[path] = compare(library, path)
        except Exception as error:
            answers[path] = [f"{type(error).__name__}: {error}"]
    json.dump(answers, sys.stdout)


main()
