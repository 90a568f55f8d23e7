import type { Column, EntityDetail } from '#contract/pg-meta-shapes'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { rowLookup } from '#contract/row-lookup'
import { exactCountLimit } from '#contract/table-rows'
import type { Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import { beginningsSql } from './row-beginnings.ts'
import { cancelled, estimated, within } from './row-count.ts'
import { columnOf, parameters, tableSql, type Param } from './row-sql.ts'
import { asText, type TextQueryable } from './text-rows.ts'

type Wanted = Pick<Parsed<typeof rowLookup.find>, 'column' | 'search' | 'limit' | 'after'>
type Found = Output<typeof rowLookup.find>

/** Milliseconds that a search may take before it is given up. */
const patienceMs = 2000
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
  wanted: Wanted,
): Promise<Found> {
  const key = columnOf(entity, wanted.column)
  const from = placeOf(wanted.after)
  const leading = new Set((await asText(db, leadingSql, [String(entity.id)])).map(([name]) => name))
  const texts = entity.columns.filter(
    ({ name, format }) => name !== key.name && telling.has(format),
  )
  const indexed = texts.filter(({ name }) => leading.has(name))
  const words = [...indexed, ...texts.filter((one) => !indexed.includes(one))].slice(0, shownWords)
  const search = { entity, key, words, indexed, wanted, from: from?.key }
  const small = async () => (await estimated(db, entity, [])) <= exactCountLimit
  const everywhere = from ? from.everywhere : wanted.search === '' || (await small())
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
      `${entity.name} is too large to be searched so in ${patienceMs / 1000} seconds. Type the value itself, or more of its beginning.`,
    )
  }
}

const isCancelled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === cancelled

type Search = {
  entity: EntityDetail
  key: Column
  words: readonly Column[]
  indexed: readonly Column[]
  wanted: Wanted
  from: string | undefined
}

async function run(db: TextQueryable, search: Search, everywhere: boolean): Promise<Found> {
  const { wanted } = search
  const { sql, values } = lookupSql(search, everywhere)
  const found = await within(db, patienceMs, false, () => asText(db, sql, values))
  const rows = found
    .slice(0, wanted.limit)
    .map(([value, ...words]) => ({ value: value ?? '', words }))
  const last = found.length > wanted.limit ? rows.at(-1) : undefined
  return {
    rows,
    next: last ? `${everywhere ? 'e' : 'b'}${last.value}` : null,
    only_beginnings: !everywhere,
  }
}

function placeOf(after: string | undefined) {
  if (after === undefined) return undefined
  const [, how, key] = /^([eb])(.*)$/s.exec(after) ?? []
  if (how === undefined || key === undefined)
    throw new ApiError('invalid_input', 'The place is not one that this list gave out')
  return { everywhere: how === 'e', key }
}

/** One range of an index for each way in which a row may begin, or one look at everything. */
export function lookupSql(search: Search, everywhere: boolean) {
  const { key, words, indexed, wanted } = search
  const { values, param } = parameters()
  const ways = everywhere
    ? [wanted.search === '' ? 'true' : saidSql(key, words, wanted.search, param)]
    : [
        ...beginningsSql(key, wanted.search, param),
        ...indexed.flatMap((column) => beginningsSql(column, wanted.search, param)),
      ]
  const parts = ways.map((way) => partSql(search, way, param))
  const all = parts.length > 0 ? parts.join(' union ') : partSql(search, 'false', param)
  const shown = ['k::text', ...words.map((_, at) => `w${at}`)].join(', ')
  const sql = `select ${shown} from (${all}) found order by found.k limit ${wanted.limit + 1}`
  return { sql, values }
}

function partSql({ entity, key, words, wanted, from }: Search, way: string, param: Param): string {
  const name = quoteIdent(key.name)
  const shown = words.map(
    (word, at) => `left(${quoteIdent(word.name)}::text, ${wordLength}) as w${at}`,
  )
  const beyond = from === undefined ? `${name} is not null` : `${name} > ${param(from)}`
  return `(select ${[`${name} as k`, ...shown].join(', ')} from ${tableSql(entity)}
    where ${way} and ${beyond} order by ${name} limit ${wanted.limit + 1})`
}

/** The key begins with it, or the words hold it anywhere. */
function saidSql(key: Column, words: readonly Column[], search: string, param: Param): string {
  const escaped = search.replace(/[\\%_]/g, String.raw`\$&`)
  const inWords = words.map(
    ({ name }) => `${quoteIdent(name)}::text ilike ${param(`%${escaped}%`)}`,
  )
  return `(${[`${quoteIdent(key.name)}::text ilike ${param(`${escaped}%`)}`, ...inWords].join(' or ')})`
}
