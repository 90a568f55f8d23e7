import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { from as copyFrom } from 'pg-copy-streams'
import { ask, customer } from '#compute/testing/conformance-project'
import { compare } from './parts/compare.ts'
import { httpLoad } from './parts/http-load.ts'
import { anyOf, booksSetup, claims, httpRequest, newNote, userId } from './parts/rest-books.ts'
import { bareClient, driverLoad } from './parts/rest-driver.ts'
import { serve, token, withServedProject, type ServedProject } from './parts/served-project.ts'

/**
 * One new row by a signed-in user under row level security, against the same SQL by a bare driver; and ten thousand
 * rows in one JSON body, counted in rows, against COPY of the same rows.
 */
const [connections, roundMs, rowsAtOnce] = [8, 4000, 10_000]

const insertSql = `insert into public.notes (owner, text, stars)
  select owner, text, stars from json_to_record($1::json) as row(owner uuid, text text, stars int)`

async function main(): Promise<void> {
  await withServedProject(booksSetup, async (project) => {
    const at = { host: '127.0.0.1', port: project.port }
    const { ref, anonKey } = project.connection
    const headers = { apikey: anonKey, Authorization: `Bearer ${token(claims)}` }
    const post = (table: string, body: string) =>
      httpRequest('POST', `/${ref}/rest/v1/${table}`, headers, body)
    await compare('rest-write-row', {
      ours: () =>
        project.measure('ours', () =>
          httpLoad(at, connections, roundMs, () => post('notes', newNote())),
        ),
      baseline: () =>
        project.measure('driver', () =>
          driverLoad(project, userId, connections, roundMs, insertSql, () => [newNote()], false),
        ),
    })
    const rows = Array.from({ length: rowsAtOnce }, (_, i) => ({
      id: i,
      title: `Title ${i}`,
      pages: anyOf(900),
    }))
    const body = post('rows_of_files', JSON.stringify(rows))
    const lines = rows.map(({ id, title, pages }) => `${id}\t${title}\t${pages}\n`).join('')
    const emptied = async (load: () => Promise<number>) => {
      await ask(project.at, customer(ref), 'truncate rows_of_files')
      return (await load()) * rowsAtOnce
    }
    await compare('rest-write-rows', {
      ours: () =>
        project.measure('ours', () => emptied(() => httpLoad(at, 1, roundMs, () => body))),
      baseline: () => project.measure('driver', () => emptied(() => copyLoad(project, lines))),
    })
  })
}

/** How often the lines were copied in, each time in a transaction of its own. */
async function copyLoad(project: ServedProject, lines: string): Promise<number> {
  const client = await bareClient(project)
  await client.query('set role authenticated')
  const end = performance.now() + roundMs
  let count = 0
  for (; performance.now() < end; count++) {
    await pipeline(Readable.from([lines]), client.query(copyFrom('copy rows_of_files from stdin')))
  }
  await client.end()
  return count
}

if (process.argv[2] === 'serve') serve()
else await main()
