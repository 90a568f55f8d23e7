import type { z } from 'zod'
import { LintReport } from '#contract/observability/advisors'
import { queryPerformance, type Statement } from '#contract/observability/query-performance'
import { errors, type ErrorCode } from '#contract/errors'
import { ApiError } from '#kit/errors'
import type { Forward, Login } from './forward.ts'

const longestWaitMs = 30_000
/** How many statements have a trend. */
const busiest = 40

/** Reads what a database tells about itself for other features, whose callers are already authorized. */
export function createDatabaseReader({ dataPlaneUrl, internalToken }: Forward) {
  async function read<S extends z.ZodType>(
    path: string,
    login: Login,
    shape: S,
  ): Promise<z.output<S>> {
    const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${path}`, {
      headers: {
        authorization: `Bearer ${internalToken}`,
        'x-plinth-login': login,
        'x-pg-application-name': 'plinth-advisor',
      },
      signal: AbortSignal.timeout(longestWaitMs),
    }).catch(() => undefined)
    if (!response) throw new ApiError('project_unreachable')
    const body: unknown = await response.json()
    if (!response.ok) throw new ApiError(codeOf(body))
    return shape.parse(body)
  }

  return {
    lints: (ref: string): Promise<LintReport> =>
      read(`${ref}/advisors`, 'plinth_read_only', LintReport),

    /** As the owner: who may only read is not shown which statement is which. */
    async statements(ref: string): Promise<Statement[] | undefined> {
      const { returns } = queryPerformance.list
      const list = await read(`${ref}/query-performance?limit=${busiest}`, 'postgres', returns)
      return list.state === 'ready' ? list.statements : undefined
    },
  }
}

function codeOf(body: unknown): ErrorCode {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return typeof code === 'string' && Object.hasOwn(errors, code)
    ? // It is one of the keys.
      (code as ErrorCode)
    : 'project_unreachable'
}
