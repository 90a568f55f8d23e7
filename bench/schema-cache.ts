import { Client } from 'pg'
import { customer } from '#compute/testing/conformance-project'
import { arrayLiteral } from '#data-plane/rest/query/array-literal'
import { parseCatalog } from '#data-plane/rest/catalog/catalog'
import { catalogSql } from '#data-plane/rest/catalog/catalog-sql'
import { readCatalog } from '#data-plane/rest/catalog/read-catalog'
import { compare, type Measured } from './parts/compare.ts'
import { serve, withServedProject, type ServedProject } from './parts/served-project.ts'

/** What the data API knows of ten thousand tables, read and built, against the catalog query alone. */
const tables = 10_000
const perStatement = 500

const setup = Array.from({ length: tables / perStatement }, (_, part) =>
  Array.from({ length: perStatement }, (__, i) => {
    const n = part * perStatement + i
    const parent = n === 0 ? '' : `, parent int references t${n - 1} (id)`
    return `create table t${n} (id int primary key, title text, pages int, added timestamptz${parent});`
  }).join('\n'),
)

async function main(): Promise<void> {
  await withServedProject(setup, async (project) => {
    const client = new Client({
      host: project.at.socketDir,
      port: project.at.port,
      database: 'postgres',
      ...loginOf(project.connection.ref),
    })
    client.on('error', () => undefined)
    await client.connect()
    const schemas = [arrayLiteral(['public'])]
    const raw = () => client.query({ text: catalogSql, values: schemas, rowMode: 'array' })
    await compare('schema-cache', {
      ours: () =>
        timed(project, async () => {
          const { rows } = await raw()
          const catalog = await parseCatalog(rows)
          const read = readCatalog(catalog, 1).relations.get('public')?.size ?? 0
          if (read < tables) throw new Error(`Only ${read} tables were read`)
        }),
      baseline: () => timed(project, raw),
    })
    await client.end()
  })
}

/** Milliseconds of one load, with the processor time of this process and Postgres. */
async function timed(project: ServedProject, load: () => Promise<unknown>): Promise<Measured> {
  const start = performance.now()
  const { cpuMs } = await project.measure('driver', async () => {
    await load()
    return 1
  })
  return { value: performance.now() - start, cpuMs }
}

function loginOf(ref: string) {
  const { role: user, password } = customer(ref)
  return { user, password }
}

if (process.argv[2] === 'serve') serve()
else await main()
