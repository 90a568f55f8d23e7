import { changeName } from '#contract/ddl/change'
import { Migration } from '#contract/database/migrations'
import { splitStatements } from '#contract/database/sql/sql-statements'
import { v1 } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Forward, Login } from './forward.ts'

/** A migration may rewrite a large table. */
const longestWaitMs = 15 * 60_000
const pageSize = 500

const brief = ({ version, name }: Migration) => ({ version, name })

/** The migrations of a project for command line tools and agents. */
export function migrationsRoutes({ dataPlaneUrl, internalToken }: Forward) {
  /** A version for what is recorded now: behind the newest, which may be of this very second. */
  async function nextVersion(ref: string, by: string): Promise<string> {
    const path = `${ref}/migrations?limit=1`
    const [newest] = Migration.array().parse(await ask(path, 'plinth_read_only', by))
    const now = new Date().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
    return newest && newest.version >= now ? String(BigInt(newest.version) + 1n) : now
  }

  async function ask(path: string, login: Login, by: string | undefined, body?: object) {
    const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${internalToken}`,
        'x-plinth-login': login,
        'x-pg-application-name': 'plinth-migrations',
        ...(by === undefined ? {} : { 'x-plinth-caller': encodeURIComponent(by) }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      signal: AbortSignal.timeout(longestWaitMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => undefined)
    if (!response) throw new ApiError('project_unreachable')
    const answer: unknown = await response.json()
    if (response.ok) return answer
    throw refusalOf(response.status, answer)
  }

  return [
    implement(v1.migrations, async ({ ref }, caller) => {
      const all: Migration[] = []
      let before = ''
      do {
        const query = `limit=${pageSize}${before}`
        const path = `${ref}/migrations?${query}`
        const page = Migration.array().parse(await ask(path, 'plinth_read_only', caller.email))
        all.push(...page)
        before = page.length === pageSize ? `&before=${page.at(-1)?.version ?? ''}` : ''
      } while (before)
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
      return brief(Migration.parse(await ask(`${ref}/changes`, 'postgres', caller.email, change)))
    }),
    implement(v1.recordMigration, async ({ ref, query, name: asked }, caller) => {
      if (textsOf(query).length === 0)
        throw new ApiError('invalid_input', 'query: has no statement')
      const version = await nextVersion(ref, caller.email)
      const name = changeName(asked)
      const mark = { as: 'applied', name, sql: query }
      await ask(`${ref}/migrations/${version}/mark`, 'postgres', caller.email, mark)
      return { version, name }
    }),
  ]
}

const textsOf = (sql: string) => splitStatements(sql).map(({ text }) => text)

/** The database's own words for what it refused; anything else is that it could not be reached. */
function refusalOf(status: number, body: unknown): ApiError {
  const words = typeof body === 'object' && body !== null && 'message' in body ? body.message : ''
  if (status === 400) return new ApiError('query_failed', String(words))
  if (status === 402) return new ApiError('organization_restricted')
  return new ApiError(status === 404 ? 'project_not_found' : 'project_unreachable')
}
