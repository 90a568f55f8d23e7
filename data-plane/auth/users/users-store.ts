import { quoteIdent } from '#contract/ddl/sql-text'
import type { Metadata } from './metadata.ts'
import { one, type Db } from '../store.ts'
import { userColumns, type UserRow } from './user-row.ts'

const select = `select ${userColumns} from auth.users `
const returning = ` returning ${userColumns}`

/** What can be written; `confirmed_at` is computed by the database. */
export type UserChanges = Partial<
  Omit<UserRow, 'id' | 'confirmed_at' | 'created_at' | 'updated_at'> & {
    raw_app_meta_data: Metadata
    raw_user_meta_data: Metadata
  }
>

/** With `lock` the row stays as it is until the transaction ends. Users come first in the order of locks. */
export type Lock = { lock?: boolean }

const suffix = ({ lock }: Lock) => (lock ? ' for update' : '')

/** By address, in any case; deleted users and users of single sign-on do not sign in by address. */
export function userByEmail(db: Db, email: string, lock: Lock = {}): Promise<UserRow | undefined> {
  const where =
    'where lower(email) = $1 and not is_sso_user and deleted_at is null order by created_at limit 1'
  return one(db, select + where + suffix(lock), [email])
}

/** By number, as digits; deleted users and users of single sign-on do not sign in by it. */
export function userByPhone(db: Db, phone: string, lock: Lock = {}): Promise<UserRow | undefined> {
  const where = 'where phone = $1 and not is_sso_user and deleted_at is null'
  return one(db, select + where + suffix(lock), [phone])
}

/** Whether any account has the number, of whatever kind it is. */
export async function isPhoneTaken(db: Db, phone: string, exceptId: string): Promise<boolean> {
  const sql = 'select 1 as found from auth.users where phone = $1 and id <> $2'
  return (await one(db, sql, [phone, exceptId])) !== undefined
}

export function userById(db: Db, id: string, lock: Lock = {}): Promise<UserRow | undefined> {
  return one(db, select + 'where id = $1' + suffix(lock), [id])
}

/** Adds a user; undefined when somebody else has the address or, as `unique` says, the number. */
export function insertUser(
  db: Db,
  id: string,
  values: UserChanges,
  at: Date,
  unique: 'email' | 'phone' = 'email',
): Promise<UserRow | undefined> {
  const all = {
    id,
    instance_id: '00000000-0000-0000-0000-000000000000',
    // Seeds and old clients expect empty texts in these.
    confirmation_token: '',
    recovery_token: '',
    email_change_token_new: '',
    email_change: '',
    ...values,
    created_at: at,
    updated_at: at,
  }
  const names = Object.keys(all).map((name) => quoteIdent(name))
  const places = names.map((_, index) => `$${index + 1}`)
  const into = `insert into auth.users (${names.join(', ')}) values (${places.join(', ')})`
  const target = unique === 'phone' ? '(phone)' : '(email) where is_sso_user = false'
  const sql = `${into} on conflict ${target} do nothing${returning}`
  return one(db, sql, Object.values(all).map(toParameter))
}

/** Writes the given columns; undefined when the user is gone. */
export function updateUser(
  db: Db,
  id: string,
  changes: UserChanges,
  at: Date,
): Promise<UserRow | undefined> {
  const all = Object.entries({ ...changes, updated_at: at })
  const sets = all.map(([name], index) => `${quoteIdent(name)} = $${index + 2}`)
  const sql = `update auth.users set ${sets.join(', ')} where id = $1` + returning
  return one(db, sql, [id, ...all.map(([, value]) => toParameter(value))])
}

export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.query('delete from auth.users where id = $1', [id])
}

/** JSON values as text, because the driver would send an object as JSON but an array as a Postgres array. */
function toParameter(value: unknown): unknown {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof Date)
  return isJson ? JSON.stringify(value) : value
}

export type UserPage = {
  page: number
  perPage: number
  /** Part of an address, phone number or name. */
  filter: string | undefined
  sort: { column: 'created_at' | 'updated_at' | 'last_sign_in_at' | 'email'; descending: boolean }
}

const filtered = `($1::text is null or email ilike $1 or phone ilike $1
  or raw_user_meta_data ->> 'full_name' ilike $1 or id::text = $2)`

/** One page of users and how many there are in all. */
export async function listUsers(
  db: Db,
  { page, perPage, filter, sort }: UserPage,
): Promise<{ users: UserRow[]; total: number }> {
  const like = filter === undefined ? null : `%${filter.replace(/[\\%_]/g, '\\$&')}%`
  const direction = sort.descending ? 'desc nulls last' : 'asc nulls last'
  const order = ` order by ${quoteIdent(sort.column)} ${direction}, id limit $3 offset $4`
  const where = `where ${filtered}`
  const values = [like, filter ?? null]
  const { rows } = await db.query<UserRow>(select + where + order, [
    ...values,
    perPage,
    (page - 1) * perPage,
  ])
  const counted = await one<{ total: string }>(
    db,
    'select count(*) as total from auth.users ' + where,
    values,
  )
  return { users: rows, total: Number(counted?.total ?? 0) }
}
