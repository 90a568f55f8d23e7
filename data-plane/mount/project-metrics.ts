import type { FastifyReply } from 'fastify'
import type { ProjectConnection } from '#contract/internal'
import type { ProjectStatus } from '#contract/projects/project-status'
import { Lru } from '#kit/lru'
import { isBrowser } from '../gateway/browsers.ts'
import { answerOf, KeyError, UnavailableError, UnknownProjectError } from '../gateway/problems.ts'
import { databaseFigures } from '../metrics/database-store.ts'
import type { MetricsSource } from '../metrics/source.ts'
import { metricsText } from '../metrics/text.ts'
import type { Plane } from '../plane.ts'
import type { GatewayFigures } from '../postgres-gateway/counting.ts'
import type { PoolerFigures } from '../postgres-gateway/shared/shared-gateway.ts'

const freshMs = 15_000
const runs: readonly ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY']
const remembered = 1000
const wellFormedRef = /^(?:[a-z]{20}|default)$/

/** A plan that does not have this. */
class DeniedError extends Error {}

/**
 * The metrics of a project for Prometheus, for who has a secret key. A scrape is no use of the project: it is not behind the
 * gateway, so that nothing counts or logs it, it notes no use of a key, and what is paused stays so.
 */
export function mountMetrics(
  plane: Plane,
  source: MetricsSource,
  gatewayOf: (ref: string) => (GatewayFigures & { pool?: PoolerFigures | undefined }) | undefined,
): void {
  const { app, directory, gateway, log } = plane
  const known = new Lru<{ until: number; text: Promise<string> }>(remembered)

  async function scrape(ref: string): Promise<string> {
    const facts = await source(ref).catch((error: unknown) => {
      log.warn({ err: error, ref }, 'Nobody knows the metrics of a project')
      throw new UnavailableError('Metrics cannot be read at the moment')
    })
    if (facts.denial !== null) throw new DeniedError(facts.denial)
    const database = await figuresOf(ref)
    return metricsText({ ref, known: facts, database, gateway: gatewayOf(ref) })
  }
  /** A database that does not answer is a figure too. */
  async function figuresOf(ref: string) {
    try {
      const project = await plane.projects.open(ref)
      return project && (await databaseFigures(project))
    } catch (error) {
      log.info({ err: error, ref }, 'A database has not told its figures')
      return undefined
    }
  }
  function textOf(ref: string): Promise<string> {
    const found = known.get(ref)
    if (found && found.until > performance.now()) return found.text
    const text = scrape(ref)
    const entry = { until: performance.now() + freshMs, text }
    known.set(ref, entry)
    text.catch(() => {
      if (known.get(ref) === entry) known.delete(ref)
    })
    return text
  }

  /** @throws KeyError */
  function checkKey(
    connection: ProjectConnection,
    headers: { authorization?: string | undefined },
    fromBrowser: boolean,
  ): void {
    const password = passwordOf(headers.authorization)
    const key =
      password === undefined
        ? undefined
        : gateway.keyUnnoted(connection, {
            apikey: password,
            authorization: undefined,
            fromBrowser,
          })
    if (key?.role !== 'service_role')
      throw new KeyError(
        'Metrics need a secret key',
        'Use basic authentication with the user service_role and a secret API key as the password.',
      )
  }

  app.get('/:ref/customer/v1/privileged/metrics', async (request, reply) => {
    // Fastify decodes path parameters as strings.
    const { ref } = request.params as { ref: string }
    try {
      const connection = wellFormedRef.test(ref) ? await directory.find(ref) : undefined
      if (!connection) throw new UnknownProjectError()
      checkKey(connection, request.headers, isBrowser(request.headers))
      if (!runs.includes(connection.status))
        throw new UnavailableError('The project is not running. A scrape does not start it')
      const text = await textOf(ref)
      return await reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
    } catch (error) {
      return refuse(reply, error)
    }
  })
}

/** Of `Basic`, for the user service_role; undefined where it is anything else. */
function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic +([\w+/]+={0,2})$/i.exec(authorization ?? '') ?? []
  const [, password] =
    /^service_role:(.+)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  return password
}

function refuse(reply: FastifyReply, error: unknown) {
  if (error instanceof DeniedError)
    return reply
      .status(403)
      .send({ code: 'plan_limit', message: error.message, details: null, hint: null })
  const answer = answerOf(error)
  if (!answer) throw error
  if (answer.status === 401) void reply.header('www-authenticate', 'Basic realm="metrics"')
  if (answer.status === 503) void reply.header('retry-after', '60')
  return reply.status(answer.status).send(answer.body)
}
