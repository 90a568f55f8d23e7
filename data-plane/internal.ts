import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '#contract/errors'
import { ApiError } from '#kit/errors'
import { addErrorHandling } from '#kit/http/http-errors'
import type { Auth } from './auth/auth.ts'
import { dashboardAuthRoutes } from './auth/admin/dashboard-routes.ts'
import { authRoutes } from './auth/routes.ts'
import { internalGraphql } from './internal-graphql.ts'
import type { createListeners } from './gateway/listeners.ts'
import { hookFunctionRoutes } from './mount/project-auth-hooks.ts'
import type { AuthTenants } from './mount/project-auth.ts'
import { testMailRoutes } from './mount/project-auth-test-mail.ts'
import type { createGraphqlServices } from './mount/project-graphql.ts'
import type { OpenProject } from './projects/open-project.ts'
import type { OwnStorageOf } from './mount/project-storage.ts'
import { dashboardStorageRoutes } from './storage/dashboard/dashboard-routes.ts'

type Parts = {
  /** Whether a request comes from one of our own programs. */
  isOurs: (request: FastifyRequest) => boolean
  /** Undefined: unknown. @throws UnavailableError */
  open: (ref: string) => Promise<OpenProject | undefined>
  /** The same, with the platform's own errors. @throws ApiError */
  openForOwn: (ref: string) => Promise<OpenProject | undefined>
  listeners: Pick<ReturnType<typeof createListeners>, 'states'>
  auth: Auth
  tenants: AuthTenants
  graphql: ReturnType<typeof createGraphqlServices>
  /** Undefined: this installation has no storage service. */
  ownStorageOf: OwnStorageOf | undefined
}

/** What the control plane asks of a project's services, which has checked who may what: no key of the project is shown. */
export function internalRoutes(app: FastifyInstance, parts: Parts): void {
  const { isOurs, open, openForOwn, auth, tenants, graphql, ownStorageOf: ownOf } = parts
  async function onlyOurs(request: FastifyRequest): Promise<void> {
    if (!isOurs(request)) throw new ApiError('not_signed_in')
  }

  void app.register(async (scope) => internalGraphql(scope, { isOurs, open, services: graphql }), {
    prefix: '/internal/graphql/:ref',
  })
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      scope.post('/', () => parts.listeners.states())
    },
    { prefix: '/internal/listeners' },
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', onlyOurs)
      dashboardAuthRoutes(scope, {
        auth,
        tenantOf: async (ref) => {
          const project = await openForOwn(ref)
          if (!project) return undefined
          const { restricted } = project.connection
          return { tenant: tenants.of(project), restricted }
        },
      })
    },
    { prefix: '/internal/auth' },
  )
  if (ownOf) {
    void app.register(
      async (scope) => {
        scope.addHook('onRequest', onlyOurs)
        dashboardStorageRoutes(scope, {
          async ownStorageOf(ref, ...asked) {
            const project = await openForOwn(ref)
            return project && ownOf(project, ...asked)
          },
        })
      },
      { prefix: '/internal/storage' },
    )
  }
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      testMailRoutes(scope, {
        async projectOf(ref) {
          const project = await openForOwn(ref)
          if (!project) return undefined
          const { siteUrl } = tenants.of(project).config
          return { url: project.connection.url, siteUrl, mails: tenants.mailsOf(project) }
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
  void app.register(async (scope) => serviceAuth(scope, parts), {
    prefix: '/internal/auth-service/:ref',
  })
}

/** The whole API of a project's auth service, as the holder of its secret key would use it. */
async function serviceAuth(scope: FastifyInstance, { isOurs, openForOwn, auth, tenants }: Parts) {
  const projects = new WeakMap<FastifyRequest, OpenProject>()
  scope.addHook('onRequest', async (request, reply) => {
    const refuse = (name: 'not_signed_in' | 'project_not_found' | 'organization_restricted') => {
      const { status, message } = errors[name]
      return reply.status(status).send({ code: status, error_code: name, msg: message })
    }
    if (!isOurs(request)) return refuse('not_signed_in')
    // Fastify decodes path parameters of every route below /:ref as strings.
    const { ref } = request.params as { ref: string }
    const project = await openForOwn(ref)
    if (!project) return refuse('project_not_found')
    if (project.connection.restricted && request.method !== 'GET') {
      return refuse('organization_restricted')
    }
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
