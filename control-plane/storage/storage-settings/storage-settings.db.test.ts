import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import { StorageConfig, v1StorageConfig } from '#contract/storage/storage-settings'
import { keyedRef, startKeyedPlane, type KeyedPlane } from '../../testing/keys.ts'

const [mb, gb] = [1024 * 1024, 1024 * 1024 * 1024]
let world: KeyedPlane
const url = `/platform/projects/${keyedRef}/config/storage`
const v1 = `/v1/projects/${keyedRef}/config/storage`
beforeAll(async () => {
  world = await startKeyedPlane()
})
afterAll(() => world?.end())
beforeEach(async () => {
  await sql`delete from platform.storage_configs`.execute(world.plane.db)
  await onPlan('tier_team')
  await world.reset()
})

const onPlan = (tier: Tier) =>
  sql`update platform.organizations set tier = ${tier}`.execute(world.plane.db)
const change = (body: object, who = world.ada, address = url) => who.call('PATCH', address, body)
const get = async () => (await world.ada.call('GET', url)).body
const served = async () => (await world.served()).settings.storage

const off = { enabled: false }
test.each<[string, object]>([
  ['nothing', {}],
  ['nothing of the features', { features: {} }],
  ['no bytes at all', { fileSizeLimit: 0 }],
  ['half a byte', { fileSizeLimit: 1.5 }],
  ['a size in words', { fileSizeLimit: '20MB' }],
  ['a number beyond all', { fileSizeLimit: 1e300 }],
  ['a switch that is none', { features: { s3Protocol: { enabled: 'no' } } }],
])('%s is refused', async (_, body) => {
  expect(await change(body)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(await world.audited('storageSettings')).toEqual([])
})

test.each<[Tier, object, string]>([
  ['tier_free', { fileSizeLimit: 50 * mb + 1 }, '52428800 bytes at most on the Free plan'],
  [
    'tier_free',
    { features: { imageTransformation: { enabled: true } } },
    'Free plan does not include image',
  ],
  ['tier_pro', { fileSizeLimit: 500 * gb + 1 }, 'bytes at most on the Pro plan'],
])('%s does not include %j', async (tier, body, said) => {
  await onPlan(tier)
  const answer = await change(body)
  expect(answer).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  expect(answer.body['message']).toContain(said)
})

test.each([
  ['Owner', 200],
  ['Administrator', 200],
  ['Developer', 403],
  ['Read-only', 403],
] as const)('%s sees the settings; changing them is %i', async (role, status) => {
  const member = world.memberAs(role)
  for (const address of [url, v1]) {
    expect((await member.call('GET', address)).status).toBe(200)
    expect((await change({ features: { s3Protocol: off } }, member, address)).status).toBe(status)
  }
})

test('nobody without a session, and nobody from elsewhere, comes near', async () => {
  for (const address of [url, v1])
    for (const [method, body] of [['GET'], ['PATCH', { fileSizeLimit: 1 }]] as const) {
      expect((await world.plane.app.inject({ method, url: address })).statusCode).toBe(401)
      const answer = await world.stranger.call(method, address, body)
      expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
    }
})

test('a project begins with 50 MB and everything that its plan has', async () => {
  expect(await get()).toEqual({
    fileSizeLimit: 50 * mb,
    features: { imageTransformation: { enabled: true }, s3Protocol: { enabled: true } },
    allowed: { fileSizeLimit: 500 * gb, imageTransformation: true },
    s3: { endpoint: expect.stringMatching(`${keyedRef}/storage/v1/s3$`), region: 'local' },
  })
  await onPlan('tier_free')
  expect(await served()).toEqual({
    fileSizeLimit: 50 * mb,
    imageTransformation: false,
    s3Protocol: true,
    region: 'local',
    trashDays: 1,
  })
})

test('what is named changes, for the services at once, with an audit entry', async () => {
  expect(await change({ fileSizeLimit: 2 * gb })).toMatchObject({
    status: 200,
    body: { fileSizeLimit: 2 * gb, features: { s3Protocol: { enabled: true } } },
  })
  const both = { imageTransformation: off, s3Protocol: off }
  const answer = await change({ features: both }, world.ada, v1)
  expect(answer.body).toMatchObject({ fileSizeLimit: 2 * gb, features: both })
  const { tracking_id: _, ...changed } = answer.body
  expect((await world.ada.call('GET', v1)).body).toEqual(changed)
  expect(changed).toEqual(v1StorageConfig(StorageConfig.parse(await get())))
  expect(await served()).toMatchObject({
    fileSizeLimit: 2 * gb,
    imageTransformation: false,
    s3Protocol: false,
  })
  expect(await world.audited('storageSettings')).toMatchObject([
    { change: { before: { fileSizeLimit: 50 * mb }, after: { fileSizeLimit: 2 * gb } } },
    { change: { before: { features: {} }, after: { features: both } } },
  ])
})

test('another plan counts at once; what was chosen comes back with the old one', async () => {
  await change({ fileSizeLimit: 2 * gb })
  const told: string[] = []
  const listener = await world.plane.pool.connect()
  try {
    listener.on('notification', ({ payload }) => told.push(payload ?? ''))
    await listener.query('listen plinth_projects')
    await onPlan('tier_free')
    expect(await served()).toMatchObject({ fileSizeLimit: 50 * mb, imageTransformation: false })
    await onPlan('tier_pro')
    expect(await served()).toMatchObject({
      fileSizeLimit: 2 * gb,
      imageTransformation: true,
      trashDays: 7,
    })
    await listener.query('select 1')
    expect(told.filter((ref) => ref === keyedRef)).toHaveLength(2)
  } finally {
    listener.release(true)
  }
})
