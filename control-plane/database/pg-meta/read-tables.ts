import { z } from 'zod'
import { Table } from '#contract/database/pg-meta-shapes'
import type { Action } from '#contract/permissions'
import { ApiError } from '#kit/errors'
import type { Forward } from './forward.ts'

/** Tables of one answer; who has more names the ones that matter. */
const most = 1000
const longestWaitMs = 10_000
const Tables = z.array(Table)

type Deps = Forward & {
  can: (
    person: { userId: string },
    ref: string,
    action: Action,
    resource: string,
  ) => Promise<boolean>
}

/** Reads a project's tables for another feature, always as the login that only reads, for people who may see them. */
export const createTableReader =
  ({ dataPlaneUrl, internalToken, can }: Deps) =>
  async (userId: string, ref: string, signal: AbortSignal): Promise<Table[]> => {
    if (!(await can({ userId }, ref, 'tenant:Sql:Admin:Read', 'tables'))) {
      throw new ApiError('not_allowed')
    }
    const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${ref}/tables?limit=${most}`, {
      headers: {
        authorization: `Bearer ${internalToken}`,
        'x-plinth-login': 'plinth_read_only',
        'x-pg-application-name': 'plinth-assistant',
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]),
    })
    if (!response.ok) throw new ApiError('project_unreachable')
    return Tables.parse(await response.json())
  }
