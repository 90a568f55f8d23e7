import type { Auth } from '../auth.ts'
import { invalid } from '../errors.ts'
import { challengeIn, parse, UserBody } from '../requests.ts'
import type { Route } from '../http.ts'
import type { LogoutScope } from '../sessions/sessions.ts'
import { loadUserJson } from './user-json.ts'

/** What a signed-in user does with their own account. */
export function accountRoutes(auth: Auth): Route[] {
  const { access, users, sessions } = auth
  return [
    {
      method: 'GET',
      url: '/user',
      handler: async ({ tenant, credentials }) => {
        const { user } = await access.signedIn(tenant, credentials, { apps: true })
        return loadUserJson(tenant.pool, user)
      },
    },
    {
      method: 'PUT',
      url: '/user',
      handler: async (call) => {
        const who = await access.signedIn(call.tenant, call.credentials)
        const body = parse(UserBody, call.body)
        return users.update(call, who, {
          email: body.email,
          phone: body.phone,
          channel: body.channel,
          password: body.password,
          currentPassword: body.current_password,
          nonce: body.nonce,
          data: body.data,
          challenge: challengeIn(body),
          redirectTo: call.redirectTo,
        })
      },
    },
    {
      // An addition of ours: client libraries can start a change of address, but not take it back.
      method: 'DELETE',
      url: '/user/email_change',
      handler: async (call) =>
        users.cancelChange(call, await access.signedIn(call.tenant, call.credentials)),
    },
    {
      method: 'GET',
      url: '/reauthenticate',
      handler: async (call) => {
        await users.reauthenticate(call, await access.signedIn(call.tenant, call.credentials))
        return {}
      },
    },
    {
      method: 'POST',
      url: '/logout',
      handler: async (call) => {
        const scope = scopeOf(call.query['scope'])
        const { user, session } = await access.signedIn(call.tenant, call.credentials)
        await sessions.logout(call, user, session.id, scope)
        return call.reply.status(204).send()
      },
    },
  ]
}

function scopeOf(scope: string | undefined): LogoutScope {
  if (scope === undefined || scope === '') return 'global'
  if (scope === 'global' || scope === 'local' || scope === 'others') return scope
  throw invalid('scope must be global, local or others')
}
