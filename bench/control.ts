import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#control-plane/platform-database/database'
import { silentLog } from '#kit/log'
import { preparePostgres } from '#kit/postgres/runtime'
import { signUp, type Person } from '../journeys/testing/client.ts'
import { startPlatform } from '../journeys/testing/platform.ts'

/**
 * The lists that every page waits for, of somebody with 100 organizations of ten projects each, against the same lists of
 * somebody who has one of each, in one database: the 95th percentile over HTTP, in turns.
 */
const [organizations, projectsEach, callsPerRound, rounds] = [100, 10, 60, 7]

const platform = await startPlatform({ environment: { PLINTH_RATE_LIMIT: '1000000' } })
const runtime = await preparePostgres(platform.home)
const { db } = openDatabase(
  {
    host: join(runtime.sockets, 'platform'),
    port: 5432,
    user: 'plinth',
    password: readFileSync(join(platform.home, 'platform-password'), 'utf8').trim(),
    database: 'plinth',
    max: 1,
  },
  silentLog,
)
try {
  const small = await signUp(platform.url, 'small@example.com')
  const large = await signUp(platform.url, 'large@example.com')
  await seed('small@example.com', 1, 1, 'small')
  await seed('large@example.com', organizations, projectsEach, 'large')
  // One organization with all thousand projects in it, for the list of a page.
  await seed('large@example.com', 1, organizations * projectsEach, 'crowded')
  await sql`analyze`.execute(db)
  const lists = {
    organizations: '/platform/organizations',
    projects: '/platform/projects?limit=50',
    'organization-projects': '/platform/organizations/{slug}/projects?limit=50',
    permissions: '/platform/profile/permissions',
  }
  for (const [name, path] of Object.entries(lists)) {
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const ours = await percentile(large, path.replace('{slug}', 'crowded-0'))
      const baseline = await percentile(small, path.replace('{slug}', 'small-0'))
      if (round > 0) ratios.push(ours / baseline)
    }
    const ratio = Math.round((ratios.toSorted((a, b) => a - b)[rounds >> 1] ?? 0) * 1000) / 1000
    process.stdout.write(`${JSON.stringify({ name: `control ${name}`, ratio, rounds })}\n`)
  }
} finally {
  await db.destroy()
  await platform.dispose()
}

/** Straight into the tables: the platform itself lets nobody make a hundred organizations in a minute. */
async function seed(email: string, count: number, each: number, name: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    const slug = `${name}-${n}`
    await sql`
      with organization as (
        insert into platform.organizations (slug, name, kind, tier) values (${slug}, ${slug}, 'PERSONAL', 'tier_pro') returning id
      ), member as (
        insert into platform.members (organization_id, user_id, role)
        select organization.id, profile.user_id, 'Owner' from organization, platform.profiles profile where primary_email = ${email}
      )
      insert into platform.projects (ref, organization_id, name, status, region, cloud_provider, compute_size, db_version, sealed_secrets)
      select translate(substr(md5(${randomUUID()} || i), 1, 20), '0123456789', 'ghijklmnop'), organization.id, 'Project ' || i,
        'INACTIVE', 'local', 'AWS', 'micro', '17.10', '' from organization, generate_series(1, ${each}::int) i`.execute(
      db,
    )
  }
}

/** Milliseconds within which 95 of 100 calls are answered. */
async function percentile(caller: Person, url: string): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < callsPerRound; call++) {
    const since = performance.now()
    const { status } = await caller.call('GET', url)
    times.push(performance.now() - since)
    if (status !== 200) throw new Error(`${url}: ${status}`)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(callsPerRound * 0.95)] ?? 0
}
