import type { SafeFetch } from '#kit/network/safe-fetch'
import type { Log } from '#kit/log'
import type { LeakedPasswords } from './sign-in/leaked-passwords.ts'
import type { Passwords } from './sign-in/passwords.ts'
import type { Limiter } from './sign-in/rate-limits.ts'

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
