import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Compute } from '#contract/projects/compute-resize'
import { customDomainVariant } from '#contract/projects/domains'
import { serviceConnections } from '#contract/projects/compute-sizes'
import { internalToken } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'

const minute = 60_000
const gigabyte = 1024 ** 3

let world: World
let addOns: string
/** What is added to the clock. */
let passed = 0
/** In place of what the machine of this test has. */
const machine = { memoryBytes: 16 * gigabyte, cores: 4 }

beforeAll(async () => {
  world = await startWorld('create table notes as select 7 as n', {
    now: () => new Date(Date.now() + passed),
    rounds: true,
  })
  world.control.compute.capacity = () => machine
  addOns = `/platform/projects/${world.ref}/billing/addons`
})
afterAll(() => world.end())

const set = (size: string, by = world.ada, type = 'compute_instance') =>
  by.call('POST', addOns, { addon_type: type, addon_variant: `ci_${size}` })
const remove = (size: string, by = world.ada) => by.call('DELETE', `${addOns}/ci_${size}`)
const setTier = (tier: 'tier_free' | 'tier_pro') =>
  world.control.db.updateTable('platform.organizations').set({ tier }).execute()
const project = () => `/platform/projects/${world.ref}`
const detail = async () => (await world.ada.call('GET', project())).body
const status = async () => (await world.ada.call('GET', `${project()}/status`)).body['status']
const compute = async (by = world.ada) =>
  (await by.call('GET', `${project()}/compute`)).body as unknown as Compute
const unfinished = async () =>
  (
    await world.control.db
      .selectFrom('platform.jobs')
      .select('name')
      .where('finished_at', 'is', null)
      .execute()
  ).length
async function settled(to = 'ACTIVE_HEALTHY') {
  await expect.poll(unfinished, { timeout: 120_000 }).toBe(0)
  await expect.poll(status).toBe(to)
}
const setting = async (name: string) => (await world.sql(`show ${name}`))[0]?.[name]
const rows = () => world.sql('select n from notes')
/** From one size to the next, whatever was ordered a moment before. */
async function resized(size: string): Promise<void> {
  passed += 11 * minute
  expect(await set(size)).toMatchObject({ status: 201 })
  await settled()
  expect(await detail()).toMatchObject({ infra_compute_size: size })
}
const usages = async () =>
  (
    await world.control.db
      .selectFrom('platform.compute_usage')
      .select(['compute_size', 'ended_at'])
      .orderBy('id')
      .execute()
  ).map(({ compute_size, ended_at }) => `${compute_size}${ended_at === null ? ' now' : ''}`)
const entries = async () =>
  (
    await world.control.db
      .selectFrom('platform.audit_entries')
      .select(['actor_email', 'action'])
      .where('action', 'in', ['billing.setAddOn', 'billing.removeAddOn', 'projects.fail'])
      .orderBy('id')
      .execute()
  ).map(({ action, actor_email }) => `${action} ${actor_email}`)

describe('refused', () => {
  test('who is not signed in, and whose project it is not', async () => {
    const at = `${world.controlUrl}${project()}/compute`
    expect((await fetch(at)).status).toBe(401)
    expect((await fetch(`${world.controlUrl}${addOns}`, { method: 'POST' })).status).toBe(401)
    expect((await world.stranger.call('GET', `${project()}/compute`)).status).toBe(404)
    expect((await set('small', world.stranger)).status).toBe(404)
    expect((await remove('small', world.stranger)).status).toBe(404)
  })

  test('members who manage no add-ons', async () => {
    for (const role of ['Developer', 'Read-only'] as const) {
      expect((await world.as(role).call('GET', `${project()}/compute`)).status).toBe(200)
      expect((await set('small', world.as(role))).status, role).toBe(403)
      expect((await remove('micro', world.as(role))).status, role).toBe(403)
    }
  })

  test('what is no size, or is one of another kind', async () => {
    expect(await set('huge', world.as('Administrator'))).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
    expect(await set('small', world.as('Administrator'), 'pitr')).toMatchObject({ status: 400 })
    expect(await set('', world.as('Administrator'))).toMatchObject({ status: 400 })
    expect(await remove('huge')).toMatchObject({ status: 400 })
    expect(await remove('small')).toMatchObject({ status: 404 })
    expect(await remove('micro')).toMatchObject({ status: 400 })
  })

  test('an add-on for which this installation has no public name', async () => {
    const order = { addon_type: 'custom_domain', addon_variant: customDomainVariant }
    expect((await world.ada.call('POST', addOns, order)).body).toMatchObject({
      code: 'not_on_this_installation',
    })
  })

  test('what the plan does not include', async () => {
    expect(await set('nano', world.as('Administrator'))).toMatchObject({
      status: 403,
      body: { code: 'plan_limit' },
    })
    await setTier('tier_free')
    const refused = await set('small', world.as('Administrator'))
    expect(refused).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
    expect(refused.body['message']).toContain('Upgrade')
    await setTier('tier_pro')
  })

  test('what the machine cannot give', async () => {
    const memory = await set('2xlarge', world.as('Administrator'))
    expect(memory).toMatchObject({ status: 409, body: { code: 'compute_not_here' } })
    expect(memory.body['message']).toContain('16 GB of memory')
    machine.cores = 2
    const cores = await set('xlarge', world.as('Administrator'))
    expect(cores.body['message']).toContain('2 cores')
    machine.cores = 4
    expect(await compute()).toMatchObject({
      machine: { memory_bytes: 16 * gigabyte, cores: 4 },
    })
  })

  test('of an organization that is restricted', async () => {
    const restrict = (restriction_status: 'restricted' | null) =>
      world.control.db.updateTable('platform.organizations').set({ restriction_status }).execute()
    await restrict('restricted')
    expect(await set('small', world.as('Administrator'))).toMatchObject({ status: 402 })
    await restrict(null)
  })

  test('a project that does not run', async () => {
    await world.ada.call('POST', `${project()}/pause`)
    await settled('INACTIVE')
    expect(await set('small')).toMatchObject({ status: 409, body: { code: 'project_busy' } })
    await world.ada.call('POST', `${project()}/restore`)
    await settled()
  })

  test('none of it has changed anything', async () => {
    expect(await detail()).toMatchObject({ infra_compute_size: 'micro' })
    expect(await compute()).toMatchObject({ last_resize: null, cool_down_until: null })
    expect(await entries()).toEqual([])
  })
})

test('another size: one restart, with the limits of the size everywhere, and every row', async () => {
  expect(await setting('shared_buffers')).toBe('32MB')
  const before = Number(await setting('max_connections'))
  const answers = await Promise.all([set('small'), set('small', world.as('Administrator'))])
  // The second one finds the project busy with the first.
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  await settled()
  expect(await detail()).toMatchObject({ infra_compute_size: 'small', failure: null })
  expect(Number(await setting('max_connections'))).toBeGreaterThan(before)
  expect(await setting('shared_buffers')).toBe('256MB')
  expect(await rows()).toEqual([{ n: 7 }])
  const told = await fetch(`${world.controlUrl}/internal/projects/${world.ref}`, {
    headers: { authorization: `Bearer ${internalToken}` },
  })
  expect(await told.json()).toMatchObject({ database: { connections: serviceConnections(60) } })
  const { last_resize: last } = await compute()
  expect(last).toMatchObject({ from: 'micro', to: 'small', outcome: 'resized', failure: null })
  expect(last?.down_ms).toBeGreaterThan(0)
  expect(await entries()).toHaveLength(1)
})

test('the bill has a line for each size, and the new one counts from when the server has it', async () => {
  expect((await usages()).slice(-2)).toEqual(['micro', 'small now'])
  const upcoming = '/platform/organizations/acme/billing/invoices/upcoming'
  const { body } = await world.ada.call('GET', upcoming)
  const lines = (body['lines'] as { kind: string; compute_size: string }[]).filter(
    ({ kind }) => kind === 'compute',
  )
  expect(lines.map(({ compute_size }) => compute_size).toSorted()).toEqual(['micro', 'small'])
})

test('the next change waits for some minutes, and says until when', async () => {
  const refused = await set('medium')
  expect(refused).toMatchObject({ status: 409, body: { code: 'resized_recently' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const { cool_down_until: until } = await compute()
  expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now() + passed)
  // What it has already it may be given at any time.
  expect(await set('small')).toMatchObject({ status: 201 })
  expect(await status()).toBe('ACTIVE_HEALTHY')
  passed += 10 * minute
  expect((await compute()).cool_down_until).toBeNull()
})

test('point in time recovery keeps a project at Small or larger', async () => {
  await world.control.db
    .insertInto('platform.add_on_usage')
    .values({
      organization_id: '1',
      project_ref: world.ref,
      project_name: 'Books',
      variant: 'pitr_7',
      started_at: new Date(),
      ended_at: null,
    })
    .execute()
  expect(await set('micro')).toMatchObject({ status: 409, body: { code: 'compute_too_small' } })
  await world.control.db.deleteFrom('platform.add_on_usage').execute()
})

test('the Management API chooses a size, and goes back to the smallest', async () => {
  const at = `/v1/projects/${world.ref}/billing/addons`
  passed += 11 * minute
  const order = { addon_type: 'compute_instance', addon_variant: 'ci_medium' }
  expect(await world.ada.call('PATCH', at, order)).toMatchObject({ status: 200 })
  await settled()
  const { body } = await world.ada.call('GET', at)
  expect(body['selected_addons']).toMatchObject([{ variant: { id: 'ci_medium' } }])
  const types = (body['available_addons'] as { type: string }[]).map(({ type }) => type)
  expect(types.toSorted()).toEqual(
    ['auth_mfa_phone', 'compute_instance', 'custom_domain', 'log_drain', 'pitr'].filter(isOffered),
  )
  passed += 11 * minute
  expect(await world.ada.call('DELETE', `${at}/ci_medium`)).toMatchObject({ status: 200 })
  await settled()
  expect(await detail()).toMatchObject({ infra_compute_size: 'micro' })
  expect(await setting('shared_buffers')).toBe('32MB')
})
/** Log drains need the Team plan. */
const isOffered = (type: string) => type !== 'log_drain'

describe('a server that does not come up', () => {
  const failing = (when: (maxConnections: number) => boolean) => {
    const { compute } = world.control
    const { resize } = compute
    if (!resize) throw new Error('This provider changes no sizes')
    compute.resize = async (ref, limits) => {
      if (!when(limits.maxConnections)) return resize(ref, limits)
      await compute.stop(ref)
      throw new Error('could not map anonymous shared memory')
    }
    return () => {
      compute.resize = resize
    }
  }

  test('with the new size goes on with the old one, which is paid for, and people are told', async () => {
    const mend = failing((connections) => connections === 60)
    passed += 11 * minute
    const before = await usages()
    expect(await set('small')).toMatchObject({ status: 201 })
    await settled()
    mend()
    expect(await detail()).toMatchObject({ infra_compute_size: 'micro' })
    expect(await rows()).toEqual([{ n: 7 }])
    expect(await usages()).toEqual(before)
    const { last_resize: last, cool_down_until: until } = await compute()
    expect(last).toMatchObject({ to: 'small', outcome: 'kept' })
    expect(last?.failure).toContain('could not map anonymous shared memory')
    expect(until, 'it can be tried again').toBeNull()
    expect((await entries()).slice(-1)).toEqual(['projects.fail null'])
    const notices = await world.control.db
      .selectFrom('platform.notifications')
      .select('title')
      .execute()
    expect(notices.map(({ title }) => title)).toContain(
      'Books could not be resized and has the compute size that it had',
    )
  })

  test('at all is unhealthy, and has the size of its row once it answers', async () => {
    const mend = failing(() => true)
    expect(await set('small')).toMatchObject({ status: 201 })
    await expect.poll(status).toBe('ACTIVE_UNHEALTHY')
    mend()
    // Its server is found stopped, and is started.
    await world.control.reconcile()
    await expect.poll(status).toBe('ACTIVE_HEALTHY')
    await world.control.settleSizes()
    await settled()
    expect(await detail()).toMatchObject({ infra_compute_size: 'micro' })
    expect(await setting('shared_buffers')).toBe('32MB')
    expect(await compute()).toMatchObject({ last_resize: { to: 'small', outcome: 'kept' } })
    expect(await rows()).toEqual([{ n: 7 }])
  })
})

test('a size that differs in price alone is there at once, and nobody is refused meanwhile', async () => {
  const { db } = world.control
  await settled()
  await db.updateTable('platform.projects').set({ compute_size: 'nano' }).execute()
  const jobs = () => db.selectFrom('platform.jobs').select('id').execute()
  const [ordered, started] = [await jobs(), await setting('max_connections')]
  passed += 11 * minute
  expect(await set('micro')).toMatchObject({ status: 201 })
  expect(await status()).toBe('ACTIVE_HEALTHY')
  expect(await detail()).toMatchObject({ infra_compute_size: 'micro' })
  expect(await jobs()).toEqual(ordered)
  expect(await setting('max_connections')).toBe(started)
  const { last_resize: last } = await compute()
  expect(last).toMatchObject({ from: 'nano', to: 'micro', outcome: 'resized', down_ms: null })
  expect(last?.finished_at).toBe(last?.ordered_at)
  expect((await usages()).slice(-2)).toEqual(['nano', 'micro now'])
  expect(await set('small')).toMatchObject({ status: 409, body: { code: 'resized_recently' } })
})

test('a size that a plan has taken away is gone with the next start', async () => {
  await resized('small')
  await world.ada.call('POST', `${project()}/pause`)
  await settled('INACTIVE')
  await world.control.db.updateTable('platform.projects').set({ compute_size: 'nano' }).execute()
  await world.ada.call('POST', `${project()}/restore`)
  await settled()
  expect(await setting('shared_buffers')).toBe('32MB')
  await world.control.db.updateTable('platform.projects').set({ compute_size: 'small' }).execute()
  await world.ada.call('POST', `${project()}/restart`)
  await settled()
  expect(await setting('shared_buffers')).toBe('256MB')
})
