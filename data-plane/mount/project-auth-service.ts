import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors, type ErrorCode } from '#contract/errors'
import { addErrorHandling } from '#kit/http/http-errors'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { restrictionErrors, restrictionOf } from '../projects/restriction.ts'
import type { DataPlaneOptions } from '../options.ts'
import type { Plane } from '../plane.ts'
import { dashboardAuthRoutes } from '../auth/admin/dashboard-routes.ts'
import { createAuth, type Auth } from '../auth/auth.ts'
import { authRoutes } from '../auth/routes.ts'
import type { OpenProject } from '../projects/open-project.ts'
import { authEntry } from './log-entries.ts'
import { createAuthTenants, type AuthTenants } from './project-auth.ts'
import { testMailRoutes } from './project-auth-test-mail.ts'
import { z } from 'zod'
import { ApiError } from '#kit/errors'
import { hookFunctionProblem } from '../auth/hooks/hook-database.ts'
import type { AuthTenant } from '../auth/tenant.ts'

type Options = Pick<DataPlaneOptions, 'smtpUrl' | 'mailFrom' | 'keepMail' | 'sharedCounts'>

/** What people reach by a link or a redirect, where no key can travel along. */
const keylessAuth =
  /^\/(?:verify|authorize|callback|health|sso\/saml\/(?:acs|metadata)|oauth\/(?:authorize|token|userinfo|clients\/register)|\.well-known\/[\w.-]+)(?:[?/]|$)/

/**
 * What of the auth service goes on while an organization is restricted: asking, and getting or giving back the tokens
 * without which signed-in users could not read. Links that confirm, change or make a user do not.
 */
function readsAuth(method: string, path: string): boolean {
  if (method === 'POST') return /^\/(?:token|logout)(?:[?/]|$)/.test(path)
  const asks = method === 'GET' || method === 'HEAD'
  return asks && !/^\/(?:verify|authorize|callback)(?:[?/]|$)/.test(path)
}

/** Puts the auth service of projects behind the gateway, and what the dashboard asks of it below /internal. */
export function mountAuth(plane: Plane, { smtpUrl, mailFrom, keepMail, sharedCounts }: Options) {
  const {
    app,
    gateway,
    projects,
    counts,
    logs,
    loggedFor,
    meter,
    onlyOurs,
    openForOwn,
    reachesLoopback,
    log,
  } = plane
  const fetch = createSafeFetch({ allowLoopback: reachesLoopback })
  const auth = createAuth({ log, fetch, sharedCounts })
  const tenants = createAuthTenants({
    smtpUrl,
    mailFrom,
    keepMail,
    reachesLoopback,
    logs,
    meter,
    log,
  })
  app.addHook('onClose', () => tenants.close())
  projects.onRestart('auth', tenants.restart)
  void app.register(
    async (scope) => {
      gateway.guard(scope, { open: (path) => keylessAuth.test(path), reads: readsAuth })
      // Who only looks whether the service is there makes no use of it.
      counts?.watch(scope, 'auth', (request) =>
        /\/auth\/v1\/health(?:\?|$)/.test(request.url) ? undefined : gateway.admitted(request),
      )
      scope.addHook('onResponse', (request, reply, done) => {
        const ref = loggedFor(request)
        if (ref !== undefined) logs.note(ref, 'auth_logs', authEntry(request, reply))
        done()
      })
      await scope.register(authRoutes, {
        auth,
        tenantOf: async (request) => tenants.of(gateway.tenantOf(request).project),
        keyRoleOf: (request) => gateway.tenantOf(request).opaqueRole(),
      })
    },
    { prefix: '/:ref/auth/v1' },
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', onlyOurs)
      dashboardAuthRoutes(scope, {
        auth,
        tenantOf: async (ref) => {
          const project = await openForOwn(ref)
          if (!project) return undefined
          return { tenant: tenants.of(project), restriction: restrictionOf(project.connection) }
        },
      })
    },
    { prefix: '/internal/auth' },
  )
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      testMailRoutes(scope, {
        async projectOf(ref) {
          const project = await openForOwn(ref)
          if (!project) return undefined
          const { siteUrl } = tenants.of(project).config
          const { url, publicUrl = url } = project.connection
          return { url: publicUrl, siteUrl, mails: tenants.mailsOf(project) }
        },
      })
      hookFunctionRoutes(scope, {
        async tenantOf(ref) {
          const project = await openForOwn(ref)
          return project && tenants.of(project)
        },
      })
    },
    { prefix: '/internal/projects' },
  )
  void app.register(async (scope) => serviceAuth(scope, plane, auth, tenants), {
    prefix: '/internal/auth-service/:ref',
  })
  return { configOf: (project: OpenProject) => tenants.of(project).config }
}

/** The whole API of a project's auth service, as the holder of its secret key would use it. */
async function serviceAuth(
  scope: FastifyInstance,
  { isOurs, openForOwn }: Plane,
  auth: Auth,
  tenants: AuthTenants,
) {
  const projects = new WeakMap<FastifyRequest, OpenProject>()
  scope.addHook('onRequest', async (request, reply) => {
    const refuse = (name: ErrorCode) => {
      const { status, message } = errors[name]
      return reply.status(status).send({ code: status, error_code: name, msg: message })
    }
    if (!isOurs(request)) return refuse('not_signed_in')
    // Fastify decodes path parameters of every route below /:ref as strings.
    const { ref } = request.params as { ref: string }
    const project = await openForOwn(ref)
    if (!project) return refuse('project_not_found')
    const restriction = restrictionOf(project.connection)
    const isAllowed =
      request.method === 'GET' || (restriction === 'quota' && request.method === 'DELETE')
    if (restriction && !isAllowed) return refuse(restrictionErrors[restriction])
    projects.set(request, project)
    return undefined
  })
  await scope.register(authRoutes, {
    auth,
    tenantOf: async (request) => {
      const project = projects.get(request)
      return project && tenants.of(project)
    },
    keyRoleOf: () => 'service_role',
  })
}

type Deps = { tenantOf: (ref: string) => Promise<AuthTenant | undefined> }

const Input = z.object({ schema: z.string().min(1).max(63), name: z.string().min(1).max(63) })

/** `POST /{ref}/hook-function` says whether the auth service could ask a function, before somebody makes it a hook. */
function hookFunctionRoutes(app: FastifyInstance, { tenantOf }: Deps): void {
  app.post('/:ref/hook-function', async ({ params, body }) => {
    const { ref } = z.object({ ref: z.string() }).parse(params)
    const tenant = await tenantOf(ref)
    if (!tenant) throw new ApiError('project_not_found')
    return { problem: (await hookFunctionProblem(tenant.pool, Input.parse(body))) ?? null }
  })
}
