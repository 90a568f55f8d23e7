import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBackupWorld, type BackupWorld } from '../../testing/backups.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }

const hour = 3_600_000
const day = 24 * hour

let world: BackupWorld
let second: string
beforeAll(async () => {
  world = await startBackupWorld()
  second = await world.createProject('Films')
})
afterAll(() => world.end())

const round = () => world.plane.backupRound()
const reasons = async (of = world.ref) =>
  (await world.list(of)).backups.map(({ reason, status }) => `${String(reason)} ${status}`)
const settled = () => expect.poll(() => world.unfinished(), { timeout: 120_000 }).toBe(0)
const files = async (of = world.ref) => (await world.plane.compute.backups?.list(of)) ?? []
/** The round that is due, with everything that it ordered. */
async function passed(milliseconds: number) {
  world.pass(milliseconds)
  await round()
  await settled()
}

test(
  'a new project has its first scheduled backup after an hour, then one each day',
  patience,
  async () => {
    const due = Date.parse(String((await world.list())['next_at']))
    expect(Math.abs(due - Date.now() - hour)).toBeLessThan(120_000)
    await passed(0)
    expect(await reasons()).toEqual([])
    await passed(hour)
    expect(await reasons()).toEqual(['scheduled COMPLETED'])
    expect(await reasons(second)).toEqual(['scheduled COMPLETED'])
    // One that somebody made stands beside it.
    await world.made()
    await passed(23 * hour)
    expect(await reasons()).toEqual(['manual COMPLETED', 'scheduled COMPLETED'])
  },
)

test(
  'one that failed is tried again after an hour, and is shown for a week',
  patience,
  async () => {
    const { backups } = world.plane.compute
    if (!backups) throw new Error('This provider keeps no backups')
    const { make } = backups
    backups.make = () => Promise.reject(new Error('no room on the disk'))
    try {
      await passed(hour)
    } finally {
      backups.make = make
    }
    expect((await reasons())[0]).toBe('scheduled FAILED')
    await passed(0.5 * hour)
    expect((await reasons())[0]).toBe('scheduled FAILED')
    await passed(0.6 * hour)
    expect((await reasons()).slice(0, 2)).toEqual(['scheduled COMPLETED', 'scheduled FAILED'])
    await passed(7 * day)
    expect(await reasons()).not.toContain('scheduled FAILED')
  },
)

test('what has expired goes with its file, the newest does not', patience, async () => {
  const { ada, path, ref } = world
  // A plan that keeps them for a week, which is over for all but one.
  await world.setTier('tier_pro')
  expect((await reasons()).length).toBeGreaterThan(2)
  await passed(7 * day)
  await passed(7 * day)
  const rest = await reasons()
  expect(rest).toEqual(['scheduled COMPLETED', 'scheduled COMPLETED'])
  expect(await files()).toHaveLength(2)
  await ada.call('POST', `/platform/projects/${ref}/pause`)
  await world.reaches(ref, 'INACTIVE')
  expect(await ada.call('GET', path())).toMatchObject({ body: { next_at: null } })
  await passed(30 * day)
  expect(await reasons()).toEqual(['scheduled COMPLETED'])
  expect(await files()).toHaveLength(1)
})

test('on a plan that keeps them longer, those that are there stay longer', patience, async () => {
  const ends = async () => Date.parse(String((await world.list(second)).backups[0]?.['expires_at']))
  const before = await ends()
  await world.setTier('tier_team')
  await passed(0)
  expect((await ends()) - before).toBe(7 * day)
})

test(
  'after a downgrade to Free nothing is made, and what is there stays until it expires',
  patience,
  async () => {
    await world.setTier('tier_free')
    await passed(2 * day)
    const left = await reasons(second)
    expect(left.length).toBeGreaterThan(0)
    await passed(0)
    expect(await reasons(second)).toEqual(left)
    await passed(14 * day)
    expect(await reasons(second)).toEqual([])
    expect(await files(second)).toEqual([])
    await world.setTier('tier_team')
  },
)

test(
  'while moments can be restored to, the backup stays from which the oldest is reached',
  patience,
  async () => {
    const { plane } = world
    await settled()
    await plane.db.deleteFrom('platform.backups').execute()
    const project = await plane.db
      .selectFrom('platform.projects')
      .select(['id', 'organization_id'])
      .where('ref', '=', second)
      .executeTakeFirstOrThrow()
    await world.setTier('tier_pro')
    await sql`insert into platform.add_on_usage (organization_id, project_ref, project_name, variant, started_at)
    values (${project.organization_id}, ${second}, 'Films', 'pitr_7', now())`.execute(plane.db)
    const ago = (days: number) => new Date(world.now().getTime() - days * day)
    const daysOf = new Map<number, number>()
    for (const days of [10, 8, 6, 0.5]) {
      const { rows } = await sql<{ id: string }>`insert into platform.backups
        (project_id, reason, status, inserted_at, taken_at, size_bytes, tables, rows, finished_at, expires_at)
      values (${project.id}, 'scheduled', 'COMPLETED', ${ago(days)}, ${ago(days)}, 1, 1, 1, ${ago(days)}, ${ago(days - 7)})
      returning id`.execute(plane.db)
      daysOf.set(Number(rows[0]?.id), days)
    }
    // Of these. The round has also told the server to keep its WAL, which then has a backup of its own.
    const left = async () => {
      await round()
      await settled()
      const { backups } = await world.list(second)
      return backups.flatMap(({ id }) => daysOf.get(id) ?? [])
    }
    expect(await left()).toEqual([0.5, 6, 8])
    await plane.db.updateTable('platform.add_on_usage').set({ ended_at: new Date() }).execute()
    expect(await left()).toEqual([0.5, 6])
    await world.setTier('tier_team')
  },
)

test(
  'one whose job is gone has failed, and files that no row knows are kept',
  patience,
  async () => {
    const { plane } = world
    await settled()
    const rows = await plane.db
      .insertInto('platform.backups')
      .columns(['project_id', 'reason', 'expires_at'])
      .expression((e) =>
        e
          .selectFrom('platform.projects')
          .select(['id', sql<'manual'>`'manual'`.as('reason'), sql<Date>`now()`.as('expires_at')])
          .where('ref', '=', second),
      )
      .returning('id')
      .execute()
    await passed(0)
    expect(await world.backupOf(Number(rows[0]?.id), second)).toMatchObject({
      status: 'FAILED',
      failure: 'It was broken off',
    })
    const kept = await world.made(second)
    await plane.db.deleteFrom('platform.backups').where('id', '=', String(kept.id)).execute()
    expect(await files(second)).toContain(String(kept.id))
    await plane.backupFilesRound()
    expect(await files(second)).toContain(String(kept.id))
  },
)

test('two are made at a time in the whole installation', patience, async () => {
  const { backups } = world.plane.compute
  if (!backups) throw new Error('This provider keeps no backups')
  const third = await world.createProject('Songs')
  await world.ada.call('POST', `/platform/projects/${world.ref}/restore`)
  await world.reaches(world.ref, 'ACTIVE_HEALTHY')
  const refs = [world.ref, second, third]
  const pending = async () => {
    const all = await Promise.all(refs.map((of) => reasons(of)))
    return all.flat().filter((text) => text === 'scheduled PENDING').length
  }
  const { make } = backups
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  backups.make = async (...given) => {
    await held
    return make(...given)
  }
  try {
    world.pass(2 * day)
    await round()
    expect(await pending()).toBe(2)
    await round()
    expect(await pending()).toBe(2)
    go()
    await settled()
    await passed(0)
  } finally {
    go()
    backups.make = make
  }
  for (const of of refs) expect((await reasons(of))[0]).toBe('scheduled COMPLETED')
})
