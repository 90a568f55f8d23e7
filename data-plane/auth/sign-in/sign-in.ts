import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { normalizePhone } from '../mail/emails.ts'
import { AuthError } from '../errors.ts'
import { checkPassword } from './passwords.ts'
import type { SessionJson, Sessions, WeakPassword } from '../sessions/sessions.ts'
import { inTransaction } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { isBanned } from '../users/user-json.ts'
import { userByEmail, userByPhone } from '../users/users-store.ts'
import { passwordChecked } from '../hooks/verification-hooks.ts'

const longestEmail = 255

/** What people sign in with beside their password: one of the two. */
export type LoginName = { email: string } | { phone: string }

export function createSignIn({ now, limits, passwords, leaked }: AuthDeps, sessions: Sessions) {
  /** The same answer in the same time for an unknown address or number and a wrong password. */
  async function withPassword(
    caller: Caller,
    name: LoginName,
    password: string,
  ): Promise<SessionJson> {
    const { tenant, ip } = caller
    await limits.perAddress(caller, 'token')
    const { account, provider, find } = loginOf(caller, name)
    const refund = await limits.attempt(caller, 'passwordFailures', account)
    const user = await find()
    const fits = await passwords.fits(password, user?.encrypted_password)
    if (user) await passwordChecked(caller, user, { valid: fits, at: now() })
    if (!fits || !user) throw new AuthError('invalid_credentials')
    await refund()
    // Only who knows the password learns the state of the account.
    if (isBanned(user, now())) throw new AuthError('user_banned')
    if (provider === 'phone') {
      if (!user.phone_confirmed_at) throw new AuthError('phone_not_confirmed')
    } else if (!user.email_confirmed_at && !tenant.config.allowUnverifiedEmail) {
      throw new AuthError('email_not_confirmed')
    }
    const weak = await weakness(caller, password)
    const session = await inTransaction(tenant.pool, async (tx) => {
      await audit(tx, { action: 'login', actor: user, ip, traits: { provider } }, now())
      return sessions.begin(tx, caller, user, 'password', provider)
    })
    return { ...session, ...(weak && { weak_password: weak }) }
  }

  /** What would be refused as a new password signs in all the same, and the client is told to ask for a better one. */
  async function weakness({ tenant }: Caller, password: string): Promise<WeakPassword | undefined> {
    if (!tenant.config.leakedPasswords) return undefined
    try {
      checkPassword(tenant.config, password)
      await leaked.refuse(tenant, password)
      return undefined
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      return { message: error.message, reasons: error.reasons ?? [] }
    }
  }

  return { withPassword }
}

/** Under which name failures are counted, and how the account is found. */
function loginOf({ tenant: { pool, config } }: Caller, name: LoginName) {
  if ('phone' in name) {
    if (!config.phoneEnabled) throw new AuthError('phone_provider_disabled')
    const phone = normalizePhone(name.phone)
    return { account: phone, provider: 'phone', find: () => userByPhone(pool, phone) }
  }
  if (!config.emailEnabled) throw new AuthError('email_provider_disabled')
  const email = name.email
    .trim()
    .toLowerCase()
    .slice(0, longestEmail + 1)
  return { account: email, provider: 'email', find: () => userByEmail(pool, email) }
}
