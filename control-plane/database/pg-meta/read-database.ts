import { dataPlaneApi } from '#contract/data-plane-api'
import type { LintReport } from '#contract/observability/advisors'
import type { Statement } from '#contract/observability/query-performance'
import type { DataPlane } from '../../data-plane/client.ts'

/** How many statements have a trend. */
const busiest = 40

/** Reads what a database tells about itself for other features, whose callers are already authorized. */
export const createDatabaseReader = ({ ask }: Pick<DataPlane, 'ask'>) => ({
  lints: (ref: string): Promise<LintReport> =>
    ask(dataPlaneApi.lints, { params: { ref }, login: 'plinth_read_only', as: 'plinth-advisor' }),

  /** As the owner: who may only read is not shown which statement is which. */
  async statements(ref: string): Promise<Statement[] | undefined> {
    const list = await ask(dataPlaneApi.statements, {
      params: { ref },
      query: { limit: String(busiest) },
      login: 'postgres',
      as: 'plinth-advisor',
    })
    return list.state === 'ready' ? list.statements : undefined
  },
})
