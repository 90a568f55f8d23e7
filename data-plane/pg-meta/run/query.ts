import { DatabaseError, Query, types, type PoolClient } from 'pg'
import { ApiError } from '#kit/errors'
import { defaultTimeoutMs, longestTimeoutSecs } from '#contract/database/sql/sql-query'
import type { Connections, Who } from '../connections.ts'
import { tooLarge } from '../failures.ts'
import { FailedSql } from '../sql-errors.ts'

/** Bytes of JSON that one answer may have; larger results are for `run`, which streams. */
const largestResult = 20_000_000

/** Types whose text reads as JSON of the same meaning. All others stay text: a date or a numeric would lose something. */
const parsed = new Set<number>([
  types.builtins.BOOL,
  types.builtins.INT2,
  types.builtins.INT4,
  types.builtins.OID,
  types.builtins.JSON,
  types.builtins.JSONB,
])

type FromText = (text: string) => unknown
const listOfText: number = 1009
/** Lists may hold lists, and nothing. */
const eachOf = (items: unknown, item: FromText): unknown =>
  Array.isArray(items)
    ? items.map((one) => eachOf(one, item))
    : typeof items === 'string'
      ? item(items)
      : items

/** Lists come as lists, whose items are what such a value is by itself. By the type of the list (pg_type). */
const lists = new Map<number, FromText>([
  [1000, (text) => text === 't'],
  ...[1005, 1007, 1028].map((oid): [number, FromText] => [oid, Number]),
  [1016, exactNumber],
  ...[1021, 1022].map((oid): [number, FromText] => [oid, finiteNumber]),
  ...[199, 3807].map((oid): [number, FromText] => [oid, (text) => JSON.parse(text) as unknown]),
  // Texts, names, bytes, exact numbers, dates, times, intervals, addresses, UUIDs, bits and money.
  ...[
    1002, 1003, 1009, 1014, 1015, 1001, 1231, 1182, 1183, 1270, 1115, 1185, 1187, 1041, 651, 1040,
    2951, 1561, 1563, 791,
  ].map((oid): [number, FromText] => [oid, (text) => text]),
])

const asJson = {
  getTypeParser: (oid: number): ((text: string) => unknown) => {
    if (oid === types.builtins.INT8) return exactNumber
    if (oid === types.builtins.FLOAT4 || oid === types.builtins.FLOAT8) return finiteNumber
    const item = lists.get(oid)
    if (item) return (text) => eachOf(types.getTypeParser(listOfText, 'text')(text), item)
    return parsed.has(oid) ? types.getTypeParser(oid, 'text') : (text) => text
  },
}

/** A number as long as JSON's numbers are exact, else its text. */
function exactNumber(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

/** JSON has no NaN and no Infinity. */
function finiteNumber(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

export type JsonQuery = {
  query: string
  parameters: readonly unknown[]
  statementTimeoutSecs?: number | undefined
  queryTimeoutSecs?: number | undefined
  /** Aborted when nobody waits for the answer any more. */
  gone: AbortSignal
}

/** The rows of the last statement of a text, as a JSON array. */
export function queryJson(connections: Connections, who: Who, input: JsonQuery): Promise<string> {
  if (input.query.trim() === '') throw new ApiError('invalid_input', 'The query is empty')
  return connections.useAndReset(who, async (client) => {
    const readOnly = who.login === 'plinth_read_only'
    // Postgres refuses READ WRITE once a transaction has asked something, as `prepare` does.
    if (readOnly) await client.query('begin read only')
    const pid = await prepare(client, input.statementTimeoutSecs)
    let cancelling: Promise<unknown> | undefined
    const cancel = () => {
      cancelling ??= connections.use(who, (other) =>
        other.query('select pg_cancel_backend($1)', [pid]),
      )
      // Told below, to whoever waits for the query.
      cancelling.catch(() => undefined)
    }
    const seconds = input.queryTimeoutSecs
    // Nought is no limit but that of the statement.
    const timer = seconds ? setTimeout(cancel, seconds * 1000) : undefined
    input.gone.addEventListener('abort', cancel, { once: true })
    try {
      return await readJson(client, input, readOnly)
    } catch (error) {
      if (cancelling) throw new ApiError('query_timeout', 'Query read timeout')
      throw error
    } finally {
      clearTimeout(timer)
      input.gone.removeEventListener('abort', cancel)
      // The session must not go to somebody else while a cancel is on its way to it.
      await cancelling
    }
  })
}

async function prepare(client: PoolClient, timeoutSecs: number | undefined): Promise<number> {
  const timeout =
    timeoutSecs === undefined ? defaultTimeoutMs : (timeoutSecs || longestTimeoutSecs) * 1000
  const { rows } = await client.query<{ pid: number }>(
    "select pg_backend_pid() as pid, set_config('statement_timeout', $1, false)",
    [String(timeout)],
  )
  return rows[0]?.pid ?? 0
}

async function readJson(
  client: PoolClient,
  { query: sql, parameters: values }: JsonQuery,
  readOnly: boolean,
): Promise<string> {
  let rows: string[] = []
  let size = 0
  let isTooDeep = false
  let result: unknown
  const query = new Query({
    text: sql,
    values: [...values],
    types: asJson,
    // Such a message holds one statement only, so that none can end the transaction before another one.
    ...(readOnly ? { queryMode: 'extended' as const } : {}),
  })
  const finished = new Promise<void>((done, fail) => {
    query.on('row', (row: unknown, of: unknown) => {
      if (of !== result) {
        result = of
        rows = []
        size = 0
        isTooDeep = false
      }
      const json = jsonOf(row)
      if (json === undefined) {
        isTooDeep = true
        return
      }
      size += json.length + 1
      if (size <= largestResult) rows.push(json)
      else rows = []
    })
    query.on('end', (results: unknown) => {
      // A last statement without rows answers none, whatever came before it.
      if ((Array.isArray(results) ? results.at(-1) : results) !== result) rows = []
      done()
    })
    query.on('error', (error) =>
      fail(error instanceof DatabaseError ? new FailedSql(error, sql) : error),
    )
  })
  client.query(query)
  await finished
  if (isTooDeep) throw tooLarge('A value of the result is nested too deeply')
  if (size > largestResult) {
    throw tooLarge(`The result is larger than ${largestResult / 1_000_000} MB`)
  }
  return `[${rows.join(',')}]`
}

/** Undefined for what is nested more deeply than it can be written, although Postgres can. */
function jsonOf(row: unknown): string | undefined {
  try {
    return JSON.stringify(row)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
