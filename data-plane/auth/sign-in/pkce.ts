import { createHash, timingSafeEqual } from 'node:crypto'
import { audit } from '../admin/audit-store.ts'
import type { Challenge } from './challenge.ts'
import { newAuthCode, storedHash } from './codes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { providerTokensOf } from '../external/external-code.ts'
import { deleteFlow, flowByCode, issueCode, saveFlow, type FlowState } from './flow-state-store.ts'
import type { OneTimeTokenType } from './one-time-tokens-store.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { isBanned } from '../users/user-json.ts'
import { userById } from '../users/users-store.ts'

const codeLifeMs = 5 * 60 * 1000

/** A user has one unfinished flow per kind of token. */
const methodOf: Record<OneTimeTokenType, string> = {
  confirmation_token: 'email/signup',
  recovery_token: 'magiclink',
  email_change_token_new: 'email_change',
  email_change_token_current: 'email_change',
  reauthentication_token: 'reauthentication',
  phone_change_token: 'phone_change',
}

/** Remembers the challenge until the link of the mail is followed. */
export async function startFlow(
  tx: Db,
  userId: string,
  type: OneTimeTokenType,
  challenge: Challenge | undefined,
  at: Date,
): Promise<void> {
  if (!challenge) return
  const codeHash = storedHash(newAuthCode())
  await saveFlow(tx, { userId, method: methodOf[type], challenge, codeHash }, at)
}

/** The code that a followed link hands to the client; undefined when its flow is gone. */
export async function codeForFlow(
  tx: Db,
  userId: string,
  type: OneTimeTokenType,
  at: Date,
): Promise<string | undefined> {
  const code = newAuthCode()
  const flow = { userId, method: methodOf[type], codeHash: storedHash(code) }
  return (await issueCode(tx, flow, at)) ? code : undefined
}

export function createPkce({ now, limits }: AuthDeps, sessions: Sessions) {
  /** Gives a session for a code to whoever knows the verifier of its challenge; the code works once. */
  async function exchange(caller: Caller, code: string, verifier: string): Promise<SessionJson> {
    await limits.perAddress(caller, 'token')
    const at = now()
    return inTransaction(caller.tenant.pool, async (tx) => {
      const flow = await flowByCode(tx, storedHash(code))
      const user = flow?.user_id ? await userById(tx, flow.user_id) : undefined
      if (!flow || !user || user.deleted_at) throw new AuthError('flow_state_not_found')
      const issued = flow.auth_code_issued_at?.getTime() ?? 0
      if (at.getTime() - issued > codeLifeMs) throw new AuthError('flow_state_expired')
      if (!answers(flow, verifier)) throw new AuthError('bad_code_verifier')
      if (isBanned(user, at)) throw new AuthError('user_banned')
      await deleteFlow(tx, flow.id)
      const provider = flow.provider_type
      await audit(tx, { action: 'login', actor: user, ip: caller.ip, traits: { provider } }, at)
      const session = await sessions.begin(tx, caller, user, shownBy(flow), provider)
      return { ...session, ...providerTokensOf(flow, code) }
    })
  }
  return { exchange }
}

/** How the user proved who they are; the many kinds of mail are one. */
function shownBy({ authentication_method: method }: FlowState): string {
  return method === 'oauth' || method.startsWith('sso/') ? method : 'otp'
}

function answers(flow: FlowState, verifier: string): boolean {
  const s256 = () => createHash('sha256').update(verifier).digest('base64url')
  const given = Buffer.from(flow.code_challenge_method === 's256' ? s256() : verifier)
  const expected = Buffer.from(flow.code_challenge)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
