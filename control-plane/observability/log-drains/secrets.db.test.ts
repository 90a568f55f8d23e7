import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { canary, startDrains, webhook, type DrainsWorld } from '../../testing/log-drains.ts'

let world: DrainsWorld
beforeAll(async () => {
  world = await startDrains()
})
afterAll(() => world.end())
beforeEach(async () => {
  world.sent.length = 0
  world.answer.value = { ok: true, status: 200, detail: '', milliseconds: 3 }
  await world.forget()
})

const make = (path: string, drain?: object) => world.make(path, drain)
const both = () => [world.path, world.auditPath]

test('a secret goes in and comes out for the data plane only', async () => {
  for (const path of both()) {
    const token = await make(path)
    await world.ada.call('PUT', `${path}/${token}`, {
      config: { url: 'https://logs.example.com/in', headers: { 'X-Key': `${canary}-2` } },
    })
    const drains = await world.list(path)
    expect(drains).toMatchObject([
      { config: { url: 'https://logs.example.com/in', headers: { 'X-Key': '' } } },
    ])
    expect(JSON.stringify(drains)).not.toContain(canary)
  }
  const tables = await world.plane.pool.query(
    `select (select json_agg(d)::text from platform.log_drains d) as drains,
      (select json_agg(a)::text from platform.audit_entries a) as audit`,
  )
  expect(tables.rows[0]).toMatchObject({
    drains: expect.stringContaining('logs.example.com') as string,
    audit: expect.stringContaining('headers.X-Key') as string,
  })
  expect(JSON.stringify(tables.rows)).not.toContain(canary)
  const orders = await world.orders()
  expect(orders).toMatchObject([
    { scope: { of: 'project', ref: world.ref }, config: { headers: { 'X-Key': `${canary}-2` } } },
    {
      scope: { of: 'organization', id: Number(world.organization) },
      config: { headers: { 'X-Key': `${canary}-2` } },
    },
  ])
})

test('what an update leaves out stays: secrets, names of headers with empty values, the rest', async () => {
  const token = await make(world.path, {
    name: 'Loki',
    type: 'loki',
    config: {
      url: 'https://loki.example',
      username: 'me',
      password: canary,
      headers: { A: 'one', B: 'two' },
    },
  })
  const put = (config: object) => world.ada.call('PUT', `${world.path}/${token}`, { config })
  const kept = async () => (await world.orders())[0]?.config
  expect((await put({ url: 'https://loki.example/path', username: 'you' })).status).toBe(200)
  expect(await kept()).toEqual({
    url: 'https://loki.example/path',
    username: 'you',
    password: canary,
    headers: { A: 'one', B: 'two' },
  })
  await put({ url: 'https://loki.example', password: '', headers: { a: '', C: 'three' } })
  expect(await kept()).toEqual({
    url: 'https://loki.example',
    password: canary,
    headers: { a: 'one', C: 'three' },
  })
  expect((await world.list(world.path))[0]?.config).toEqual({
    url: 'https://loki.example',
    password: '',
    headers: { a: '', C: '' },
  })
  await put({ url: 'https://loki.example', headers: {} })
  expect(await kept()).toEqual({ url: 'https://loki.example', password: canary, headers: {} })
  expect(
    (await world.ada.call('PUT', `${world.path}/${token}`, { name: 'Renamed' })).body,
  ).toMatchObject({ name: 'Renamed', enabled: true, type: 'loki' })
  expect(await kept()).toMatchObject({ password: canary })
  await put({ url: 'https://elsewhere.example', password: null })
  expect(await kept()).toEqual({ url: 'https://elsewhere.example', headers: {} })
})

test('who may change a drain and not see its secrets cannot have them sent elsewhere', async () => {
  const attacker = await world.administrator()
  const cases: [object, object, string][] = [
    [
      webhook(),
      { url: 'https://evil.example/in', headers: { 'X-Key': '' } },
      'config.headers.X-Key',
    ],
    [webhook(), { url: 'https://evil.example/in' }, 'config.headers'],
    [webhook(), { url: 'http://logs.example.com/in' }, 'config.headers'],
    [webhook(), { url: 'https://logs.example.com:444/in' }, 'config.headers'],
    [webhook(), { url: 'https://logs.example.com.evil.example/in' }, 'config.headers'],
    [
      { name: 'L', type: 'loki', config: { url: 'https://l.example', password: canary } },
      { url: 'https://evil.example' },
      'config.password',
    ],
    [
      {
        name: 'O',
        type: 'otlp',
        config: { endpoint: 'https://o.example', headers: { A: canary } },
      },
      { endpoint: 'https://evil.example' },
      'config.headers',
    ],
    [
      { name: 'D', type: 'datadog', config: { api_key: canary, region: 'EU' } },
      { region: 'US1' },
      'config.api_key',
    ],
    [
      { name: 'A', type: 'axiom', config: { api_token: canary, dataset_name: 'logs' } },
      { dataset_name: 'logs', domain: 'evil.example' },
      'config.api_token',
    ],
    [
      {
        name: 'S',
        type: 's3',
        config: {
          s3_bucket: 'b',
          storage_region: 'eu-central-1',
          access_key_id: 'id',
          secret_access_key: canary,
        },
      },
      {
        s3_bucket: 'b',
        storage_region: 'eu-central-1',
        access_key_id: 'id',
        endpoint: 'https://evil.example',
      },
      'config.secret_access_key',
    ],
  ]
  for (const [drain, config, field] of cases) {
    const token = await make(world.path, drain)
    const type = String((drain as { type: string }).type)
    const refused = {
      status: 400,
      body: { message: expect.stringContaining(`${field}: Enter it again`) as string },
    }
    expect(await attacker.call('PUT', `${world.path}/${token}`, { config })).toMatchObject(refused)
    expect(
      await attacker.call('POST', `${world.path}/test`, { token, type, config }),
    ).toMatchObject(refused)
  }
  expect(world.sent).toEqual([])
  // Who knows the secrets may send them wherever they like.
  const [drain] = await world.list(world.path)
  const config = { url: 'https://new.example/in', headers: { 'X-Key': 'known' } }
  expect((await attacker.call('PUT', `${world.path}/${drain?.token}`, { config })).status).toBe(200)
})

test('a test uses what is kept, and shows nothing of it though the other side says all that it was sent', async () => {
  const token = await make(world.path)
  world.answer.value = {
    ok: false,
    status: 400,
    detail: `You said X-Key: ${canary}`,
    milliseconds: 3,
  }
  const config = { url: 'https://logs.example.com/echo' }
  const test = (type: string) =>
    world.ada.call('POST', `${world.path}/test`, { token, type, config })
  expect((await test('webhook')).body).toMatchObject({
    ok: false,
    detail: 'You said X-Key: [redacted]',
  })
  expect(world.sent).toMatchObject([
    {
      url: '/internal/log-drains/test',
      body: { type: 'webhook', config: { ...config, headers: { 'X-Key': canary } } },
    },
  ])
  expect(await test('loki')).toMatchObject({
    status: 400,
    body: { message: 'type: This log drain is of type webhook' },
  })
  await world.report(token, {
    failing_since: world.clock.now.toISOString(),
    last_error: `401: X-Key ${canary}`,
  })
  expect((await world.list(world.path))[0]?.state.last_error).toBe('401: X-Key [redacted]')
})
