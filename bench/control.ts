import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { person, startControlPlane, type Person } from '#control-plane/testing'

/**
 * The lists that every page waits for, of somebody with 100 organizations of ten projects each, against the same lists of
 * somebody who has one of each, in one database: the 95th percentile over HTTP, in turns.
 */
const [organizations, projectsEach, callsPerRound, rounds] = [100, 10, 60, 7]

const plane = await startControlPlane()
try {
  const [small, large] = [person(plane, 'small@example.com'), person(plane, 'large@example.com')]
  for (const one of [small, large]) await one.call('POST', '/platform/profile')
  await seed(small, 1, 1)
  await seed(large, organizations, projectsEach)
  // One organization with all thousand projects in it, for the list of a page.
  await seed(large, 1, organizations * projectsEach, 'crowded')
  await sql`analyze`.execute(plane.db)
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
  await plane.end()
}

async function seed(owner: Person, count: number, each: number, prefix?: string): Promise<void> {
  const name = prefix ?? owner.email.split('@')[0] ?? ''
  for (let n = 0; n < count; n++) {
    const made = await owner.call('POST', '/platform/organizations', {
      name: `${name} ${n}`,
      kind: 'PERSONAL',
      tier: 'tier_pro',
    })
    await sql`
      insert into platform.projects (ref, organization_id, name, status, region, cloud_provider, compute_size, db_version, sealed_secrets)
      select translate(substr(md5(${randomUUID()} || i), 1, 20), '0123456789', 'ghijklmnop'), ${made.body['id']}, 'Project ' || i,
        'INACTIVE', 'local', 'AWS', 'micro', '17.10', '' from generate_series(1, ${each}::int) i`.execute(
      plane.db,
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
