import { compare } from './parts/compare.ts'
import { httpLoad } from './parts/http-load.ts'
import { anyOf, authorCount, booksSetup, claims, httpRequest, userId } from './parts/rest-books.ts'
import { driverLoad } from './parts/rest-driver.ts'
import { serve, token, withServedProject } from './parts/served-project.ts'

/** An author with ten books by a signed-in user under row level security, against the same rows as JSON by a bare driver. */
const [connections, roundMs] = [8, 4000]

const embedSql = `select coalesce(json_agg(r), '[]')::text, count(*) from (
  select authors.name, coalesce(b.rows, '[]') as books from public.authors
  left join lateral (select json_agg(t) as rows from (
    select books.id, books.title from public.books where books.author_id = authors.id limit 1000) t) b on true
  where authors.id = $1 limit 1000) r`

async function main(): Promise<void> {
  await withServedProject(booksSetup, async (project) => {
    const at = { host: '127.0.0.1', port: project.port }
    const { ref, anonKey } = project.connection
    const headers = { apikey: anonKey, Authorization: `Bearer ${token(claims)}` }
    const load = () => {
      const path = `/${ref}/rest/v1/authors?select=name,books(id,title)&id=eq.${anyOf(authorCount)}`
      return httpRequest('GET', path, headers)
    }
    await compare('rest-embed', {
      ours: () => project.measure('ours', () => httpLoad(at, connections, roundMs, load)),
      baseline: () =>
        project.measure('driver', () =>
          driverLoad(project, userId, connections, roundMs, embedSql, () => [anyOf(authorCount)]),
        ),
    })
  })
}

if (process.argv[2] === 'serve') serve()
else await main()
