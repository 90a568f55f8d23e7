import { impersonation, type ProjectUser } from '#contract/data-api/impersonation'
import { refuseImpersonation } from './impersonation.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'
import { ApiError } from '#kit/errors'
import { isUuid } from '#kit/ids'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

export const impersonationRoutes = (read: UseSession): MetaRoute[] => [
  answer(read, impersonation.users, (db, input, who) => {
    refuseImpersonation(who)
    return listUsers(db, input)
  }),
]

type Query = { search: string; limit: number; cursor?: string | undefined }
type Row = ProjectUser & { at: string | null }

/** A database that was there before Plinth need not have any. */
const hasUsers = "select to_regclass('auth.users') is not null as there"

/** In the order of the index users_created_at_idx; users without a moment come first in it. */
const page = `
  select id, email, phone, is_anonymous, created_at::text as at,
    coalesce(raw_app_meta_data, '{}') as app_metadata, coalesce(raw_user_meta_data, '{}') as user_metadata
  from auth.users
  where ($1 = '' or position(lower($1) in lower(concat_ws(' ', email, phone, id))) > 0)
    and ($3::uuid is null or case
      when $4::timestamptz is null then created_at is not null or id > $3::uuid
      else created_at < $4::timestamptz or created_at = $4::timestamptz and id > $3::uuid end)
  order by created_at desc, id limit $2
`

async function listUsers(
  db: Queryable,
  { search, limit, cursor }: Query,
): Promise<{ users: ProjectUser[]; next: string | null }> {
  const [table] = await rowsOf<{ there: boolean }>(db, hasUsers, [])
  if (!table?.there) return { users: [], next: null }
  const values = [search.trim(), limit + 1, ...(cursor === undefined ? [null, null] : from(cursor))]
  const found = await rowsOf<Row>(db, page, values)
  const users = found.slice(0, limit)
  const last = users.at(-1)
  return {
    users: users.map(userOf),
    next: found.length > limit && last ? `${last.id} ${last.at ?? ''}` : null,
  }
}

/** The id of a page's last user, and their moment as Postgres prints it. */
function from(cursor: string): [id: string, at: string | null] {
  const [, id, at] = /^([0-9a-f-]{36}) ([0-9 :.+-]*)$/.exec(cursor) ?? []
  const isTime = at === '' || !Number.isNaN(Date.parse(at ?? ''))
  if (id === undefined || at === undefined || !isUuid(id) || !isTime) {
    throw new ApiError('invalid_input', 'The cursor belongs to a different list')
  }
  return [id, at || null]
}

const userOf = ({ id, email, phone, is_anonymous, app_metadata, user_metadata }: Row) => ({
  id,
  email,
  phone,
  is_anonymous,
  app_metadata,
  user_metadata,
})
