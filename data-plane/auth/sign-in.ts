import { audit } from './audit-store.ts'
import type { AuthDeps } from './deps.ts'
import { AuthError } from './errors.ts'
import type { SessionJson, Sessions } from './sessions.ts'
import { inTransaction } from './store.ts'
import type { Caller } from './tenant.ts'
import { isBanned } from './user-json.ts'
import { userByEmail } from './users-store.ts'

const longestEmail = 255

export function createSignIn({ now, limits, passwords }: AuthDeps, sessions: Sessions) {
  /** The same answer in the same time for an unknown address and a wrong password. */
  async function withPassword(
    caller: Caller,
    given: { email: string; password: string },
  ): Promise<SessionJson> {
    const { tenant, ip } = caller
    await limits.perAddress(caller, 'token')
    if (!tenant.config.emailEnabled) throw new AuthError('email_provider_disabled')
    const email = given.email
      .trim()
      .toLowerCase()
      .slice(0, longestEmail + 1)
    const refund = await limits.attempt(caller, 'passwordFailures', email)
    const user = await userByEmail(tenant.pool, email)
    const fits = await passwords.fits(given.password, user?.encrypted_password)
    if (!fits || !user) throw new AuthError('invalid_credentials')
    await refund()
    // Only who knows the password learns the state of the account.
    if (isBanned(user, now())) throw new AuthError('user_banned')
    if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed')
    return inTransaction(tenant.pool, async (tx) => {
      const traits = { provider: 'email' }
      await audit(tx, { action: 'login', actor: user, ip, traits }, now())
      return sessions.begin(tx, caller, user, 'password')
    })
  }
  return { withPassword }
}
