import { randomInt, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { SignedIn } from '../access.ts'
import { audit, type AuditAction } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import * as store from './factors-store.ts'
import { createMfaPhone, fitsChallenge } from './mfa-phone.ts'
import {
  challengeLifeMs,
  drop,
  find,
  lockUser,
  refuseTakenName,
  startCounting,
  usableChallenge,
  wrongCode,
} from './mfa-steps.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { brokenUnique, inTransaction, type Db } from '../store.ts'
import { sealedFor, type Caller } from '../tenant.ts'
import { newTotpKey, stepOfCode } from './totp.ts'
import { factorShown } from '../hooks/verification-hooks.ts'

/** How long an enrolment may stay unfinished before its place is free again. */
export const enrolmentLifeMs = 24 * 60 * 60 * 1000
export const longestName = 255

export type Enrolment = {
  factorType: string
  friendlyName: string
  issuer: string
  /** Of a telephone. */
  phone: string
}

/** Second factors of a signed-in user: codes of an authenticator app (RFC 6238), or sent to a telephone. */
export function createMfa(deps: AuthDeps, sessions: Sessions) {
  const { now, limits } = deps
  const telephone = createMfaPhone(deps)

  async function enroll(caller: Caller, who: SignedIn, asked: Enrolment) {
    const { tenant } = caller
    const { user } = who
    await limits.perAddress(caller, 'mfa')
    if (user.is_anonymous) {
      const words = 'Anonymous users cannot have a second factor'
      throw new AuthError('no_authorization', words, { status: 403 })
    }
    if (asked.friendlyName.length > longestName) throw invalid('friendly_name is too long')
    const { friendlyName } = asked
    if (asked.factorType === 'phone') {
      const phone = telephone.numberToEnroll(tenant, asked.phone)
      const id = randomUUID()
      const factor = { id, userId: user.id, type: 'phone', friendlyName, phone } as const
      await add(caller, who, factor)
      return { id, type: 'phone', friendly_name: friendlyName, phone }
    }
    refuseOtherTypes(asked.factorType)
    const { mfaTotpEnabled, mfaTotpEnrollEnabled } = tenant.config
    if (!mfaTotpEnabled || !mfaTotpEnrollEnabled) throw new AuthError('mfa_totp_enroll_not_enabled')
    const issuer = asked.issuer || new URL(tenant.config.siteUrl).hostname.replaceAll(':', '.')
    // Both parts of the label are separated by a colon in the address that apps read.
    if (issuer.includes(':')) throw invalid('issuer cannot contain a colon')
    const key = await newTotpKey(issuer, user.email || user.id)
    const id = randomUUID()
    const sealed = tenant.secrets.seal(key.secret, sealedAs(sealedFor(tenant), id))
    await add(caller, who, { id, userId: user.id, type: 'totp', friendlyName, sealed })
    const totp = { qr_code: key.picture, secret: key.secret, uri: key.uri }
    return { id, type: 'totp', friendly_name: friendlyName, totp }
  }

  /** Writes a new factor down, as far as this session may. */
  async function add(caller: Caller, who: SignedIn, factor: store.NewFactor): Promise<void> {
    const { tenant } = caller
    const { user } = who
    await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, user.id)
      await store.deleteUnverified(tx, user.id, new Date(at.getTime() - enrolmentLifeMs))
      const factors = await store.factorsOf(tx, [user.id])
      const guarded = factors.some(({ status }) => status === 'verified')
      if (guarded && who.aal !== 'aal2') {
        throw new AuthError('insufficient_aal', 'AAL2 required to enroll a new factor', {
          status: 403,
        })
      }
      const same = factors.find(({ phone }) => phone !== null && phone === factor.phone)
      if (same?.status === 'verified') throw new AuthError('mfa_verified_factor_exists')
      if (same) await store.deleteFactor(tx, same.id)
      if (factors.length - (same ? 1 : 0) >= tenant.config.mfaMaxFactors) {
        throw new AuthError('too_many_enrolled_mfa_factors')
      }
      await store.insertFactor(tx, factor, at).catch(refuseTakenName)
      await record(tx, caller, who, 'factor_in_progress', factor.id, at)
    })
  }

  async function challenge(caller: Caller, who: SignedIn, factorId: string, channel?: string) {
    await limits.perAddress(caller, 'mfa')
    const id = randomUUID()
    const ip = isIP(caller.ip) === 0 ? '127.0.0.1' : caller.ip
    const at = now()
    const { factor_type: type, ...factor } = await find(caller.tenant.pool, who.user.id, factorId)
    const code =
      type === 'phone'
        ? await telephone.codeFor(
            caller,
            who.user,
            { factor_type: type, ...factor },
            { id, channel },
          )
        : undefined
    const insert = () =>
      inTransaction(caller.tenant.pool, async (tx) => {
        await lockUser(tx, who.user.id)
        await find(tx, who.user.id, factorId)
        await store.pruneChallenges(tx, factorId, new Date(at.getTime() - 4 * challengeLifeMs))
        const microseconds = randomInt(1000)
        const row = { id, factorId, ip, microseconds, otpHash: code?.hash }
        await store.insertChallenge(tx, row, at)
        await record(tx, caller, who, 'challenge_created', factorId, at)
      })
    // Another user's challenge may have had the very same microsecond.
    await insert().catch((error: unknown) => {
      if (brokenUnique(error) === undefined) throw error
      return insert()
    })
    if (code) await telephone.send(caller, code)
    const expiresAt = Math.floor((at.getTime() + challengeLifeMs) / 1000)
    return { id, type, expires_at: expiresAt }
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
    const known = await find(tenant.pool, who.user.id, factorId)
    if (known.factor_type === 'phone') telephone.refuseUnlessOn(tenant)
    else if (!tenant.config.mfaTotpEnabled) throw new AuthError('mfa_totp_verify_not_enabled')
    const refund = await limits.attempt(caller, 'mfaFailures', factorId)
    const elsewhere =
      known.factor_type === 'phone'
        ? await telephone.rightElsewhere(caller, known, answer.code)
        : undefined
    // A refusal is a result and not an exception: what a hook has done about it must be committed.
    const result = await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, who.user.id)
      const factor = await find(tx, who.user.id, factorId)
      const asked = await usableChallenge(tx, factorId, answer.challengeId, at)
      const step = await matching(tx, caller, factor, { asked, code: answer.code, elsewhere }, at)
      if (step === undefined) {
        await record(tx, caller, who, 'verification_attempted', factorId, at)
      }
      const rejected = await factorShown(tx, caller, {
        user: who.user,
        factor,
        valid: step !== undefined,
        at,
      })
      if (rejected) return rejected
      if (step === undefined) return wrongCode(factor)
      if (factor.status === 'unverified') await complete(tx, who, factor, at)
      await store.answerChallenge(tx, answer.challengeId, step, at)
      await record(tx, caller, who, 'mfa_code_login', factorId, at)
      return sessions.raise(tx, caller, who, factor)
    })
    if (result instanceof AuthError) throw result
    await refund()
    return result
  }

  /** The time step whose code was shown, null for a code that belongs to its challenge alone; undefined for a wrong one. */
  async function matching(
    tx: Db,
    { tenant }: Caller,
    factor: store.FactorRow,
    shown: { asked: store.ChallengeRow; code: string; elsewhere: boolean | undefined },
    at: Date,
  ): Promise<number | null | undefined> {
    if (factor.factor_type === 'phone') {
      const right = shown.elsewhere ?? fitsChallenge(tenant, shown.asked, shown.code)
      return right ? null : undefined
    }
    const secret = tenant.secrets.open(factor.secret ?? '', sealedAs(sealedFor(tenant), factor.id))
    return stepOfCode(secret, shown.code, at, await store.usedStep(tx, factor.id))
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
    await startCounting(tx, who.user.id, factor.id, at)
  }

  async function unenroll(caller: Caller, who: SignedIn, factorId: string): Promise<void> {
    await inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, who.user.id)
      const { status } = await find(tx, who.user.id, factorId)
      if (status === 'verified' && who.aal !== 'aal2') {
        throw new AuthError('insufficient_aal', 'AAL2 required to unenroll verified factor')
      }
      await drop(tx, { userId: who.user.id, factorId }, { actor: who.user, ip: caller.ip }, at)
      await record(tx, caller, who, 'factor_unenrolled', factorId, at)
    })
  }

  /** For the holder of the service key: gives the account back to somebody who lost their telephone. */
  async function removeFor(caller: Caller, userId: string, factorId: string) {
    return inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, userId)
      const factor = await find(tx, userId, factorId)
      await drop(tx, { userId, factorId }, { actor: undefined, ip: caller.ip }, at)
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
    case 'webauthn':
      throw new AuthError('mfa_webauthn_enroll_not_enabled')
    default:
      throw invalid('factor_type needs to be totp, phone, or webauthn')
  }
}

export async function record(
  tx: Db,
  { ip }: Caller,
  { user }: SignedIn,
  action: AuditAction,
  factorId: string,
  at: Date,
): Promise<void> {
  await audit(tx, { action, actor: user, ip, traits: { factor_id: factorId } }, at)
}
