import { createHash, randomBytes } from 'node:crypto'
import type { AuthTenant } from '../tenant.ts'

const cookieName = 'plinth_sign_in'
const lifeSeconds = 3600

/**
 * Ties a sign-in to the browser that began it: whoever is lured to the end of a stranger's sign-in has another value in
 * their cookie, or none. Where a tenant asks for it (`bindSignIns`), which needs pages on the origin of this service.
 */
export function browserValue(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim().split('=', 2))
  const value = pairs.find(([name]) => name === cookieName)?.[1]
  return value && /^[\w-]{43}$/.test(value) ? value : undefined
}

export function newBrowserValue(): string {
  return randomBytes(32).toString('base64url')
}

export function browserHash(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}

export function browserCookie({ externalUrl }: AuthTenant, value: string): string {
  const { pathname, protocol } = new URL(externalUrl)
  const attributes = `Path=${pathname}; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`
  return `${cookieName}=${value}; ${attributes}${protocol === 'https:' ? '; Secure' : ''}`
}
