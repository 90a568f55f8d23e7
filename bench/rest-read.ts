import { compare } from './parts/compare.ts'
import { httpLoad } from './parts/http-load.ts'
import { driverLoad } from './parts/rest-driver.ts'
import { serve, token, withServedProject, type ServedProject } from './parts/served-project.ts'

/**
 * The data API's commonest request, one row by its primary key as a signed-in user under row level security, against the
 * same SQL sent by a bare driver as pgbench would: BEGIN, settings, SELECT and COMMIT, each a round trip, all prepared.
 * Processor time is that of the server program and Postgres, or of the driver and Postgres.
 */
const [rows, connections, roundMs] = [100_000, 8, 4000]
const userId = '4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50'
const anyId = () => 1 + Math.floor(Math.random() * rows)

const setup = [
  'create table books (id int primary key, owner uuid not null, title text, pages int, added timestamptz)',
  `insert into books select i, '${userId}', 'Title ' || i, i % 900, now() from generate_series(1, ${rows}) i`,
  'alter table books enable row level security',
  'create policy own on books using (owner = (select auth.uid()))',
  'vacuum analyze books',
]

async function main(): Promise<void> {
  await withServedProject(setup, async (project) => {
    const at = { host: '127.0.0.1', port: project.port }
    const load = requests(project)
    await compare('rest-read', {
      ours: () => project.measure('ours', () => httpLoad(at, connections, roundMs, load)),
      baseline: () =>
        project.measure('driver', () =>
          driverLoad(project, userId, connections, roundMs, readSql, () => [anyId()]),
        ),
    })
  })
}

function requests({ connection: { ref, anonKey } }: ServedProject): () => string {
  const user = token({
    role: 'authenticated',
    sub: userId,
    email: 'ada@example.com',
    aud: 'authenticated',
  })
  const rest = ` HTTP/1.1\r\nHost: localhost\r\napikey: ${anonKey}\r\nAuthorization: Bearer ${user}\r\nAccept: */*\r\nX-Client-Info: supabase-js-node/2.109.0\r\n\r\n`
  return () => `GET /${ref}/rest/v1/books?select=id,title,pages&id=eq.${anyId()}${rest}`
}

const readSql = `select coalesce(json_agg(r), '[]')::text, count(*) from (
  select books.id, books.title, books.pages from public.books where books.id = $1 limit 1000) r`

if (process.argv[2] === 'serve') serve()
else await main()
