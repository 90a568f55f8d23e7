import type { UserDetail } from '#contract/auth/auth-users'
import { AuthError } from '../errors.ts'
import { factorsOf } from '../mfa/factors-store.ts'
import { identitiesOf } from '../users/identities-store.ts'
import { metadataOf } from '../users/metadata.ts'
import { sessionsOf } from '../sessions/sessions-store.ts'
import type { AuthTenant } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'
import { userById } from '../users/users-store.ts'

type Timed<T> = { [K in keyof T]: T[K] extends Date | null ? Exclude<T[K], Date> | string : T[K] }

/** Everything that a member of the project may see of a user: no digest, no token, no secret of a factor. */
export async function userDetail({ pool }: AuthTenant, id: string, at: Date): Promise<UserDetail> {
  const row = await userById(pool, id)
  if (!row) throw new AuthError('user_not_found')
  const [identities, factors, sessions] = await Promise.all([
    identitiesOf(pool, [id]),
    factorsOf(pool, [id]),
    sessionsOf(pool, id, at),
  ])
  return {
    user: shownUser(row),
    identities: identities.map((row) => timed(without(row, 'user_id', 'updated_at'))),
    factors: factors.map((row) => ({
      ...timed(without(row, 'user_id', 'updated_at', 'secret')),
      created_at: row.created_at.toISOString(),
    })),
    sessions: sessions.map(timed),
  }
}

function shownUser(row: UserRow): UserDetail['user'] {
  const { encrypted_password: digest } = row
  const app = metadataOf(row.raw_app_meta_data)
  const user = metadataOf(row.raw_user_meta_data)
  const names = [user['full_name'], user['name'], user['display_name'], user['user_name']]
  const providers: unknown[] = Array.isArray(app['providers']) ? app['providers'] : []
  return {
    ...timed(without(row, 'encrypted_password', 'email_change_confirm_status')),
    raw_app_meta_data: app,
    raw_user_meta_data: user,
    has_password: Boolean(digest),
    name: names.find((name) => typeof name === 'string') ?? null,
    providers: providers.filter((provider) => typeof provider === 'string'),
  }
}

/** What is not for anybody's eyes, or says nothing new. */
function without<T extends object, K extends keyof T>(row: T, ...names: K[]): Omit<T, K> {
  const copy = { ...row }
  for (const name of names) delete copy[name]
  return copy
}

/** Times as JSON has them. */
function timed<T extends object>(row: T): Timed<T> {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ])
  // The same names with times as text, which is what the type says.
  return Object.fromEntries(entries) as Timed<T>
}
