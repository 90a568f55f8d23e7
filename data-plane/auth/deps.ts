import type { SafeFetch } from '#kit/safe-fetch'
import type { Log } from '#kit/log'
import type { LeakedPasswords } from './leaked-passwords.ts'
import type { Passwords } from './passwords.ts'
import type { Limiter } from './rate-limits.ts'

/** What the features of this service share. */
export type AuthDeps = {
  log: Log
  now: () => Date
  passwords: Passwords
  leaked: LeakedPasswords
  limits: Limiter
  /** For addresses that tenants name. */
  fetch: SafeFetch
}
