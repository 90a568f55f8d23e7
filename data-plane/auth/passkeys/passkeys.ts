import { needSecondFactor, type SignedIn } from '../access.ts'
import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import * as store from './passkeys-store.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { brokenUnique, inTransaction } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import { isBanned } from '../users/user-json.ts'
import { userById } from '../users/users-store.ts'
import {
  authenticationOptions,
  checkAssertion,
  checkRegistration,
  registrationOptions,
  relyingPartyOf,
  type CredentialJson,
} from './webauthn.ts'

const ceremonyLifeMs = 5 * 60 * 1000
const maxPasskeys = 10
const longestName = 120

export type Answer = { challengeId: string; credential: CredentialJson }

/** Passkeys: keys on people's devices that they sign in with, without a password. */
export function createPasskeys({ now, limits }: AuthDeps, sessions: Sessions) {
  function needOn({ config }: AuthTenant): void {
    if (!config.passkeysEnabled) throw new AuthError('passkey_disabled')
  }

  /** Refuses whoever may not add a way of signing in: no account of their own, or half signed in. */
  function mayChange({ config }: AuthTenant, who: SignedIn): void {
    if (!config.passkeysEnabled) throw new AuthError('passkey_disabled')
    if (who.user.is_sso_user) throw new AuthError('user_sso_managed')
    if (who.user.is_anonymous) {
      throw new AuthError('no_authorization', 'Anonymous users cannot have passkeys', {
        status: 403,
      })
    }
    needSecondFactor(who, 'Show your second factor before you change how you sign in')
  }

  async function begin(
    { tenant }: Caller,
    type: store.Ceremony,
    userId: string | undefined,
    options: { challenge: string },
  ) {
    const at = now()
    const expiresAt = new Date(at.getTime() + ceremonyLifeMs)
    const ceremony = { userId, type, challenge: options.challenge, expiresAt }
    const id = await store.saveCeremony(tenant.pool, ceremony, at)
    return { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) }
  }

  /** The challenge of an answer, which is used up by it, whatever becomes of the rest. */
  async function take({ tenant }: Caller, type: store.Ceremony, id: string, userId?: string) {
    const ceremony = await store.takeCeremony(tenant.pool, id, type)
    if (!ceremony || ceremony.user_id !== (userId ?? null)) {
      throw new AuthError('webauthn_challenge_not_found')
    }
    if (ceremony.expires_at <= now()) throw new AuthError('webauthn_challenge_expired')
    const refusal = 'webauthn_verification_failed' as const
    return {
      challenge: ceremony.challenge,
      party: relyingPartyOf(tenant.config),
      verified: true,
      refusal,
    }
  }

  async function startRegistration(caller: Caller, who: SignedIn) {
    await limits.perAddress(caller, 'mfa')
    mayChange(caller.tenant, who)
    const known = await store.passkeysOf(caller.tenant.pool, who.user.id)
    if (known.length >= maxPasskeys) throw new AuthError('too_many_passkeys')
    const { id, email, phone } = who.user
    const keys = known.map((row) => ({
      id: row.credential_id.toString('base64url'),
      transports: row.transports,
    }))
    const party = relyingPartyOf(caller.tenant.config)
    const user = { id, name: email || phone || id }
    const options = await registrationOptions(party, user, keys, { resident: true })
    return begin(caller, 'registration', id, options)
  }

  async function finishRegistration(
    caller: Caller,
    who: SignedIn,
    { challengeId, credential }: Answer,
  ) {
    await limits.perAddress(caller, 'mfa')
    mayChange(caller.tenant, who)
    const expected = await take(caller, 'registration', challengeId, who.user.id)
    const { key, ...more } = await checkRegistration(credential, expected)
    return inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      // Passkeys of one user are added in turns, so that two at once cannot be one too many.
      if (!(await userById(tx, who.user.id, { lock: true }))) throw new AuthError('user_not_found')
      const known = await store.passkeysOf(tx, who.user.id)
      if (known.length >= maxPasskeys) throw new AuthError('too_many_passkeys')
      const made = await store
        .insertPasskey(
          tx,
          {
            ...more,
            userId: who.user.id,
            credentialId: Buffer.from(key.id, 'base64url'),
            publicKey: Buffer.from(key.publicKey, 'base64url'),
            counter: key.counter,
            transports: key.transports,
            name: '',
          },
          at,
        )
        .catch((error: unknown) => {
          if (brokenUnique(error) === undefined) throw error
          throw new AuthError('webauthn_credential_exists')
        })
      const traits = { passkey_id: made.id }
      await audit(tx, { action: 'passkey_created', actor: who.user, ip: caller.ip, traits }, at)
      return passkeyJson(made)
    })
  }

  async function startSignIn(caller: Caller) {
    await limits.perAddress(caller, 'token')
    needOn(caller.tenant)
    const party = relyingPartyOf(caller.tenant.config)
    return begin(
      caller,
      'authentication',
      undefined,
      await authenticationOptions(party, [], { resident: true }),
    )
  }

  /** A session for whoever holds the key. Unknown keys and wrong signatures are refused alike. */
  async function finishSignIn(
    caller: Caller,
    { challengeId, credential }: Answer,
  ): Promise<SessionJson> {
    const { tenant } = caller
    await limits.perAddress(caller, 'token')
    needOn(tenant)
    const expected = await take(caller, 'authentication', challengeId)
    return inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const row = await store.lockPasskey(tx, Buffer.from(credential.id, 'base64url'))
      const user = row && (await userById(tx, row.user_id))
      if (!row || !user || user.deleted_at || !isOwner(credential, user.id)) {
        throw new AuthError('webauthn_verification_failed')
      }
      const key = {
        id: row.credential_id.toString('base64url'),
        publicKey: row.public_key.toString('base64url'),
        counter: Number(row.sign_count),
        transports: row.transports,
      }
      const used = await checkAssertion(credential, key, expected)
      if (isBanned(user, at)) throw new AuthError('user_banned')
      await store.usePasskey(tx, row.id, used, at)
      const traits = { provider: 'passkey' }
      await audit(tx, { action: 'login', actor: user, ip: caller.ip, traits }, at)
      return sessions.begin(tx, caller, user, 'passkey', 'passkey')
    })
  }

  async function list(tenant: AuthTenant, userId: string) {
    return (await store.passkeysOf(tenant.pool, userId)).map(passkeyJson)
  }

  async function rename(caller: Caller, who: SignedIn, id: string, name: string) {
    mayChange(caller.tenant, who)
    if (name === '' || name.length > longestName) {
      throw invalid(`friendly_name must have between 1 and ${longestName} characters`)
    }
    const row = await store.renamePasskey(caller.tenant.pool, who.user.id, id, name, now())
    if (!row) throw new AuthError('webauthn_credential_not_found')
    return passkeyJson(row)
  }

  /** Takes a passkey away; `by` is undefined for the holder of the service key. */
  async function remove(caller: Caller, userId: string, id: string, by: SignedIn | undefined) {
    if (by) mayChange(caller.tenant, by)
    await inTransaction(caller.tenant.pool, async (tx) => {
      if (!(await store.deletePasskey(tx, userId, id)))
        throw new AuthError('webauthn_credential_not_found')
      const traits = { passkey_id: id, user_id: userId }
      await audit(tx, { action: 'passkey_deleted', actor: by?.user, ip: caller.ip, traits }, now())
    })
  }

  return {
    startRegistration,
    finishRegistration,
    startSignIn,
    finishSignIn,
    list,
    rename,
    remove,
    needOn,
  }
}
export type Passkeys = ReturnType<typeof createPasskeys>

/** A device may say whose key it is; then it has to be right. */
function isOwner({ response }: CredentialJson, userId: string): boolean {
  const handle = response['userHandle']
  if (handle === undefined || handle === null || handle === '') return true
  return handle === Buffer.from(userId).toString('base64url')
}

function passkeyJson(row: store.PasskeyRow) {
  return {
    id: row.id,
    ...(row.friendly_name && { friendly_name: row.friendly_name }),
    created_at: row.created_at.toISOString(),
    ...(row.last_used_at && { last_used_at: row.last_used_at.toISOString() }),
  }
}
