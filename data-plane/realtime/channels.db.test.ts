import type { RealtimeChannel } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { clientOf, Line, startRealtime } from '../testing/realtime/client.ts'

let plane: TestDataPlane
const clients: ReturnType<typeof clientOf>[] = []
const client = () => {
  const made = clientOf(plane)
  clients.push(made)
  return made
}
const lines: Line[] = []
const open = async (version: 1 | 2 = 2) => {
  const line = await Line.open(plane, version)
  lines.push(line)
  return line
}
beforeAll(async () => {
  plane = await startRealtime('')
})
afterEach(async () => {
  for (const line of lines.splice(0)) line.close()
  await Promise.all(clients.splice(0).map((one) => one.realtime.disconnect()))
})
afterAll(() => plane.close())

const joined = (channel: RealtimeChannel) =>
  new Promise<RealtimeChannel>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else if (status !== 'CLOSED') reject(error ?? new Error(status))
    })
  })

test('the public client broadcasts JSON and bytes to others, and to itself when it wants to', async () => {
  const got: unknown[] = []
  const reader = client().channel('room')
  reader.on('broadcast', { event: '*' }, ({ event, payload }) => got.push([event, payload]))
  await joined(reader)
  const own: unknown[] = []
  const writer = client().channel('room', { config: { broadcast: { self: true, ack: true } } })
  writer.on('broadcast', { event: 'said' }, ({ payload }) => own.push(payload))
  await joined(writer)
  expect(await writer.send({ type: 'broadcast', event: 'said', payload: { a: 'ü' } })).toBe('ok')
  const bytes = new Uint8Array([1, 2, 3]).buffer
  expect(await writer.send({ type: 'broadcast', event: 'bytes', payload: bytes })).toBe('ok')
  await expect
    .poll(() => got)
    .toEqual([
      ['said', { a: 'ü' }],
      ['bytes', bytes],
    ])
  expect(own).toEqual([{ a: 'ü' }])
  await reader.send({ type: 'broadcast', event: 'said', payload: { only: 'others' } })
  await expect.poll(() => own).toHaveLength(2)
  expect(got).toHaveLength(2)
})

test('both versions share topics; version 1 gets binary broadcasts as JSON, and none that are no JSON', async () => {
  const [old, now] = [await open(1), await open()]
  await old.join('mixed')
  await now.join('mixed')
  const topic = 'realtime:mixed'
  const payload = { type: 'broadcast', event: 'e', payload: { n: 1 }, meta: { by: 'me' } }
  now.send(topic, 'broadcast', payload, '1')
  expect((await old.hearEvent('broadcast')).payload).toEqual(payload)
  old.send(topic, 'broadcast', payload, '1')
  expect(await now.hearEvent('broadcast')).toEqual({
    joinRef: null,
    ref: null,
    topic,
    event: 'broadcast',
    payload,
  })
  const push = (encoding: number, body: Buffer) =>
    Buffer.concat([
      Buffer.from([3, 1, 1, topic.length, 1, 0, encoding]),
      Buffer.from(`19${topic}e`),
      body,
    ])
  const third = await open()
  await third.join('mixed')
  now.socket.send(push(0, Buffer.from([255, 0])))
  now.socket.send(push(1, Buffer.from('{"n":2}')))
  expect((await old.hearEvent('broadcast')).payload).toEqual({
    type: 'broadcast',
    event: 'e',
    payload: { n: 2 },
  })
  await expect.poll(() => third.binary).toHaveLength(2)
  const head = Buffer.from([4, topic.length, 1, 0])
  expect(third.binary).toEqual([
    Buffer.concat([head, Buffer.from(`\0${topic}e`), Buffer.from([255, 0])]),
    Buffer.concat([head, Buffer.from(`\x01${topic}e`), Buffer.from('{"n":2}')]),
  ])
})

test('a broadcast that is too large is refused, by words when an acknowledgement is wanted', async () => {
  const line = await open()
  await line.join('large', { broadcast: { ack: 'true', self: true } })
  const payload = { event: 'e', payload: 'x'.repeat(3_000_001) }
  const answer = await line.ask('realtime:large', 'broadcast', payload, '1')
  expect(answer).toEqual({ status: 'error', response: { reason: 'payload_size_exceeded' } })
  expect(line.heard.filter(({ event }) => event === 'broadcast')).toEqual([])
})

test('the public client sees who is present, and who comes, changes and goes', async () => {
  const seen: string[] = []
  const watcher = client().channel('people', { config: { presence: { key: 'watcher' } } })
  watcher.on('presence', { event: 'join' }, ({ key, newPresences }) =>
    seen.push(`join ${key} ${newPresences.map((one) => one['mood']).join()}`),
  )
  watcher.on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
    seen.push(`leave ${key} ${leftPresences.map((one) => one['mood']).join()}`),
  )
  watcher.on('presence', { event: 'sync' }, () => undefined)
  await joined(watcher)
  const person = client().channel('people', { config: { presence: { key: 'ada' } } })
  await joined(person)
  expect(await person.track({ mood: 'fine' })).toBe('ok')
  await expect.poll(() => seen).toEqual(['join ada fine'])
  const late = client().channel('people')
  late.on('presence', { event: 'sync' }, () => undefined)
  await joined(late)
  await expect.poll(() => Object.keys(late.presenceState())).toEqual(['ada'])
  await person.track({ mood: 'better' })
  await expect.poll(() => seen).toEqual(['join ada fine', 'leave ada fine', 'join ada better'])
  expect(watcher.presenceState()).toMatchObject({ ada: [{ mood: 'better' }] })
  await person.untrack()
  await expect.poll(() => seen.at(-1)).toBe('leave ada better')
  await person.track({ mood: 'back' })
  await expect.poll(() => seen.at(-1)).toBe('join ada back')
  await person.unsubscribe()
  await expect.poll(() => seen.at(-1)).toBe('leave ada back')
  expect(watcher.presenceState()).toEqual({})
})

test('presence: a socket that breaks leaves, and what is no map is refused', async () => {
  const [watcher, person] = [await open(), await open()]
  await watcher.join('p', { presence: { enabled: true } })
  expect((await watcher.hearEvent('presence_state')).payload).toEqual({})
  await person.join('p', { presence: { enabled: true, key: '__proto__' } })
  const track = (payload: unknown) =>
    person.ask('realtime:p', 'presence', { type: 'presence', event: 'track', payload }, '1')
  expect(await track('x')).toMatchObject({ status: 'error' })
  expect(await track([])).toMatchObject({ status: 'error' })
  expect(await track({ here: 1 })).toEqual({ status: 'ok', response: {} })
  const diff = await watcher.hearEvent('presence_diff')
  expect(JSON.stringify(diff.payload)).toMatch(
    /^{"joins":{"__proto__":{"metas":\[{"here":1,"phx_ref":"[\w+/=]+"}\]}},"leaves":{}}$/,
  )
  person.close()
  const left = await watcher.hearEvent('presence_diff')
  expect(left.payload).toMatchObject({ joins: {} })
  expect(JSON.stringify(left.payload)).toContain('"here":1')
})

test('more than five presence calls in half a minute end the channel', async () => {
  const line = await open()
  await line.join('busy')
  for (let i = 0; i < 6; i++) {
    line.send('realtime:busy', 'presence', { event: 'track', payload: { i } }, '1')
  }
  const message = 'Client presence rate limit exceeded'
  const system = await line.hearEvent('system')
  expect(system.payload).toEqual({ extension: 'system', status: 'error', message, channel: 'busy' })
  expect((await line.hearEvent('phx_close')).topic).toBe('realtime:busy')
  expect(await line.ask('phoenix', 'heartbeat', {})).toMatchObject({ status: 'ok' })
})

test('frames after a long one wait for it', async () => {
  const [line, other] = [await open(), await open()]
  await line.join('order', { broadcast: { ack: true } })
  await other.join('order')
  const texts = ['first', 'x'.repeat(500_000), 'third', 'y'.repeat(300_000), 'fifth']
  for (const text of texts)
    line.send('realtime:order', 'broadcast', { type: 'broadcast', event: 'e', payload: { text } })
  const isEvent = ({ event }: { event: string }) => event === 'broadcast'
  await expect.poll(() => other.heard.filter(isEvent)).toHaveLength(texts.length)
  const heard = other.heard.filter(isEvent).map(({ payload }) => payload)
  expect(heard.map((payload) => (payload as { payload: { text: string } }).payload.text)).toEqual(
    texts,
  )
})
