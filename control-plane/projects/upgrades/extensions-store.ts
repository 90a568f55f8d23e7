import { z } from 'zod'

type RunSql = (
  ref: string,
  sql: { query: string; parameters?: readonly unknown[]; login: 'plinth_read_only' },
) => Promise<Record<string, unknown>[]>

const Row = z.object({ name: z.string() })

/** The extensions that a project's database has. */
export const extensionsStore = (runSql: RunSql) => ({
  async installed(ref: string): Promise<string[]> {
    const query =
      'select extname::text as name from pg_catalog.pg_extension order by extname limit 1000'
    const rows = await runSql(ref, { query, login: 'plinth_read_only' })
    return rows.map((row) => Row.parse(row).name)
  },
})
export type ExtensionsStore = ReturnType<typeof extensionsStore>
