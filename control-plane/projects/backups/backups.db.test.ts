import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBackupWorld, type BackupWorld } from '../../testing/backups.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }

let world: BackupWorld
beforeAll(async () => {
  world = await startBackupWorld()
})
afterAll(() => world.end())

const nobody = 'z'.repeat(20)
const hour = 3_600_000

test('what is no project, no id or no moment is refused', patience, async () => {
  const { ada, path } = world
  for (const call of [
    () => ada.call('GET', path('short')),
    () => ada.call('POST', `${path()}/download`, {}),
    () => ada.call('POST', `${path()}/download`, { id: 'one' }),
    () => ada.call('POST', `${path()}/download`, { id: -1 }),
    () => ada.call('POST', `${path()}/restore`, { id: 1.5 }),
    () => ada.call('POST', `${path()}/pitr`, { recovery_time_target_unix: 'now' }),
  ])
    expect(await call()).toMatchObject({ status: 400 })
  for (const call of [
    () => ada.call('GET', path(nobody)),
    () => ada.call('POST', path(nobody)),
    () => ada.call('GET', `${path(nobody)}/downloadable-backups`),
    () => ada.call('POST', `${path()}/download`, { id: 4711 }),
    () => ada.call('POST', `${path()}/restore`, { id: 4711 }),
  ])
    expect(await call()).toMatchObject({ status: 404 })
})

test('strangers see nothing, and each role does what it may', patience, async () => {
  const { path, stranger, as } = world
  expect(await stranger.call('GET', path())).toMatchObject({ status: 404 })
  expect(await stranger.call('POST', path())).toMatchObject({ status: 404 })
  const reader = as('Read-only')
  expect(await reader.call('GET', path())).toMatchObject({ status: 200 })
  for (const call of [
    () => reader.call('POST', path()),
    () => reader.call('GET', `${path()}/downloadable-backups`),
    () => reader.call('POST', `${path()}/download`, { id: 1 }),
    () => reader.call('POST', `${path()}/restore`, { id: 1 }),
    () => reader.call('POST', `${path()}/pitr`, { recovery_time_target_unix: 1 }),
  ])
    expect(await call()).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
  expect(await as('Developer').call('GET', `${path()}/downloadable-backups`)).toMatchObject({
    status: 200,
    body: { status: 'no-backups', backups: [] },
  })
})

test('the Free plan has no backups', patience, async () => {
  const { ada, path, list, setTier } = world
  await setTier('tier_free')
  expect(await list()).toMatchObject({ tierKey: 'tier_free', retention_days: 0, next_at: null })
  const refusal = { status: 403, body: { code: 'plan_limit' } }
  expect(await ada.call('POST', path())).toMatchObject(refusal)
  expect(await ada.call('POST', `${path()}/restore`, { id: 1 })).toMatchObject(refusal)
  await setTier('tier_team')
  expect(await list()).toMatchObject({ tierKey: 'tier_team', retention_days: 14, backups: [] })
})

test(
  'a backup is made, shown as completed once it was read back, and one at a time',
  patience,
  async () => {
    const { ada, as, path, list, ended, ref } = world
    const both = await Promise.all([
      as('Developer').call('POST', path()),
      as('Developer').call('POST', path()),
    ])
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([201, 409]))
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'backup_running',
    })
    const made = both.find(({ status }) => status === 201)
    expect(made?.body).toMatchObject({
      status: 'PENDING',
      reason: 'manual',
      isPhysicalBackup: true,
      taken_at: null,
      rows: null,
    })
    const done = await ended(Number(made?.body['id']))
    expect(done).toMatchObject({ status: 'COMPLETED', failure: null })
    expect(Number(done['tables'])).toBeGreaterThan(20)
    expect(Number(done['size_bytes'])).toBeGreaterThan(1_000_000)
    const kept = Date.parse(String(done['expires_at'])) - Date.parse(String(done['inserted_at']))
    expect(Math.round(kept / hour / 24)).toBe(14)
    expect(await list()).toMatchObject({ walg_enabled: true, pitr_enabled: false, downloads: true })
    expect(await ada.call('GET', `/platform/projects/${ref}`)).toMatchObject({
      body: { is_physical_backups_enabled: true },
    })
    const [entry, ...more] = await world.audited('backups.make')
    expect(entry).toMatchObject({
      actor_email: 'developer@example.com',
      target: `project:${ref}`,
      change: { after: { backup: done.id } },
    })
    expect(more).toEqual([])
  },
)

test('its file is had by whoever has the address, for an hour', patience, async () => {
  const { ada, as, path, plane, list, ref } = world
  const [done] = (await list()).backups
  expect(await as('Developer').call('GET', `${path()}/downloadable-backups`)).toMatchObject({
    body: { status: 'ok', backups: [{ id: done?.id }] },
  })
  const given = await ada.call('POST', `${path()}/download`, { id: done?.id })
  expect(given).toMatchObject({ status: 201 })
  const address = new URL(String(given.body['fileUrl']))
  expect(address.origin).toBe('http://localhost:8000')
  const at = `${address.pathname}${address.search}`
  const get = (url: string) => plane.app.inject({ method: 'GET', url })
  expect((await get(address.pathname)).statusCode).toBe(400)
  expect((await get(`${address.pathname}?token=nonsense`)).statusCode).toBe(403)
  const other = at.replace(`/${done?.id}/`, `/${Number(done?.id) + 1}/`)
  expect((await get(other)).statusCode).toBe(403)

  const file = await get(at)
  expect(file.statusCode).toBe(200)
  expect(file.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(done?.['size_bytes']),
    'cache-control': 'no-store',
  })
  expect(file.headers['content-disposition']).toMatch(
    /^attachment; filename="Books-\d{4}-\d\d-\d\d-\d\d-\d\d\.tar\.gz"$/,
  )
  const folder = await mkdtemp(join(tmpdir(), 'plinth-download-'))
  try {
    await writeFile(join(folder, 'file.tar.gz'), file.rawPayload)
    const listing = await promisify(execFile)('tar', ['-tzf', join(folder, 'file.tar.gz')])
    expect(listing.stdout.split('\n')).toContain('PG_VERSION')
  } finally {
    await rm(folder, { recursive: true })
  }
  expect(await world.audited('backups.download')).toMatchObject([
    {
      actor_email: 'ada@example.com',
      target: `project:${ref}`,
      change: { after: { backup: done?.id } },
    },
  ])
  world.pass(hour + 1000)
  expect(await get(at).then(({ statusCode, body }) => [statusCode, body])).toEqual([
    403,
    expect.stringContaining('no longer valid'),
  ])
})

test(
  'one that cannot be made has failed with the reason, and leaves nothing',
  patience,
  async () => {
    const { ada, path, ended, plane, ref } = world
    const { backups } = plane.compute
    if (!backups) throw new Error('This provider keeps no backups')
    const before = await backups.list(ref)
    const check = backups.check
    backups.check = () => Promise.reject(new Error('The backup cannot be read back: a bad block'))
    try {
      const { body } = await ada.call('POST', path())
      expect(await ended(Number(body['id']))).toMatchObject({
        status: 'FAILED',
        failure: 'The backup cannot be read back: a bad block',
      })
      const refused = await ada.call('POST', `${path()}/download`, { id: body['id'] })
      expect(refused).toMatchObject({ status: 409, body: { code: 'backup_not_completed' } })
    } finally {
      backups.check = check
    }
    await expect.poll(() => world.unfinished()).toBe(0)
    expect(await backups.list(ref)).toEqual(before)
    expect(await world.audited('backups.fail')).toMatchObject([
      { actor_email: null, change: { after: { reason: 'manual' } } },
    ])
    const news = await ada.call('GET', `/platform/notifications?project=${ref}&limit=10`)
    expect(JSON.stringify(news.body)).toContain('A backup of Books failed')
  },
)

test('only what runs is backed up, and what is removed leaves nothing', patience, async () => {
  const { ada, path, plane, reaches } = world
  const other = await world.createProject('Films')
  await world.made(other)
  await ada.call('POST', `/platform/projects/${other}/pause`)
  await reaches(other, 'INACTIVE')
  expect(await ada.call('POST', path(other))).toMatchObject({
    status: 409,
    body: { code: 'project_busy' },
  })
  expect(await world.list(other)).toMatchObject({
    next_at: null,
    backups: [{ status: 'COMPLETED' }],
  })
  await ada.call('DELETE', `/platform/projects/${other}`)
  await expect.poll(async () => (await ada.call('GET', path(other))).status).toBe(404)
  await expect.poll(async () => (await plane.compute.backups?.list(other)) ?? []).toEqual([])
  const rows = await plane.db
    .selectFrom('platform.backups as backup')
    .innerJoin('platform.projects as project', 'project.id', 'backup.project_id')
    .select('backup.id')
    .where('project.ref', '=', other)
    .execute()
  expect(rows).toEqual([])
})
