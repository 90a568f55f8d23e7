import type { Column } from '#contract/database/pg-meta-shapes'

const times: Record<string, string> = {
  date: '2026-01-31',
  time: '12:30:00',
  timetz: '12:30:00+00',
  timestamp: '2026-01-31T12:30:00',
  timestamptz: '2026-01-31T12:30:00Z',
  interval: '1 day',
}

export type Sample = string | number | boolean | Record<string, string> | []

/** A value that a type takes, by the type's own name; text for whatever is not known. */
export function sampleOf(format: string, enums: readonly string[] = []): Sample {
  if (format.startsWith('_') || format.endsWith('[]')) return []
  const [first] = enums
  if (first !== undefined) return first
  switch (format) {
    case 'int2':
    case 'int4':
    case 'int8':
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'float4':
    case 'float8':
    case 'real':
    case 'double precision':
    case 'numeric':
      return 1
    case 'bool':
    case 'boolean':
      return true
    case 'json':
    case 'jsonb':
      return { key: 'value' }
    case 'uuid':
      return '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'
    case 'bytea':
      return String.raw`\x68656c6c6f`
    case 'inet':
    case 'cidr':
      return '192.0.2.1'
    case 'timestamp with time zone':
      return '2026-01-31T12:30:00Z'
    case 'timestamp without time zone':
      return '2026-01-31T12:30:00'
    case 'char':
    case 'bpchar':
      return 'a'
    default:
      return times[format] ?? 'some text'
  }
}

type Sampled = Pick<
  Column,
  | 'name'
  | 'format'
  | 'enums'
  | 'is_generated'
  | 'identity_generation'
  | 'is_nullable'
  | 'default_value'
  | 'is_identity'
>

/** Columns that a client may give a value for. */
export const writable = <C extends Sampled>(columns: readonly C[]): C[] =>
  columns.filter((column) => !column.is_generated && column.identity_generation !== 'ALWAYS')

/** A new row: what the table asks for, and at least one value. */
export function sampleRow(columns: readonly Sampled[], nth = 1): Record<string, Sample> {
  const open = writable(columns)
  const needed = open.filter(
    (column) => !column.is_nullable && column.default_value === null && !column.is_identity,
  )
  const optional = open.find((column) => column.default_value === null && !column.is_identity)
  const given = needed.length > 0 ? needed : optional ? [optional] : []
  return Object.fromEntries(
    given.map(({ name, format, enums }) => [name, nthOf(sampleOf(format, enums), format, nth)]),
  )
}

/** The nth of several samples: numbers, ids and texts differ, so that a key made of them is not there twice. */
function nthOf(sample: Sample, format: string, nth: number): Sample {
  if (nth === 1) return sample
  if (typeof sample === 'number') return sample + nth - 1
  if (format === 'uuid' && typeof sample === 'string') return sample.slice(0, -1) + String(nth)
  return sample === 'some text' ? `text ${nth}` : sample
}
