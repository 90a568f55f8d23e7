import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '#kit/testing/free-port'
import { signToken, type TestDataPlane } from '../testing/data-plane.ts'
import { Line, startRealtime } from '../testing/realtime/client.ts'

let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime('')
})
afterAll(() => plane.close())

const lines: Line[] = []
const open = async (...rest: [version?: 1 | 2, key?: string]) => {
  const line = await Line.open(plane, ...rest)
  lines.push(line)
  return line
}
afterEach(() => {
  for (const line of lines.splice(0)) line.close()
})

/** The answer to a handshake that is refused. */
function refusalOf(query: string, path = '/realtime/v1/websocket'): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const asking = request(`${plane.url}${path}${query}`, { headers }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve(`${response.statusCode} ${text}`))
    })
    asking.on('upgrade', () => reject(new Error('It was accepted')))
    asking.on('error', reject)
    asking.end()
  })
}

test.each([
  ['no key', () => '', /^401 {"error":"No API key found in request"}/],
  ['an unknown key', () => '?apikey=sb_publishable_none', /^401 {"error":"Invalid API key"}/],
  [
    'a token that is none',
    () => '?apikey=a.b.c',
    /^401 {"error":"MalformedJWT: The token provided is not a valid JWT"}/,
  ],
  [
    'a token of somebody else',
    () => `?apikey=${signToken({ role: 'anon' }, 'another secret that is long enough for all')}`,
    /^401 {"error":"JwtSignatureError: Failed to validate JWT signature"}/,
  ],
  [
    'a token that has ended',
    () => `?apikey=${plane.token({ role: 'anon', exp: Math.floor(Date.now() / 1000) - 100 })}`,
    /^401 {"error":"InvalidJWTToken: Token has expired 10\d seconds ago"}/,
  ],
  [
    'a token without a role',
    () => `?apikey=${plane.token({ sub: 'x' })}`,
    /^401 {"error":"InvalidJWTToken: Fields `role` and `exp` are required in JWT"}/,
  ],
  ['an unknown version', () => `?apikey=${plane.project.anonKey}&vsn=3.0.0`, /^400 /],
])('a socket is refused for %s', async (_, query, expected) => {
  expect(await refusalOf(query())).toMatch(expected)
})

test('an address without a service is not found', async () => {
  expect(await refusalOf('', '/elsewhere')).toMatch(/^404/)
})

test('heartbeats are answered in both versions', async () => {
  for (const version of [1, 2] as const) {
    const line = await open(version)
    expect(await line.ask('phoenix', 'heartbeat', {})).toEqual({ status: 'ok', response: {} })
  }
})

test.each([
  ['no JSON', 'not json'],
  ['not five parts', '["1","2"]'],
  ['a topic that is no text', '[null,"1",7,"phx_join",{}]'],
  ['an object in version 2', '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}'],
  ['binary of another kind', Buffer.from([9, 0, 0, 0, 0, 0, 0])],
  ['binary that ends too early', Buffer.from([3, 200, 1, 1, 1, 1, 1, 65])],
  ['binary with JSON that is none', Buffer.from([3, 0, 0, 1, 1, 0, 1, 97, 98, 123])],
])('a malformed frame ends the socket: %s', async (_, frame) => {
  const line = await open()
  line.socket.send(frame)
  expect(await line.end()).toEqual({ code: 1007, reason: 'Malformed message' })
})

test('what is far too large ends the socket', async () => {
  const line = await open()
  line.socket.send(Buffer.alloc(7_000_000))
  expect((await line.end()).code).toBe(1009)
})

test('a socket that offers to compress is not taken up on it: a small message could unpack to a large one', async () => {
  const line = await open()
  expect(line.socket.extensions).toBe('')
})

test.each([
  ['no name', 'realtime:', 'TopicNameRequired: You must provide a topic name'],
  ['another kind of topic', 'room:a', 'unmatched topic'],
])('a channel is refused: %s', async (_, topic, reason) => {
  const line = await open()
  const answer = await line.ask(topic, 'phx_join', { config: {} }, '1')
  expect(answer).toEqual({ status: 'error', response: { reason } })
})

test('a message to a channel that was not joined is refused', async () => {
  const line = await open()
  const answer = await line.ask('realtime:none', 'broadcast', { event: 'x' })
  expect(answer).toEqual({ status: 'error', response: { reason: 'unmatched topic' } })
})

test('whatever a join says, it is understood or ignored', async () => {
  const line = await open()
  for (const payload of [
    null,
    [],
    'x',
    { config: 'x' },
    { config: { postgres_changes: [null] } },
  ]) {
    const answer = await line.ask('realtime:odd', 'phx_join', payload, '1')
    expect(answer).toEqual({ status: 'ok', response: { postgres_changes: [] } })
  }
})

test('joining again takes the place of the earlier join, leaving ends it', async () => {
  const line = await open()
  await line.ask('realtime:twice', 'phx_join', { config: {} }, 'a')
  await line.ask('realtime:twice', 'phx_join', { config: {} }, 'b')
  const closed = await line.hearEvent('phx_close')
  expect(closed).toMatchObject({ joinRef: 'a', topic: 'realtime:twice' })
  expect(await line.ask('realtime:twice', 'phx_leave', {}, 'b')).toMatchObject({ status: 'ok' })
  expect((await line.hearEvent('phx_close')).joinRef).toBe('b')
  expect(await line.ask('realtime:twice', 'broadcast', {}, 'b')).toMatchObject({ status: 'error' })
})

test("a project's own port opens sockets at the root of its address", async () => {
  const port = await freePort()
  const ports = [{ ref: plane.project.ref, port }]
  const listeners = { listeners: () => Promise.resolve(ports), onAnyChange: () => () => undefined }
  const own = await startRealtime('', {}, { listeners })
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/auth/v1/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  const line = await Line.open({ ...own, url: `http://127.0.0.1:${port}` })
  expect(await line.join('a')).toMatchObject({ status: 'ok' })
  line.close()
  await own.close()
})
