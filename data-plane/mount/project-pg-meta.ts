import { ApiError } from '#kit/errors'
import { nextTick } from '../cron/schedule.ts'
import type { Plane } from '../plane.ts'
import type { DataPlaneOptions } from '../options.ts'
import { admitBare, isBare } from '../gateway/bare-pg-meta.ts'
import { answerPreflight } from '../gateway/cors.ts'
import { sqlRestrictionOf } from '../projects/restriction.ts'
import type { Entering } from '../pg-meta/connections.ts'
import { answerOf } from '../gateway/problems.ts'
import { pgMetaRoutes } from '../pg-meta/pg-meta.ts'
import { createImportSpool } from '../pg-meta/rows/import/row-import-spool.ts'
import { importUploadRoutes } from '../pg-meta/rows/import/row-import-upload-routes.ts'
import { serverOf, type OpenProject } from '../projects/open-project.ts'
import type { mountAuth } from './project-auth-service.ts'
import type { DataApi } from './project-rest.ts'

type Needs = {
  exposedSchemasOf: DataApi['exposedSchemasOf']
  authConfigOf: ReturnType<typeof mountAuth>['configOf']
  /** Hears when the database of a project may have been changed. */
  changed: (ref: string) => void
}

/** What our own programs ask about a project's database below /internal, and where files that are imported come in. */
export function mountPgMeta(
  plane: Plane,
  options: DataPlaneOptions['imports'],
  { exposedSchemasOf, authConfigOf, changed }: Needs,
): void {
  const { app, projects, budgets, open, openForOwn, onlyOurs, internalToken, log } = plane
  const spool = createImportSpool(options.folder)
  const imports = { ...options, spool, secret: internalToken }
  void app.register(
    async (scope) => {
      scope.options('/:import', answerPreflight)
      await scope.register(importUploadRoutes, { ...imports, open, answerOf })
    },
    { prefix: '/:ref/import/v1' },
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) =>
        isBare(request) ? admitBare(request, open) : onlyOurs(request),
      )
      scope.addHook('onResponse', async ({ method, params }) => {
        // Every address below has it.
        const { ref } = params as { ref?: string }
        if (ref && method !== 'GET') changed(ref)
      })
      // A project that cannot be opened is reported by `connectionOf`, a moment later.
      const restrictionOf = async (ref: string) => {
        const project = await projects.open(ref).catch(() => undefined)
        return project && sqlRestrictionOf(project.connection)
      }
      pgMetaRoutes(scope, {
        connectionOf,
        budgets,
        restrictionOf,
        advisorFactsOf,
        imports,
        nextTick,
        log,
      })
    },
    { prefix: '/internal/pg-meta' },
  )

  /** What the advisors judge that does not stand in the database. */
  async function advisorFactsOf(ref: string) {
    const project = await projects.open(ref)
    const exposedSchemas = project && (await exposedSchemasOf(project))
    const auth = project && authFacts(project)
    return { exposedSchemas: exposedSchemas ?? [], auth }
  }
  function authFacts(project: OpenProject) {
    const config = authConfigOf(project)
    return { ...config, leakedPasswordsRefused: config.leakedPasswords !== undefined }
  }

  /** The customer's role is entered through a login of ours, so it works whatever password it has. */
  async function connectionOf({ ref, login, deletes = false, replica }: Entering) {
    const project = await openForOwn(ref)
    if (!project) return undefined
    const { database, replicas = [] } = project.connection
    const copy = replicas.find(({ identifier }) => identifier === replica)
    if (replica !== undefined && !copy) throw new ApiError('replica_not_found')
    const restriction = sqlRestrictionOf(project.connection)
    const mayDelete = deletes && restriction === 'quota'
    const owner = login === 'postgres' && (restriction === undefined || mayDelete)
    const user = owner ? 'plinth_sql' : 'plinth_read_only'
    return {
      ...serverOf(database),
      ...(copy && { host: copy.host, port: copy.port }),
      user,
      password: database.servicePassword,
      ...(mayDelete ? { options: '-c default_transaction_read_only=off' } : {}),
    }
  }
}
