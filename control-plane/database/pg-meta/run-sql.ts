import { z } from 'zod'
import { errors } from '#contract/errors'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import type { Forward, Login } from './forward.ts'

const longestWaitMs = 15_000

export type Sql = { query: string; parameters?: readonly unknown[]; login: Login }

/** The rows of the last statement. @throws ApiError when the database refuses, or does not answer */
export type RunSql = (ref: string, sql: Sql) => Promise<Record<string, unknown>[]>

const Rows = z.array(z.record(z.string(), z.unknown()))
const Refusal = z.object({
  message: z.string(),
  code: z.string().optional(),
  hint: z.string().optional(),
})
const restricted = errors.organization_restricted

/** SQL of our own in a project's database, for features whose callers are already authorized. */
export const createRunSql =
  ({ dataPlaneUrl, internalToken, log }: Forward & { log: Log }): RunSql =>
  async (ref, { query, parameters = [], login }) => {
    const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${ref}/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${internalToken}`,
        'content-type': 'application/json',
        'x-plinth-login': login,
        'x-pg-application-name': 'plinth-platform',
      },
      body: JSON.stringify({ query, parameters }),
      signal: AbortSignal.timeout(longestWaitMs),
    }).catch((error: unknown) => {
      log.warn({ err: error, project: ref }, 'the data plane does not answer')
      throw new ApiError('service_unavailable')
    })
    const body: unknown = await response.json()
    if (response.ok) return Rows.parse(body)
    const refusal = Refusal.safeParse(body).data
    // The data plane lets who may only read try, and says with the refusal why it was none of a permission.
    const isRestricted = refusal?.code === '25006' || refusal?.hint === restricted.message
    if (isRestricted || response.status === 402) throw new ApiError('organization_restricted')
    if (response.status === 400 && refusal) throw new ApiError('query_failed', refusal.message)
    throw new ApiError(response.status === 404 ? 'project_not_found' : 'project_unreachable')
  }
