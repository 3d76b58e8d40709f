/* pagelane/geojson: geometries of GEOMETRY and GEOGRAPHY columns as GeoJSON. */
import type { Table } from './index.js'

/** [x, y] or [x, y, z]: longitude and latitude, unless the column's `type.crs` says otherwise; an empty point is [] */
export type Position = number[]

export type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'MultiPoint' | 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }
  | { type: 'GeometryCollection'; geometries: Geometry[] }

export interface Feature {
  type: 'Feature'
  geometry: Geometry | null
  properties: Record<string, any>
}

export interface FeatureCollection {
  type: 'FeatureCollection'
  features: Feature[]
}

/**
 * Well-known binary (ISO or EWKB) to a GeoJSON geometry. M values and SRIDs are left out, coordinates are not transformed.
 * Errors are PagelaneErrors: CORRUPT for bytes that are no geometry, UNSUPPORTED for curves and surfaces, which GeoJSON has not.
 */
export function toGeoJSON(wkb: Uint8Array): Geometry

export interface FeatureCollectionOptions {
  /** Name of the column with the geometries, which may be a binary one. Default: the only geometry or geography column */
  geometry?: string
  /** Names of the columns that become properties. Default: all others */
  properties?: readonly string[]
}

/**
 * A feature for each row. Properties are what get(i) gives, in forms that JSON has: bytes as hex digits, Dates as ISO 8601,
 * Maps as objects, bigints as numbers where those are exact and as text where not.
 */
export function toFeatureCollection(table: Table<any>, options?: FeatureCollectionOptions): FeatureCollection
