import { changeName } from '#contract/ddl/change'
import { dataPlaneApi } from '#contract/data-plane-api'
import type { Migration } from '#contract/database/migrations'
import { splitStatements } from '#contract/database/sql/sql-statements'
import { v1 } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { DataPlane } from '../../data-plane/client.ts'

const pageSize = 500
const as = 'plinth-migrations'

const brief = ({ version, name }: Migration) => ({ version, ...(name !== null && { name }) })

/** The migrations of a project for command line tools and agents. */
export function migrationsRoutes({ dataPlane }: { dataPlane: DataPlane }) {
  const listed = (ref: string, by: string, query: Record<string, string>) =>
    dataPlane.ask(dataPlaneApi.migrations, {
      params: { ref },
      query,
      login: 'plinth_read_only',
      as,
      by,
    })
  /** A version for what is recorded now: behind the newest, which may be of this very second. */
  async function nextVersion(ref: string, by: string): Promise<string> {
    const [newest] = await listed(ref, by, { limit: '1' })
    const now = new Date().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
    return newest && newest.version >= now ? String(BigInt(newest.version) + 1n) : now
  }

  return [
    implement(v1.migrations, async ({ ref }, caller) => {
      const all: Migration[] = []
      let before: string | undefined
      do {
        const query = { limit: String(pageSize), ...(before !== undefined && { before }) }
        const page = await listed(ref, caller.email, query)
        all.push(...page)
        before = page.length === pageSize ? page.at(-1)?.version : undefined
      } while (before !== undefined)
      return all.toReversed().map(brief)
    }),
    implement(v1.applyMigration, async ({ ref, query, name, rollback }, caller) => {
      const statements = textsOf(query)
      if (statements.length === 0) throw new ApiError('invalid_input', 'query: has no statement')
      const inverse = textsOf(rollback ?? '')
      const change = {
        name: changeName(name),
        statements,
        ...(inverse.length > 0 ? { inverse } : {}),
      }
      const made = { params: { ref }, login: 'postgres', as, by: caller.email } as const
      return brief(await dataPlane.ask(dataPlaneApi.applyChange, { ...made, body: change }))
    }),
    implement(v1.recordMigration, async ({ ref, query, name: asked }, caller) => {
      if (textsOf(query).length === 0)
        throw new ApiError('invalid_input', 'query: has no statement')
      const version = await nextVersion(ref, caller.email)
      const name = changeName(asked)
      await dataPlane.ask(dataPlaneApi.markMigration, {
        params: { ref, version },
        login: 'postgres',
        as,
        by: caller.email,
        body: { as: 'applied', name, sql: query },
      })
      return { version, name }
    }),
  ]
}

const textsOf = (sql: string) => splitStatements(sql).map(({ text }) => text)
