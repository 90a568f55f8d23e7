import { randomInt, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'
import type { SignedIn } from '../access.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import * as store from './factors-store.ts'
import * as keys from './factors-webauthn-store.ts'
import {
  challengeLifeMs,
  find,
  lockUser,
  refuseTakenName,
  startCounting,
  usableChallenge,
} from './mfa-steps.ts'
import { enrolmentLifeMs, longestName, record } from './mfa.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { brokenUnique, inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import {
  authenticationOptions,
  checkAssertion,
  checkRegistration,
  isOwnOrigin,
  registrationOptions,
  relyingPartyOf,
  type CredentialJson,
} from '../passkeys/webauthn.ts'

export const PartyJson = z.object({
  rpId: z.string().min(1).max(253),
  rpOrigins: z.array(z.string().max(300)).max(10).optional(),
})
type Party = z.infer<typeof PartyJson>

const refusal = 'mfa_verification_failed' as const

/** Second factors that are a key on a device or stick. */
export function createMfaWebauthn({ now, limits }: AuthDeps, sessions: Sessions) {
  async function enroll(caller: Caller, who: SignedIn, friendlyName: string) {
    const { tenant } = caller
    const { user } = who
    await limits.perAddress(caller, 'mfa')
    if (user.is_anonymous) {
      const words = 'Anonymous users cannot have a second factor'
      throw new AuthError('no_authorization', words, { status: 403 })
    }
    const { mfaWebauthnEnabled, mfaWebauthnEnrollEnabled } = tenant.config
    if (!mfaWebauthnEnabled || !mfaWebauthnEnrollEnabled) {
      throw new AuthError('mfa_webauthn_enroll_not_enabled')
    }
    if (friendlyName.length > longestName) throw invalid('friendly_name is too long')
    const id = randomUUID()
    await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, user.id)
      await store.deleteUnverified(tx, user.id, new Date(at.getTime() - enrolmentLifeMs))
      const factors = await store.factorsOf(tx, [user.id])
      needStrong(factors, who, 'AAL2 required to enroll a new factor')
      if (factors.length >= tenant.config.mfaMaxFactors) {
        throw new AuthError('too_many_enrolled_mfa_factors')
      }
      await keys
        .insertKeyFactor(tx, { id, userId: user.id, friendlyName }, at)
        .catch(refuseTakenName)
      await record(tx, caller, who, 'factor_in_progress', id, at)
    })
    return { id, type: 'webauthn', friendly_name: friendlyName }
  }

  /** Whether a factor of this user is a key; everything else is asked for codes. */
  async function isKey({ tenant }: Caller, who: SignedIn, factorId: string): Promise<boolean> {
    const factor = await store.factorById(tenant.pool, who.user.id, factorId)
    return factor?.factor_type === 'webauthn'
  }

  /** What the browser has to do: make a key for a new factor, sign with the one of a verified factor. */
  async function challenge(caller: Caller, who: SignedIn, factorId: string, asked: Party) {
    const { tenant } = caller
    await limits.perAddress(caller, 'mfa')
    const party = partyOf(caller, asked)
    const { id: userId, email, phone } = who.user
    const id = randomUUID()
    const ip = isIP(caller.ip) === 0 ? '127.0.0.1' : caller.ip
    const at = now()
    const add = () =>
      inTransaction(tenant.pool, async (tx) => {
        await lockUser(tx, userId)
        const factor = await find(tx, userId, factorId)
        const known = await keys.keysOf(tx, userId)
        const own = known.find((one) => one.factorId === factorId)
        const mine = own && { type: 'request', key: own.key }
        const options = mine
          ? await authenticationOptions(party, [mine.key], { resident: false })
          : await registrationOptions(
              party,
              { id: userId, name: email || phone || userId },
              known.map(({ key }) => key),
              { resident: false },
            )
        const type = factor.status === 'verified' ? 'request' : 'create'
        if ((type === 'request') !== (mine !== undefined))
          throw new AuthError('mfa_factor_not_found')
        await store.pruneChallenges(tx, factorId, new Date(at.getTime() - 4 * challengeLifeMs))
        const microseconds = randomInt(1000)
        await store.insertChallenge(tx, { id, factorId, ip, microseconds }, at)
        const data = { type, challenge: options.challenge, rpId: party.id, origins: party.origins }
        await keys.saveKeyChallenge(tx, id, data)
        await record(tx, caller, who, 'challenge_created', factorId, at)
        return { type, credential_options: { publicKey: options } }
      })
    // Another user's challenge may have had the very same microsecond.
    const webauthn = await add().catch((error: unknown) => {
      if (brokenUnique(error) === undefined) throw error
      return add()
    })
    const expiresAt = Math.floor((at.getTime() + challengeLifeMs) / 1000)
    return { id, type: 'webauthn', expires_at: expiresAt, webauthn }
  }

  /** Only pages of the tenant's own may ask for keys, and only for keys of their own name. */
  function partyOf({ tenant }: Caller, { rpId, rpOrigins = [] }: Party) {
    const own = relyingPartyOf(tenant.config)
    const origins = rpOrigins.length > 0 ? rpOrigins : own.origins
    if (tenant.config.webauthn.rpId && tenant.config.webauthn.rpId !== rpId) {
      throw invalid('rpId is not the one that is set')
    }
    const belongs = (origin: string) => {
      const { hostname } = new URL(origin)
      return hostname === rpId || hostname.endsWith(`.${rpId}`)
    }
    if (!origins.every((origin) => isOwnOrigin(tenant.config, origin) && belongs(origin))) {
      throw invalid('rpOrigins are no allowed addresses below rpId')
    }
    return { ...own, id: rpId, origins }
  }

  async function verify(
    caller: Caller,
    who: SignedIn,
    factorId: string,
    answer: { challengeId: string; type: string; credential: CredentialJson },
  ): Promise<SessionJson> {
    const { tenant } = caller
    await limits.perAddress(caller, 'mfa')
    if (!tenant.config.mfaWebauthnEnabled) throw new AuthError('mfa_webauthn_verify_not_enabled')
    await find(tenant.pool, who.user.id, factorId)
    const refund = await limits.attempt(caller, 'mfaFailures', factorId)
    const session = await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, who.user.id)
      const factor = await find(tx, who.user.id, factorId)
      await usableChallenge(tx, factorId, answer.challengeId, at)
      const data = await keys.keyChallenge(tx, answer.challengeId)
      if (!data || data.type !== answer.type) throw new AuthError(refusal, wrong)
      const expected = {
        challenge: data.challenge,
        party: { id: data.rpId, origins: data.origins },
        verified: false,
        refusal,
      }
      if (data.type === 'create') {
        if (factor.status === 'verified') throw new AuthError(refusal, wrong)
        await complete(tx, who, factorId, answer.credential, expected, at)
      } else {
        const own = (await keys.keysOf(tx, who.user.id)).find((one) => one.factorId === factorId)
        if (!own || own.key.id !== answer.credential.id) throw new AuthError(refusal, wrong)
        const { counter } = await checkAssertion(answer.credential, own.key, expected)
        await keys.saveKey(tx, factorId, { key: { ...own.key, counter } }, at)
      }
      await keys.answerKeyChallenge(tx, answer.challengeId, at)
      await record(tx, caller, who, 'mfa_code_login', factorId, at)
      return sessions.raise(tx, caller, who, factor)
    })
    await refund()
    return session
  }

  /** The first answer brings the key. */
  async function complete(
    tx: Db,
    who: SignedIn,
    factorId: string,
    credential: CredentialJson,
    expected: Parameters<typeof checkRegistration>[1],
    at: Date,
  ): Promise<void> {
    needStrong(
      await store.factorsOf(tx, [who.user.id]),
      who,
      'AAL2 required to verify a new factor',
    )
    const { key, aaguid } = await checkRegistration(credential, expected)
    await keys.saveKey(tx, factorId, { key, aaguid }, at)
    await startCounting(tx, who.user.id, factorId, at)
  }

  return { enroll, isKey, challenge, verify }
}
export type MfaWebauthn = ReturnType<typeof createMfaWebauthn>

const wrong = 'The answer does not belong to this challenge'

/** Whoever has a second factor shows it before they add another. */
function needStrong(factors: readonly store.FactorRow[], who: SignedIn, message: string): void {
  if (who.aal !== 'aal2' && factors.some(({ status }) => status === 'verified')) {
    throw new AuthError('insufficient_aal', message, { status: 403 })
  }
}
