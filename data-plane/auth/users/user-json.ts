import { factorsOf, type FactorRow } from '../mfa/factors-store.ts'
import { identitiesOf, type IdentityRow } from './identities-store.ts'
import { metadataOf, type Metadata } from './metadata.ts'
import type { Db } from '../store.ts'
import type { UserRow } from './user-row.ts'

/** A user in the public shape: empty optional times and addresses are left out, `phone` is "" when unset. */
export type UserJson = {
  id: string
  aud: string
  role: string
  email: string
  phone: string
  app_metadata: Metadata
  user_metadata: Metadata
  identities: IdentityJson[]
  /** Left out when there is none. */
  factors?: FactorJson[]
  is_anonymous: boolean
  created_at: string
  updated_at: string
} & Partial<Record<OptionalTime | 'new_email' | 'new_phone', string>>

type IdentityJson = {
  identity_id: string
  id: string
  user_id: string
  identity_data: Metadata
  provider: string
  email?: string
  last_sign_in_at?: string
  created_at?: string
  updated_at?: string
}

export type FactorJson = {
  id: string
  friendly_name?: string
  factor_type: string
  status: 'verified' | 'unverified'
  phone?: string
  created_at: string
  updated_at: string
  last_challenged_at?: string
}

const optionalTimes = [
  ...(['email_confirmed_at', 'phone_confirmed_at', 'confirmed_at', 'invited_at'] as const),
  ...(['confirmation_sent_at', 'recovery_sent_at', 'email_change_sent_at'] as const),
  ...(['phone_change_sent_at', 'reauthentication_sent_at', 'last_sign_in_at'] as const),
  ...(['banned_until', 'deleted_at'] as const),
]
type OptionalTime = (typeof optionalTimes)[number]

export const defaultRole = 'authenticated'

export function userJson(
  user: UserRow,
  identities: readonly IdentityRow[],
  factors: readonly FactorRow[],
): UserJson {
  const own = factors.filter((row) => row.user_id === user.id).map(factorJson)
  const times = optionalTimes.flatMap((name) => {
    const time = user[name]
    return time === null ? [] : [[name, time.toISOString()] as const]
  })
  const created = (user.created_at ?? new Date(0)).toISOString()
  return {
    id: user.id,
    aud: user.aud ?? '',
    role: user.role || defaultRole,
    email: user.email ?? '',
    phone: user.phone ?? '',
    ...Object.fromEntries(times),
    ...(user.email_change && { new_email: user.email_change }),
    ...(user.phone_change && { new_phone: user.phone_change }),
    app_metadata: metadataOf(user.raw_app_meta_data),
    user_metadata: metadataOf(user.raw_user_meta_data),
    identities: identities.filter((row) => row.user_id === user.id).map(identityJson),
    ...(own.length > 0 && { factors: own }),
    created_at: created,
    updated_at: user.updated_at?.toISOString() ?? created,
    is_anonymous: user.is_anonymous,
  }
}

function identityJson(row: IdentityRow): IdentityJson {
  return {
    identity_id: row.id,
    id: row.provider_id,
    user_id: row.user_id,
    identity_data: row.identity_data,
    provider: row.provider,
    ...(row.last_sign_in_at && { last_sign_in_at: row.last_sign_in_at.toISOString() }),
    ...(row.created_at && { created_at: row.created_at.toISOString() }),
    ...(row.updated_at && { updated_at: row.updated_at.toISOString() }),
    ...(row.email !== null && { email: row.email }),
  }
}

/** A second factor in the public shape; its secret is shown once, when it is made. */
export function factorJson(row: FactorRow): FactorJson {
  return {
    id: row.id,
    ...(row.friendly_name && { friendly_name: row.friendly_name }),
    factor_type: row.factor_type,
    status: row.status,
    ...(row.phone && { phone: row.phone }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(row.last_challenged_at && { last_challenged_at: row.last_challenged_at.toISOString() }),
  }
}

/** The user with their identities and second factors from the database. */
export async function loadUserJson(db: Db, user: UserRow): Promise<UserJson> {
  return userJson(user, await identitiesOf(db, [user.id]), await factorsOf(db, [user.id]))
}

export function isBanned(user: Pick<UserRow, 'banned_until'>, at: Date): boolean {
  return user.banned_until !== null && user.banned_until > at
}
