import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { runsAsRoot } from '#kit/postgres/os-user'
import { createSecrets, loadMasterKey } from '#kit/secrets'
import type { Place } from './platform.ts'

/** What whoever runs the platform says to it over HTTP, at `/internal/…`. */
export async function asOperator(
  { url, operatorToken }: Place,
  method: 'PUT' | 'POST' | 'DELETE',
  path: string,
  body: object = {},
): Promise<void> {
  const answer = await fetch(`${url}/internal/${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

/** Asks the platform's own database, as its programs do. */
async function askPlatform<T extends object>(
  { home }: Place,
  query: string,
  values: readonly unknown[],
): Promise<T[]> {
  const password = (await readFile(join(home, 'platform-password'), 'utf8')).trim()
  const host = join(home, 'sockets/platform')
  const own = { host, port: 5432, user: 'plinth', database: 'plinth', password }
  return withClient(own, async (client) => (await client.query<T>(query, [...values])).rows)
}

/** What the collector would have kept an hour and half an hour ago: a statement that was called 10 times, then 30. */
export async function recallStatement(
  platform: Place,
  ref: string,
  queryid: string,
): Promise<void> {
  await askPlatform(
    platform,
    `insert into platform.query_samples (project_id, figures, taken_at)
     select id, jsonb_build_object($2::text, figure), now() - ago
     from platform.projects, (values ('[10, 100, 10]'::jsonb, interval '1 hour'), ('[30, 500, 30]', '30 minutes')) looks (figure, ago)
     where ref = $1`,
    [ref, queryid],
  )
}

/** As if the grace period of an organization beyond its quota had ended so many days ago: what only time does. */
export async function endGracePeriod(platform: Place, slug: string, days: number): Promise<void> {
  const rows = await askPlatform(
    platform,
    `update platform.restriction_stages set grace_period_end = now() - make_interval(days => $2)
     where cause = 'quota' and organization_id = (select id from platform.organizations where slug = $1)
     returning cause`,
    [slug, days],
  )
  expect(rows).toHaveLength(1)
}

/** Runs SQL in a project's server as whoever runs the platform can: as its superuser, over the unix socket. */
export async function runAsOperator(
  platform: Place,
  ref: string,
  statement: string,
): Promise<void> {
  const [row] = await askPlatform<{
    sealed_secrets: string
    db_address: { host: string; port: number }
  }>(platform, 'select sealed_secrets, db_address from platform.projects where ref = $1', [ref])
  if (!row) throw new Error(`There is no project ${ref}`)
  const secrets = createSecrets(loadMasterKey(join(platform.home, 'master-key')))
  const opened = JSON.parse(secrets.open(row.sealed_secrets, `project:${ref}`)) as {
    adminPassword: string
  }
  const login = { user: 'supabase_admin', password: opened.adminPassword, database: 'postgres' }
  const { host: socket, port } = row.db_address
  await withClient({ host: socket, port, ...login }, (client) => client.query(statement))
}

/** A file that the servers on this machine can read, for as long as `use` takes. */
export async function withServerFile(
  name: string,
  text: string,
  use: (file: string) => Promise<void>,
): Promise<void> {
  // A server with a view of its own has its own /tmp, too (compute/local/bounds/view.ts).
  const place = runsAsRoot() ? '/var/lib' : tmpdir()
  const folder = await mkdtemp(join(place, 'plinth-files-'))
  try {
    const file = join(folder, name)
    await writeFile(file, text)
    await chmod(folder, 0o755)
    await chmod(file, 0o644)
    await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As if a data plane had reported once and then gone without a word: what only time does. */
export async function losePlane(platform: Place, place: string): Promise<void> {
  await askPlatform(
    platform,
    `insert into platform.planes (kind, place, version, started_at, heard_at, memory_bytes)
     values ('data-plane', $1, '1.0.0', now() - interval '1 hour', now() - interval '10 minutes', 1048576)`,
    [place],
  )
}

/** Where programs have run that have not said that they end. */
export async function placesInUse(platform: Place): Promise<string[]> {
  const rows = await askPlatform<{ place: string }>(
    platform,
    'select place from platform.planes where ended_at is null order by place',
    [],
  )
  return rows.map(({ place }) => place)
}

/** Nobody waits for it any more. */
export async function forgetPlane(platform: Place, place: string): Promise<void> {
  await askPlatform(platform, 'delete from platform.planes where place = $1', [place])
}
