import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProjectConnection } from '#contract/internal'
import type { Log } from '#kit/log'
import { currentEnvironment } from './environment.ts'
import { Fault, faults, type FaultName } from './faults.ts'
import { forward } from './forward.ts'
import type { WorkerLimits } from './limits.ts'
import { common, type NoteEvent } from './function-event.ts'
import type { FunctionSource } from './source.ts'
import type { Workers } from './workers.ts'

/** A call as the gateway has let it in. */
export type Called = {
  project: ProjectConnection
  /** `/slug/rest?query` */
  target: string
  /** Whose token it shows; throws when that is none of this project's. */
  checkToken: () => void
}
type Parts = {
  calledOf: (request: FastifyRequest) => Called
  source: FunctionSource
  workers: Workers
  note: NoteEvent
  limits: WorkerLimits
  /** Hears of every call that a function answered or failed to. */
  count?: CountCall | undefined
  log: Log
}
export type CountCall = (ref: string, functionId: string, status: number, ms: number) => void

/** `/{ref}/functions/v1/<slug>[/*]`: any method, any body, streamed both ways. */
export function functionRoutes(app: FastifyInstance, parts: Parts): void {
  const { calledOf, source, workers, note, limits, log } = parts
  // Bodies are the function's: they pass through as they come.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  async function call(request: FastifyRequest, reply: FastifyReply) {
    const { project, target, checkToken } = calledOf(request)
    const { ref } = project
    const slug = /^\/([^/?]*)/.exec(target)?.[1] ?? ''
    const all = await source.of(ref, slug)
    const served = all.functions.find((each) => each.slug === slug)
    const region = all.region
    const stamps = {
      'x-sb-edge-region': region,
      'x-served-by': 'plinth',
      'sb-request-id': request.id,
    }
    if (!served) return refuse(reply, 'NOT_FOUND', stamps)
    const startedAt = performance.now()
    let executionId = ''
    let status = 0
    try {
      if (served.verifyJwt && request.method !== 'OPTIONS') {
        if (request.headers.authorization === undefined) throw new Fault('NO_AUTHORIZATION')
        verify(checkToken)
      }
      const environment = currentEnvironment(project, all, served)
      const restarted = project.restarts?.functions
      const wallMs = limits.wallMs ?? all.wallMs
      status = await workers.use({ ref, served, environment, restarted }, (worker) => {
        executionId = worker.executionId
        const added = { ...stamps, 'x-deno-execution-id': executionId, 'x-request-id': request.id }
        return forward({ request, reply, worker, target, added, wallMs })
      })
      return reply
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.fault === 'NO_RUNTIME') log.error({ ref }, error.message)
      status = faults[error.fault].status
      return await refuse(reply, error.fault, stamps)
    } finally {
      const ms = performance.now() - startedAt
      parts.count?.(ref, served.id, status, ms)
      note(ref, {
        ...common({ ref, served }, executionId),
        kind: 'invocation',
        status,
        method: request.method,
        url: target,
        request_id: request.id,
        execution_time_ms: Math.round(ms * 100) / 100,
        region,
      })
    }
  }
  app.all('/*', call)
}

function verify(check: () => void): void {
  try {
    check()
  } catch {
    // Whatever is wrong with it, the caller is told no more than that.
    throw new Fault('INVALID_JWT')
  }
}

function refuse(reply: FastifyReply, name: FaultName, stamps: Record<string, string>) {
  const { status, code, message } = faults[name]
  return reply
    .headers({ ...stamps, 'x-relay-error': 'true', 'sb-error-code': String(code) })
    .status(status)
    .send({ code, message })
}
