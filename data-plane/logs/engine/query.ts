import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { logColumns, type LogSource } from '#contract/observability/log-sources'
import { QueryRefusal } from '../dialect/node.ts'
import { translated } from '../dialect/query.ts'
import { readable, type Dialect } from '../dialect/tokens.ts'
import { edgeMessage } from '../questions/fields.ts'
import { entriesOf } from './entries.ts'
import { openInstance, type Library } from './instance.ts'
import type { Query } from './protocol.ts'

type Answer = { columns: string[]; rows: unknown[][]; cut: boolean }

/**
 * Answers a question in SQL. What the engine is given to run is printed from a tree in which nothing stands but what was let
 * through, it can name nothing but views of this project's entries in this range, and it may open no file but theirs.
 * @throws QueryRefusal
 */
export async function query(
  library: Library,
  memoryMb: number,
  asked: Query,
  opened: (connection: DuckDBConnection) => void,
): Promise<Answer> {
  const { files, sql, dialect } = asked
  const instance = await openInstance(library, memoryMb, [...files.lines, ...files.packed])
  try {
    const { connection } = instance
    opened(connection)
    const { tree, sources } = translated(await parsed(connection, readable(sql, dialect)), dialect)
    const printed = await textOf(
      connection,
      'select json_deserialize_sql($1::json)',
      JSON.stringify(tree),
    )
    await makeViews(connection, asked, sources)
    return await run(connection, printed, asked)
  } catch (error) {
    throw refusalOf(error)
  } finally {
    instance.close()
  }
}

const parsed = async (connection: DuckDBConnection, sql: string): Promise<unknown> =>
  JSON.parse(await textOf(connection, 'select json_serialize_sql($1::varchar)', sql))

async function textOf(connection: DuckDBConnection, sql: string, value: string): Promise<string> {
  const { [0]: row = [] } = (await connection.runAndReadAll(sql, [value])).getRows()
  const [text] = row
  if (typeof text !== 'string') throw new Error('The engine has answered no text')
  return text
}

const columns = Object.keys(logColumns)
  .map((name) => `"${name}"`)
  .join(', ')

/** A view of each source that is asked for, and one of all; `now_utc()` is the moment of the question. */
async function makeViews(
  connection: DuckDBConnection,
  { files, from, to, auditSince, now }: Query,
  sources: ReadonlySet<LogSource>,
): Promise<void> {
  await connection.run(`create temp view entries as ${entriesOf(files)}`)
  await connection.run(`create temp macro now_utc() as make_timestamp(${micros(now)})`)
  const view = (name: string, where: string) =>
    connection.run(`create temp view ${name} as select "id", make_timestamp("timestamp") as "timestamp", "source", "level",
      case when "source" = 'edge_logs' then ${edgeMessage} else "message" end as event_message, ${columns}, "rest"
      from entries where "timestamp" >= ${micros(from)} and "timestamp" < ${micros(to)} and ${where}
        and ("source" <> 'auth_audit_logs' or "timestamp" >= ${micros(auditSince)})`)
  for (const source of sources) await view(source, `"source" = '${source}'`)
  await view('logs', `"source" <> 'lost'`)
}

const micros = (value: number) => `${BigInt(Math.trunc(value))}::bigint`

async function run(
  connection: DuckDBConnection,
  sql: string,
  { dialect, maxRows, maxBytes }: Query,
): Promise<Answer> {
  const result = await connection.stream(sql)
  const names = result.columnNames()
  const isJson = result.columnTypes().map((type) => type.alias === 'JSON')
  const rows: unknown[][] = []
  let bytes = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return { columns: names, rows, cut: false }
    for (const values of chunk.getRows()) {
      const row = values.map((value, at) => plainOf(value, dialect, isJson[at] ?? false))
      bytes += JSON.stringify(row).length
      if (rows.length === maxRows || bytes > maxBytes) return { columns: names, rows, cut: true }
      rows.push(row)
    }
  }
}

/** As JSON has it. Times are microseconds in the older dialect, ISO texts in the newer one. */
function plainOf(value: DuckDBValue, dialect: Dialect, isJson = false): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return isJson ? JSON.parse(value) : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : String(value)
  if ('micros' in value && typeof value.micros === 'bigint' && !('months' in value))
    return dialect === 'analytics' ? Number(value.micros) : `${String(value).replace(' ', 'T')}Z`
  if ('items' in value && Array.isArray(value.items))
    return value.items.map((each: DuckDBValue) => plainOf(each, dialect))
  return String(value)
}

/** What the engine says of a question names what stands in it, and nothing else of ours. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof QueryRefusal) return error
  const words =
    /^(?:Binder|Conversion|Parser|Invalid Input|Catalog|Out of Range|Invalid) Error: ([^\n]*)/.exec(
      error.message,
    )
  return words ? new QueryRefusal(words[1] ?? '') : error
}
