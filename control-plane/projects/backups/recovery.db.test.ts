import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../testing/world.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }

let world: World
let addOns: string
let backups: string

beforeAll(async () => {
  world = await startWorld('create table notes (text text)')
  addOns = `/platform/projects/${world.ref}/billing/addons`
  backups = `/platform/database/${world.ref}/backups`
})
afterAll(() => world.end())

const set = (variant: string, by = world.ada, type = 'pitr') =>
  by.call('POST', addOns, { addon_type: type, addon_variant: variant })
const remove = (variant: string, by = world.ada) => by.call('DELETE', `${addOns}/${variant}`)
const update = (values: { compute_size: 'micro' | 'small' }) =>
  world.control.db.updateTable('platform.projects').set(values).execute()
const setTier = (tier: 'tier_free' | 'tier_team') =>
  world.control.db.updateTable('platform.organizations').set({ tier }).execute()
const uses = () =>
  world.control.db
    .selectFrom('platform.add_on_usage')
    .select(['variant', 'ended_at'])
    .orderBy('id')
    .execute()
const status = async () =>
  (await world.ada.call('GET', `/platform/projects/${world.ref}/status`)).body['status']
const unfinished = async () =>
  (
    await world.control.db
      .selectFrom('platform.jobs')
      .select('id')
      .where('finished_at', 'is', null)
      .execute()
  ).length
async function settled() {
  await expect.poll(unfinished, { timeout: 120_000 }).toBe(0)
  expect(await status()).toBe('ACTIVE_HEALTHY')
}
type List = {
  pitr_enabled: boolean
  retention_days: number
  next_at: string
  recovery_windows: { from: number; to: number }[]
  physicalBackupData: { earliestPhysicalBackupDateUnix?: number }
  backups: { reason: string; status: string }[]
}
const list = async () => (await world.ada.call('GET', backups)).body as unknown as List
const keepsWal = async () => (await world.sql('show archive_mode'))[0]?.['archive_mode']
const texts = async () => (await world.sql('select text from notes')).map(({ text }) => text)
const now = () => Math.floor(Date.now() / 1000)
/** A whole second after everything that was done, and before everything that will be. */
async function moment(): Promise<number> {
  const at = now() + 1
  await expect.poll(now, { interval: 20 }).toBeGreaterThan(at)
  return at
}
const pitr = (at: number, by = world.ada) =>
  by.call('POST', `/v1/projects/${world.ref}/database/backups/restore-pitr`, {
    recovery_time_target_unix: at,
  })

test('what there is not, or cannot be switched, is refused', patience, async () => {
  for (const [variant, type] of [
    ['pitr_8', 'pitr'],
    ['pitr_7', 'ipv4'],
    ['ipv4_default', 'ipv4'],
    ['pitr_7', 'nothing'],
  ])
    expect(await set(String(variant), world.ada, String(type))).toMatchObject({ status: 400 })
  expect(await remove('ipv4_default')).toMatchObject({ status: 400 })
  expect(await remove('pitr_7')).toMatchObject({ status: 404 })
  expect(await set('pitr_7', world.stranger)).toMatchObject({ status: 404 })
  expect(await remove('pitr_7', world.stranger)).toMatchObject({ status: 404 })
  expect(await set('pitr_7', world.as('Developer'))).toMatchObject({ status: 403 })
  expect(await remove('pitr_7', world.as('Developer'))).toMatchObject({ status: 403 })
  expect(await set('pitr_7')).toMatchObject({ status: 409, body: { code: 'compute_too_small' } })
  await update({ compute_size: 'small' })
  await setTier('tier_free')
  expect(await set('pitr_7')).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  await setTier('tier_team')
  expect(await pitr(now())).toMatchObject({ status: 409, body: { code: 'recovery_off' } })
  expect(await uses()).toEqual([])
  expect(await list()).toMatchObject({ pitr_enabled: false, recovery_windows: [] })
})

test('switched on, the server keeps its WAL and a backup is made at once', patience, async () => {
  expect(await set('pitr_7', world.as('Administrator'))).toMatchObject({ status: 201 })
  expect(await status()).toBe('RESTARTING')
  await settled()
  expect(await keepsWal()).toBe('on')
  expect(await uses()).toMatchObject([{ variant: 'pitr_7', ended_at: null }])
  expect(await list()).toMatchObject({ pitr_enabled: true })
  // From the first whole second after it.
  await expect.poll(async () => (await list()).recovery_windows).toHaveLength(1)
  const found = await list()
  expect(found.backups).toMatchObject([{ reason: 'scheduled', status: 'COMPLETED' }])
  expect(Math.abs(Date.parse(found.next_at) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000)
  const shown = await world.ada.call('GET', addOns)
  expect(shown.body['selected_addons']).toMatchObject([
    { variant: { identifier: 'ci_small' } },
    { type: 'pitr', variant: { identifier: 'pitr_7' } },
  ])
  const v1 = await world.ada.call('GET', `/v1/projects/${world.ref}/database/backups`)
  expect(v1.body).toMatchObject({
    walg_enabled: true,
    pitr_enabled: true,
    backups: [{ status: 'COMPLETED', is_physical_backup: true }],
    physical_backup_data: {
      earliest_physical_backup_date_unix: found.physicalBackupData.earliestPhysicalBackupDateUnix,
    },
  })
})

test('another variant is another price for more days, and restarts nothing', patience, async () => {
  expect(await set('pitr_7')).toMatchObject({ status: 201 })
  expect(await set('pitr_28')).toMatchObject({ status: 201 })
  expect(await status()).toBe('ACTIVE_HEALTHY')
  expect(await uses()).toMatchObject([
    { variant: 'pitr_7', ended_at: expect.any(Date) },
    { variant: 'pitr_28', ended_at: null },
  ])
  expect(await list()).toMatchObject({ retention_days: 28 })
  expect(await remove('pitr_7')).toMatchObject({ status: 404 })
})

let between: number
test('the database is restored to a moment', patience, async () => {
  await world.sql(`insert into notes values ('before')`)
  between = await moment()
  await world.sql(`insert into notes values ('after')`)
  const [window] = (await list()).recovery_windows
  for (const at of [Number(window?.from) - 1, now() + 60])
    expect(await pitr(at)).toMatchObject({ status: 409, body: { code: 'moment_not_covered' } })
  expect(await pitr(between, world.as('Read-only'))).toMatchObject({ status: 403 })
  expect(await pitr(between, world.as('Developer'))).toMatchObject({ status: 201 })
  await settled()
  await expect.poll(texts).toEqual(['before'])
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select(['actor_email', 'change'])
    .where('action', '=', 'v1.restorePitr')
    .execute()
  expect(entries).toMatchObject([
    {
      actor_email: 'developer@example.com',
      change: { after: { restored_to: new Date(between * 1000).toISOString() } },
    },
  ])
})

test(
  'after it another history is kept, and moments of the old one can still be reached',
  patience,
  async () => {
    // It leads on from a backup of its own.
    await expect.poll(async () => (await list()).recovery_windows).toHaveLength(2)
    expect(await keepsWal()).toBe('on')
    await world.sql(`insert into notes values ('new')`)
    const later = await moment()
    await world.sql('delete from notes')
    const made = await world.ada.call('POST', `/platform/database/${world.ref}/clone`, {
      newProjectName: 'Old books',
      newDbPass: 'Granite-7 under water',
      recoveryTimeTarget: between,
    })
    expect(made).toMatchObject({ status: 201 })
    await settled()
    const rows = await world.ada.call(
      'POST',
      `/v1/projects/${String(made.body['ref'])}/database/query`,
      { query: 'select text from notes' },
    )
    expect(Object.values(rows.body)).toEqual([{ text: 'before' }])
    const at = { recovery_time_target_unix: later }
    expect(await world.ada.call('POST', `${backups}/pitr`, at)).toMatchObject({ status: 201 })
    await settled()
    await expect.poll(texts).toEqual(['before', 'new'])
  },
)

test('switched off, the server keeps nothing, and nothing more is paid', patience, async () => {
  expect(await remove('pitr_28')).toMatchObject({ status: 200 })
  expect(await status()).toBe('RESTARTING')
  await settled()
  expect(await keepsWal()).toBe('off')
  expect(await remove('pitr_28')).toMatchObject({ status: 404 })
  expect((await uses()).filter(({ ended_at }) => ended_at === null)).toEqual([])
  expect(await list()).toMatchObject({ pitr_enabled: false, recovery_windows: [] })
  expect(await pitr(between)).toMatchObject({ status: 409, body: { code: 'recovery_off' } })
})

test(
  'a plan that does not have it ends it; what could not be told a paused server is told later',
  patience,
  async () => {
    const project = `/platform/projects/${world.ref}`
    const patch = { addon_type: 'pitr', addon_variant: 'pitr_14' }
    const at = `/v1/projects/${world.ref}/billing/addons`
    expect(await world.ada.call('PATCH', at, patch)).toMatchObject({ status: 200 })
    await settled()
    await world.ada.call('POST', `${project}/pause`)
    await expect.poll(status).toBe('INACTIVE')
    await setTier('tier_free')
    await world.control.backupRound()
    expect((await uses()).filter(({ ended_at }) => ended_at === null)).toEqual([])
    await setTier('tier_team')
    await world.ada.call('POST', `${project}/restore`)
    await settled()
    expect(await keepsWal()).toBe('on')
    await world.control.backupRound()
    await settled()
    expect(await keepsWal()).toBe('off')
    const entries = await world.control.db
      .selectFrom('platform.audit_entries')
      .select(['actor_email', 'action'])
      .where('action', 'in', ['billing.setAddOn', 'billing.removeAddOn', 'backups.archive'])
      .orderBy('id')
      .execute()
    expect(entries.map(({ action, actor_email }) => `${action} ${actor_email}`)).toEqual([
      'billing.setAddOn administrator@example.com',
      'backups.archive administrator@example.com',
      'billing.setAddOn ada@example.com',
      'billing.removeAddOn ada@example.com',
      'backups.archive ada@example.com',
      'billing.setAddOn ada@example.com',
      'backups.archive ada@example.com',
      'billing.removeAddOn null',
      'backups.archive null',
    ])
  },
)
