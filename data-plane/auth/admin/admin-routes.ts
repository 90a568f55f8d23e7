import type { Auth } from '../auth.ts'
import { AuthError, invalid } from '../errors.ts'
import type { Call, Route } from '../http.ts'
import { mfaAdminRoutes } from '../mfa/mfa-routes.ts'
import { pageLinks, type Paged } from '../sign-in/page-links.ts'
import { redirectTarget } from '../sign-in/redirects.ts'
import * as requests from '../requests.ts'
import type { UserPage } from '../users/users-store.ts'
import { z } from 'zod'
import { auditEntries, type AuditPage } from './audit-store.ts'

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

const Query = z.object({
  page: z.coerce.number().int().min(1).max(10_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(1000).default(50),
  query: z.string().max(255).optional(),
})

/** What can be searched in, by the word before the colon. */
const scopes: Record<string, readonly string[]> = {
  author: ['actor_username', 'actor_name'],
  action: ['action'],
  type: ['log_type'],
}

/** Who did what to accounts, for the service key: `?query=action:login` finds entries by a part of a word. */
const auditRoutes: Route[] = [
  {
    method: 'GET',
    url: '/admin/audit',
    handler: async (call: Call) => {
      const { page, per_page: perPage, query } = parse(Query, call.query)
      const { entries, total } = await auditEntries(call.tenant.pool, {
        page,
        perPage,
        filter: query ? filterOf(query) : undefined,
      })
      const paged: Paged = { path: '/admin/audit', page, perPage, total }
      call.reply.header('x-total-count', String(total))
      call.reply.header('link', pageLinks(call, paged))
      return entries.map((entry) => ({ ...entry, created_at: entry.created_at.toISOString() }))
    },
  },
]

function filterOf(query: string): AuditPage['filter'] {
  const [scope = '', ...rest] = query.split(':')
  const names = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined
  if (!names || rest.length === 0) {
    throw invalid(`Invalid query scope: ${scope}. Use author:, action: or type:`)
  }
  return { names, text: rest.join(':') }
}
