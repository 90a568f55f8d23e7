import { createHash } from 'node:crypto'
import {
  maxMatches,
  type UserField,
  type UserSort,
  type UserState,
} from '#contract/auth/auth-users'
import type { Db } from '../store.ts'
import { escaped, searchParts, type SearchPart } from './user-search.ts'

export type UserFilter = {
  search: string
  field: UserField
  match: 'starts' | 'contains'
  state?: UserState | undefined
  provider?: string | undefined
}

/** Where a page begins: what its sort key and id are after. */
export type UserPlace = { key: string; id: string }

export type UserListPage = UserFilter & {
  sort: UserSort
  order: 'asc' | 'desc'
  limit: number
  after: UserPlace | undefined
}

/** A line as JSON text, and its place. `capped`: a search by index found more in one field than it looks at. */
export type ListedRow = { line: string; key: string; id: string; capped: boolean }

/** Without NULLs, so that a pair of values says where a page begins. Each is the start of an index of list-indexes.sql. */
const keys: Record<UserSort, { sql: string; type: string }> = {
  created_at: { sql: `coalesce(created_at, '-infinity'::timestamptz)`, type: 'timestamptz' },
  last_sign_in_at: {
    sql: `coalesce(last_sign_in_at, '-infinity'::timestamptz)`,
    type: 'timestamptz',
  },
  email: { sql: `(lower(coalesce(email, ''))) collate "C"`, type: 'text' },
  phone: { sql: `(coalesce(phone, '')) collate "C"`, type: 'text' },
}

const named = (source: string) =>
  `coalesce(${source} ->> 'full_name', ${source} ->> 'name', ${source} ->> 'display_name', ${source} ->> 'user_name')`
const providers = `coalesce(raw_app_meta_data -> 'providers', '[]')`

/** What a line of the list shows. */
export const listedColumns = `id, email, phone, ${named('raw_user_meta_data')} as name, ${providers} as providers, role,
  is_anonymous, is_sso_user, confirmed_at, invited_at, banned_until, deleted_at, created_at, updated_at, last_sign_in_at`

const states: Record<UserState, string> = {
  verified: 'confirmed_at is not null',
  unverified: 'confirmed_at is null and not is_anonymous',
  anonymous: 'is_anonymous',
  // The index has those who are or were banned.
  banned: 'banned_until is not null and banned_until > now()',
  sso: 'is_sso_user',
}

const words = `(jsonb_to_tsvector('simple', coalesce(raw_user_meta_data, '{}'), '["string", "numeric"]') || jsonb_to_tsvector('simple', coalesce(raw_app_meta_data, '{}'), '["string", "numeric"]'))`
const anywhere = `(email ilike $v or phone ilike $v or id::text ilike $v
  or raw_user_meta_data::text ilike $v or raw_app_meta_data::text ilike $v)`
const anywhereIn: Record<UserField, string> = {
  all: anywhere,
  id: 'id::text ilike $v',
  email: 'email ilike $v',
  phone: 'phone ilike $v',
  metadata: '(raw_user_meta_data::text ilike $v or raw_app_meta_data::text ilike $v)',
}

const between = (key: string, [first, after]: readonly string[]) =>
  `${key} >= ${first} and ${key} < ${after}`

/** One statement with its values, which it refers to as $1, $2 ... */
class Statement {
  readonly values: unknown[] = []

  param(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** The states and providers that are asked for. */
  narrowed({ state, provider }: UserFilter): string {
    const parts = [
      ...(state ? [states[state]] : []),
      ...(provider ? [`(${providers}) ? ${this.param(provider)}`] : []),
    ]
    return parts.length > 0 ? parts.map((part) => `(${part})`).join(' and ') : 'true'
  }

  matching({ field, values }: SearchPart): string {
    const given = values.map((value) => this.param(value))
    switch (field) {
      case 'id':
        return `id between ${given[0]}::uuid and ${given[1]}::uuid`
      case 'email':
        return between(keys.email.sql, given)
      case 'phone':
        return between(keys.phone.sql, given)
      case 'metadata':
        return `${words} @@ to_tsquery('simple', ${given[0]})`
    }
  }

  /** Ids of the matches by index: of each field so many that the work has an end. */
  found(filter: UserFilter): string {
    const narrow = this.narrowed(filter)
    const parts = searchParts(filter.search, filter.field).map(
      (part) =>
        `(select id, '${part.field}' as field from auth.users
          where ${this.matching(part)} and ${narrow} limit ${maxMatches + 1})`,
    )
    return parts.length > 0
      ? parts.join(' union all ')
      : `select null::uuid as id, '' as field where false`
  }

  /** Everybody whom the filter leaves; a search by index is a table of ids, `found`. */
  where(filter: UserFilter): string {
    if (filter.search === '') return this.narrowed(filter)
    if (filter.match === 'starts') return 'id in (select id from found)'
    const value = this.param(`%${escaped(filter.search)}%`)
    return `${this.narrowed(filter)} and ${anywhereIn[filter.field].replaceAll('$v', value)}`
  }

  with(filter: UserFilter): string {
    return isIndexed(filter) ? `with found as materialized (${this.found(filter)}) ` : ''
  }
}

const isIndexed = ({ search, match }: UserFilter) => search !== '' && match === 'starts'
const capped = `(select coalesce(bool_or(n > ${maxMatches}), false)
  from (select count(*) as n from found group by field) as fields)`

/** A page of users and one line more, which says that another page follows. */
export async function listUserLines(db: Db, page: UserListPage): Promise<ListedRow[]> {
  const statement = new Statement()
  const { sql: key, type } = keys[page.sort]
  const { after, order, limit } = page
  const found = statement.with(page)
  const where = [statement.where(page)]
  if (after) {
    const place = `(${statement.param(after.key)}::${type}, ${statement.param(after.id)}::uuid)`
    where.push(`(${key}, id) ${order === 'asc' ? '>' : '<'} ${place}`)
  }
  const text =
    `${found}select row_to_json(line)::text as line, at as key, id, ${isIndexed(page) ? capped : 'false'} as capped ` +
    `from (select ${listedColumns}, (${key})::text as at from auth.users where ${where.join(' and ')} ` +
    `order by ${key} ${order}, id ${order} limit ${limit + 1}) as line`
  // Kept ready by the connection: with so many indexes to choose from, planning a page takes longer than reading it.
  const name = `users ${createHash('sha1').update(text).digest('base64')}`
  const { rows } = await db.query<ListedRow>({ name, text, values: statement.values })
  return rows
}

/** As far as a search by index looks; `capped` says whether that is not all. */
export async function countUsersExactly(
  db: Db,
  filter: UserFilter,
): Promise<{ count: number; capped: boolean }> {
  const statement = new Statement()
  const found = statement.with(filter)
  const more = isIndexed(filter) ? capped : 'false'
  const text =
    `${found}select count(*) as count, ${more} as capped from auth.users ` +
    `where ${statement.where(filter)}`
  const { rows } = await db.query<{ count: string; capped: boolean }>(text, statement.values)
  return { count: Number(rows[0]?.count ?? 0), capped: rows[0]?.capped ?? false }
}

/** The planner's reckoning; nothing is read. */
export async function estimateUsers(db: Db, filter: UserFilter): Promise<number> {
  const statement = new Statement()
  const text = `explain (format json) select 1 from auth.users where ${statement.where(filter)}`
  const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    text,
    statement.values,
  )
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/** Ends whatever of this transaction takes longer, with SQLSTATE 57014. */
export async function limitTime(tx: Db, ms: number): Promise<void> {
  await tx.query(`select set_config('statement_timeout', $1, true)`, [String(ms)])
}
