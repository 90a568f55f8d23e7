import { z } from 'zod'
import { exactCountLimit } from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import { inTransaction } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import * as store from './user-list-store.ts'
import type { UserFilter, UserListPage, UserPlace } from './user-list-store.ts'

/** Milliseconds for a page that reads every user, and for a figure that somebody waits for. */
const timeoutsMs = { reading: 20_000, exact: 120_000 }

type Asked = Omit<UserListPage, 'after'> & { cursor?: string | undefined }
export type Count = { count: number; is_estimate: boolean }

/** A page of users as JSON text, put together from lines that Postgres wrote. */
export async function userListJson({ pool }: AuthTenant, asked: Asked): Promise<string> {
  const page = { ...asked, after: asked.cursor === undefined ? undefined : placeOf(asked) }
  const reads = page.search !== '' && page.match === 'contains'
  const found = reads
    ? await inTransaction(pool, async (tx) => {
        await store.limitTime(tx, timeoutsMs.reading)
        return store.listUserLines(tx, page)
      })
    : await store.listUserLines(pool, page)
  const capped = found[0]?.capped ?? false
  const lines = found.slice(0, page.limit)
  const last = lines.at(-1)
  const next = found.length > lines.length && last ? cursorOf(asked, last) : null
  const users = lines.map(({ line }) => line).join(',')
  return `{"users":[${users}],"next":${JSON.stringify(next)},"capped":${String(capped)}}`
}

export async function countUsers(
  { pool }: AuthTenant,
  filter: UserFilter,
  exact: boolean,
): Promise<Count> {
  const counted = (ms: number) =>
    inTransaction(pool, async (tx) => {
      await store.limitTime(tx, ms)
      return store.countUsersExactly(tx, filter)
    })
  const indexed = filter.search !== '' && filter.match === 'starts'
  if (exact || indexed) {
    const { count, capped } = await counted(timeoutsMs.exact)
    return { count, is_estimate: capped }
  }
  const everybody = { ...filter, search: '', state: undefined, provider: undefined }
  const all = await store.estimateUsers(pool, everybody)
  if (all <= exactCountLimit) {
    return { count: (await counted(timeoutsMs.reading)).count, is_estimate: false }
  }
  return { count: await store.estimateUsers(pool, filter), is_estimate: true }
}

const Place = z.tuple([z.string(), z.string(), z.guid()])
/** As Postgres prints them. */
const moment = /^-?infinity$|^\d[\d :.+-]{8,40}$/

function cursorOf({ sort, order }: Asked, { key, id }: UserPlace): string {
  return Buffer.from(JSON.stringify([`${sort} ${order}`, key, id])).toString('base64url')
}

function placeOf({ cursor = '', sort, order }: Asked): UserPlace {
  const [belongs, key, id] = parsed(cursor)
  const isMoment = sort === 'created_at' || sort === 'last_sign_in_at'
  if (belongs !== `${sort} ${order}` || (isMoment && !moment.test(key))) throw foreign()
  return { key, id }
}

function parsed(cursor: string): z.output<typeof Place> {
  try {
    return Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw foreign()
  }
}

const foreign = () => new ApiError('invalid_input', 'The cursor belongs to a different list')
