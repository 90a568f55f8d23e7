import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { clientOf, Line, startRealtime } from '../testing/realtime/client.ts'

const ada = '11111111-1111-4111-8111-111111111111'
let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime(
    `create table members (topic text, person uuid, writes boolean default false);
     create policy read on realtime.messages for select to authenticated using (
       exists (select from public.members m where m.topic = realtime.topic() and m.person = auth.uid()));
     create policy write on realtime.messages for insert to authenticated with check (
       extension = 'broadcast' and exists (select from public.members m
         where m.topic = realtime.topic() and m.person = auth.uid() and m.writes));
     insert into members values ('room', '${ada}', true), ('hall', '${ada}', false);`,
    {},
    { realtimeTiming: { recheck: 0 } },
  )
})
const lines: Line[] = []
const open = async () => {
  const line = await Line.open(plane)
  lines.push(line)
  return line
}
afterEach(() => {
  for (const line of lines.splice(0)) line.close()
})
afterAll(() => plane.close())

const adas = (more = {}) => plane.token({ role: 'authenticated', sub: ada, ...more })
const isPrivate = { private: true }
const unauthorized = (name: string) => ({
  status: 'error',
  response: {
    reason: `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`,
  },
})
const nothing = { event: 'e', payload: {} }

test('a private channel is only for whom a policy lets read', async () => {
  const line = await open()
  expect(await line.join('room', isPrivate)).toEqual(unauthorized('room'))
  expect(await line.join('other', isPrivate, adas())).toEqual(unauthorized('other'))
  const role = plane.token({ role: 'no_such_role', sub: ada })
  expect(await line.join('room', isPrivate, role)).toEqual(unauthorized('room'))
  const superuser = plane.token({ role: 'supabase_admin', sub: ada })
  expect(await line.join('room', isPrivate, superuser)).toEqual(unauthorized('room'))
  expect(await line.join('room', isPrivate, adas())).toMatchObject({ status: 'ok' })
})

test.each([
  ['is none', () => 'x', 'MalformedJWT: The token provided is not a valid JWT'],
  [
    'is signed by nobody',
    () => `${adas()}x`,
    'JwtSignatureError: Failed to validate JWT signature',
  ],
  [
    'says no role',
    () => plane.token({ sub: ada }),
    'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
  ],
])('a join with a token that %s is refused', async (_, token, reason) => {
  const line = await open()
  const answer = await line.join('room', isPrivate, token())
  expect(answer).toEqual({ status: 'error', response: { reason } })
})

test('a key that is no token is no access token: the connection counts', async () => {
  const line = await open()
  expect(await line.join('lobby', {}, 'sb_publishable_x')).toMatchObject({ status: 'ok' })
})

test('public and private channels of one name are apart; who may not write is not heard', async () => {
  const [reader, writer, stranger] = [await open(), await open(), await open()]
  await reader.join('room', isPrivate, adas())
  await writer.join('room', isPrivate, adas())
  await writer.join('hall', isPrivate, adas())
  await reader.join('hall', isPrivate, adas())
  await stranger.join('room')
  stranger.send('realtime:room', 'broadcast', { event: 'from outside', payload: {} }, '1')
  writer.send('realtime:hall', 'broadcast', { event: 'not allowed', payload: {} }, '2')
  writer.send('realtime:room', 'broadcast', { event: 'said', payload: {} }, '1')
  expect((await reader.hearEvent('broadcast')).payload).toMatchObject({ event: 'said' })
  expect(await stranger.ask('phoenix', 'heartbeat', {})).toMatchObject({ status: 'ok' })
  expect([...reader.heard, ...stranger.heard].filter(({ event }) => event === 'broadcast')).toEqual(
    [],
  )
})

test('presence in a private channel asks the policies too', async () => {
  const line = await open()
  await line.join('room', { ...isPrivate, presence: { enabled: true } }, adas())
  const track = { type: 'presence', event: 'track', payload: {} }
  expect(await line.ask('realtime:room', 'presence', track, '1')).toMatchObject({ status: 'ok' })
  expect(line.heard.filter(({ event }) => event === 'presence_diff')).toEqual([])
})

test('the public client joins with the token of its user', async () => {
  const client = clientOf(plane, adas())
  await client.realtime.setAuth()
  const heard: unknown[] = []
  const channel = client.channel('room', { config: { private: true, broadcast: { self: true } } })
  channel.on('broadcast', { event: '*' }, ({ event }) => heard.push(event))
  await new Promise((resolve, reject) => {
    channel.subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve(0) : reject(error)))
  })
  await channel.send({ type: 'broadcast', event: 'hi', payload: {} })
  await expect.poll(() => heard).toEqual(['hi'])
  await client.realtime.disconnect()
})

test('a new token of the same user changes nothing, and what is no token is ignored', async () => {
  const line = await open()
  await line.join('room', { ...isPrivate, broadcast: { ack: true } }, adas())
  for (const access_token of [null, 7, 'sb_publishable_x', adas({ iat: 1 })]) {
    line.send('realtime:room', 'access_token', { access_token }, '1')
  }
  expect(await line.ask('realtime:room', 'broadcast', nothing, '1')).toMatchObject({ status: 'ok' })
  expect(line.heard.filter(({ event }) => event !== 'presence_state')).toEqual([])
})

test('without permission, with a token that has ended or that is none: the channel says so and ends', async () => {
  const someone = plane.token({
    role: 'authenticated',
    sub: '22222222-2222-4222-8222-222222222222',
  })
  const ended = adas({ exp: Math.floor(Date.now() / 1000) - 100 })
  const soon = adas({ exp: Math.floor(Date.now() / 1000) + 1 })
  for (const [token, message] of [
    [someone, /^You do not have permissions to read from this Channel topic: room$/],
    [ended, /^Token has expired 10\d seconds ago$/],
    ['x', /^The token provided is not a valid JWT$/],
    [soon, /^Token has expired \d seconds ago$/],
  ] as const) {
    const line = await open()
    await line.join('room', isPrivate, adas())
    line.send('realtime:room', 'access_token', { access_token: token }, '1')
    const { payload } = await line.hearEvent('system')
    expect(payload).toMatchObject({ extension: 'system', status: 'error', channel: 'room' })
    expect(payload['message']).toMatch(message)
    expect((await line.hearEvent('phx_close')).topic).toBe('realtime:room')
  }
})

test('a permission that is taken away ends the channel', async () => {
  await plane.sql(`insert into members values ('short', '${ada}', true)`)
  const line = await open()
  await line.join('short', isPrivate, adas())
  await plane.sql("delete from members where topic = 'short'")
  const { payload } = await line.hearEvent('system')
  expect(payload['message']).toMatch(/^You do not have permissions to read/)
})
