import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#kit/log'
import type { Directory } from '../projects/directory.ts'
import { openDatabaseDoor } from './database-door.ts'
import type { NoteEvent } from './function-event.ts'
import { defaultLimits, type WorkerLimits } from './limits.ts'
import { functionRoutes, type Called, type CountCall } from './routes.ts'
import { createNetwork, type NetworkOptions } from './network.ts'
import type { FunctionSource } from './source.ts'
import { createTrials } from './trial.ts'
import { openGateway, serveUpgrades } from './upgrades.ts'
import { createWorkers } from './workers.ts'
import type { FastifyRequest } from 'fastify'

export type FunctionOptions = {
  /** Where their code is laid; two data planes do not share it. */
  home: string
  source: FunctionSource
  limits?: Partial<WorkerLimits> | undefined
  /** Without it they reach nothing of the inner network. */
  network?: NetworkOptions | undefined
}
type Parts = FunctionOptions & {
  app: FastifyInstance
  directory: Pick<Directory, 'find' | 'onChange'>
  count?: CountCall | undefined
  /** Hears of everything that functions do and write. */
  note: NoteEvent
  measure?: Parameters<typeof createWorkers>[0]['measure']
  rewrite: ((request: IncomingMessage) => string) | undefined
  log: Log
}

/** Edge functions of all projects. */
export function createFunctions({
  app,
  directory,
  rewrite,
  source,
  home,
  log,
  count,
  measure,
  note,
  ...options
}: Parts) {
  const limits = { ...defaultLimits, ...options.limits }
  const nothing = { allowed: { ranges: [], names: [] }, closed: [] }
  const workers = createWorkers({
    home,
    source,
    limits,
    network: createNetwork({ ...(options.network ?? nothing), log }),
    note,
    openGateway: (ref, path) => openGateway(app, ref, path),
    openDatabase: (ref, path) =>
      openDatabaseDoor(async () => (await directory.find(ref))?.database, path, log),
    measure,
    log,
  })
  const called = new Set<string>()
  /** What was deleted or replaced has no worker from now on, also when nobody calls. */
  const stop = directory.onChange((ref) => {
    if (!called.has(ref)) return
    directory.find(ref).then(
      (project) => project && workers.restart(ref, project.restarts?.functions),
      (error: unknown) => log.info({ err: error, ref }, 'a project could not be looked up'),
    )
    source.of(ref).then(
      ({ functions }) =>
        workers.keepOnly(ref, new Set(functions.map(({ versionId }) => versionId))),
      (error: unknown) => log.info({ err: error, ref }, 'functions could not be looked up'),
    )
  })
  serveUpgrades(app, rewrite)
  // Before connections are waited for: a WebSocket would keep its own for as long as the function likes.
  app.addHook('preClose', async () => {
    stop()
    await workers.close()
  })
  return {
    tryOut: createTrials({ source, workers }),
    routes(scope: FastifyInstance, calledOf: (request: FastifyRequest) => Called): void {
      functionRoutes(scope, {
        calledOf: (request) => {
          const call = calledOf(request)
          called.add(call.project.ref)
          return call
        },
        source,
        workers,
        note,
        limits,
        count,
        log,
      })
    },
  }
}
