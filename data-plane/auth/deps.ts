import type { SafeFetch } from '#kit/safe-fetch'
import type { Log } from '#kit/log'
import type { Passwords } from './passwords.ts'
import type { Limiter } from './rate-limits.ts'

/** What the features of this service share. */
export type AuthDeps = {
  log: Log
  now: () => Date
  passwords: Passwords
  limits: Limiter
  /** For addresses that tenants name. */
  fetch: SafeFetch
}
