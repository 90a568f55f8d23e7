import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxLogDrains } from '#contract/observability/log-drain-shapes'
import { canary, startDrains, webhook, type DrainsWorld } from '../../testing/log-drains.ts'
import type { Person } from '../../testing/control-plane.ts'
import { organizationOf } from '../../testing/people.ts'

let world: DrainsWorld
beforeAll(async () => {
  world = await startDrains()
})
afterAll(() => world.end())
beforeEach(async () => {
  world.sent.length = 0
  world.answer.status = 200
  world.answer.value = { ok: true, status: 200, detail: '', milliseconds: 3 }
  await world.onTier('tier_team')
  await world.forget()
})

const nobody = '11111111-1111-4111-8111-111111111111'
const make = (path: string, drain?: object) => world.make(path, drain)
const both = () => [world.path, world.auditPath]
const calls = (path: string, token: string) =>
  [
    ['GET', path, undefined],
    ['POST', path, webhook()],
    ['PUT', `${path}/${token}`, { name: 'Other' }],
    ['DELETE', `${path}/${token}`, undefined],
    ['POST', `${path}/test`, { ...webhook(), name: undefined }],
  ] as const
const statuses = async (who: Person, path: string, token: string) => {
  const found: number[] = []
  for (const [method, url, body] of calls(path, token))
    found.push((await who.call(method, url, body)).status)
  return found
}

test('strangers find nothing, who is not signed in is asked to, and only Owners and Administrators change drains', async () => {
  for (const path of both()) {
    const token = await make(path)
    for (const [method, url] of calls(path, token)) {
      const { statusCode } = await world.plane.app.inject({ method, url })
      expect([method, url, statusCode]).toEqual([method, url, 401])
    }
    expect(await statuses(world.stranger, path, token)).toEqual([404, 404, 404, 404, 404])
    for (const role of ['Developer', 'Read-only'] as const)
      expect(await statuses(world.as(role), path, token)).toEqual([200, 403, 403, 403, 403])
    expect(await statuses(world.as('Administrator'), path, token)).toEqual([
      200, 201, 200, 200, 200,
    ])
  }
  for (const [method, url] of [
    ['GET', '/internal/log-drains'],
    ['POST', '/internal/log-drains'],
    ['GET', '/internal/audit-entries/1'],
  ] as const)
    expect((await world.plane.app.inject({ method, url })).statusCode).toBe(401)
})

test('what is wrong with a config is named by its field, and nothing is kept', async () => {
  const url = 'https://x.example'
  const bob = await world.administrator()
  const cases: [string, object, string][] = [
    ['webhook', {}, 'config.url'],
    ['webhook', { url: 'ftp://x.example' }, 'config.url: must be an address'],
    ['webhook', { url: 'https://me:pass@x.example' }, 'config.url'],
    ['webhook', { url, headers: { 'a b': 'x' } }, 'config.headers'],
    ['webhook', { url, headers: { Host: 'x' } }, 'config.headers'],
    ['webhook', { url, headers: { X: 'a\r\nb' } }, 'config.headers.X'],
    ['webhook', { url, headers: { X: '' } }, 'config.headers.X: has no value'],
    ['webhook', { url, headers: { X: 'a', x: 'b' } }, 'config.headers: has a name twice'],
    ['webhook', { url, headers: ['x'] }, 'config.headers'],
    ['webhook', { url, more: 1 }, 'config: Unrecognized key'],
    ['datadog', { region: 'US1' }, 'config.api_key'],
    ['datadog', { api_key: '', region: 'US1' }, 'config.api_key'],
    ['datadog', { api_key: 'x', region: 'MARS' }, 'config.region'],
    ['s3', { s3_bucket: 'a/b' }, 'config.s3_bucket'],
    [
      's3',
      { s3_bucket: 'a', storage_region: 'x.evil', access_key_id: 'a', secret_access_key: 'b' },
      'config.storage_region',
    ],
    ['sentry', { dsn: 'nonsense' }, 'config.dsn'],
    ['otlp', { endpoint: 'x' }, 'config.endpoint'],
    ['axiom', { api_token: 'x', dataset_name: 'a', domain: 'a/b' }, 'config.domain'],
    ['loki', { url: 'http://[' }, 'config.url'],
  ]
  for (const [type, config, message] of cases)
    for (const at of ['', '/test']) {
      const { status, body } = await bob.call('POST', world.path + at, {
        ...webhook(),
        type,
        config,
      })
      expect([type, config, at, status, body['message']]).toEqual([
        type,
        config,
        at,
        400,
        expect.stringContaining(message),
      ])
    }
  for (const bad of [
    { type: 'smoke' },
    { name: '' },
    { name: 'x'.repeat(101) },
    { description: 'x'.repeat(501) },
    { config: 'x' },
    { config: { url: 'https://x.example/\0' } },
  ])
    expect([bad, (await world.ada.call('POST', world.path, webhook(bad))).status]).toEqual([
      bad,
      400,
    ])
  expect(await world.list(world.path)).toEqual([])
  expect(world.sent).toEqual([])
})

test('addresses that sending would refuse are refused before anything waits for them', async () => {
  const bob = await world.administrator()
  const cases: [string, object, string][] = [
    ['loki', { url: 'http://x.example' }, 'config.url: The address must start with https://'],
    ['webhook', { url: 'http://127.0.0.2/in' }, 'config.url: 127.0.0.2 is not a public address'],
    ['webhook', { url: 'https://169.254.169.254/' }, 'config.url: 169.254.169.254 is not'],
    ['otlp', { endpoint: 'https://[::1]' }, 'config.endpoint: ::1 is not a public address'],
    ['sentry', { dsn: 'http://key@x.example/1' }, 'config.dsn: The address must start with https'],
    ['axiom', { api_token: 'x', dataset_name: 'a', domain: '10.0.0.1' }, 'config.domain: 10.0.0.1'],
  ]
  for (const [type, config, message] of cases)
    for (const at of ['', '/test']) {
      const { status, body } = await bob.call('POST', world.path + at, webhook({ type, config }))
      expect([type, at, status, body['message']]).toEqual([
        type,
        at,
        400,
        expect.stringContaining(message),
      ])
    }
  expect(world.sent).toEqual([])
  const token = await make(world.path)
  const change = { config: { url: 'http://logs.example.com/in', headers: {} } }
  const { status, body } = await bob.call('PUT', `${world.path}/${token}`, change)
  expect([status, body['message']]).toEqual([
    400,
    'config.url: The address must start with https://',
  ])
})

test('what is not there is not found, also under another owner', async () => {
  const ofProject = await make(world.path)
  const ofAudit = await make(world.auditPath)
  for (const [path, token] of [
    [world.path, nobody],
    [world.path, ofAudit],
    [world.auditPath, ofProject],
  ] as const) {
    const found = (status: number, body: Record<string, unknown>) => [status, body['code']]
    const gone = [404, 'log_drain_not_found']
    const change = await world.ada.call('PUT', `${path}/${token}`, { name: 'x' })
    expect(found(change.status, change.body)).toEqual(gone)
    const removed = await world.ada.call('DELETE', `${path}/${token}`)
    expect(found(removed.status, removed.body)).toEqual(gone)
    const tested = await world.ada.call('POST', `${path}/test`, { ...webhook(), token })
    expect(found(tested.status, tested.body)).toEqual(gone)
  }
  expect((await world.ada.call('PUT', `${world.path}/x`, { name: 'x' })).status).toBe(400)
})

test('there are so many and no more, however many are made at once', async () => {
  for (const path of both()) {
    for (let i = 0; i < maxLogDrains - 1; i++) await make(path)
    const two = await Promise.all([0, 1].map(() => world.ada.call('POST', path, webhook())))
    expect(two.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(two.find(({ status }) => status === 409)?.body['code']).toBe('too_many_log_drains')
    expect(await world.list(path)).toHaveLength(maxLogDrains)
  }
})

test('tests are limited, because each is a request to somebody else', async () => {
  const bob = await world.administrator()
  const test = () => bob.call('POST', `${world.path}/test`, webhook())
  expect((await test()).body).toEqual({ ok: true, status: 200, detail: '', milliseconds: 3 })
  // Twice as many as there may be: a minute may end in between.
  const all: number[] = []
  for (let i = 0; i < 41; i++) all.push((await test()).status)
  expect(all.slice(0, 19)).toEqual(Array(19).fill(200))
  expect(all).toContain(429)
})

test('below Team there are none; what is left sends nothing, costs nothing, and can be seen and deleted', async () => {
  for (const tier of ['tier_free', 'tier_pro', 'tier_payg'] as const) {
    await world.onTier(tier)
    for (const path of both())
      for (const [method, url, body] of calls(path, nobody)) {
        if (method === 'DELETE' || method === 'GET') continue
        const answer = await world.ada.call(method, url, body)
        expect([tier, url, answer.status, answer.body['code'], answer.body['message']]).toEqual([
          tier,
          url,
          403,
          'plan_limit',
          'Log drains are available on the Team plan and above',
        ])
      }
  }
  await world.onTier('tier_team')
  const token = await make(world.path)
  await make(world.auditPath)
  expect(await world.orders()).toHaveLength(2)
  await world.onTier('tier_pro')
  expect(await world.orders()).toEqual([])
  expect(await world.list(world.path)).toMatchObject([{ token, enabled: true }])
  expect((await world.ada.call('PUT', `${world.path}/${token}`, { enabled: false })).status).toBe(
    403,
  )
  const open = () =>
    world.plane.db
      .selectFrom('platform.add_on_usage')
      .select(['item', 'project_ref'])
      .where('ended_at', 'is', null)
      .execute()
  expect(await open()).toEqual([])
  world.pass(60_000)
  await world.onTier('tier_team')
  expect(await world.orders()).toMatchObject([
    { token, since: world.clock.now.getTime(), config: { headers: { 'X-Key': canary } } },
    { scope: { of: 'organization' } },
  ])
  expect(await open()).toHaveLength(2)
  await world.onTier('tier_free')
  expect((await world.ada.call('DELETE', `${world.path}/${token}`)).status).toBe(200)
})

test('one that is switched off sends nothing, and starts with what comes once it is on again', async () => {
  const token = await make(world.path)
  const [first] = await world.orders()
  world.pass(1000)
  const put = (enabled: boolean) => world.ada.call('PUT', `${world.path}/${token}`, { enabled })
  expect((await put(false)).body).toMatchObject({ enabled: false })
  expect(await world.orders()).toEqual([])
  world.pass(1000)
  await put(true)
  const [second] = await world.orders()
  expect(second?.since).toBe((first?.since ?? 0) + 2000)
  expect(second?.revision).toBeGreaterThan(first?.revision ?? 0)
  // What changes nothing is told to nobody.
  await put(true)
  expect(await world.orders()).toEqual([second])
  await world.ada.call('PUT', `${world.path}/${token}`, { description: 'For the auditors' })
  expect((await world.orders())[0]?.revision).toBeGreaterThan(second?.revision ?? 0)
})

test('the audit log has each change, and a project that is gone leaves nothing', async () => {
  const token = await make(world.path)
  await world.ada.call('PUT', `${world.path}/${token}`, { name: 'Renamed' })
  await world.ada.call('DELETE', `${world.path}/${token}`)
  const entries = await world.plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'change', 'target'])
    .where('action', 'like', 'log-drains.%')
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  expect(entries.toReversed()).toMatchObject([
    {
      action: 'log-drains.create',
      target: `project:${world.ref}`,
      change: { after: { name: 'Archive', secrets: ['headers.X-Key'] } },
    },
    {
      action: 'log-drains.update',
      change: { before: { name: 'Archive' }, after: { name: 'Renamed' } },
    },
    { action: 'log-drains.remove', change: { before: { name: 'Renamed' } } },
  ])
  const filtered = await world.ada.call(
    'GET',
    '/platform/organizations/mine/audit?action=log-drains&limit=1',
  )
  expect(filtered).toMatchObject({
    status: 200,
    body: { result: [{ action: { name: 'log-drains.remove' } }] },
  })
  await make(world.path)
  await world.plane.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('platform.projects')
      .set({ status: 'REMOVED' })
      .where('ref', '=', world.ref)
      .execute()
    expect(await tx.selectFrom('platform.log_drains').selectAll().execute()).toEqual([])
    const usage = tx
      .selectFrom('platform.add_on_usage')
      .select('item')
      .where('ended_at', 'is', null)
    expect(await usage.execute()).toEqual([])
    await tx
      .updateTable('platform.projects')
      .set({ status: 'ACTIVE_HEALTHY' })
      .where('ref', '=', world.ref)
      .execute()
  })
})

test('the data planes are told at once of drains of an organization that has no project, and of its plan', async () => {
  await organizationOf(world.ada, 'Empty', 'tier_team')
  const listener = await world.plane.pool.connect()
  try {
    const heard: (string | undefined)[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    await listener.query('listen plinth_projects')
    const told = async (count: number) => {
      // Notices arrive before the answer of the next statement.
      await listener.query('select 1')
      expect(heard).toEqual(Array.from({ length: count }, () => ''))
    }
    const path = '/platform/organizations/empty/analytics/audit-log-drains'
    const token = await make(path)
    await told(1)
    await world.ada.call('PUT', `${path}/${token}`, { enabled: false })
    await told(2)
    expect((await world.ada.call('POST', path, webhook({ name: '' }))).status).toBe(400)
    await told(2)
    await world.ada.call('DELETE', `${path}/${token}`)
    await told(3)
    await world.internal('PUT', '/internal/billing/organizations/empty', { tier: 'tier_pro' })
    await listener.query('select 1')
    expect(heard.length).toBeGreaterThan(3)
  } finally {
    listener.release(true)
  }
})
