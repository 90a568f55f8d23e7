import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Auth } from '#data-plane/auth/auth'
import type { AuthTenant } from '#data-plane/auth/tenant'
import { readOrMake } from '#kit/secrets'

/** Where the first password of self-hosted mode lies until its owner has changed it. */
const passwordFile = (home: string) => join(home, 'admin-password')

/** What to say at a start: how to sign in for the first time. */
export function adminHint(home: string, email: string): string | undefined {
  const file = passwordFile(home)
  return existsSync(file) ? `sign in as ${email}; the first password is in ${file}` : undefined
}

/**
 * The first account of self-hosted mode: made once, with a random password in a file that only this user can read.
 * Signing up is off, so it is the only way in.
 * @returns the id of its user
 */
export async function ensureAdmin(
  auth: Auth,
  tenant: AuthTenant,
  { home, email }: { home: string; email: string },
): Promise<string> {
  const { users } = await auth.admin.list(tenant, {
    page: 1,
    perPage: 1,
    filter: undefined,
    sort: { column: 'created_at', descending: false },
  })
  const [first] = users
  if (first) return first.id
  const password = readOrMake(passwordFile(home))
  const caller = { tenant, ip: '127.0.0.1', userAgent: 'plinth', hooks: auth.hooks }
  const made = await auth.admin.create(caller, { email, password, email_confirm: true })
  return made.id
}
