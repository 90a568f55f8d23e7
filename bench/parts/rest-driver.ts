import { Client } from 'pg'
import { service } from '#compute/testing/conformance-project'
import type { ServedProject } from './served-project.ts'

const settings = [
  'role',
  'request.jwt.claims',
  'request.method',
  'request.path',
  'request.headers',
  'request.cookies',
  'statement_timeout',
  'search_path',
  'transaction_read_only',
]
const settingsSql = `select ${settings.map((name, i) => `set_config('${name}', $${i + 1}, true)`).join(', ')}`

/** A bare connection as one of the project's logins. */
export async function bareClient(
  { at, connection: { ref } }: ServedProject,
  login = 'authenticator_authenticated',
): Promise<Client> {
  const { role: user, password } = service(ref, login)
  const client = new Client({
    host: at.socketDir,
    port: at.port,
    database: 'postgres',
    user,
    password,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Runs a statement over and over as a bare driver would: BEGIN, the settings of a request, the statement, COMMIT, each
 * a round trip, all prepared. The count of transactions on all connections.
 */
export async function driverLoad(
  project: ServedProject,
  userId: string,
  connections: number,
  ms: number,
  sql: string,
  values: () => unknown[],
  readOnly = true,
): Promise<number> {
  const claims = JSON.stringify({ role: 'authenticated', sub: userId, email: 'ada@example.com' })
  const headers = JSON.stringify({ host: 'localhost', accept: '*/*', apikey: 'x'.repeat(150) })
  const path = '"public", "extensions"'
  const set = [
    'authenticated',
    claims,
    'GET',
    '/books',
    headers,
    '{}',
    '8s',
    path,
    readOnly ? 'on' : 'off',
  ]
  const end = performance.now() + ms
  const counts = Array.from({ length: connections }, async () => {
    const client = await bareClient(project)
    let count = 0
    for (; performance.now() < end; count++) {
      await client.query({ name: 'begin', text: 'begin' })
      await client.query({ name: 'settings', text: settingsSql, values: set })
      await client.query({ name: 'work', text: sql, values: values() })
      await client.query({ name: 'commit', text: 'commit' })
    }
    await client.end()
    return count
  })
  return (await Promise.all(counts)).reduce((a, b) => a + b, 0)
}
