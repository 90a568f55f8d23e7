import { factsOf } from './database-store.ts'
import { clockFinding, reasonOf, sayAbout, type Finding } from './finding.ts'

const database = sayAbout('database')
const clock = sayAbout('clock')

/** The version that every installation of one machine brings, and that Plinth is tested with. */
const tested = 17
/** The oldest that PostgreSQL's developers still mend. */
const oldest = 14
/** A control plane takes twenty, and what else uses the server needs some. */
const fewConnections = 40

/** The database of the platform, where it is not the installation's own. */
export async function lookAtDatabase(url: string): Promise<Finding[]> {
  const { hostname, pathname, searchParams } = new URL(url)
  const place = `${decodeURIComponent(pathname.slice(1)) || 'the usual database'} at ${searchParams.get('host') ?? hostname}`
  const facts = await factsOf(url).catch((error: unknown) => reasonOf(error))
  if (typeof facts === 'string')
    return [
      database.fail(
        `PLATFORM_DATABASE_URL: ${place} cannot be entered: ${facts}`,
        'see that the server runs, is reached from here, and takes this login',
      ),
    ]
  const major = Math.floor(facts.number / 10_000)
  const findings: Finding[] = []
  if (major < oldest)
    findings.push(database.fail(`PostgreSQL ${facts.version} is too old`, `take ${tested}`))
  else if (major !== tested)
    findings.push(
      database.warn(
        `PostgreSQL ${facts.version} is not what Plinth is tested with`,
        `take ${tested}`,
      ),
    )
  else findings.push(database.ok(`${place} is PostgreSQL ${facts.version}`))
  if (facts.encoding !== 'UTF8')
    findings.push(
      database.fail(`its encoding is ${facts.encoding}`, 'make a database with the encoding UTF8'),
    )
  if (facts.isCopy)
    findings.push(database.fail('it is a standby, which is only read', 'name the primary'))
  else if (facts.refusal === undefined) findings.push(database.ok('schemas and tables can be made'))
  else
    findings.push(
      database.fail(
        `the role may not make schemas and tables: ${facts.refusal}`,
        'make the role the owner of the database',
      ),
    )
  if (facts.foreign.length > 0)
    findings.push(
      database.fail(
        `schemas belong to another role: ${facts.foreign.join(', ')}`,
        'come as the role that made them, or take an empty database',
      ),
    )
  if (facts.connections < fewConnections)
    findings.push(
      database.warn(
        `it takes ${facts.connections} connections in all`,
        `set max_connections to ${fewConnections} or more: each control plane takes up to 20`,
      ),
    )
  return [...findings, clockFinding(clock, 'the database', facts.skewMs)]
}
