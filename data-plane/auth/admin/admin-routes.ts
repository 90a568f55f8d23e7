import { auditRoutes } from './audit-routes.ts'
import type { Auth } from '../auth.ts'
import { AuthError } from '../errors.ts'
import type { Call, Route } from '../http.ts'
import { mfaAdminRoutes } from '../mfa/mfa-routes.ts'
import { pageLinks } from '../sign-in/page-links.ts'
import { redirectTarget } from '../sign-in/redirects.ts'
import * as requests from '../requests.ts'
import type { UserPage } from '../users/users-store.ts'

const { needed, parse } = requests

/** What only the service key may do. */
export function adminRoutes(auth: Auth): Route[] {
  const { access, admin, links } = auth

  async function list(call: Call): Promise<unknown> {
    const query = parse(requests.ListQuery, call.query)
    const page = { page: query.page, perPage: query.per_page, filter: query.filter }
    const { users, total } = await admin.list(call.tenant, { ...page, sort: sortOf(query.sort) })
    call.reply.header('x-total-count', String(total))
    call.reply.header(
      'link',
      pageLinks(call, { path: '/admin/users', page: query.page, perPage: query.per_page, total }),
    )
    return { users, aud: call.tenant.jwt.audience }
  }

  async function remove(call: Call): Promise<object> {
    const id = idOf(call)
    const body = parse(requests.DeleteUserBody, call.body)
    await admin.remove(call, id, { soft: body?.should_soft_delete ?? false })
    return {}
  }

  async function generate(call: Call): Promise<unknown> {
    const body = parse(requests.GenerateLinkBody, call.body)
    const asked = body.redirect_to
    return links.generate(call, {
      type: body.type,
      email: body.email,
      newEmail: body.new_email,
      password: body.password,
      data: body.data,
      redirectTo: asked ? redirectTarget(call.tenant.config, asked) : call.redirectTo,
    })
  }

  async function invite(call: Call): Promise<unknown> {
    const body = parse(requests.InviteBody, call.body)
    const email = needed(body.email, 'An email address is required')
    return links.invite(call, { email, data: body.data, redirectTo: call.redirectTo })
  }

  const routes: Route[] = [
    { method: 'GET', url: '/admin/users', handler: list },
    {
      method: 'POST',
      url: '/admin/users',
      handler: async (call) => admin.create(call, parse(requests.AdminUserBody, call.body)),
    },
    {
      method: 'GET',
      url: '/admin/users/:id',
      handler: async (call) => admin.get(call.tenant, idOf(call)),
    },
    {
      method: 'PUT',
      url: '/admin/users/:id',
      handler: async (call) => {
        const id = idOf(call)
        return admin.update(call, id, parse(requests.AdminUserBody, call.body))
      },
    },
    { method: 'DELETE', url: '/admin/users/:id', handler: remove },
    { method: 'POST', url: '/admin/generate_link', handler: generate },
    { method: 'POST', url: '/invite', handler: invite },
    ...mfaAdminRoutes(auth),
    ...auditRoutes,
  ]
  return routes.map(({ handler, ...route }) => ({
    ...route,
    handler: async (call) => {
      await access.admin(call.tenant, call.credentials)
      return handler(call)
    },
  }))
}

function idOf({ params }: Call): string {
  const id = params['id'] ?? ''
  const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  if (!form.test(id)) throw new AuthError('user_not_found')
  return id
}

function sortOf(text: string): UserPage['sort'] {
  const [name = '', direction] = text.toLowerCase().split(' ')
  const known = ['created_at', 'updated_at', 'last_sign_in_at', 'email'] as const
  const column = known.find((candidate) => candidate === name) ?? 'created_at'
  return { column, descending: direction === 'desc' }
}
