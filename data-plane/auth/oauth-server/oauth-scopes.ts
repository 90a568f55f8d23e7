import { signsOpenly } from '../sessions/jwt.ts'
import { OAuthError } from './oauth-error.ts'
import type { JwtSettings } from '../tenant.ts'

/** What apps can ask to know; `openid` only where they can check an ID token. */
export const scopesOf = (jwt: JwtSettings): string[] => [
  ...(signsOpenly(jwt) ? ['openid'] : []),
  'email',
  'profile',
  'phone',
]

/** The scopes that are asked for, in our order; by default the address. */
export function checkedScope(jwt: JwtSettings, asked: string | undefined): string {
  const requested = (asked ?? '').split(/\s+/).filter((scope) => scope !== '')
  const known = scopesOf(jwt)
  const strange = requested.find((scope) => !known.includes(scope))
  if (strange !== undefined) {
    throw new OAuthError('invalid_scope', `There is no scope ${strange.slice(0, 50)}`)
  }
  return requested.length === 0
    ? 'email'
    : known.filter((scope) => requested.includes(scope)).join(' ')
}

/** Whether one list of scopes, with spaces between, holds all of another. */
export function covers(granted: string, asked: string): boolean {
  const given = granted.split(' ')
  return asked.split(' ').every((scope) => given.includes(scope))
}
