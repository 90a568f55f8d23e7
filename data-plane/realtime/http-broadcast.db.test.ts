import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { clientOf, Line, startRealtime } from '../testing/realtime/client.ts'

let plane: TestDataPlane
let line: Line
beforeAll(async () => {
  plane = await startRealtime(
    `create policy read on realtime.messages for select to authenticated using (true);
     create policy write on realtime.messages for insert to authenticated with check (realtime.topic() = 'mine');`,
  )
  line = await Line.open(plane)
  await line.join('open')
  const token = plane.token({ role: 'authenticated', sub: 'a' })
  for (const name of ['mine', 'closed']) await line.join(name, { private: true }, token)
})
afterAll(async () => {
  line.close()
  await plane.close()
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${plane.url}/realtime/v1/api/broadcast${path}`, {
    method: 'POST',
    headers: { apikey: plane.project.anonKey, 'content-type': 'application/json', ...headers },
    body: body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body),
  })
const batch = (...messages: object[]) => ({ messages })

test('without a key, or with a token that is not good: 401', async () => {
  const nobody = await post('', batch(), { apikey: '' })
  expect([nobody.status, await nobody.json()]).toEqual([401, { message: 'Unauthorized' }])
  const bad = await post('', batch(), { authorization: 'Bearer a.b.c' })
  expect(bad.status).toBe(401)
})

test.each([
  ['no JSON', 'x'],
  ['no messages', {}],
  ['an empty list', batch()],
  ['no topic', batch({ event: 'e', payload: {} })],
  ['an empty topic', batch({ topic: '', event: 'e', payload: {} })],
  ['no payload', batch({ topic: 't', event: 'e' })],
  ['an event that is no text', batch({ topic: 't', event: 1, payload: {} })],
  ['too much', batch({ topic: 't', event: 'e', payload: 'x'.repeat(3_000_001) })],
  ['far too much', 'x'.repeat(12_000_000)],
])('a batch is refused for %s: 422', async (_, body) => {
  expect((await post('', body)).status).toBe(422)
})

test('one message: other types are refused, JSON has to be JSON', async () => {
  const path = '/open/events/e'
  expect((await post(path, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post(path, '{')).status).toBe(422)
  expect((await post(path, new Uint8Array(3_000_001))).status).toBe(422)
})

test('a batch is delivered: 202 and no body', async () => {
  const response = await post('', batch({ topic: 'open', event: 'e', payload: { n: 1 } }))
  expect([response.status, await response.text()]).toEqual([202, ''])
  expect(await line.hearEvent('broadcast')).toMatchObject({
    topic: 'realtime:open',
    payload: { type: 'broadcast', event: 'e', payload: { n: 1 } },
  })
})

test('a private message goes where its sender may write, and is dropped without a word elsewhere', async () => {
  const message = (topic: string) => ({ topic, event: 'e', payload: {}, private: true })
  const token = plane.token({ role: 'authenticated', sub: 'a' })
  const all = batch(message('closed'), message('mine'))
  const nobody = await post('', all)
  const user = await post('', all, { authorization: `Bearer ${token}` })
  const service = await post('', batch(message('closed')), { apikey: plane.project.serviceKey })
  expect([nobody.status, user.status, service.status]).toEqual([202, 202, 202])
  expect((await line.hearEvent('broadcast')).topic).toBe('realtime:mine')
  expect((await line.hearEvent('broadcast')).topic).toBe('realtime:closed')
  expect(line.heard.filter(({ event }) => event === 'broadcast')).toEqual([])
})

test('the public client sends over HTTP, JSON and bytes', async () => {
  const client = clientOf(plane)
  const heard: unknown[] = []
  const reader = client.channel('by http/é')
  reader.on('broadcast', { event: '*' }, ({ event, payload }) => heard.push([event, payload]))
  await new Promise((resolve) =>
    reader.subscribe((status) => status === 'SUBSCRIBED' && resolve(0)),
  )
  const writer = clientOf(plane).channel('by http/é')
  const bytes = new Uint8Array([0, 255])
  expect(await writer.httpSend('json', { a: 1 })).toEqual({ success: true })
  expect(await writer.httpSend('bytes', bytes)).toEqual({ success: true })
  await expect
    .poll(() => heard)
    .toEqual([
      ['json', { a: 1 }],
      ['bytes', bytes.buffer],
    ])
  await client.realtime.disconnect()
})
