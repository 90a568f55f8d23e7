import { Client } from 'pg'
import { ask, service } from '#compute/testing/conformance-project'
import { compare } from './parts/compare.ts'
import { httpLoad } from './parts/http-load.ts'
import {
  internalToken,
  serve,
  withServedProject,
  type ServedProject,
} from './parts/served-project.ts'

/**
 * Pages of the list of users at a million of them, as the dashboard asks for them, against the plain statement over a
 * bare driver: processor time of the server program and Postgres, or of the driver and Postgres. A page deep in the list
 * costs what the first one costs, and so does a search by a beginning: nothing is counted and nothing skipped.
 */
const users = 1_000_000
const [connections, roundMs] = [4, 3000]

const seed = `insert into auth.users (id, email, phone, is_anonymous, email_confirmed_at, created_at, last_sign_in_at,
      raw_app_meta_data, raw_user_meta_data)
    select gen_random_uuid(), 'user' || i || '@example.com', case when i % 10 = 0 then '49151' || i end, i % 50 = 49,
      case when i % 50 <> 49 then now() end, '2025-01-01'::timestamptz + i * interval '10 seconds',
      '2025-06-01'::timestamptz + (i::bigint * 7919 % ${users})::int * interval '5 seconds',
      '{"provider": "email", "providers": ["email"]}', jsonb_build_object('full_name', 'Given' || i || ' Family' || i % 5000)
    from generate_series(1, ${users}) i`

const columns =
  'id, email, phone, raw_user_meta_data, raw_app_meta_data, role, is_anonymous, is_sso_user, confirmed_at, invited_at, banned_until, deleted_at, created_at, updated_at, last_sign_in_at'
const plain = `select ${columns} from auth.users`
const first = `coalesce(created_at, '-infinity'::timestamptz)`
const deep = `('2025-02-27'::timestamptz, '00000000-0000-4000-8000-000000000000'::uuid)`

/** What is asked for, and the statement that somebody would write for it by hand. */
const pages: Record<string, { query: Record<string, string>; sql: string }> = {
  'first page': { query: {}, sql: `${plain} order by ${first} desc, id desc limit 51` },
  'page deep in the list': {
    query: { cursor: cursorOf('2025-02-27 00:00:00+00') },
    sql: `${plain} where (${first}, id) < ${deep} order by ${first} desc, id desc limit 51`,
  },
  'by last sign-in': {
    query: { sort: 'last_sign_in_at' },
    sql: `${plain} order by coalesce(last_sign_in_at, '-infinity'::timestamptz) desc, id desc limit 51`,
  },
  'beginning of an address': {
    query: { search: 'user99999', field: 'email' },
    sql: `${plain} where lower(coalesce(email, '')) collate "C" like 'user99999%' order by ${first} desc limit 51`,
  },
  'word of the metadata': {
    query: { search: 'family4711', field: 'metadata' },
    sql: `${plain} where (jsonb_to_tsvector('simple', coalesce(raw_user_meta_data, '{}'), '["string", "numeric"]') || jsonb_to_tsvector('simple', coalesce(raw_app_meta_data, '{}'), '["string", "numeric"]')) @@ to_tsquery('simple', '''family4711'':*') order by ${first} desc limit 51`,
  },
  'only anonymous': {
    query: { state: 'anonymous' },
    sql: `${plain} where is_anonymous order by ${first} desc, id desc limit 51`,
  },
}

function cursorOf(key: string): string {
  const place = ['created_at desc', key, '00000000-0000-4000-8000-000000000000']
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

async function main(): Promise<void> {
  await withServedProject([], async (project) => {
    await prepare(project)
    const at = { host: '127.0.0.1', port: project.port }
    for (const [name, { query, sql }] of Object.entries(pages)) {
      await compare(`auth-users ${name}`, {
        ours: () =>
          project.measure('ours', () => httpLoad(at, connections, roundMs, asked(project, query))),
        baseline: () => project.measure('driver', () => driverLoad(project, sql)),
      })
    }
  })
}

/** The login of the auth service, which owns its tables. */
const loginOf = ({ connection: { ref } }: ServedProject) => service(ref, 'supabase_auth_admin')

async function prepare(project: ServedProject): Promise<void> {
  await ask(project.at, loginOf(project), seed, 'vacuum analyze auth.users')
}

function asked(
  { connection: { ref } }: ServedProject,
  query: Record<string, string>,
): () => string {
  const head = [
    `GET /internal/auth/${ref}/users?${new URLSearchParams(query)} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${internalToken}`,
  ]
  const request = `${head.join('\r\n')}\r\n\r\n`
  return () => request
}

async function driverLoad(project: ServedProject, text: string): Promise<number> {
  const { role: user, password } = loginOf(project)
  const { socketDir: host, port } = project.at
  const end = performance.now() + roundMs
  const counts = Array.from({ length: connections }, async () => {
    const client = new Client({ host, port, database: 'postgres', user, password })
    client.on('error', () => undefined)
    await client.connect()
    let count = 0
    for (; performance.now() < end; count++) await client.query({ name: 'page', text })
    await client.end()
    return count
  })
  return (await Promise.all(counts)).reduce((a, b) => a + b, 0)
}

if (process.argv[2] === 'serve') serve()
else await main()
