import { z } from 'zod'
import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { rowLookup } from '#contract/database/rows/row-lookup'
import { exactCountLimit } from '#contract/database/rows/table-rows'
import type { Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import { beginningsSql } from './row-beginnings.ts'
import { cancelled, estimated, within } from './row-count.ts'
import { columnOf, parameters, tableSql, type Param } from './row-sql.ts'
import { asText, type TextQueryable } from './text-rows.ts'

type LookupQuery = Pick<
  Parsed<typeof rowLookup.find>,
  'column' | 'also' | 'search' | 'limit' | 'after'
>
type Found = Output<typeof rowLookup.find>

/** Milliseconds that a search may take before it is given up. */
const timeoutMs = 2000
/** Columns whose words tell a row from others, besides its key. */
const telling = new Set(['text', 'varchar', 'citext', 'bpchar', 'name'])
const shownWords = 2
/** Characters of them. */
const wordLength = 80

const leadingSql = `select distinct a.attname from pg_index i
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
  where i.indrelid = $1::oid and i.indisvalid and i.indpred is null`

/** @throws ApiError query_timeout when even an index does not find the rows in time */
export async function findRows(
  db: TextQueryable,
  entity: EntityDetail,
  query: LookupQuery,
): Promise<Found> {
  const key = columnOf(entity, query.column)
  const also = query.also.map((name) => columnOf(entity, name))
  const from = placeOf(query.after, also.length)
  const leading = new Set((await asText(db, leadingSql, [String(entity.id)])).map(([name]) => name))
  const texts = entity.columns.filter(
    (column) => column !== key && !also.includes(column) && telling.has(column.format),
  )
  const indexed = texts.filter(({ name }) => leading.has(name))
  const words = [...indexed, ...texts.filter((one) => !indexed.includes(one))].slice(0, shownWords)
  const search = { entity, key, also, words, indexed, query, from: from?.key }
  const small = async () => (await estimated(db, entity)) <= exactCountLimit
  const everywhere = from ? from.everywhere : query.search === '' || (await small())
  try {
    if (everywhere) return await run(db, search, true)
    const quick = await run(db, search, false)
    if (quick.rows.length > 0 || from) return quick
    // Nothing begins with it: reading the table may still find something in time.
    return await run(db, search, true).catch((error: unknown) => {
      if (isCancelled(error)) return quick
      throw error
    })
  } catch (error) {
    if (!isCancelled(error)) throw error
    throw new ApiError(
      'query_timeout',
      `${entity.name} is too large to be searched so in ${timeoutMs / 1000} seconds. Type the value itself, or more of its beginning.`,
    )
  }
}

const isCancelled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === cancelled

type Search = {
  entity: EntityDetail
  key: Column
  also: readonly Column[]
  words: readonly Column[]
  indexed: readonly Column[]
  query: LookupQuery
  /** Values of the key and of `also`. */
  from: readonly (string | null)[] | undefined
}

async function run(db: TextQueryable, search: Search, everywhere: boolean): Promise<Found> {
  const { query } = search
  const { sql, values } = lookupSql(search, everywhere)
  const found = await within(db, timeoutMs, false, () => asText(db, sql, values))
  const others = search.also.length
  const rows = found.slice(0, query.limit).map(([value, ...rest]) => ({
    value: value ?? '',
    also: rest.slice(0, others),
    words: rest.slice(others),
  }))
  const last = found.length > query.limit ? rows.at(-1) : undefined
  const place = last && JSON.stringify([last.value, ...last.also])
  return {
    rows,
    next: place === undefined ? null : `${everywhere ? 'e' : 'b'}${place}`,
    only_beginnings: !everywhere,
  }
}

const Place = z.array(z.string().nullable()).min(1)

function placeOf(after: string | undefined, others: number) {
  if (after === undefined) return undefined
  const [, how, text] = /^([eb])(.*)$/s.exec(after) ?? []
  const key = Place.safeParse(how === undefined ? undefined : jsonOf(text ?? ''))
  if (!key.success || key.data.length !== others + 1)
    throw new ApiError('invalid_input', 'The cursor is not valid for this list')
  return { everywhere: how === 'e', key: key.data }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One range of an index for each way in which a row may begin, or one look at everything. */
export function lookupSql(search: Search, everywhere: boolean) {
  const { key, also, words, indexed, query } = search
  const { values, param } = parameters()
  const ways = everywhere
    ? [query.search === '' ? 'true' : searchSql(key, words, query.search, param)]
    : [
        ...beginningsSql(key, query.search, param),
        ...indexed.flatMap((column) => beginningsSql(column, query.search, param)),
      ]
  const parts = ways.map((way) => partSql(search, way, param))
  const all = parts.length > 0 ? parts.join(' union ') : partSql(search, 'false', param)
  // By their own types, and not by the texts that are shown.
  const order = ['found.k', ...also.map((_, at) => `found.a${at}`)]
  const shown = [...order.map((name) => `${name}::text`), ...words.map((_, at) => `w${at}`)]
  const sql = `select ${shown.join(', ')} from (${all}) found order by ${order.join(', ')} limit ${query.limit + 1}`
  return { sql, values }
}

function partSql(
  { entity, key, also, words, query, from }: Search,
  way: string,
  param: Param,
): string {
  const names = [key, ...also].map(({ name }) => quoteIdent(name))
  const shown = [
    ...names.map((name, at) => (at === 0 ? `${name} as k` : `${name} as a${at - 1}`)),
    ...words.map((word, at) => `left(${quoteIdent(word.name)}::text, ${wordLength}) as w${at}`),
  ]
  // A row that has no value in one of them is none that a key can lead to.
  const there = names.map((name) => `${name} is not null`)
  const place = from?.map((value) => param(value)).join(', ')
  const beyond = place === undefined ? [] : [`(${names.join(', ')}) > (${place})`]
  return `(select ${shown.join(', ')} from ${tableSql(entity)}
    where ${[way, ...there, ...beyond].join(' and ')} order by ${names.join(', ')} limit ${query.limit + 1})`
}

/** The key begins with it, or the words hold it anywhere. */
function searchSql(key: Column, words: readonly Column[], search: string, param: Param): string {
  const escaped = search.replace(/[\\%_]/g, String.raw`\$&`)
  const inWords = words.map(
    ({ name }) => `${quoteIdent(name)}::text ilike ${param(`%${escaped}%`)}`,
  )
  return `(${[`${quoteIdent(key.name)}::text ilike ${param(`${escaped}%`)}`, ...inWords].join(' or ')})`
}
