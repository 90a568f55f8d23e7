import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { canary, startDrains, type DrainsWorld } from '../../testing/log-drains.ts'

let world: DrainsWorld
let path: string
beforeAll(async () => {
  world = await startDrains()
  path = `/v2/projects/${world.ref}/analytics/log-drains`
})
afterAll(() => world.end())
beforeEach(async () => {
  await world.onTier('tier_team')
  await world.forget()
})

const config = { url: 'https://logs.example.com/in', headers: { 'X-Key': canary } }
const body = (attributes: object = {}) => ({
  data: {
    type: 'log_drain',
    attributes: { name: 'Archive', config, backend_type: 'webhook', ...attributes },
  },
})
const change = (attributes: object) => ({ data: { type: 'log_drain', attributes } })
const idOf = ({ body: { data } }: { body: Record<string, unknown> }) =>
  // What the contract says of an answer.
  (data as { id: string }).id

test('who may not change drains changes none, and strangers find nothing', async () => {
  const id = idOf(await world.ada.call('POST', path, body()))
  const calls = [
    ['GET', path, undefined],
    ['POST', path, body()],
    ['PUT', `${path}/${id}`, change({ name: 'Other' })],
    ['DELETE', `${path}/${id}`, undefined],
  ] as const
  for (const [method, url, sent] of calls) {
    expect((await world.plane.app.inject({ method, url })).statusCode).toBe(401)
    expect((await world.stranger.call(method, url, sent)).status).toBe(404)
    const reader = await world.as('Read-only').call(method, url, sent)
    expect([method, reader.status]).toEqual([method, method === 'GET' ? 200 : 403])
  }
})

test('what the pages refuse is refused here', async () => {
  const cases: [object, string][] = [
    [{ type: 'notebook', attributes: {} }, 'data.type'],
    [body({ name: '' }).data, 'data.attributes.name'],
    [body({ backend_type: 'bigquery' }).data, 'data.attributes.backend_type'],
    [body({ config: {} }).data, 'config.url'],
    [body({ config: { url: 'http://logs.example.com/in' } }).data, 'must start with https://'],
  ]
  for (const [data, message] of cases) {
    const answer = await world.ada.call('POST', path, { data })
    expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)])
  }
  const id = idOf(await world.ada.call('POST', path, body()))
  const put = (sent: object) => world.ada.call('PUT', `${path}/${id}`, change(sent))
  expect((await put({ backend_type: 'loki' })).body['message']).toContain('is of type webhook')
  const elsewhere = { ...config, url: 'https://evil.example.com', headers: { 'X-Key': '' } }
  expect((await put({ config: elsewhere })).status).toBe(400)
  const nobody = `${path}/11111111-1111-4111-8111-111111111111`
  expect((await world.ada.call('PUT', nobody, change({ name: 'x' }))).status).toBe(404)
  await world.onTier('tier_pro')
  expect((await world.ada.call('POST', path, body())).body['code']).toBe('plan_limit')
})

test('a drain is made, listed, changed and deleted in the shapes that programs know, without its secrets', async () => {
  const made = await world.ada.call('POST', path, body({ description: 'For the auditors' }))
  const drain = {
    type: 'log_drain',
    id: idOf(made),
    attributes: {
      name: 'Archive',
      description: 'For the auditors',
      config: { url: config.url, http: 'http1', gzip: true, headers: { 'X-Key': '' } },
      backend_type: 'webhook',
    },
  }
  expect([made.status, made.body]).toEqual([201, { data: drain }])
  expect((await world.ada.call('GET', path)).body).toEqual({ data: [drain] })
  const url = `${path}/${drain.id}`
  const changed = await world.ada.call(
    'PUT',
    url,
    change({ name: 'Other', backend_type: 'webhook' }),
  )
  const renamed = { ...drain, attributes: { ...drain.attributes, name: 'Other' } }
  expect([changed.status, changed.body]).toEqual([200, { data: renamed }])
  // The same drain that the pages show.
  expect(await world.list(world.path)).toMatchObject([{ token: drain.id, name: 'Other' }])
  expect((await world.orders())[0]?.config).toMatchObject({ headers: { 'X-Key': canary } })
  expect((await world.ada.call('DELETE', url)).status).toBe(200)
  expect((await world.ada.call('DELETE', url)).status).toBe(404)
  expect((await world.ada.call('GET', path)).body).toEqual({ data: [] })
})
