import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { normalizeEmail } from '../mail/emails.ts'
import { AuthError, invalid } from '../errors.ts'
import { saveEmailIdentity } from '../users/identities-store.ts'
import { sendMails } from '../hooks/mail-hook.ts'
import { mergeMetadata, type Metadata } from '../users/metadata.ts'
import { createUser } from '../users/new-user.ts'
import { issueLink, mailOf, type OneTimeLink } from './one-time.ts'
import { checkPassword } from './passwords.ts'
import type { Challenge } from './challenge.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { newAccountJson, obfuscatedUser } from './signup-answer.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { atLeast } from './timing.ts'
import { withoutProviders } from './unproven.ts'
import { defaultRole, type UserJson } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userByEmail, type UserChanges } from '../users/users-store.ts'

export type SignupInput = {
  email: string
  password: string
  data: Metadata | undefined
  challenge: Challenge | undefined
  redirectTo: string
}

export const emailAppMetadata = { provider: 'email', providers: ['email'] }

type Outcome =
  | { taken: true }
  | { session: SessionJson }
  | { user: UserRow; json: UserJson; link: OneTimeLink }

export function createSignup({ now, limits, passwords, leaked }: AuthDeps, sessions: Sessions) {
  /** Makes an account: a session at once when addresses need no confirmation, else the user and a mail. */
  async function signup(caller: Caller, input: SignupInput): Promise<SessionJson | UserJson> {
    const { tenant } = caller
    await limits.perAddress(caller, 'signup')
    const email = normalizeEmail(input.email)
    if (tenant.config.disableSignup && !(await tenant.admits?.({ email, sso: false }))) {
      throw new AuthError('signup_disabled')
    }
    if (!tenant.config.emailEnabled) {
      throw new AuthError('email_provider_disabled', 'Email signups are disabled')
    }
    if (input.password === '') throw invalid('Signup requires a valid password')
    checkPassword(tenant.config, input.password)
    await leaked.refuse(tenant, input.password)
    if (!tenant.config.mailerAutoconfirm) await limits.mail(caller, 'confirmation', email)
    const answer = async () => {
      const hash = await passwords.hash(input.password)
      const outcome = await inTransaction(tenant.pool, (tx) => save(tx, caller, email, hash, input))
      if ('session' in outcome) return outcome.session
      if ('taken' in outcome) return refuseTaken(caller, email, input.data)
      await sendMails(caller, [mailOf(tenant, 'confirmation', outcome.user, outcome.link)])
      return outcome.json
    }
    // Where a taken address is refused openly there is nothing to hide.
    return tenant.config.mailerAutoconfirm ? answer() : atLeast(answer)
  }

  async function save(
    tx: Db,
    caller: Caller,
    email: string,
    hash: string,
    input: SignupInput,
  ): Promise<Outcome> {
    const { tenant, ip } = caller
    const at = now()
    const values = { encrypted_password: hash, raw_user_meta_data: mergeMetadata({}, input.data) }
    const found = await newOrUnconfirmed(tx, caller, email, values, at)
    if (!found) {
      const actor = await userByEmail(tx, email)
      await audit(tx, { action: 'user_repeated_signup', actor, ip }, at)
      return { taken: true }
    }
    if (tenant.config.mailerAutoconfirm) {
      const user = (await updateUser(tx, found.id, { email_confirmed_at: at }, at)) ?? found
      // Confirmed, but nobody proved to own it: that matters when somebody else does.
      await saveEmailIdentity(tx, user.id, { address: email, verified: false }, at)
      await audit(
        tx,
        { action: 'user_signedup', actor: user, ip, traits: { provider: 'email' } },
        at,
      )
      return { session: await sessions.begin(tx, caller, user, 'password') }
    }
    await saveEmailIdentity(tx, found.id, { address: email, verified: false }, at)
    const { redirectTo, challenge } = input
    const request = { type: 'signup', tokenType: 'confirmation_token', address: email } as const
    const { link, user } = await issueLink(
      tx,
      tenant,
      found,
      { ...request, redirectTo, challenge },
      at,
    )
    const traits = { provider: 'email' }
    await audit(tx, { action: 'user_confirmation_requested', actor: user, ip, traits }, at)
    const shown = newUserValues(email)
    return { user, link, json: await newAccountJson(tx, user, shown, { provider: 'email', at }) }
  }

  /**
   * A new row, or the one of an earlier sign-up that nobody confirmed: the last one counts, and its link replaces the
   * earlier. An invitation cannot be taken over where no mail proves who is asking.
   */
  async function newOrUnconfirmed(
    tx: Db,
    caller: Caller,
    email: string,
    values: UserChanges,
    at: Date,
  ): Promise<UserRow | undefined> {
    const { mailerAutoconfirm: autoconfirm } = caller.tenant.config
    const before = await userByEmail(tx, email, { lock: true })
    const fresh = { ...newUserValues(email), ...values }
    const made = before ? undefined : await createUser(tx, caller, fresh, at)
    if (made) return made
    // Somebody may have made it at this very moment.
    const known = before ?? (await userByEmail(tx, email, { lock: true }))
    // Whoever has shown that the account is theirs, by whatever way, or can come in by a phone number, must not find
    // another password on it.
    if (!known || known.confirmed_at || known.phone) return undefined
    if (autoconfirm && known.invited_at) return undefined
    await withoutProviders(tx, known, at)
    return updateUser(tx, known.id, values, at)
  }

  /** With confirmation by mail nobody learns that the address is taken: the answer looks like that of a new account. */
  function refuseTaken({ tenant }: Caller, email: string, data: Metadata | undefined): UserJson {
    if (tenant.config.mailerAutoconfirm) throw new AuthError('user_already_exists')
    return obfuscatedUser(newUserValues(email), mergeMetadata({}, data), now())
  }

  async function anonymous(caller: Caller, data: Metadata | undefined): Promise<SessionJson> {
    const { tenant, ip } = caller
    if (tenant.config.disableSignup) throw new AuthError('signup_disabled')
    if (!tenant.config.anonymousEnabled) throw new AuthError('anonymous_provider_disabled')
    await limits.perAddress(caller, 'anonymous')
    return inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const values = {
        aud: tenant.jwt.audience,
        role: defaultRole,
        is_anonymous: true,
        raw_app_meta_data: {},
        raw_user_meta_data: mergeMetadata({}, data),
      }
      const user = await createUser(tx, caller, values, at)
      if (!user) throw new AuthError('conflict')
      await audit(tx, { action: 'user_signedup', actor: user, ip }, at)
      return sessions.begin(tx, caller, user, 'anonymous')
    })
  }

  return { signup, anonymous }
}
export type Signup = ReturnType<typeof createSignup>

/** The columns that every new account with an address starts with. */
export function newUserValues(email: string): UserChanges & { email: string } {
  return {
    aud: defaultRole,
    role: defaultRole,
    email,
    raw_app_meta_data: emailAppMetadata,
    raw_user_meta_data: {},
  }
}
