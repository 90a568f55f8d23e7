import { dataPlaneApi } from '#contract/data-plane-api'
import type { Table } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import type { Access } from '../../access/access.ts'
import type { DataPlane } from '../../data-plane/client.ts'

/** Tables of one answer; who has more names the ones that matter. */
const most = 1000

type Deps = { dataPlane: DataPlane; can: Access['can'] }

/** Reads a project's tables for another feature, always as the login that only reads, for people who may see them. */
export const createTableReader =
  ({ dataPlane, can }: Deps) =>
  async (userId: string, ref: string, signal: AbortSignal): Promise<Table[]> => {
    if (!(await can({ userId }, ref, 'tenant:Sql:Admin:Read', 'tables'))) {
      throw new ApiError('not_allowed')
    }
    return dataPlane.ask(dataPlaneApi.tables, {
      params: { ref },
      query: { limit: String(most) },
      login: 'plinth_read_only',
      as: 'plinth-assistant',
      signal,
    })
  }
