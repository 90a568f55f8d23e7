import { isLogColumn, logColumns, logSourceTable } from '#contract/observability/log-sources'

type FieldType = 'string' | 'number' | 'boolean'

/** Paths of what is in `rest`, with their types. */
const restFields = new Map<string, FieldType>(
  Object.values(logSourceTable).flatMap(({ fields }) =>
    fields
      .filter(({ column }) => column === undefined)
      .map(({ path, type }) => [path.slice('metadata.'.length), type] as const),
  ),
)

export type FieldSql = {
  /** Its value as text; null where an entry has none. */
  text: string
  /** Its value as a number; null where it is none. */
  number: string
  type: FieldType
}

/**
 * A field of an entry in SQL. Names come from the contract's lists and from nowhere else: what is not there is an error of
 * ours, since the question was checked by the same lists.
 */
export function fieldSql(field: string): FieldSql {
  if (field === 'level' || field === 'source')
    return { text: `"${field}"`, number: 'null::double', type: 'string' }
  if (isLogColumn(field)) {
    const type = logColumns[field]
    const text = type === 'string' ? `"${field}"` : shortNumber(`"${field}"`)
    const number = type === 'number' ? `"${field}"` : `try_cast("${field}" as double)`
    return { text, number, type }
  }
  const type = restFields.get(field)
  if (type === undefined || !/^[\w.]+$/.test(field)) throw new Error(`${field} is not a field`)
  const text = `json_extract_string("rest", '$."${field}"')`
  return { text, number: `try_cast(${text} as double)`, type }
}

/** A number as people write it: 200 and not 200.0. */
const shortNumber = (sql: string): string => `regexp_replace(cast(${sql} as varchar), '\\.0$', '')`

/** The message of a request at the gateway, which is not stored. `messageOf` says the same of an entry that was read. */
export const edgeMessage = `concat_ws(' | ', "method", cast("status" as bigint), "address",
  concat("host", "path", "search"), "user_agent")`

export function messageOf(
  source: string,
  message: string | null,
  of: Record<string, string | number | boolean | undefined>,
): string {
  if (source !== 'edge_logs') return message ?? ''
  const { method, status, address, host, path, search, user_agent: agent } = of
  const url = [host, path, search].filter((part) => part !== undefined).join('')
  return [method, status, address, url, agent].filter((part) => part !== undefined).join(' | ')
}
