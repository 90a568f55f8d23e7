import { randomInt, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { SignedIn } from './access.ts'
import { audit, type AuditAction } from './audit-store.ts'
import type { AuthDeps } from './deps.ts'
import { AuthError, invalid } from './errors.ts'
import * as store from './factors-store.ts'
import type { SessionJson, Sessions } from './sessions.ts'
import { brokenUnique, inTransaction, type Db } from './store.ts'
import type { Caller } from './tenant.ts'
import { newTotpKey, stepOfCode } from './totp.ts'
import { userById } from './users-store.ts'
import { factorShown } from './verification-hooks.ts'

const challengeLifeMs = 5 * 60 * 1000
/** How long an enrolment may stay unfinished before its place is free again. */
const enrolmentLifeMs = 24 * 60 * 60 * 1000
const longestName = 255

export type Enrolment = { factorType: string; friendlyName: string; issuer: string }

/** Second factors of a signed-in user: codes of an authenticator app (RFC 6238). */
export function createMfa({ now, limits }: AuthDeps, sessions: Sessions) {
  async function enroll(caller: Caller, who: SignedIn, asked: Enrolment) {
    const { tenant } = caller
    const { user } = who
    await limits.perAddress(caller, 'mfa')
    if (user.is_anonymous) {
      const words = 'Anonymous users can not have a second factor'
      throw new AuthError('no_authorization', words, { status: 403 })
    }
    refuseOtherTypes(asked.factorType)
    const { mfaTotpEnabled, mfaTotpEnrollEnabled } = tenant.config
    if (!mfaTotpEnabled || !mfaTotpEnrollEnabled) throw new AuthError('mfa_totp_enroll_not_enabled')
    if (asked.friendlyName.length > longestName) throw invalid('friendly_name is too long')
    const issuer = asked.issuer || new URL(tenant.config.siteUrl).hostname.replaceAll(':', '.')
    // Both parts of the label are separated by a colon in the address that apps read.
    if (issuer.includes(':')) throw invalid('issuer can not contain a colon')
    const key = await newTotpKey(issuer, user.email || user.id)
    const id = randomUUID()
    await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, user.id)
      await store.deleteUnverified(tx, user.id, new Date(at.getTime() - enrolmentLifeMs))
      const factors = await store.factorsOf(tx, [user.id])
      const guarded = factors.some((factor) => factor.status === 'verified')
      if (guarded && who.aal !== 'aal2') {
        throw new AuthError('insufficient_aal', 'AAL2 required to enroll a new factor', {
          status: 403,
        })
      }
      if (factors.length >= tenant.config.mfaMaxFactors) {
        throw new AuthError('too_many_enrolled_mfa_factors')
      }
      const sealed = tenant.secrets.seal(key.secret, sealedAs(tenant.id, id))
      const factor = { id, userId: user.id, friendlyName: asked.friendlyName, sealed }
      await store.insertFactor(tx, factor, at).catch(refuseTakenName)
      await record(tx, caller, who, 'factor_in_progress', id, at)
    })
    const totp = { qr_code: key.picture, secret: key.secret, uri: key.uri }
    return { id, type: 'totp', friendly_name: asked.friendlyName, totp }
  }

  async function challenge(caller: Caller, who: SignedIn, factorId: string) {
    await limits.perAddress(caller, 'mfa')
    const id = randomUUID()
    const ip = isIP(caller.ip) === 0 ? '127.0.0.1' : caller.ip
    const at = now()
    const add = () =>
      inTransaction(caller.tenant.pool, async (tx) => {
        await lockUser(tx, who.user.id)
        await find(tx, who.user.id, factorId)
        await store.pruneChallenges(tx, factorId, new Date(at.getTime() - 4 * challengeLifeMs))
        const microseconds = randomInt(1000)
        await store.insertChallenge(tx, { id, factorId, ip, microseconds }, at)
        await record(tx, caller, who, 'challenge_created', factorId, at)
      })
    // Another user's challenge may have had the very same microsecond.
    await add().catch((error: unknown) => {
      if (brokenUnique(error) === undefined) throw error
      return add()
    })
    const expiresAt = Math.floor((at.getTime() + challengeLifeMs) / 1000)
    return { id, type: 'totp', expires_at: expiresAt }
  }

  /**
   * Answers a challenge: the factor counts from now on, this session has shown two factors, and sessions that have
   * not are over.
   */
  async function verify(
    caller: Caller,
    who: SignedIn,
    factorId: string,
    answer: { challengeId: string; code: string },
  ): Promise<SessionJson> {
    const { tenant } = caller
    await limits.perAddress(caller, 'mfa')
    if (!tenant.config.mfaTotpEnabled) throw new AuthError('mfa_totp_verify_not_enabled')
    await find(tenant.pool, who.user.id, factorId)
    const refund = await limits.attempt(caller, 'mfaFailures', factorId)
    // A refusal is a result and not an exception: what a hook has done about it must be committed.
    const result = await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, who.user.id)
      const factor = await find(tx, who.user.id, factorId)
      await usableChallenge(tx, factorId, answer.challengeId, at)
      const step = await matching(tx, caller, factor, answer.code, at)
      const rejected = await factorShown(tx, caller, {
        userId: who.user.id,
        factorId,
        factorType: factor.factor_type,
        valid: step !== undefined,
      })
      if (rejected) return rejected
      if (step === undefined) return new AuthError('mfa_verification_failed')
      if (factor.status === 'unverified') await complete(tx, who, factor, at)
      await store.answerChallenge(tx, answer.challengeId, step, at)
      await record(tx, caller, who, 'mfa_code_login', factorId, at)
      return sessions.raise(tx, caller, who, factorId)
    })
    if (result instanceof AuthError) throw result
    await refund()
    return result
  }

  async function matching(
    tx: Db,
    { tenant }: Caller,
    factor: store.FactorRow,
    code: string,
    at: Date,
  ): Promise<number | undefined> {
    const secret = tenant.secrets.open(factor.secret ?? '', sealedAs(tenant.id, factor.id))
    return stepOfCode(secret, code, at, await store.usedStep(tx, factor.id))
  }

  /** The first code proves that the app has the secret. */
  async function complete(tx: Db, who: SignedIn, factor: store.FactorRow, at: Date): Promise<void> {
    const factors = await store.factorsOf(tx, [who.user.id])
    // Somebody may have begun this enrolment with nothing but the password, before the owner added a factor.
    if (factors.some(({ status }) => status === 'verified') && who.aal !== 'aal2') {
      throw new AuthError('insufficient_aal', 'AAL2 required to verify a new factor', {
        status: 403,
      })
    }
    await store.verifyFactor(tx, factor.id, at)
    await store.deleteUnverified(tx, who.user.id)
  }

  async function unenroll(caller: Caller, who: SignedIn, factorId: string): Promise<void> {
    await inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, who.user.id)
      const { status } = await find(tx, who.user.id, factorId)
      if (status === 'verified' && who.aal !== 'aal2') {
        throw new AuthError('insufficient_aal', 'AAL2 required to unenroll verified factor')
      }
      await drop(tx, factorId, at)
      await record(tx, caller, who, 'factor_unenrolled', factorId, at)
    })
  }

  /** For the holder of the service key: gives the account back to somebody who lost their telephone. */
  async function removeFor(caller: Caller, userId: string, factorId: string) {
    return inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, userId)
      const factor = await find(tx, userId, factorId)
      await drop(tx, factorId, at)
      const traits = { user_id: userId, factor_id: factorId }
      await audit(tx, { action: 'factor_deleted', actor: undefined, ip: caller.ip, traits }, at)
      return factor
    })
  }

  async function renameFor(caller: Caller, userId: string, factorId: string, name: string) {
    return inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      await find(tx, userId, factorId)
      await store.renameFactor(tx, factorId, name, at).catch(refuseTakenName)
      const traits = { user_id: userId, factor_id: factorId }
      await audit(tx, { action: 'factor_updated', actor: undefined, ip: caller.ip, traits }, at)
      return find(tx, userId, factorId)
    })
  }

  return { enroll, challenge, verify, unenroll, removeFor, renameFor }
}
export type Mfa = ReturnType<typeof createMfa>

/** Binds a sealed secret to its row, so that it does not open when it is copied to another. */
const sealedAs = (tenantId: string, factorId: string) => `mfa factor:${tenantId}:${factorId}`

function refuseOtherTypes(factorType: string): void {
  switch (factorType) {
    case 'totp':
      return
    case 'phone':
      throw new AuthError('mfa_phone_enroll_not_enabled')
    case 'webauthn':
      throw new AuthError('mfa_webauthn_enroll_not_enabled')
    default:
      throw invalid('factor_type needs to be totp, phone, or webauthn')
  }
}

async function drop(tx: Db, factorId: string, at: Date): Promise<void> {
  await store.downgradeSessions(tx, factorId, at)
  await store.deleteFactor(tx, factorId)
}

/** Everything about the factors of one user takes turns. */
async function lockUser(tx: Db, userId: string): Promise<void> {
  if (!(await userById(tx, userId, { lock: true }))) throw new AuthError('user_not_found')
}

async function find(db: Db, userId: string, factorId: string): Promise<store.FactorRow> {
  const factor = await store.factorById(db, userId, factorId)
  if (!factor) throw new AuthError('mfa_factor_not_found')
  return factor
}

async function usableChallenge(tx: Db, factorId: string, id: string, at: Date): Promise<void> {
  const challenge = await store.challengeById(tx, factorId, id)
  if (!challenge || challenge.verified_at) {
    throw new AuthError(
      'mfa_factor_not_found',
      'MFA factor with the provided challenge ID not found',
    )
  }
  if (at.getTime() - challenge.created_at.getTime() > challengeLifeMs) {
    throw new AuthError('mfa_challenge_expired')
  }
}

async function record(
  tx: Db,
  { ip }: Caller,
  { user }: SignedIn,
  action: AuditAction,
  factorId: string,
  at: Date,
): Promise<void> {
  await audit(tx, { action, actor: user, ip, traits: { factor_id: factorId } }, at)
}

function refuseTakenName(error: unknown): never {
  if (brokenUnique(error) === 'mfa_factors_user_friendly_name_unique') {
    throw new AuthError('mfa_factor_name_conflict')
  }
  throw error
}
