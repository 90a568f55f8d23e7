import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { defaultRealtimeSettings, type RealtimeSettings } from '#contract/realtime/realtime'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { Line, startRealtime } from '../testing/realtime/client.ts'

let plane: TestDataPlane
const timing = { silence: 60_000, noChannel: 60_000 }
beforeAll(async () => {
  plane = await startRealtime('', {}, { realtimeTiming: timing })
})
const lines: Line[] = []
async function open(settings: Partial<RealtimeSettings> = {}) {
  const { project, directory } = plane
  const realtime = { ...defaultRealtimeSettings, ...settings }
  directory.put({ ...project, settings: { ...project.settings, realtime } })
  const line = await Line.open(plane)
  lines.push(line)
  return line
}
afterEach(async () => {
  for (const line of lines.splice(0)) {
    line.close()
    await line.end()
  }
})
afterAll(() => plane.close())

/** What is left of a limit goes over from test to test, and comes back at so much a second: at once. */
const unlimited = 1_000_000_000

/** A socket that was opened by hand: it does only what a test makes it do. */
async function bareSocket({ url, project }: TestDataPlane): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const query = `apikey=${project.anonKey}&vsn=2.0.0`
  socket.write(
    `GET ${pathname}/realtime/v1/websocket?${query} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

const refused = (reason: string) => ({ status: 'error', response: { reason } })

test('too many sockets at once', async () => {
  await open({ maxConcurrentUsers: 1 })
  await expect(open({ maxConcurrentUsers: 1 })).rejects.toThrow(/429/)
})

test('a project that has switched it off', async () => {
  await expect(open({ enabled: false })).rejects.toThrow(/403/)
})

test('only private channels', async () => {
  const line = await open({ privateOnly: true })
  const reason = 'PrivateOnly: This project only allows private channels'
  expect(await line.join('a')).toEqual(refused(reason))
})

test('too many channels in one socket', async () => {
  const line = await open({ maxChannelsPerClient: 1 })
  expect(await line.join('a')).toMatchObject({ status: 'ok' })
  expect(await line.join('b')).toEqual(refused('ChannelRateLimitReached: Too many channels'))
  expect(await line.join('a')).toMatchObject({ status: 'ok' })
})

test('a reader that does not read is cut off, and others go on', async () => {
  const settings = {
    maxEventsPerSecond: unlimited,
    maxBytesPerSecond: unlimited,
    maxPayloadKb: 1000,
  }
  const writer = await open(settings)
  await writer.join('flood', { broadcast: { ack: true } })
  const slow = await bareSocket(plane)
  const gone = new Promise((resolve) => slow.once('close', resolve))
  const join = Buffer.from('["1","1","realtime:flood","phx_join",{"config":{}}]')
  slow.write(Buffer.concat([Buffer.from([0x81, 0x80 | join.length, 0, 0, 0, 0]), join]))
  await new Promise((resolve) => slow.once('data', resolve))
  slow.pause()
  const payload = { event: 'e', payload: 'x'.repeat(900_000) }
  for (let i = 0; i < 14; i++)
    expect(await writer.ask('realtime:flood', 'broadcast', payload, '1')).toMatchObject({
      status: 'ok',
    })
  slow.resume()
  let last = Buffer.alloc(0)
  slow.on('data', (data) => (last = Buffer.concat([last, data]).subarray(-100)))
  await expect.poll(() => last.toString()).toContain('Client reads too slowly')
  slow.end()
  await gone
})

test('a flood of messages ends the channel, and HTTP is refused with 429', async () => {
  const line = await open({ maxEventsPerSecond: 10 })
  await line.join('a')
  for (let i = 0; i < 20; i++) line.send('realtime:a', 'broadcast', { event: 'e' }, '1')
  const { payload } = await line.hearEvent('system')
  expect(payload['message']).toBe('Too many messages per second')
  await line.hearEvent('phx_close')
  const message = { topic: 'a', event: 'e', payload: {} }
  const post = () =>
    fetch(`${plane.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: plane.project.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: Array.from({ length: 10 }, () => message) }),
    })
  // Together more than comes back in ten seconds.
  const answers = await Promise.all(Array.from({ length: 10 }, post))
  expect(answers.map(({ status }) => status)).toContain(429)
})

test('too many bytes end the channel', async () => {
  const line = await open({ maxBytesPerSecond: 1, maxPayloadKb: 1, maxEventsPerSecond: unlimited })
  await line.join('a')
  for (let i = 0; i < 3; i++)
    line.send('realtime:a', 'broadcast', { event: 'e', payload: 'x'.repeat(900) }, '1')
  expect((await line.hearEvent('system')).payload['message']).toBe('Too many bytes per second')
})

test('sockets that are silent or have no channel are closed', async () => {
  const own = await startRealtime('', {}, { realtimeTiming: { silence: 10, noChannel: 60_000 } })
  const line = await Line.open(own)
  expect(await line.end()).toEqual({ code: 1001, reason: 'No heartbeat' })
  await own.close()
  const other = await startRealtime('', {}, { realtimeTiming: { silence: 60_000, noChannel: 10 } })
  const [empty, used] = [await Line.open(other), await Line.open(other)]
  await used.join('a')
  expect(await empty.end()).toEqual({ code: 1001, reason: 'No channel' })
  // When the server goes, its clients are told so that they come back elsewhere.
  const closing = other.close()
  expect((await used.hearEvent('system')).payload['message']).toBe('Server requested disconnect')
  expect((await used.end()).code).toBe(1012)
  await closing
})

test('who arrives while the service closes is told to come back', async () => {
  const own = await startRealtime('', {}, { realtimeTiming: { drain: 500 } })
  // It never answers the close that it is sent, so closing takes as long as it may.
  const deaf = await bareSocket(own)
  const closing = own.close()
  await expect(Line.open(own)).rejects.toThrow(/503/)
  await closing
  deaf.destroy()
})

test('what clients use is counted, for our own programs only', async () => {
  const { origin } = new URL(plane.url)
  const ask = (token: string) =>
    fetch(`${origin}/internal/realtime/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect((await ask(plane.project.serviceKey)).status).toBe(401)
  const ours = async () => (await ask('a token that only our own programs know')).text()
  const count = (text: string, name: string) =>
    Number(new RegExp(`^plinth_realtime_${name}\\{project="\\w+"\\} (\\d+)$`, 'm').exec(text)?.[1])
  const line = await open({ maxEventsPerSecond: unlimited, maxBytesPerSecond: unlimited })
  const before = await ours()
  await line.join('counted', { broadcast: { self: true, ack: true }, presence: { enabled: true } })
  await line.ask('realtime:counted', 'broadcast', { event: 'e', payload: {} }, '1')
  await line.ask('realtime:counted', 'presence', { event: 'track', payload: {} }, '1')
  const after = await ours()
  expect(count(after, 'connected_clients')).toBeGreaterThan(0)
  const grown = (name: string) => count(after, name) - count(before, name)
  expect(grown('channel_joins_total')).toBe(1)
  expect(grown('received_total')).toBe(1)
  expect(grown('presence_events_total')).toBe(1)
  // The broadcast, and the presence of the one who said so.
  expect(grown('delivered_total')).toBe(2)
})

test('a flood of joins ends the socket', async () => {
  const line = await open({ maxJoinsPerSecond: 2 })
  for (let i = 0; i < 30; i++) line.send(`realtime:${i}`, 'phx_join', { config: {} }, '1')
  const reason = 'ClientJoinRateLimitReached: Too many joins per second'
  const answer = await line.hear(({ payload }) => payload['status'] === 'error')
  expect(answer.payload).toEqual(refused(reason))
  expect(await line.end()).toEqual({ code: 1008, reason })
})
