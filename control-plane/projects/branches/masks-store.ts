import type { BranchMask } from '#contract/projects/branch-masks'
import { maskedColumnsQuery, maskProblems } from '#kit/postgres/masks/masked-columns'

export type RunSql = (
  ref: string,
  sql: { query: string; parameters?: readonly unknown[]; login: 'postgres' | 'plinth_read_only' },
) => Promise<Record<string, unknown>[]>

/** What the database of a project says of columns that are to be masked. */
export const masksStore = (runSql: RunSql) => ({
  /** Why they cannot be masked so, in words; empty: they can. */
  async problems(ref: string, masks: readonly BranchMask[]): Promise<string[]> {
    if (masks.length === 0) return []
    const parameters = [JSON.stringify(masks)]
    return maskProblems(
      masks,
      await runSql(ref, { query: maskedColumnsQuery, parameters, login: 'plinth_read_only' }),
    )
  },
})
export type MasksStore = ReturnType<typeof masksStore>
