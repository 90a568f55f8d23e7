import { z } from 'zod'
import type { Auth } from '../auth.ts'
import { AuthError } from '../errors.ts'
import { factorsOf } from './factors-store.ts'
import type { Call, Route } from '../http.ts'
import { PartyJson } from './mfa-webauthn.ts'
import { needed, parse } from '../requests.ts'
import { factorJson } from '../users/user-json.ts'
import { CredentialJson } from '../passkeys/webauthn.ts'

const text = z
  .string()
  .max(1024)
  .nullish()
  .transform((value) => value ?? '')
const EnrollBody = z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text })
const ChallengeBody = z.object({ channel: text }).catch({ channel: '' })
const KeyBody = z.object({
  webauthn: z.object({ type: z.enum(['create', 'request']), credential_response: CredentialJson }),
})
const RecoveryBody = z.object({ code: text })
const VerifyBody = z.object({ challenge_id: text, code: text })

/** Second factors, for the user themself. */
export function mfaRoutes({ access, mfa, mfaWebauthn, recoveryCodes }: Auth): Route[] {
  const signedIn = (call: Call) => access.signedIn(call.tenant, call.credentials)
  return [
    {
      method: 'POST',
      url: '/factors',
      handler: async (call) => {
        const who = await signedIn(call)
        const body = parse(EnrollBody, call.body)
        if (body.factor_type === 'webauthn') {
          return mfaWebauthn.enroll(call, who, body.friendly_name.trim())
        }
        return mfa.enroll(call, who, {
          factorType: body.factor_type,
          friendlyName: body.friendly_name.trim(),
          issuer: body.issuer.trim(),
          phone: body.phone,
        })
      },
    },
    {
      method: 'POST',
      url: '/factors/:id/challenge',
      handler: async (call) => {
        const who = await signedIn(call)
        const id = uuidIn(call, 'id')
        if (await mfaWebauthn.isKey(call, who, id)) {
          const { webauthn } = parse(z.object({ webauthn: PartyJson }), call.body)
          return mfaWebauthn.challenge(call, who, id, webauthn)
        }
        const { channel } = ChallengeBody.parse(call.body)
        return mfa.challenge(call, who, id, channel)
      },
    },
    {
      method: 'POST',
      url: '/factors/:id/verify',
      handler: async (call) => {
        const who = await signedIn(call)
        const body = parse(VerifyBody, call.body)
        const challengeId = z.guid().safeParse(needed(body.challenge_id, 'challenge_id required'))
        if (!challengeId.success) throw new AuthError('mfa_factor_not_found')
        if (await mfaWebauthn.isKey(call, who, uuidIn(call, 'id'))) {
          const { webauthn } = parse(KeyBody, call.body)
          const { type, credential_response: credential } = webauthn
          const signed = { challengeId: challengeId.data, type, credential }
          return mfaWebauthn.verify(call, who, uuidIn(call, 'id'), signed)
        }
        const code = body.code.replaceAll(' ', '')
        const answer = { challengeId: challengeId.data, code }
        return mfa.verify(call, who, uuidIn(call, 'id'), answer)
      },
    },
    {
      method: 'DELETE',
      url: '/factors/:id',
      handler: async (call) => {
        const id = uuidIn(call, 'id')
        await mfa.unenroll(call, await signedIn(call), id)
        return { id }
      },
    },
    {
      method: 'GET',
      url: '/factors/recovery-codes',
      handler: async (call) => recoveryCodes.status(call, await signedIn(call)),
    },
    {
      method: 'POST',
      url: '/factors/recovery-codes',
      handler: async (call) => recoveryCodes.create(call, await signedIn(call)),
    },
    {
      method: 'POST',
      url: '/factors/recovery-codes/verify',
      handler: async (call) => {
        const who = await signedIn(call)
        const { code } = parse(RecoveryBody, call.body)
        return recoveryCodes.verify(call, who, needed(code.trim(), 'code required'))
      },
    },
  ]
}

/** Second factors of any user, for the service key. */
export function mfaAdminRoutes({ mfa, admin }: Auth): Route[] {
  return [
    {
      method: 'GET',
      url: '/admin/users/:id/factors',
      handler: async (call) => {
        const { id } = await admin.get(call.tenant, uuidIn(call, 'id', 'user_not_found'))
        return (await factorsOf(call.tenant.pool, [id])).map(factorJson)
      },
    },
    {
      method: 'PUT',
      url: '/admin/users/:id/factors/:factor',
      handler: async (call) => {
        const { friendly_name } = parse(z.object({ friendly_name: text }), call.body)
        const name = needed(friendly_name.trim(), 'friendly_name required')
        const userId = uuidIn(call, 'id', 'user_not_found')
        return factorJson(await mfa.renameFor(call, userId, uuidIn(call, 'factor'), name))
      },
    },
    {
      method: 'DELETE',
      url: '/admin/users/:id/factors/:factor',
      handler: async (call) => {
        const userId = uuidIn(call, 'id', 'user_not_found')
        return factorJson(await mfa.removeFor(call, userId, uuidIn(call, 'factor')))
      },
    },
  ]
}

/** What is no id is the id of nothing. */
function uuidIn(
  { params }: Call,
  name: string,
  missing: 'mfa_factor_not_found' | 'user_not_found' = 'mfa_factor_not_found',
): string {
  const id = z.guid().safeParse(params[name])
  if (!id.success) throw new AuthError(missing)
  return id.data
}
