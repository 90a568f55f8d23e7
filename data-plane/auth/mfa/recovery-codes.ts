import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { SignedIn } from '../access.ts'
import { audit, type AuditAction } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { factorsOf } from './factors-store.ts'
import { lockUser } from './mfa-steps.ts'
import * as store from './recovery-codes-store.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { inTransaction, type Db } from '../store.ts'
import { sealedFor, type AuthTenant, type Caller } from '../tenant.ts'
import { factorShown } from '../hooks/verification-hooks.ts'

export const recoveryCodeCount = 10

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Codes for whoever has lost their second factor: each raises one session, once. */
export function createRecoveryCodes({ now, limits }: AuthDeps, sessions: Sessions) {
  /** Makes new codes, which only this answer shows; older ones do not count any more. */
  async function create(caller: Caller, who: SignedIn) {
    const { tenant } = caller
    refuseUnlessOn(tenant)
    await limits.perAddress(caller, 'mfa')
    const codes = Array.from({ length: recoveryCodeCount }, newCode)
    const key = randomBytes(32).toString('base64url')
    const at = now()
    const sealedKey = tenant.secrets.seal(key, sealedAs(tenant, who.user.id))
    const hashes = codes.map((code) => hashOf(key, code))
    await inTransaction(tenant.pool, async (tx) => {
      await lockUser(tx, who.user.id)
      if (!(await isGuarded(tx, who.user.id)) || who.aal !== 'aal2') {
        const words = 'AAL2 required to create recovery codes'
        throw new AuthError('insufficient_aal', words, { status: 403 })
      }
      const fresh = { id: randomUUID(), userId: who.user.id, sealedKey, hashes }
      const id = await store.saveCodeSet(tx, fresh, at)
      await record(tx, caller, who, 'generate_recovery_codes', id, at)
    })
    return { codes, created_at: at.toISOString() }
  }

  async function status({ tenant }: Caller, { user }: SignedIn) {
    const set = await store.codeSetOf(tenant.pool, user.id)
    return {
      total: set ? recoveryCodeCount : 0,
      remaining: set?.remaining ?? 0,
      created_at: set?.created_at.toISOString() ?? null,
      last_used_at: set?.last_used_at?.toISOString() ?? null,
    }
  }

  /** Takes a code instead of a second factor. Whichever request comes first has used it up. */
  async function verify(caller: Caller, who: SignedIn, typed: string): Promise<SessionJson> {
    const { tenant } = caller
    const { user } = who
    refuseUnlessOn(tenant)
    await limits.perAddress(caller, 'mfa')
    const refund = await limits.attempt(caller, 'mfaFailures', `recovery codes of ${user.id}`)
    // A refusal is a result and not an exception: what a hook has done about it must be committed.
    const result = await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await lockUser(tx, user.id)
      const set = await store.codeSetOf(tx, user.id)
      if (!set || !(await isGuarded(tx, user.id))) return wrong()
      const key = tenant.secrets.open(set.sealed_key, sealedAs(tenant, user.id))
      const remaining = await store.useCode(tx, set.id, hashOf(key, typed), at)
      const valid = remaining !== undefined
      if (!valid) await record(tx, caller, who, 'verification_attempted', set.id, at)
      const factor = { id: set.id, factor_type: 'recovery_code' }
      const rejected = await factorShown(tx, caller, { user, factor, valid, at })
      if (rejected) return rejected
      if (!valid) return wrong()
      await record(tx, caller, who, 'mfa_code_login', set.id, at)
      return sessions.raise(tx, caller, who, factor)
    })
    if (result instanceof AuthError) throw result
    await refund()
    return result
  }

  return { create, status, verify }
}
export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>

const isGuarded = async (tx: Db, userId: string) =>
  (await factorsOf(tx, [userId])).some(({ status }) => status === 'verified')

const wrong = () => new AuthError('mfa_verification_failed', 'Invalid recovery code entered')

/** Codes belong to second factors: where no kind of them counts, neither do they. */
function refuseUnlessOn({ config }: AuthTenant): void {
  const { mfaTotpEnabled, mfaPhoneVerifyEnabled, mfaWebauthnEnabled } = config
  if (mfaTotpEnabled || mfaPhoneVerifyEnabled || mfaWebauthnEnabled) return
  const words = 'Recovery codes are disabled, as all second factors are'
  throw new AuthError('feature_disabled', words, { status: 422 })
}

/** 49 random bits, in two groups that are easy to copy. */
function newCode(): string {
  const letters = Array.from({ length: 10 }, () => alphabet.charAt(randomInt(alphabet.length)))
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}

/** What is kept of a code: it cannot be found by trying without the key, which the database has only sealed. */
function hashOf(key: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return createHmac('sha256', key).update(plain).digest('hex')
}

/** Binds a sealed key to its user, so that codes of another account do not count here. */
const sealedAs = (tenant: AuthTenant, userId: string) =>
  `recovery codes:${sealedFor(tenant)}:${userId}`

async function record(
  tx: Db,
  { ip }: Caller,
  { user }: SignedIn,
  action: AuditAction,
  id: string,
  at: Date,
): Promise<void> {
  const traits = { factor_id: id, factor_type: 'recovery_code' }
  await audit(tx, { action, actor: user, ip, traits }, at)
}
