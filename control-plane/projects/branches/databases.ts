import { dataPlaneApi } from '#contract/data-plane-api'
import type { Migration } from '#contract/database/migrations'
import type { DataPlane } from '../../data-plane/client.ts'

const page = 500

/** The statements of a migration as they are run one after the other. */
export const textOf = ({ statements }: Pick<Migration, 'statements'>): string =>
  statements.map((statement) => statement.replace(/;\s*$/, '')).join('\n;\n')

/** What is asked of the databases of a project and its branches, as their owner. */
export function createDatabases(dataPlane: DataPlane) {
  const as = 'plinth-branches' as const

  return {
    /** All migrations of a project. */
    async migrations(ref: string): Promise<Migration[]> {
      const all: Migration[] = []
      for (;;) {
        const before = all.at(-1)?.version
        const found = await dataPlane.ask(dataPlaneApi.migrations, {
          params: { ref },
          login: 'plinth_read_only',
          query: { limit: String(page), ...(before !== undefined && { before }) },
          as,
        })
        all.push(...found)
        if (found.length < page) return all
      }
    },

    /** Runs and records a migration; one that was recorded without its statements is only recorded. */
    async apply(
      ref: string,
      migration: Pick<Migration, 'version' | 'name' | 'statements'>,
      by: string,
    ): Promise<void> {
      const { version, name } = migration
      const sql = textOf(migration)
      // Other tools record names of all kinds.
      const plain = (name ?? '').replaceAll(/[^\w.-]/g, '_')
      const given = { params: { ref }, login: 'postgres' as const, as, by }
      if (sql.trim() === '')
        await dataPlane.ask(dataPlaneApi.markMigration, {
          ...given,
          params: { ref, version },
          body: { as: 'applied', name: plain, sql: '' },
        })
      else
        await dataPlane.ask(dataPlaneApi.applyMigration, {
          ...given,
          body: { version, name: plain, sql, out_of_order: true },
        })
    },

    /** Changes of the structure that no migration has recorded; null: nobody has taken it down yet. */
    async unrecorded(ref: string): Promise<number | null> {
      const { since, total } = await dataPlane.ask(dataPlaneApi.drift, {
        params: { ref },
        login: 'plinth_read_only',
        as,
      })
      return since === null ? null : total
    },
  }
}
export type Databases = ReturnType<typeof createDatabases>
