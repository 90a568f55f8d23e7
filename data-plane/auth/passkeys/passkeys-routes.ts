import { z } from 'zod'
import type { Auth } from '../auth.ts'
import { AuthError, type AuthErrorCode } from '../errors.ts'
import type { Call, Route } from '../http.ts'
import type { Answer } from './passkeys.ts'
import { parse } from '../requests.ts'
import { CredentialJson } from './webauthn.ts'

const AnswerBody = z.object({ challenge_id: z.string().max(100), credential: CredentialJson })
const NameBody = z.object({ friendly_name: z.string().max(1000) })

/** Passkeys: signing in with them is for everybody, the rest for whoever is signed in. */
export function passkeyRoutes({ access, passkeys }: Auth): Route[] {
  const signedIn = (call: Call) => access.signedIn(call.tenant, call.credentials)
  return [
    {
      method: 'POST',
      url: '/passkeys/registration/options',
      handler: async (call) => passkeys.startRegistration(call, await signedIn(call)),
    },
    {
      method: 'POST',
      url: '/passkeys/registration/verify',
      handler: async (call) =>
        passkeys.finishRegistration(call, await signedIn(call), answerIn(call)),
    },
    {
      method: 'POST',
      url: '/passkeys/authentication/options',
      handler: async (call) => passkeys.startSignIn(call),
    },
    {
      method: 'POST',
      url: '/passkeys/authentication/verify',
      handler: async (call) => passkeys.finishSignIn(call, answerIn(call)),
    },
    {
      method: 'GET',
      url: '/passkeys',
      handler: async (call) => {
        const who = await signedIn(call)
        passkeys.needOn(call.tenant)
        return passkeys.list(call.tenant, who.user.id)
      },
    },
    {
      method: 'PATCH',
      url: '/passkeys/:id',
      handler: async (call) => {
        const who = await signedIn(call)
        const { friendly_name } = parse(NameBody, call.body)
        return passkeys.rename(call, who, idIn(call, 'id'), friendly_name.trim())
      },
    },
    {
      method: 'DELETE',
      url: '/passkeys/:id',
      handler: async (call) => {
        const who = await signedIn(call)
        await passkeys.remove(call, who.user.id, idIn(call, 'id'), who)
        return {}
      },
    },
  ]
}

/** Passkeys of any user, for the service key. */
export function passkeyAdminRoutes({ access, admin, passkeys }: Auth): Route[] {
  const userOf = async (call: Call) => {
    await access.admin(call.tenant, call.credentials)
    return admin.get(call.tenant, idIn(call, 'id', 'user_not_found'))
  }
  return [
    {
      method: 'GET',
      url: '/admin/users/:id/passkeys',
      handler: async (call) => passkeys.list(call.tenant, (await userOf(call)).id),
    },
    {
      method: 'DELETE',
      url: '/admin/users/:id/passkeys/:passkey',
      handler: async (call) => {
        const { id } = await userOf(call)
        await passkeys.remove(call, id, idIn(call, 'passkey'), undefined)
        return {}
      },
    },
  ]
}

function answerIn(call: Call): Answer {
  const { challenge_id, credential } = parse(AnswerBody, call.body)
  const id = z.guid().safeParse(challenge_id)
  if (!id.success) throw new AuthError('webauthn_challenge_not_found')
  return { challengeId: id.data, credential }
}

/** What is no id is the id of nothing. */
function idIn(
  { params }: Call,
  name: string,
  missing: AuthErrorCode = 'webauthn_credential_not_found',
) {
  const id = z.guid().safeParse(params[name])
  if (!id.success) throw new AuthError(missing)
  return id.data
}
