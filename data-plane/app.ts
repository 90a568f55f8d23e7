import type { FastifyInstance } from 'fastify'
import { addErrorHandling } from '#kit/http/http-errors'
import { mountAuth } from './mount/project-auth-service.ts'
import { mountExtensionUse } from './mount/extension-use.ts'
import { mountCron } from './mount/project-cron.ts'
import { mountFunctions } from './mount/project-functions.ts'
import { mountGraphql } from './mount/project-graphql.ts'
import { mountLogDrains } from './mount/log-drains.ts'
import { mountLogs } from './mount/project-logs.ts'
import { mountMetrics } from './mount/project-metrics.ts'
import { mountPgMeta } from './mount/project-pg-meta.ts'
import { mountPostgresGateway } from './mount/project-postgres-gateway.ts'
import { mountRealtime } from './mount/project-realtime.ts'
import { answerNotFound, mountRest } from './mount/project-rest.ts'
import { mountStorage } from './mount/project-storage.ts'
import { mountWebhooks } from './mount/project-webhooks.ts'
import type { DataPlaneOptions } from './options.ts'
import { createPlane, type Plane } from './plane.ts'

/** The services of all projects, one process for any number of them. Closing it closes every connection. */
export function createDataPlane(options: DataPlaneOptions): FastifyInstance {
  const { storage, functions, webhooks, imports } = options
  const plane = createPlane(options)

  const rest = mountRest(plane)
  mountGraphql(plane, rest)
  const auth = mountAuth(plane, options)
  if (storage) mountStorage(plane, storage)
  mountRealtime(plane, options)
  if (functions) mountFunctions(plane, functions)
  if (webhooks) mountWebhooks(plane, webhooks)
  if (options.cron) mountCron(plane, options.cron)
  const { changed } = mountExtensionUse(plane, options)
  mountPgMeta(plane, imports, {
    exposedSchemasOf: rest.exposedSchemasOf,
    authConfigOf: auth.configOf,
    changed,
  })
  if (options.logs) mountLogs(plane, options.logs)
  if (options.logDrains) mountLogDrains(plane, options.logDrains)
  const connectionsOf = options.databasePorts
    ? mountPostgresGateway(plane, options.databasePorts, { ...options, changed })
    : () => undefined
  if (options.metrics) mountMetrics(plane, options.metrics, connectionsOf)
  mountPorts(plane)
  mountHealth(plane)
  answerNotFound(plane)
  return plane.app
}

/** What our own programs ask about the ports of projects. */
function mountPorts({ app, listeners, onlyOurs }: Plane): void {
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      scope.post('/', () => listeners.states())
    },
    { prefix: '/internal/listeners' },
  )
}

function mountHealth({ app, projects }: Plane): void {
  app.get('/health', async () => ({ status: 'ok', projects: projects.openCount }))
}
