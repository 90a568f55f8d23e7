import { logColumns } from '#contract/observability/log-sources'
import { entryColumns, type EntryColumn } from '../files/entry-lines.ts'
import type { Files } from './protocol.ts'

const numbers: Record<string, string | undefined> = logColumns
export const typeOf = (column: EntryColumn): string => {
  if (column === 'timestamp') return 'bigint'
  return numbers[column] === 'number' ? 'double' : 'varchar'
}

/** A text in SQL. Only names of our own files are written so. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
export const listOf = (paths: readonly string[]) => `[${paths.map(quoted).join(', ')}]`

/**
 * Entries as they stand in lines. What is no array is the first line, and what is no JSON is half of a last line: both are
 * left out. A value behind the end of an array is null, which is how lines of an earlier version have the columns of a later.
 */
function fromLines(paths: readonly string[]): string {
  const columns = entryColumns.map((name, at) => {
    const value = `line[${at + 1}]`
    const type = typeOf(name)
    return `${type === 'varchar' ? value : `try_cast(${value} as ${type})`} as "${name}"`
  })
  return `select ${columns.join(', ')} from (
    select from_json(json, '["VARCHAR"]') as line
    from read_ndjson_objects(${listOf(paths)}, ignore_errors = true, maximum_object_size = 1048576)
  ) where line[2] is not null`
}

const nothing = `select ${entryColumns
  .map((name) => `null::${typeOf(name)} as "${name}"`)
  .join(', ')} where false`

/** A query for all entries of some files. */
export function entriesOf({ lines, packed }: Files): string {
  const names = entryColumns.map((name) => `"${name}"`).join(', ')
  const parts = [
    ...(packed.length > 0 ? [`select ${names} from read_parquet(${listOf(packed)})`] : []),
    ...(lines.length > 0 ? [fromLines(lines)] : []),
  ]
  return parts.length === 0 ? nothing : parts.join(' union all ')
}
