import { Transform, type Readable } from 'node:stream'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowKey, RowSort } from '#contract/database/rows/table-rows'
import type { ExportFormat } from '#contract/database/table-transfer'
import type { Log } from '#kit/log'
import { copyOut } from '#kit/postgres/copy-out'
import type { Connections, Who } from '../connections.ts'
import type { CheckedFilters } from './checked-filters.ts'
import { filtersSql } from './filter-sql.ts'
import { orderSql, totalOrder } from './row-order.ts'
import { columnOf, keySql, orTrue, tableSql } from './row-sql.ts'

export type ExportRequest = {
  format: ExportFormat
  filters: CheckedFilters
  sort: RowSort[]
  columns?: string[] | undefined
  keys?: RowKey[] | undefined
}

/** A day is more than any table of ours takes; a reader who is gone ends it sooner. */
const timeoutSql = "set statement_timeout = '24h'"
const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  sql: 'application/sql; charset=utf-8',
}

/** COPY takes no parameters. */
const literal = (value: string | null) => (value === null ? 'null' : quoteLiteral(value))

/**
 * The statement that writes the rows. Values leave as Postgres prints them: a formula, HTML or SQL among them is text
 * like any other and is quoted as the format wants it, never rewritten.
 */
export function exportSql(entity: EntityDetail, request: ExportRequest): string {
  const names = (request.columns ?? entity.columns.map(({ name }) => name)).map(
    (name) => columnOf(entity, name).name,
  )
  const conditions = filtersSql(entity, request.filters, literal)
  if (request.keys) {
    const found = request.keys.map((key) => `(${keySql(entity, key, literal)})`)
    conditions.push(`(${found.join(' or ')})`)
  }
  const order = orderOf(entity, request.sort)
  const rows = `from ${tableSql(entity)} where ${orTrue(conditions)} ${order}`
  const list = names.map(quoteIdent).join(', ')
  switch (request.format) {
    case 'csv':
      return `copy (select ${list} ${rows}) to stdout with (format csv, header true)`
    case 'json':
      return `copy (select row_to_json(r.*) from (select ${list} ${rows}) r) to stdout`
    case 'sql':
      return `copy (select ${insertSql(entity, names)} ${rows}) to stdout`
  }
}

function orderOf(entity: EntityDetail, sort: RowSort[]): string {
  const keys = totalOrder(entity, sort)
  if (keys) return `order by ${orderSql(keys, false)}`
  const request = sort.map(
    ({ column, direction }) => `${quoteIdent(columnOf(entity, column).name)} ${direction}`,
  )
  return request.length > 0 ? `order by ${request.join(', ')}` : ''
}

/** An expression that is one INSERT per row. What the database makes itself is left to it. */
function insertSql(entity: EntityDetail, names: readonly string[]): string {
  const given = names.map((name) => columnOf(entity, name)).filter((column) => !column.is_generated)
  if (given.length === 0) return literal(`insert into ${tableSql(entity)} default values;`)
  const always = given.some((column) => column.identity_generation === 'ALWAYS')
  const into = `insert into ${tableSql(entity)} (${given.map(({ name }) => quoteIdent(name)).join(', ')})`
  const start = `${into}${always ? ' overriding system value' : ''} values (`
  const values = given.map(({ name }) => `quote_nullable(${quoteIdent(name)}::text)`)
  return `${literal(start)} || ${values.join(` || ', ' || `)} || ');'`
}

/** Rows as a stream in the reader's pace, over a session of its own that ends with it. */
export async function exportRows(
  connections: Connections,
  log: Log,
  who: Who,
  entity: EntityDetail,
  request: ExportRequest,
): Promise<{ type: string; stream: Readable }> {
  const sql = exportSql(entity, request)
  const client = await connections.open(who)
  const end = () =>
    client.end().catch((error: unknown) => log.info({ err: error }, 'an export ended badly'))
  let pid: string
  try {
    await client.query('begin read only')
    await client.query(timeoutSql)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    pid = String(rows[0]?.pid)
  } catch (error) {
    await end()
    throw error
  }
  const source = client.query(copyOut(client, sql))
  // What the statement is refused for has to be known before the answer begins.
  await new Promise<void>((resolve, reject) => {
    source.once('readable', resolve).once('end', resolve).once('error', reject)
  }).catch(async (error: unknown) => {
    await end()
    throw error
  })
  const shaped: Transform | undefined = shapeOf(request.format)
  const stream = shaped ? source.pipe(shaped) : source
  if (shaped) source.once('error', (error: Error) => shaped.destroy(error))
  let finished = false
  stream.once('end', () => (finished = true))
  stream.once('close', () => {
    if (finished) void end()
    else void giveUp(connections, who, pid, log).then(end)
  })
  return { type: mediaTypes[request.format], stream }
}

/** The reader left: the statement is stopped, or the session would write to nobody for as long as it takes. */
async function giveUp(connections: Connections, who: Who, pid: string, log: Log): Promise<void> {
  await connections
    .use({ ...who, application: 'plinth' }, (db) =>
      db.query('select pg_cancel_backend($1::int)', [pid]),
    )
    .catch((error: unknown) => log.warn({ err: error }, 'an export was left and not cancelled'))
}

function shapeOf(format: ExportFormat): Transform | undefined {
  switch (format) {
    case 'csv':
      return undefined
    case 'json':
      return copiedLines({ before: '[\n', between: ',\n', after: '\n]\n' })
    case 'sql':
      return copiedLines({ before: '', between: '\n', after: '\n' })
  }
}

type Frame = { before: string; between: string; after: string }

const newline = 0x0a
const backslash = 0x5c
/** What COPY's text format writes after a backslash, and what it stands for; every other sign stands for itself. */
const escapes: Record<string, number> = { b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Lines of COPY's text format, of one column each, as the texts they stand for, with something around and between them. */
function copiedLines({ before, between, after }: Frame): Transform {
  let lines = 0
  let atStart = true
  let escaped = false
  const start = () => {
    atStart = false
    return lines++ === 0 ? before : between
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const out = Buffer.alloc(chunk.length)
      const parts: Buffer[] = []
      let length = 0
      const flush = () => {
        if (length > 0) parts.push(Buffer.from(out.subarray(0, length)))
        length = 0
      }
      for (const byte of chunk) {
        if (atStart) {
          flush()
          parts.push(Buffer.from(start()))
        }
        if (escaped) {
          out[length++] = escapes[String.fromCharCode(byte)] ?? byte
          escaped = false
        } else if (byte === newline) atStart = true
        else if (byte === backslash) escaped = true
        else out[length++] = byte
      }
      flush()
      done(null, Buffer.concat(parts))
    },
    flush(done) {
      done(null, lines === 0 ? before + after.trimStart() : after)
    },
  })
}
