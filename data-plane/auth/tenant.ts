import type { Pool } from 'pg'
import type { AuthHook } from '#contract/auth/auth-hooks'
import type { JwtKeySet } from '#kit/jwt-key-set'
import type { Secrets } from '#kit/secrets'
import type { AuthConfig } from './config.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Sms } from './sms/sms-providers.ts'
import type { Db } from './store.ts'

/** How access tokens of a tenant are made and checked. The object should live as long as the tenant: keys are cached by it. */
export type JwtSettings = {
  /** What keys for other purposes are derived from; without `keySet` tokens are signed by it too, HS256. */
  secret: string
  /** The keys that tokens are signed and verified by. */
  keySet?: JwtKeySet
  /** The `iss` claim, for example "http://localhost:8001/abc/auth/v1". */
  issuer: string
  expirySeconds: number
  audience: string
}

/** One set of users: the platform's own, or those of a project. */
export type AuthTenant = {
  /** Project ref, or `platform`. */
  id: string
  /** Logged in as a role that owns the tables of schema auth. Its owner listens to its errors. */
  pool: Pool
  jwt: JwtSettings
  /** Public base of this API, for example "http://localhost:8001/abc/auth/v1": links are built from it, never from a Host header. */
  externalUrl: string
  config: AuthConfig
  mailer: Mailer
  /** The local outbox: keeps text messages while no service is set that sends them. */
  keepSms?: (sms: Sms) => Promise<void>
  /** Seals what must be read again, such as the secrets of second factors. Its key outlives every rotation of `jwt`. */
  secrets: Pick<Secrets, 'seal' | 'open'>
  /** For whom its secrets are sealed: its id, unless its data began as those of another tenant. */
  sealedFor?: string
  /** Who may make an account while sign-up is closed: nobody, without it. The address may not be proven yet. */
  admits?: (newcomer: { email: string; sso: boolean }) => Promise<boolean>
  /** Told after a sign-in through an organization's provider. */
  onSsoSignIn?: (person: { userId: string; providerId: string; email: string }) => Promise<void>
  /** Told of everybody who gets new tokens: by a sign-in or a refresh. */
  onActive?: (user: { id: string; isSso: boolean }) => void
  /** Told of a new address within the transaction that changes it. */
  onEmailChanged?: (tx: Db, userId: string, email: string) => Promise<void>
}

export const sealedFor = (tenant: AuthTenant): string => tenant.sealedFor ?? tenant.id

/** Who calls, as far as features care: the tenant, where the request comes from, and how the tenant's hooks are asked. */
export type Caller = { tenant: AuthTenant; ip: string; userAgent: string; hooks: AskHook }

type Asking = Pick<Caller, 'tenant' | 'ip'>

/**
 * Asks a hook and gives its answer; undefined when the tenant has no such hook. Functions of the database run within
 * `tx` where there is one, so that they see what is being done and leave nothing behind when it is not done after all.
 * @throws AuthError what the hook refuses with, or `hook_...` when it did not answer as it has to.
 */
export type AskHook = (
  caller: Asking,
  name: AuthHook,
  payload: object,
  tx?: Db,
) => Promise<Record<string, unknown> | undefined>
