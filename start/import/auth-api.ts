import { z } from 'zod'
import { refusalOf } from './apply.ts'
import { kindOf, takeAll } from './auth.ts'
import { authTables, makeStaging, stageJson } from './auth-store.ts'
import { withoutTriggers } from './data-store.ts'
import { askJson, type Api } from './http.ts'
import type { Base } from './parts.ts'
import { inTransaction } from './state-store.ts'

const text = z.string().nullish()
const Json = z.record(z.string(), z.unknown())
const Identity = z.looseObject({
  identity_id: z.string().optional(),
  id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  identity_data: Json.nullish(),
  created_at: text,
  updated_at: text,
  last_sign_in_at: text,
})
const User = z.looseObject({
  id: z.uuid(),
  aud: text,
  role: text,
  email: text,
  phone: text,
  email_confirmed_at: text,
  phone_confirmed_at: text,
  invited_at: text,
  last_sign_in_at: text,
  banned_until: text,
  created_at: text,
  updated_at: text,
  is_anonymous: z.boolean().nullish(),
  is_sso_user: z.boolean().nullish(),
  app_metadata: Json.nullish(),
  user_metadata: Json.nullish(),
  identities: z.array(Identity).nullish(),
  factors: z.array(z.unknown()).nullish(),
})
type User = z.output<typeof User>
const Page = z.object({ users: z.array(User) })

const userColumns = [
  'id',
  'instance_id',
  'aud',
  'role',
  'email',
  'phone',
  'email_confirmed_at',
  'phone_confirmed_at',
]
userColumns.push('invited_at', 'last_sign_in_at', 'banned_until', 'created_at', 'updated_at')
userColumns.push('is_anonymous', 'is_sso_user', 'raw_app_meta_data', 'raw_user_meta_data')
const identityColumns = ['id', 'user_id', 'provider_id', 'provider', 'identity_data']
identityColumns.push('last_sign_in_at', 'created_at', 'updated_at')

const userRow = (user: User) => ({
  ...user,
  instance_id: '00000000-0000-0000-0000-000000000000',
  email: user.email || null,
  phone: user.phone || null,
  is_anonymous: user.is_anonymous ?? false,
  is_sso_user: user.is_sso_user ?? false,
  raw_app_meta_data: user.app_metadata ?? {},
  raw_user_meta_data: user.user_metadata ?? {},
})
const identityRow = (identity: z.output<typeof Identity>) => ({
  ...identity,
  id: identity.identity_id ?? identity.id,
  provider_id: identity.id,
  identity_data: identity.identity_data ?? {},
})

const perPage = 500

/** Users without their passwords, which the API gives nobody. */
export async function importAuthByApi(run: Base, api: Api): Promise<void> {
  const { report, isRehearsal, state } = run
  report.leave(
    'auth',
    'password',
    'of every user',
    'the auth API gives no hashes: give --from-db-url, or users reset their passwords',
  )
  const known = isRehearsal ? undefined : await state.find('auth', 'users')
  let factors = 0
  for (let page = 1; ; page += 1) {
    const path = `/auth/v1/admin/users?page=${page}&per_page=${perPage}`
    const { users } = await askJson(api, path, Page)
    report.count(
      'auth',
      'user',
      known ? { found: users.length, before: users.length } : { found: users.length },
    )
    factors += users.reduce((sum, user) => sum + (user.factors?.length ?? 0), 0)
    if (!isRehearsal && !known) await importPage(run, await withIdentities(api, users))
    if (users.length < perPage) break
  }
  if (!isRehearsal && !known) await state.note('auth', 'users', { by: 'api' })
  if (factors > 0)
    report.leave('auth', 'second factor', `${factors} of them`, 'users enroll them again')
  report.advise('people sign in again: sessions are not taken along')
}

/** A list of users may leave out how they sign in. */
async function withIdentities(api: Api, users: readonly User[]): Promise<User[]> {
  const whole: User[] = []
  for (const user of users)
    whole.push(user.identities ? user : await askJson(api, `/auth/v1/admin/users/${user.id}`, User))
  return whole
}

async function importPage(run: Base, users: readonly User[]): Promise<void> {
  const { target, report } = run
  const rows: Record<string, [string[], object[]]> = {
    users: [userColumns, users.map(userRow)],
    identities: [
      identityColumns,
      users.flatMap(({ identities }) => (identities ?? []).map(identityRow)),
    ],
  }
  for (const table of authTables) {
    const [columns, some] = rows[table.name] ?? [[], []]
    if (some.length === 0) continue
    if (table.name !== 'users') report.count('auth', kindOf(table), { found: some.length })
    try {
      const { taken, left } = await inTransaction(target, async () => {
        await target.query(withoutTriggers)
        await makeStaging(target, table)
        await stageJson(target, table, columns, some)
        return takeAll(run, table, { columns, select: '' })
      })
      report.count('auth', kindOf(table), { imported: taken })
      report.leaveAll(left)
    } catch (error) {
      report.leave('auth', kindOf(table), `${some.length} of a page`, refusalOf(error).reason)
    }
  }
}
