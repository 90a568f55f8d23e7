import { DatabaseError, type PoolClient } from 'pg'
import type { Lint, LintReport } from '#contract/observability/advisors'
import { categoryOf, lintRules, type LintName } from '#contract/observability/lints'
import { authLints, type AuthFacts } from './lint-auth.ts'
import { otherLints } from './lint-code.ts'
import { indexLints } from './lint-indexes.ts'
import type { Found, LintQuery } from './lint-parts.ts'
import { policyLints } from './lint-policies.ts'
import { tableLints } from './lint-tables.ts'

const queries: LintQuery[] = [...tableLints, ...indexLints, ...policyLints, ...otherLints]

/** Schemas of the platform's services and of extensions, which their owners look after (facts §10). */
const platformSchemas =
  'auth cron extensions graphql graphql_public net pgbouncer pgmq pgmq_public pgsodium pgsodium_masks pgtle realtime _realtime storage supabase_functions supabase_migrations vault'.split(
    ' ',
  )

/** Where one rule may not keep the others waiting, in a database of any size. */
const timeoutSql = "set local statement_timeout = '10s'"
const qualified = "set local search_path = ''"
const mark = 'savepoint lint'
const back = 'rollback to savepoint lint'

const wrap = ({ sql, keep }: LintQuery) => `
  with p as (select $1::text[] as exposed, $2::text[] as platform)
  select key::text[] as key, detail, metadata, ${keep ? 'evidence' : 'null'} as evidence
  from (${sql}) as found order by key limit 1000
`

export type AdvisorFacts = { exposedSchemas: readonly string[]; auth: AuthFacts | undefined }

const lintOf = (name: LintName, { key, detail, metadata }: Omit<Found, 'evidence'>): Lint => {
  const { title, level, description, link } = lintRules[name]
  return {
    name,
    title,
    level,
    facing: 'EXTERNAL',
    categories: [categoryOf(name)],
    description,
    detail,
    remediation: link,
    metadata,
    cache_key: [name, ...key.map(encodeURIComponent)].join('.'),
  }
}

/** All that is found in this database now, and which rules could not be checked. */
export async function findLints(db: PoolClient, facts: AdvisorFacts): Promise<LintReport> {
  const report: LintReport = { lints: [], skipped: [] }
  await db.query('begin read only')
  try {
    await db.query(timeoutSql)
    await db.query(qualified)
    for (const query of queries) {
      const { name, keep = () => true } = query
      await db.query(mark)
      const text = wrap(query)
      try {
        const { rows } = await db.query<Found>(text, [facts.exposedSchemas, platformSchemas])
        for (const found of rows) if (keep(found)) report.lints.push(lintOf(name, found))
      } catch (error) {
        // A rule that this server cannot answer is told about; the others still count.
        if (!(error instanceof DatabaseError)) throw error
        report.skipped.push({ name, reason: error.message })
        await db.query(back)
      }
    }
    const { rows } = await db.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    )
    for (const { version } of rows) if (isVulnerable(version)) report.lints.push(outdated(version))
  } finally {
    await db.query('rollback')
  }
  const auth = authLints(facts.auth)
  report.lints.push(...auth.found.map(({ name, ...found }) => lintOf(name, found)))
  report.skipped.push(...auth.skipped)
  return report
}

const outdated = (version: number) =>
  lintOf('vulnerable_postgres_version', {
    key: [String(version)],
    detail: `The server runs Postgres ${Math.floor(version / 10_000)}.${version % 10_000}.`,
    metadata: { type: 'server', name: 'postgres', version },
  })

/**
 * The first minor release of each major version without the holes known when this was written (the security page of the
 * Postgres project, November 2025). Older majors get no fixes at all.
 */
const safeFrom: ReadonlyMap<number, number> = new Map([
  [14, 20],
  [15, 15],
  [16, 11],
  [17, 7],
  [18, 1],
])

/** `version` as in server_version_num: 170010 is 17.10. */
export function isVulnerable(version: number): boolean {
  const major = Math.floor(version / 10_000)
  const safe = safeFrom.get(major)
  if (safe === undefined) return major < Math.min(...safeFrom.keys())
  return version % 10_000 < safe
}
