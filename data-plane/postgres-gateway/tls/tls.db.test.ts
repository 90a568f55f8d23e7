import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { poolerRef, startPooler, type TestPooler } from '../../testing/pooler.ts'
import {
  gatewayRef,
  raw,
  startGateway,
  startupPacket,
  type TestGateway,
} from '../../testing/postgres-gateway.ts'
import { rawTls, sslRequest, testEncryption } from '../../testing/tls.ts'
import { cancelRequest } from '../shared/messages.ts'

const run = promisify(execFile)
const openingMs = 2000
const otherRef = 'anotherprojectaaaaaa'

let database: TestDatabase
let tls: Awaited<ReturnType<typeof testEncryption>>
let others: Awaited<ReturnType<typeof testEncryption>>
let pooler: TestPooler
let gateway: TestGateway
beforeAll(async () => {
  database = await createTestDatabase()
  tls = await testEncryption()
  others = await testEncryption()
  const { encryption } = tls
  pooler = await startPooler(database, { encryption, openingMs })
  gateway = await startGateway(database, { encryption, openingMs })
})
afterAll(async () => {
  await pooler?.close()
  await gateway?.close()
  await database?.drop()
  await tls?.remove()
  await others?.remove()
})

type Way = 'session' | 'transaction' | 'direct'
const ways: Way[] = ['session', 'transaction', 'direct']
const portOf = (way: Way) => (way === 'direct' ? gateway.port : pooler.portOf(way))
const userAt = (way: Way) => (way === 'direct' ? 'postgres' : `postgres.${poolerRef}`)
const startup = (way: Way) =>
  startupPacket([
    ['user', userAt(way)],
    ['database', database.name],
  ])
const configAt = (way: Way, more: object = {}) => ({
  ...database.configFor('postgres'),
  user: userAt(way),
  host: 'localhost',
  port: portOf(way),
  ssl: { ca: tls.ca },
  ...more,
})
async function using<T>(config: object, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config)
  // Told by `connect` already.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
/** 'in', or the SQLSTATE and the message by which it is refused. */
const enter = (config: object): Promise<string> =>
  using(config, () => Promise.resolve('in')).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return `${code} ${error instanceof Error ? error.message : ''}`
  })
const trusting = { ca: '', servername: 'localhost', ALPNProtocols: ['postgresql'] }
const trust = () => ({ ...trusting, ca: tls.ca })

test.each(ways)(
  'what was sent in the clear before encryption is never taken for what the client says (%s)',
  async (way) => {
    const told = gateway.events.length
    const answer = await raw(portOf(way), Buffer.concat([sslRequest, startup(way)])).ended
    expect(answer).toContain('received unencrypted data after SSL request')
    expect(answer).not.toContain('SCRAM')
    // A part of a packet waits for no other.
    const part = await raw(portOf(way), Buffer.concat([sslRequest, Buffer.from([0])])).ended
    expect(part).toContain('received unencrypted data after SSL request')
    if (way === 'direct')
      expect(gateway.events.slice(told).map(({ kind }) => kind)).toEqual(['refused', 'refused'])
  },
)

test.each(ways)('who asks for encryption and does not encrypt is cut off (%s)', async (way) => {
  for (const next of [
    startup(way),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.alloc(70_000, 1),
  ]) {
    const client = raw(portOf(way), sslRequest)
    await expect.poll(client.answer).toBe('S')
    client.socket.write(next)
    const answer = await client.ended
    // The one thing that may come is an alert of TLS.
    if (answer !== 'S') expect(answer.startsWith('S\u0015\u0003')).toBe(true)
    expect(answer.length).toBeLessThan(40)
    expect(answer).not.toContain('SCRAM')
  }
})

test.each(ways)('a handshake that does not end is cut off in time (%s)', async (way) => {
  const begun = performance.now()
  const silent = raw(portOf(way), sslRequest)
  // The beginning of a record, as long as a record may be.
  const direct = raw(portOf(way), Buffer.from([0x16, 3, 1, 0x40, 0]))
  expect(await silent.ended).toBe('S')
  expect(await direct.ended).toBe('')
  expect(performance.now() - begun).toBeGreaterThan(openingMs - 50)
})

test.each(ways)(
  'within encryption nothing begins anew, and packets are bounded (%s)',
  async (way) => {
    for (const bytes of [
      sslRequest,
      Buffer.from([0, 0, 0, 8, 4, 210, 22, 48]),
      Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0]),
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    ]) {
      const client = await rawTls(portOf(way), trust())
      client.write(bytes)
      expect(await client.ended).toBe('')
    }
  },
)

test.each(ways)(
  'direct encryption is for clients that say which protocol they speak (%s)',
  async (way) => {
    const { ALPNProtocols: _, ...silent } = trust()
    const client = await rawTls(portOf(way), silent, { direct: true })
    expect(await client.ended).toMatch(/08P01.*without ALPN/s)
    for (const direct of [true, false]) {
      const other = { ...trust(), ALPNProtocols: ['http/1.1', 'h2'] }
      const web = await rawTls(portOf(way), other, { direct })
      expect(await web.ended).toMatch(/no application protocol/i)
    }
    const speaks = await rawTls(portOf(way), trust(), { direct: true })
    speaks.write(startup(way))
    speaks.write(Buffer.from([0x58, 0, 0, 0, 4]))
    expect(await speaks.ended).toContain('SCRAM-SHA-256')
  },
)

test.each(ways)('old versions of TLS are refused (%s)', async (way) => {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const client = await rawTls(portOf(way), { ...trust(), ...old })
  expect(await client.ended).toMatch(/protocol version/i)
})

test('where encryption is enforced a connection in the clear is refused before anybody is asked for a password', async () => {
  pooler.change({ ssl_enforced: true })
  await gateway.change([{ ssl_enforced: true }])
  const asked = pooler.asked.length
  for (const way of ways) {
    expect(await enter(configAt(way, { ssl: false })), way).toMatch(
      /^28000 SSL connection is required/,
    )
    const answer = await raw(portOf(way), startup(way)).ended
    expect(answer, way).not.toContain('SCRAM')
  }
  expect(pooler.asked.length).toBe(asked)
  for (const way of ways) expect(await enter(configAt(way)), way).toBe('in')
  pooler.change({ ssl_enforced: false })
  await gateway.change([{ ssl_enforced: false }])
  for (const way of ways) expect(await enter(configAt(way, { ssl: false })), way).toBe('in')
})

test('the name of a host does not lead to another project than the one that is named', async () => {
  for (const way of ways) {
    const ssl = { ca: tls.ca, servername: `${otherRef}.db.localhost` }
    expect(await enter(configAt(way, { host: '127.0.0.1', ssl })), way).toMatch(
      /^28000 .*(two projects are named|is of another project)/,
    )
  }
})

test('the name of a host names the project', async () => {
  const own = (ref: string) => ({
    host: '127.0.0.1',
    ssl: { ca: tls.ca, servername: `${ref}.db.localhost` },
  })
  for (const way of ['session', 'transaction'] as const) {
    expect(await enter(configAt(way, { ...own(poolerRef), user: 'postgres' }))).toBe('in')
    expect(await enter(configAt(way, own(poolerRef)))).toBe('in')
    // Who is not there is asked for a password like everybody.
    expect(await enter(configAt(way, { ...own(otherRef), user: 'postgres' }))).toMatch(/^28P01/)
    const none = {
      host: '127.0.0.1',
      user: 'postgres',
      ssl: { ca: tls.ca, servername: 'localhost' },
    }
    expect(await enter(configAt(way, none))).toMatch(/^28000 no project is named/)
  }
  expect(await enter(configAt('direct', own(gatewayRef)))).toBe('in')
})

test.each(ways)(
  'a query is cancelled over an encrypted connection, by its own key alone (%s)',
  async (way) => {
    await using(configAt(way), async (client) => {
      // The driver keeps what it was given; its types do not say so.
      const key = client as unknown as { processID: number; secretKey: number }
      const own = { processId: key.processID, secret: key.secretKey }
      let isOver = false
      const sleeps = client.query('select pg_sleep(60)').catch((error: unknown) => error)
      void sleeps.then(() => (isOver = true))
      const running = async () => {
        const { rows } = await pooler.admin.query(
          `select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`,
        )
        return rows.length
      }
      await expect.poll(running).toBe(1)
      const foreign = await rawTls(portOf(way), trust())
      foreign.write(cancelRequest({ ...own, secret: own.secret ^ 1 }))
      expect(await foreign.ended).toBe('')
      expect(isOver).toBe(false)
      const cancel = await rawTls(portOf(way), trust())
      cancel.write(cancelRequest(own))
      expect(await cancel.ended).toBe('')
      expect(await sleeps).toMatchObject({ code: '57014' })
    })
  },
)

test.each(ways)('large results arrive whole, and are counted (%s)', async (way) => {
  const counted = () => (way === 'direct' ? gateway : pooler).counts.get('egress_database') ?? 0
  const look = () => (way === 'direct' ? gateway.look() : pooler.counting.look())
  look()
  const before = counted()
  await using(configAt(way), async (client) => {
    const { rows } = await client.query<{ text: string }>(
      `select repeat(md5(n::text), 1000) as text from generate_series(1, 300) n`,
    )
    expect(rows.map(({ text }) => text.length)).toEqual(Array<number>(300).fill(32_000))
    const text = 'x'.repeat(3_000_000)
    const back = await client.query<{ n: number }>('select length($1::text) as n', [text])
    expect(back.rows).toEqual([{ n: 3_000_000 }])
  })
  await expect.poll(() => (look(), counted() - before)).toBeGreaterThan(9_600_000)
  expect(counted() - before).toBeLessThan(12_000_000)
})

const psql = async (way: Way, options: string, host = 'localhost') => {
  const { password } = database.configFor('postgres')
  const login = `host=${host} hostaddr=127.0.0.1 port=${portOf(way)} user=${userAt(way)} dbname=${database.name}`
  try {
    const env = { ...process.env, PGPASSWORD: String(password), HOME: '/nonexistent' }
    const { stdout } = await run('psql', ['-XAtc', 'select 1 as one', `${login} ${options}`], {
      env,
    })
    return stdout.trim()
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  }
}
const hasPsql = await run('psql', ['--version']).then(
  () => true,
  () => false,
)
test.runIf(hasPsql)(
  'psql knows the server by the certificate of the installation, and refuses another one',
  async () => {
    for (const way of ways) {
      const verify = `sslmode=verify-full sslrootcert=${tls.caFile}`
      expect(await psql(way, 'sslmode=require'), way).toBe('1')
      expect(await psql(way, verify), way).toBe('1')
      expect(await psql(way, verify, '127.0.0.1'), way).toBe('1')
      const ref = way === 'direct' ? gatewayRef : poolerRef
      expect(await psql(way, verify, `${ref}.db.localhost`), way).toBe('1')
      expect(await psql(way, verify, 'db.example.com'), way).toContain('does not match host name')
      expect(await psql(way, `sslmode=verify-ca sslrootcert=${others.caFile}`), way).toContain(
        'certificate verify failed',
      )
    }
  },
)
