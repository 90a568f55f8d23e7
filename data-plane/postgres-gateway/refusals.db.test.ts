import { once } from 'node:events'
import { link, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsAsRoot } from '#kit/postgres/os-user'
import { holderOf } from '#kit/postgres/port-question'
import { freePort } from '#kit/testing/free-port'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import {
  gatewayRef,
  raw,
  startGateway,
  startupPacket,
  type TestGateway,
} from '../testing/postgres-gateway.ts'

let database: TestDatabase
const open: TestGateway[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const gateway of open) await gateway.close()
  await database.drop()
})
async function gateway(
  ...given: Parameters<typeof startGateway> extends [unknown, ...infer R] ? R : never
) {
  const made = await startGateway(database, ...given)
  open.push(made)
  return made
}
const config = ({ port }: TestGateway, user = 'postgres') => ({
  ...database.configFor(user),
  host: '127.0.0.1',
  port,
})
/** 'in', or the SQLSTATE and the message by which it is refused. */
async function enter(given: ConstructorParameters<typeof Client>[0]): Promise<string> {
  const client = new Client(given)
  // Told by `connect` already.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return 'in'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return `${code} ${String(error)}`
  }
}

test('the superuser is refused with its own password, by whatever spelling the server would understand', async () => {
  const at = await gateway()
  const admin = config(at, 'supabase_admin')
  // Over the socket the very same password opens.
  expect(await enter(database.adminConfig)).toBe('in')
  expect(await enter(admin)).toContain('28000')
  const spellings: [string, string][][] = [
    [['user', 'supabase_admin']],
    [
      ['user', 'supabase_admin'],
      ['replication', 'true'],
    ],
    [
      ['user', 'supabase_admin'],
      ['replication', 'database'],
      ['database', database.name],
    ],
    [
      ['user', 'postgres'],
      ['user', 'supabase_admin'],
    ],
    [
      ['user', 'supabase_admin'],
      ['database', 'postgres'],
      ['options', '-c role=postgres'],
    ],
    [
      ['database', 'user'],
      ['user', 'supabase_admin'],
      ['application_name', 'user\tpostgres'],
    ],
  ]
  for (const parameters of spellings) {
    const answer = await raw(at.port, startupPacket(parameters)).ended
    expect(answer, parameters.join(' ')).toMatch(/^E.*C(28000|08P01)/s)
    // The server has not been asked: it would have named a way to sign in.
    expect(answer).not.toMatch(/SCRAM|^R/)
  }
  expect(at.of('opened')).toEqual([])
})

test.each([
  'authenticator',
  'authenticator_anon',
  'authenticator_authenticated',
  'authenticator_service_role',
  'supabase_auth_admin',
  'supabase_storage_admin',
  'plinth_storage',
  'supabase_realtime_admin',
  'plinth_realtime',
  'plinth_read_only',
  'plinth_sql',
  'postgres',
  'anon',
  'service_role',
])('%s does not come in without the right password', async (role) => {
  const at = await gateway()
  for (const password of ['', role, 'wrong', 'postgres'])
    expect(await enter({ ...config(at, role), password: () => password }), password).not.toBe('in')
  // The server asks for a password before anything else.
  const { socket, answer } = raw(
    at.port,
    startupPacket([
      ['user', role],
      ['database', database.name],
    ]),
  )
  await expect.poll(() => answer().length).toBeGreaterThan(0)
  expect(answer()).toMatch(/^R.*SCRAM-SHA-256/s)
  socket.destroy()
})

test('only the networks that are allowed, and from the moment on that they change', async () => {
  const at = await gateway({ networks: ['127.0.0.2/32', '10.0.0.0/8', 'fd00::/8'] })
  expect(await enter(config(at))).toContain('28000')
  const packet = startupPacket([
    ['user', 'postgres'],
    ['database', database.name],
  ])
  expect(await raw(at.port, packet).ended).toContain('connections from 127.0.0.1 are not allowed')
  const second = raw(at.port, packet, '127.0.0.2')
  await expect.poll(second.answer).toContain('SCRAM')
  second.socket.destroy()
  const cancel = Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 1])
  expect(await raw(at.port, cancel).ended).toBe('')
  await at.change([{ networks: ['127.0.0.0/8'] }])
  expect(await enter(config(at))).toBe('in')
  await at.change([{ networks: [] }])
  expect(await enter(config(at))).toContain('28000')
  // What cannot be read as a network lets nobody in.
  await at.change([{ networks: ['everywhere', '0.0.0.0/x', ''] }])
  expect(await enter(config(at))).toContain('28000')
  expect(at.of('refused').length).toBeGreaterThanOrEqual(4)
  await at.change([{ networks: null }])
  expect(await enter(config(at))).toBe('in')
})

test('connections beyond the bound are refused, and there is room again when some end', async () => {
  const at = await gateway({ connections: 2 })
  const clients = [new Client(config(at)), new Client(config(at))]
  for (const client of clients) await client.connect()
  expect(await enter(config(at))).toMatch(/^53300 .*too many clients already/)
  await clients[0]?.end()
  await expect.poll(() => enter(config(at))).toBe('in')
  await clients[1]?.end()
})

test('whoever connects to a paused project is told where it is resumed, but not who may not connect at all', async () => {
  const url = 'https://plinth.example.com/project/gatewayoftestsaaaaaa'
  // Also where something is left in the place of the server.
  const at = await gateway({ paused: url, networks: ['127.0.0.1/32'] })
  const client = new Client(config(at))
  client.on('error', () => undefined)
  const error: unknown = await client.connect().catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    severity: 'FATAL',
    code: '57P03',
    message: 'the project is paused: resume it in the dashboard, then connect again',
    hint: url,
  })
  const asked = (user: string, from?: string) =>
    raw(at.port, startupPacket([['user', user]]), from).ended
  expect(await asked('postgres', '127.0.0.2')).toMatch(/C28000.*are not allowed/)
  expect(await asked('supabase_admin')).toMatch(/C28000.*not permitted/)
  expect([at.of('opened'), [...at.counts]]).toEqual([[], []])
  expect(await holderOf(at.port)).toBe(gatewayRef)
  await at.change([{ paused: null }])
  expect(await enter(config(at))).toBe('in')
})

test('while the server is down clients hear that it is, and come in when it is back', async () => {
  const at = await gateway({ host: '/nowhere' })
  expect(await enter(config(at))).toMatch(/^57P03 /)
  const cancel = Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 1])
  expect(await raw(at.port, cancel).ended).toBe('')
})

test('who says nothing is cut off, and so is who says it byte by byte', async () => {
  const at = await gateway({ openingMs: 300 })
  const silent = raw(at.port, '')
  const packet = startupPacket([
    ['user', 'postgres'],
    ['database', database.name],
  ])
  const slow = raw(at.port, packet.subarray(0, 9))
  const drip = setInterval(() => slow.socket.write(packet.subarray(9, 10)), 50)
  expect(await silent.ended).toMatch(/C08006/)
  expect(await slow.ended).toMatch(/C08006/)
  clearInterval(drip)
})

test('the silent ones do not keep others out', async () => {
  const at = await gateway()
  const first = raw(at.port, '')
  await once(first.socket, 'connect')
  const many = Array.from({ length: 120 }, () => raw(at.port, ''))
  await first.ended
  expect(await enter(config(at))).toBe('in')
  for (const { socket } of many) socket.destroy()
})

test('garbage, other protocols and what comes too early are refused without harm', async () => {
  const at = await gateway()
  expect(await raw(at.port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n').ended).toBe('')
  expect(await raw(at.port, Buffer.alloc(20_000, 255)).ended).toBe('')
  expect(await raw(at.port, Buffer.from([0, 0, 39, 25, 0, 3, 0, 0])).ended).toBe('')
  const ssl = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
  const packet = startupPacket([['user', 'postgres']])
  expect(await raw(at.port, Buffer.concat([ssl, packet])).ended).toContain('C08P01')
  const twice = raw(at.port, ssl)
  await expect.poll(twice.answer).toBe('N')
  twice.socket.write(ssl)
  expect(await twice.ended).toBe('N')
  expect(await enter(config(at))).toBe('in')
})

test('a port that somebody else has is told of, and taken as soon as it is free', async () => {
  const port = await freePort()
  const thief = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  await once(thief, 'listening')
  expect(await holderOf(port)).toBeUndefined()
  const at = await gateway({ port })
  expect(at.states[0]?.problem).toContain(`Port ${port} of this machine is in use`)
  thief.close()
  await once(thief, 'close')
  const [state] = await at.gateway.states()
  expect(state?.problem).toBeNull()
  expect(await enter(config(at))).toBe('in')
  expect(await holderOf(port)).toBe(gatewayRef)
  expect(await holderOf(await freePort())).toBeUndefined()
})

test('the port goes with the project, and sessions go on until their server ends them', async () => {
  const at = await gateway()
  const client = new Client(config(at))
  await client.connect()
  await at.change([])
  expect(await enter(config(at))).toContain('ECONNREFUSED')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
})

test.runIf(runsAsRoot() && process.platform === 'linux')(
  'what a tenant puts in the place of the socket leads nowhere: a link, or a socket of somebody else',
  async () => {
    const at = await gateway()
    expect(await enter(config(at))).toBe('in')
    const heard: Buffer[] = []
    const folder = await mkdtemp(join(dirname(database.host), 'foreign-'))
    const foreign = createServer((socket) => socket.on('data', (chunk) => heard.push(chunk)))
    await new Promise<void>((done) => foreign.listen(join(folder, 'socket'), () => done()))
    const place = join(at.folder, `.s.PGSQL.${at.port}`)
    for (const put of [
      () => symlink(join(folder, 'socket'), place),
      () => symlink(join(database.host, `.s.PGSQL.${database.port}`), place),
      () => link(join(folder, 'socket'), place),
      () => writeFile(place, ''),
    ]) {
      await rm(place)
      await put()
      expect(await enter(config(at))).toMatch(/^57P03 /)
    }
    expect(heard).toEqual([])
    foreign.close()
    await rm(folder, { recursive: true })
  },
)
