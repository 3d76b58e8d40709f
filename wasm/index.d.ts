/* pagelane: reads Apache Parquet, page by page, at memory speed. */

/* ---- Opening ---- */

/** hyparquet's AsyncBuffer, and anything like it. `slice` may answer at once or with a promise. */
export interface AsyncBuffer {
  byteLength: number
  slice(start: number, end: number): BytesLike | Promise<BytesLike>
}
export type BytesLike = ArrayBufferLike | ArrayBufferView

/**
 * A URL or URL string (http, https, blob, data), a Blob or File, bytes in memory (shared and resizable buffers too) or an
 * AsyncBuffer. In Node any other string is a path, and file: URLs are read; in a browser it is a URL relative to the page.
 */
export type FileInput = string | URL | Blob | BytesLike | AsyncBuffer

/**
 * Decompresses one page body into exactly `outputSize` bytes. `input` is a view that holds until the function returns or
 * its promise settles.
 */
export type Decompressor = (input: Uint8Array, outputSize: number) => Uint8Array | Promise<Uint8Array>
export type Codecs = Partial<Record<CodecName, Decompressor>>

export interface OpenOptions {
  /** Cancels this call, and every later request for the file */
  signal?: AbortSignal
  /** Bytes held at once: fetched ranges, pages, dictionaries, outputs. Passing it is an error with the code LIMIT. Default: 1 GiB */
  maxBytes?: number
  /** Decompressors for codecs that are not compiled in, by their name in parquet.thrift */
  codecs?: Codecs
  /** Pages that have a checksum must match it; one that does not is an error with the code CHECKSUM. Default: false */
  checksums?: boolean
  /** Headers, credentials and the like for every request to a URL */
  requestInit?: RequestInit
}

export function open(input: FileInput, options?: OpenOptions): Promise<ParquetFile>

export interface ParquetFile {
  /** Of the file */
  readonly byteLength: number
  readonly numRows: number
  /** The whole schema, root first, as in the footer */
  readonly schema: readonly SchemaElement[]
  /** The footer, read lazily from one block of memory of its own */
  readonly metadata: FileMetaData
  /** The leaves of the schema, in the order of the column chunks */
  readonly columns: readonly ColumnInfo[]
  read<I extends Int64Policy = 'bigint'>(options?: ReadOptions<I>): Promise<Table<I>>
  /** The pages of a column, one after another, dictionary pages included. `column`: dotted path, or number of the leaf */
  pages(column: string | number, options?: PagesOptions): AsyncIterableIterator<Page>
  /** Gives file descriptors and kept bytes back. Forgetting the object does the same, later. */
  close(): void
}

export interface ColumnInfo {
  /** Number of the leaf */
  readonly index: number
  /** Dotted path; the name, for a column that is not nested */
  readonly name: string
  readonly path: readonly string[]
  readonly type: LeafType
  readonly nullable: boolean
  readonly maxDefinitionLevel: number
  readonly maxRepetitionLevel: number
}

/* ---- Reading ---- */

export type Int64Policy = 'bigint' | 'number'

export interface ReadOptions<I extends Int64Policy = Int64Policy> {
  /**
   * Names or leaf numbers, in the order wanted. A dotted path stands for a field inside of structs, lists and maps (as in
   * file.columns[i].name, or the front of one): the table then has its top-level column with what was asked for in it, and
   * only those leaves are read. A name that several columns bear stands for all of them. Default: every column that can be
   * read; the others are listed in `table.unsupported`.
   */
  columns?: readonly (string | number)[]
  /** Numbers of row groups, ascending. Default: all */
  rowGroups?: readonly number[]
  /** Rows [start, end), counted over the chosen row groups; an end past the last row means the last row. Default: all */
  rows?: readonly [start: number, end: number]
  /** 'number' gives Float64Array for 64-bit integers and an error for a value that is not exact as a number */
  int64?: I
  /** 'keep' gives indices and a dictionary where every page of a column has one; `column.dictionary` tells */
  dictionary?: 'decode' | 'keep'
  /**
   * Arrays to fill, by column name, for columns with fixed-width values: of the array type of `values`, and with room for
   * every row (room for an entry each, for bool a bit). The column's `values` is then a view of the array given.
   */
  into?: Readonly<Record<string, TypedArray>>
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

export interface Progress {
  /** Column chunks done and in all */
  chunksDone: number
  chunks: number
  /** Bytes of column chunks decoded and in all */
  bytesDone: number
  bytes: number
}

export interface PagesOptions {
  /** Numbers of row groups, ascending. Default: all */
  rowGroups?: readonly number[]
  signal?: AbortSignal
}

export interface Table<I extends Int64Policy = 'bigint'> {
  readonly numRows: number
  readonly columns: readonly Column<I>[]
  /** By name (the first of that name) or by position in `columns`; an unknown one is an error with the code BAD_ARGUMENT */
  column(name: string | number): Column<I>
  /**
   * Rows [start, end) as objects with a property a column; values as get() gives them. Where names repeat, the later ones
   * get _1, _2 and so on.
   */
  rows(start?: number, end?: number): IterableIterator<Record<string, any>>
  /**
   * The table in Arrow's IPC format: the schema, a dictionary batch for each dictionary, and one record batch of all rows.
   * Buffers stand at multiples of 64 bytes. Types are Arrow's own, with these choices: json, uuid, variant and geometry carry
   * extension types (arrow.json, arrow.uuid, arrow.parquet.variant, geoarrow.wkb). int96 is a timestamp in the finest of ns,
   * us and ms that holds every value exactly. What no Arrow type holds (such an int96, an interval of 2^31 months or more, a
   * decimal of more than 76 digits) is binary as stored. A decimal value with more digits than Arrow's width for its precision
   * is an error with the code CORRUPT.
   */
  toArrowIPC(options?: { format?: 'stream' | 'file' }): Uint8Array
  /** Columns left out because this version cannot read them. Empty when `columns` was given: then that is an error. */
  readonly unsupported: readonly { readonly name: string; readonly error: PagelaneError }[]
}

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array

/* ---- Columns ----
 *
 * The arrays are Arrow's layout and hold what the file holds; get(i), iteration and rows() convert by the type (see
 * ColumnType). All arrays belong to the caller and may be transferred, but those of `page.decode({ view: true })`.
 * Null entries are zero in `values` and empty in `offsets`.
 */

interface ColumnBase<Kind extends ColumnType['kind'], Value> extends Iterable<Value | null> {
  readonly name: string
  readonly kind: Kind
  readonly type: Extract<ColumnType, { kind: Kind }>
  /** Whether the schema allows nulls */
  readonly nullable: boolean
  /** Entries, nulls included */
  readonly length: number
  readonly nullCount: number
  /** Bit i (least significant first) is set where entry i is not null; null when no entry is */
  readonly validity: Uint8Array | null
  /** Of a repeated leaf decoded alone: entries are stored values, these are its levels */
  readonly repetitionLevels?: Uint16Array
  readonly definitionLevels?: Uint16Array
  /** null for a null entry; an index outside the column is an error with the code BAD_ARGUMENT */
  get(index: number): Value | null
}

export interface FixedColumn<Kind extends ColumnType['kind'], Values, Value> extends ColumnBase<Kind, Value> {
  readonly values: Values
  readonly offsets?: undefined
  readonly data?: undefined
  readonly indices?: undefined
  readonly dictionary?: undefined
  readonly children?: undefined
}

/** Entry i is data[offsets[i]] up to data[offsets[i + 1]] */
export interface BytesColumn<Kind extends ColumnType['kind'], Value> extends ColumnBase<Kind, Value> {
  readonly values?: undefined
  readonly offsets: Int32Array
  readonly data: Uint8Array
  readonly indices?: undefined
  readonly dictionary?: undefined
  readonly children?: undefined
}

/** Entry i is entry indices[i] of the dictionary, which has no nulls; the index of a null entry is 0 */
export interface DictionaryColumn<I extends Int64Policy = 'bigint'>
  extends ColumnBase<ColumnType['kind'], any> {
  readonly values?: undefined
  readonly offsets?: undefined
  readonly data?: undefined
  readonly indices: Int32Array
  readonly dictionary: ValueColumn<I>
  readonly children?: undefined
}

interface NestedBase<Kind extends ColumnType['kind'], Value> extends ColumnBase<Kind, Value> {
  readonly values?: undefined
  readonly data?: undefined
  readonly indices?: undefined
  readonly dictionary?: undefined
}

/** Entry i is entries offsets[i] up to offsets[i + 1] of its only child */
export interface ListColumn<I extends Int64Policy = 'bigint'> extends NestedBase<'list', any[]> {
  readonly offsets: Int32Array
  readonly children: readonly [element: Column<I>]
}

/** A child for each field that was read, of the struct's own length; in an entry that is null the children's are null or zero */
export interface StructColumn<I extends Int64Policy = 'bigint'>
  extends NestedBase<'struct', Record<string, any>> {
  readonly offsets?: undefined
  readonly children: readonly Column<I>[]
}

/**
 * Entry i is entries offsets[i] up to offsets[i + 1] of its only child, a struct of key and value (of key alone in a map
 * without values). Where a key repeats, get(i) has its last value.
 */
export interface MapColumn<I extends Int64Policy = 'bigint'> extends NestedBase<'map', Map<any, any>> {
  readonly offsets: Int32Array
  readonly children: readonly [entries: StructColumn<I>]
}

/**
 * A struct of metadata, value (binary) and, where it is shredded, typed_value, as the file has them. A null entry and a
 * variant that is null are both null.
 */
export interface VariantColumn<I extends Int64Policy = 'bigint'> extends NestedBase<'variant', VariantValue> {
  readonly offsets?: undefined
  readonly children: readonly Column<I>[]
}

/**
 * Integers are numbers, and bigint where a number would not be exact; decimals, uuids and times are text, dates and
 * timestamps a Date where it can hold them, each as a column of that type gives them.
 */
export type VariantValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Uint8Array
  | VariantValue[]
  | { [name: string]: VariantValue }

type Int64Array<I extends Int64Policy> = I extends 'number' ? Float64Array : BigInt64Array
type Uint64Array<I extends Int64Policy> = I extends 'number' ? Float64Array : BigUint64Array
type Int64Value<I extends Int64Policy> = I extends 'number' ? number : bigint

/** Tell them apart by `dictionary`, `children` and `kind`. */
export type Column<I extends Int64Policy = 'bigint'> = LeafColumn<I> | NestedColumn<I>

export type LeafColumn<I extends Int64Policy = 'bigint'> = ValueColumn<I> | DictionaryColumn<I>

export type NestedColumn<I extends Int64Policy = 'bigint'> =
  | ListColumn<I>
  | StructColumn<I>
  | MapColumn<I>
  | VariantColumn<I>

/** Tell them apart by `kind`. */
export type ValueColumn<I extends Int64Policy = 'bigint'> =
  /** values: a bitmap, least significant bit first */
  | FixedColumn<'bool', Uint8Array, boolean>
  | FixedColumn<'int8' | 'int16' | 'int32', Int32Array, number>
  | FixedColumn<'uint8' | 'uint16' | 'uint32', Uint32Array, number>
  | FixedColumn<'int64', Int64Array<I>, Int64Value<I>>
  | FixedColumn<'uint64', Uint64Array<I>, Int64Value<I>>
  /** values: the bits of the half floats */
  | FixedColumn<'float16', Uint16Array, number>
  | FixedColumn<'float32', Float32Array, number>
  | FixedColumn<'float64', Float64Array, number>
  /** values: 12 bytes an entry */
  | FixedColumn<'int96', Uint8Array, Date | bigint>
  | FixedColumn<'date', Int32Array, Date | number>
  | FixedColumn<'time', Int32Array | Int64Array<I>, string | number | Int64Value<I>>
  | FixedColumn<'timestamp', Int64Array<I>, Date | Int64Value<I>>
  | FixedColumn<'decimal', Int32Array | Int64Array<I> | Uint8Array, string>
  | BytesColumn<'decimal', string>
  /** values: byteWidth bytes an entry */
  | FixedColumn<'fixed_size_binary', Uint8Array, Uint8Array>
  | FixedColumn<'uuid', Uint8Array, string>
  | FixedColumn<'interval', Uint8Array, Interval>
  | BytesColumn<'string' | 'enum' | 'json', string>
  | BytesColumn<'binary' | 'bson' | 'geometry' | 'geography', Uint8Array>
  | FixedColumn<'null', TypedArray, any>
  | BytesColumn<'null', any>

export interface Interval {
  months: number
  days: number
  milliseconds: number
}

/* ---- Types ---- */

export type TimeUnit = 'ms' | 'us' | 'ns'
export type EdgeAlgorithm = 'SPHERICAL' | 'VINCENTY' | 'THOMAS' | 'ANDOYER' | 'KARNEY'

/**
 * What values mean. `kind` is Arrow's name where Arrow has the type. Beside each: what get(i) gives.
 */
export type ColumnType = LeafType | NestedType

/** Of groups of the schema. Beside each: what get(i) gives. */
export type NestedType =
  /** Array */
  | { kind: 'list'; physicalType?: undefined }
  /** plain object with a property a field, those of repeated names with _1, _2 and so on */
  | { kind: 'struct'; physicalType?: undefined }
  /** Map */
  | { kind: 'map'; physicalType?: undefined }
  /** VariantValue */
  | { kind: 'variant'; physicalType?: undefined }

export type LeafType =
  | { kind: 'bool'; physicalType: 'BOOLEAN' }
  /** number, bigint for 64 bits */
  | {
      kind: 'int8' | 'int16' | 'int32' | 'int64'
      physicalType: 'INT32' | 'INT64'
      bitWidth: 8 | 16 | 32 | 64
      signed: boolean
    }
  | {
      kind: 'uint8' | 'uint16' | 'uint32' | 'uint64'
      physicalType: 'INT32' | 'INT64'
      bitWidth: 8 | 16 | 32 | 64
      signed: boolean
    }
  /** number */
  | { kind: 'float16'; physicalType: 'FIXED_LEN_BYTE_ARRAY'; byteWidth: 2 | number }
  | { kind: 'float32'; physicalType: 'FLOAT' }
  | { kind: 'float64'; physicalType: 'DOUBLE' }
  /** Date; where a Date cannot hold it, nanoseconds since 1970-01-01 as bigint */
  | { kind: 'int96'; physicalType: 'INT96'; byteWidth: 12 }
  /** Date, midnight UTC; where a Date cannot hold it, the days since 1970-01-01 */
  | { kind: 'date'; physicalType: 'INT32'; unit: 'day' }
  /** text, 'HH:MM:SS.fff' with 3, 6 or 9 digits; the integer where it is outside a day */
  | { kind: 'time'; physicalType: 'INT32' | 'INT64'; unit: TimeUnit; isAdjustedToUTC: boolean }
  /**
   * Date, rounded down to its milliseconds; the integer where a Date cannot hold it. isAdjustedToUTC false: a wall clock
   * somewhere; the Date's UTC fields are those of the clock.
   */
  | { kind: 'timestamp'; physicalType: 'INT64'; unit: TimeUnit; isAdjustedToUTC: boolean }
  /** text with exactly `scale` digits after the point */
  | {
      kind: 'decimal'
      physicalType: 'INT32' | 'INT64' | 'BYTE_ARRAY' | 'FIXED_LEN_BYTE_ARRAY'
      precision: number
      scale: number
      byteWidth?: number
    }
  /** text; invalid UTF-8 becomes U+FFFD, the bytes stay in `data`. JSON is not parsed */
  | { kind: 'string' | 'enum' | 'json'; physicalType: 'BYTE_ARRAY' }
  /** text, lower case */
  | { kind: 'uuid'; physicalType: 'FIXED_LEN_BYTE_ARRAY'; byteWidth: number }
  | { kind: 'interval'; physicalType: 'FIXED_LEN_BYTE_ARRAY'; byteWidth: number }
  /** Uint8Array, a view of the column's own bytes */
  | { kind: 'binary' | 'bson'; physicalType: 'BYTE_ARRAY' }
  | { kind: 'fixed_size_binary'; physicalType: 'FIXED_LEN_BYTE_ARRAY'; byteWidth: number }
  /** Uint8Array: well-known binary, which `pagelane/geojson` turns into GeoJSON. crs: the format's default where the file has none */
  | { kind: 'geometry'; physicalType: 'BYTE_ARRAY'; crs: string }
  | { kind: 'geography'; physicalType: 'BYTE_ARRAY'; crs: string; algorithm: EdgeAlgorithm | number }
  /** every entry is null */
  | { kind: 'null'; physicalType: PhysicalType; byteWidth?: number }

/* ---- Pages ---- */

export interface Page {
  readonly header: PageHeader
  /** Bytes of the header, and of header and body together */
  readonly headerSize: number
  readonly size: number
  /** Of the header's first byte in the file */
  readonly offset: number
  readonly rowGroup: number
  /** Number in the column chunk, dictionary pages included */
  readonly page: number
  readonly encoding: EncodingName | number
  readonly codec: CodecName | number
  /**
   * The page's entries; only until the iteration goes on. `view: true`: arrays in the decoder's own memory, which hold
   * until any other call of the package.
   */
  decode(options?: { view?: boolean; int64?: Int64Policy }): Promise<LeafColumn<Int64Policy>>
}

export interface DecodePageOptions {
  type: PhysicalType
  typeLength?: number
  /** INTERVAL has the older annotation only */
  logicalType?: LogicalType | keyof LogicalType | 'INTERVAL'
  /** Default: 0, a required column */
  maxDefinitionLevel?: number
  /** Default: 0 */
  maxRepetitionLevel?: number
  /** Default: 'UNCOMPRESSED' */
  codec?: CodecName
  /** The column that decodePage gave for the chunk's dictionary page */
  dictionary?: LeafColumn<Int64Policy>
  int64?: Int64Policy
  /** An array to fill, of the array type of `values` and with room for every entry */
  into?: TypedArray
  /** A page that has a checksum must match it. Default: false */
  checksums?: boolean
  maxBytes?: number
}

export interface DecodedPage {
  header: PageHeader
  column: LeafColumn<Int64Policy>
  /** Bytes of header and body */
  bytesRead: number
}

/** Decodes one page as it stands in a file: header, then body. What follows it in `bytes` is not looked at. */
export function decodePage(bytes: BytesLike, options: DecodePageOptions): DecodedPage

/**
 * Makes a codec that is not compiled in known, to decodePage too. 'BROTLI' needs no function: Node has one, and in browsers
 * the package fetches its brotli.js from beside its own script, as open() does by itself when a file needs it. Where a
 * bundler did not copy that file, give it decompressBrotli of 'pagelane/brotli'. LZO always needs the function. An error
 * with the code UNSUPPORTED where there is none.
 */
export function loadCodec(codec: CodecName, decompress?: Decompressor): Promise<void>

/* ---- Errors ---- */

/** The core's status names (include/pagelane/status.h), and SOURCE: the bytes could not be had, or changed. */
export type ErrorCode =
  | 'TRUNCATED'
  | 'CORRUPT'
  | 'UNSUPPORTED'
  | 'LIMIT'
  | 'NO_MEMORY'
  | 'NO_SPACE'
  | 'BAD_ARGUMENT'
  | 'CHECKSUM'
  | 'KEY'
  | 'SOURCE'

export interface ErrorPlace {
  column?: string
  rowGroup?: number
  /** Number of the page in its column chunk */
  page?: number
  /** Byte offset in the file, or in the bytes given */
  offset?: number
}

/**
 * Everything the package throws, but cancelling: that throws the signal's reason. Wrong arguments have the code
 * BAD_ARGUMENT, and a message that begins with the argument's name.
 */
export class PagelaneError extends Error implements ErrorPlace {
  constructor(code: ErrorCode, message: string, place?: ErrorPlace & { status?: number; cause?: unknown })
  readonly code: ErrorCode
  readonly column?: string
  readonly rowGroup?: number
  readonly page?: number
  readonly offset?: number
  /** HTTP status */
  readonly status?: number
}

/* ---- Metadata: the structures of parquet.thrift, names in camelCase ----
 *
 * Names of enumerations stand as text; a number that parquet.thrift has no name for stays a number. Absent fields are
 * undefined. 64-bit counts and offsets are numbers. Every object is made when it is first asked for.
 */

export type PhysicalType =
  | 'BOOLEAN'
  | 'INT32'
  | 'INT64'
  | 'INT96'
  | 'FLOAT'
  | 'DOUBLE'
  | 'BYTE_ARRAY'
  | 'FIXED_LEN_BYTE_ARRAY'
export type EncodingName =
  | 'PLAIN'
  | 'PLAIN_DICTIONARY'
  | 'RLE'
  | 'BIT_PACKED'
  | 'DELTA_BINARY_PACKED'
  | 'DELTA_LENGTH_BYTE_ARRAY'
  | 'DELTA_BYTE_ARRAY'
  | 'RLE_DICTIONARY'
  | 'BYTE_STREAM_SPLIT'
  | 'ALP'
  | 'PFOR'
export type CodecName = 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'LZO' | 'BROTLI' | 'LZ4' | 'ZSTD' | 'LZ4_RAW'
export type PageType = 'DATA_PAGE' | 'INDEX_PAGE' | 'DICTIONARY_PAGE' | 'DATA_PAGE_V2'
export type ConvertedType =
  | 'UTF8'
  | 'MAP'
  | 'MAP_KEY_VALUE'
  | 'LIST'
  | 'ENUM'
  | 'DECIMAL'
  | 'DATE'
  | 'TIME_MILLIS'
  | 'TIME_MICROS'
  | 'TIMESTAMP_MILLIS'
  | 'TIMESTAMP_MICROS'
  | 'UINT_8'
  | 'UINT_16'
  | 'UINT_32'
  | 'UINT_64'
  | 'INT_8'
  | 'INT_16'
  | 'INT_32'
  | 'INT_64'
  | 'JSON'
  | 'BSON'
  | 'INTERVAL'

type Empty = Record<string, never>
interface ThriftTimeUnit {
  MILLIS?: Empty
  MICROS?: Empty
  NANOS?: Empty
}

/** A union: at most one field is there. */
export interface LogicalType {
  STRING?: Empty
  MAP?: Empty
  LIST?: Empty
  ENUM?: Empty
  DECIMAL?: { scale?: number; precision?: number }
  DATE?: Empty
  TIME?: { isAdjustedToUTC?: boolean; unit?: ThriftTimeUnit }
  TIMESTAMP?: { isAdjustedToUTC?: boolean; unit?: ThriftTimeUnit }
  INTEGER?: { bitWidth?: number; isSigned?: boolean }
  UNKNOWN?: Empty
  JSON?: Empty
  BSON?: Empty
  UUID?: Empty
  FLOAT16?: Empty
  VARIANT?: { specificationVersion?: number }
  GEOMETRY?: { crs?: string }
  GEOGRAPHY?: { crs?: string; algorithm?: EdgeAlgorithm | number }
  FILE?: Empty
}

export interface SchemaElement {
  type?: PhysicalType | number
  typeLength?: number
  repetitionType?: 'REQUIRED' | 'OPTIONAL' | 'REPEATED' | number
  name?: string
  numChildren?: number
  convertedType?: ConvertedType | number
  scale?: number
  precision?: number
  fieldId?: number
  logicalType?: LogicalType
}

export interface Statistics {
  max?: Uint8Array
  min?: Uint8Array
  nullCount?: number
  distinctCount?: number
  maxValue?: Uint8Array
  minValue?: Uint8Array
  isMaxValueExact?: boolean
  isMinValueExact?: boolean
  nanCount?: number
}

export interface SizeStatistics {
  unencodedByteArrayDataBytes?: number
  repetitionLevelHistogram?: number[]
  definitionLevelHistogram?: number[]
}

export interface KeyValue {
  key?: string
  value?: string
}

export interface ColumnMetaData {
  type?: PhysicalType | number
  encodings?: (EncodingName | number)[]
  pathInSchema?: string[]
  codec?: CodecName | number
  numValues?: number
  totalUncompressedSize?: number
  totalCompressedSize?: number
  keyValueMetadata?: KeyValue[]
  dataPageOffset?: number
  indexPageOffset?: number
  dictionaryPageOffset?: number
  statistics?: Statistics
  encodingStats?: { pageType?: PageType | number; encoding?: EncodingName | number; count?: number }[]
  bloomFilterOffset?: number
  bloomFilterLength?: number
  sizeStatistics?: SizeStatistics
  geospatialStatistics?: GeospatialStatistics
}

export interface GeospatialStatistics {
  bbox?: {
    xmin?: number
    xmax?: number
    ymin?: number
    ymax?: number
    zmin?: number
    zmax?: number
    mmin?: number
    mmax?: number
  }
  geospatialTypes?: number[]
}

export interface ColumnChunk {
  filePath?: string
  fileOffset?: number
  metaData?: ColumnMetaData
  offsetIndexOffset?: number
  offsetIndexLength?: number
  columnIndexOffset?: number
  columnIndexLength?: number
  cryptoMetadata?: {
    ENCRYPTION_WITH_FOOTER_KEY?: Empty
    ENCRYPTION_WITH_COLUMN_KEY?: { pathInSchema?: string[]; keyMetadata?: Uint8Array }
  }
  encryptedColumnMetadata?: Uint8Array
}

export interface RowGroup {
  columns?: ColumnChunk[]
  totalByteSize?: number
  numRows?: number
  sortingColumns?: { columnIdx?: number; descending?: boolean; nullsFirst?: boolean }[]
  fileOffset?: number
  totalCompressedSize?: number
  ordinal?: number
}

interface AesGcm {
  aadPrefix?: Uint8Array
  aadFileUnique?: Uint8Array
  supplyAadPrefix?: boolean
}

export interface FileMetaData {
  version?: number
  schema?: SchemaElement[]
  numRows?: number
  rowGroups?: RowGroup[]
  keyValueMetadata?: KeyValue[]
  createdBy?: string
  columnOrders?: { TYPE_ORDER?: Empty; IEEE_754_TOTAL_ORDER?: Empty }[]
  encryptionAlgorithm?: { AES_GCM_V1?: AesGcm; AES_GCM_CTR_V1?: AesGcm }
  footerSigningKeyMetadata?: Uint8Array
}

export interface PageHeader {
  type?: PageType | number
  uncompressedPageSize?: number
  compressedPageSize?: number
  crc?: number
  dataPageHeader?: {
    numValues?: number
    encoding?: EncodingName | number
    definitionLevelEncoding?: EncodingName | number
    repetitionLevelEncoding?: EncodingName | number
    statistics?: Statistics
  }
  indexPageHeader?: Empty
  dictionaryPageHeader?: { numValues?: number; encoding?: EncodingName | number; isSorted?: boolean }
  dataPageHeaderV2?: {
    numValues?: number
    numNulls?: number
    numRows?: number
    encoding?: EncodingName | number
    definitionLevelsByteLength?: number
    repetitionLevelsByteLength?: number
    isCompressed?: boolean
    statistics?: Statistics
  }
}
