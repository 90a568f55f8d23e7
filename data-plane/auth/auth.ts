import type { Log } from '#kit/log'
import { createAccess } from './access.ts'
import { createAdmin } from './admin.ts'
import type { AuthDeps } from './deps.ts'
import { createGenerateLink } from './generate-link.ts'
import { createMagicLink } from './magic-link.ts'
import { createPasswords, type PasswordLimits } from './passwords.ts'
import { createPkce } from './pkce.ts'
import { createRateLimits } from './rate-limits.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignup } from './signup.ts'
import type { AuthTenant } from './tenant.ts'
import { createUsers } from './users.ts'
import { createVerification } from './verification.ts'

export type AuthOptions = {
  log: Log
  /** The clock; tests set it. */
  now?: () => Date
  /** How many passwords are hashed at once, and how many may wait. */
  limits?: PasswordLimits
}

/** The auth service of one process, for any number of tenants. It keeps counters and caches but no state that matters. */
export function createAuth({ log, now = () => new Date(), limits }: AuthOptions) {
  const deps: AuthDeps = {
    log,
    now,
    passwords: createPasswords(limits),
    limits: createRateLimits(),
  }
  const sessions = createSessions(deps)
  const access = createAccess(deps)
  return {
    log,
    access,
    sessions,
    signup: createSignup(deps, sessions),
    signIn: createSignIn(deps, sessions),
    pkce: createPkce(deps, sessions),
    magicLink: createMagicLink(deps),
    verification: createVerification(deps, sessions),
    users: createUsers(deps),
    admin: createAdmin(deps),
    links: createGenerateLink(deps),
    /** Whether a session may still be used: not ended, user neither banned nor deleted. Right within 3 seconds. */
    sessionIsLive: (tenant: AuthTenant, sessionId: string): Promise<boolean> =>
      access.sessionIsLive(tenant, sessionId),
  }
}
export type Auth = ReturnType<typeof createAuth>
