"""Writes v1.parquet and v2.parquet with Apache Spark: spark_write.py DIRECTORY. What is in them, spark.test.js works out by itself.

Run once, with pyspark 3.5.6; the files are committed, so that nobody needs a Java machine for the test.
"""

import datetime
import decimal
import glob
import shutil
import sys

from pyspark.sql import SparkSession
from pyspark.sql import types as t

N = 300
STRUCT = t.StructType([t.StructField("a", t.IntegerType()), t.StructField("b", t.StringType(), False)])
SCHEMA = t.StructType(
    [
        t.StructField("flag", t.BooleanType()),
        t.StructField("byte", t.ByteType()),
        t.StructField("short", t.ShortType()),
        t.StructField("int", t.IntegerType(), False),
        t.StructField("long", t.LongType()),
        t.StructField("float", t.FloatType()),
        t.StructField("double", t.DoubleType()),
        t.StructField("text", t.StringType()),
        t.StructField("bytes", t.BinaryType()),
        t.StructField("small", t.DecimalType(9, 2)),
        t.StructField("large", t.DecimalType(38, 10)),
        t.StructField("date", t.DateType()),
        t.StructField("time", t.TimestampType()),
        t.StructField("list", t.ArrayType(t.IntegerType())),
        t.StructField("lists", t.ArrayType(t.ArrayType(t.StringType(), False))),
        t.StructField("map", t.MapType(t.StringType(), t.LongType())),
        t.StructField("struct", STRUCT),
        t.StructField("structs", t.ArrayType(STRUCT)),
    ]
)


def row(i):
    def some(value):
        return None if i % 7 == 3 else value

    def struct(n):
        return None if n % 5 == 4 else (None if n % 3 == 2 else n, f"b{n}")

    utc = datetime.timezone.utc
    return (
        some(i % 3 == 0),
        some(i % 256 - 128),
        some(i * 100 - 15000),
        i * i,
        some(i**5 * (-1 if i % 2 else 1)),
        some(i / 4),
        some(-i / 8),
        some(f"text {i % 11}"),
        some(bytes([i % 256, 0, 255])),
        some(decimal.Decimal(i * 12345 - 999).scaleb(-2)),
        some(decimal.Decimal(i**8 * 10**10 + i).scaleb(-10, decimal.Context(prec=60))),
        some(datetime.date(1970, 1, 1) + datetime.timedelta(days=i * 100 - 9000)),
        some(datetime.datetime(2001, 2, 3, tzinfo=utc) + datetime.timedelta(hours=i, microseconds=i)),
        some([None if k % 4 == 3 else i + k for k in range(i % 5)]),
        some([None if k == 1 else ["x" * j for j in range(k)] for k in range(i % 4)]),
        some({f"k{k}": None if k == 2 else i * k for k in range(i % 4)}),
        struct(i),
        some([struct(i + k) for k in range(i % 3)]),
    )


def main(folder):
    spark = SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    frame = spark.createDataFrame([row(i) for i in range(N)], SCHEMA).coalesce(1)
    for name, version, legacy, times in (
        ("v1", "PARQUET_1_0", "true", "INT96"),
        ("v2", "PARQUET_2_0", "false", "TIMESTAMP_MICROS"),
    ):
        spark.conf.set("spark.sql.parquet.writeLegacyFormat", legacy)
        spark.conf.set("spark.sql.parquet.outputTimestampType", times)
        target = f"{folder}/{name}"
        options = {"parquet.writer.version": version, "parquet.page.size": "700", "parquet.page.row.count.limit": "90"}
        frame.write.options(**options).option("compression", "gzip").mode("overwrite").parquet(target)
        shutil.copy(glob.glob(f"{target}/*.parquet")[0], f"{folder}/{name}.parquet")
        shutil.rmtree(target)


main(sys.argv[1])
