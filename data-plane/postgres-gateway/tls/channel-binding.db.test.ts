import { connect as connectPlain, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { poolerRef, startPooler, type TestPooler } from '../../testing/pooler.ts'
import { startupPacket } from '../../testing/postgres-gateway.ts'
import { rawTls, sslRequest, testEncryption } from '../../testing/tls.ts'

/** Logins that are tied to the encrypted connection over which they are made. */
let database: TestDatabase
let tls: Awaited<ReturnType<typeof testEncryption>>
let others: Awaited<ReturnType<typeof testEncryption>>
let pooler: TestPooler
beforeAll(async () => {
  database = await createTestDatabase()
  tls = await testEncryption()
  others = await testEncryption()
  pooler = await startPooler(database, { encryption: tls.encryption })
})
afterAll(async () => {
  await pooler.close()
  await database.drop()
  await tls.remove()
  await others.remove()
})

const modes = ['session', 'transaction'] as const
type Mode = (typeof modes)[number]

/** By which mechanism a client came in, or the error that kept it out. */
async function enter(mode: Mode, more: object = {}): Promise<string> {
  const ssl = { ca: tls.ca }
  const client = new Client({ ...pooler.config(mode), host: 'localhost', ssl, ...more })
  client.on('error', () => undefined)
  let mechanism = ''
  // The types of the driver do not have it.
  const connection = client.connection as unknown as {
    sendSASLInitialResponseMessage: (name: string, first: string) => void
  }
  const send = connection.sendSASLInitialResponseMessage.bind(connection)
  connection.sendSASLInitialResponseMessage = (name, first) => {
    mechanism = name
    send(name, first)
  }
  try {
    await client.connect()
    const { rows } = await client.query('select 1 as one')
    expect(rows).toEqual([{ one: 1 }])
    await client.end()
    return mechanism
  } catch (error) {
    return `${error instanceof Error && 'code' in error ? String(error.code) : ''} ${String(error)}`
  }
}

/**
 * Somebody between, who reads along: shows a certificate of its own, and speaks with the real port for whoever comes. Its port.
 */
async function between(mode: Mode): Promise<number> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined)
    client.once('data', () => {
      client.write('S')
      const shown = new TLSSocket(client, {
        isServer: true,
        secureContext: others.encryption.context(),
      })
      const plain = connectPlain(pooler.portOf(mode), '127.0.0.1', () => plain.write(sslRequest))
      open.add(plain)
      plain.on('error', () => undefined)
      plain.once('data', () => {
        const real = connectTls({ socket: plain, rejectUnauthorized: false })
        for (const socket of [shown, real]) socket.on('error', () => undefined)
        shown.pipe(real).pipe(shown)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test.each(modes)(
  'a client ties its login in %s mode to the connection, or does not',
  async (mode) => {
    expect(await enter(mode, { enableChannelBinding: true })).toBe('SCRAM-SHA-256-PLUS')
    expect(await enter(mode)).toBe('SCRAM-SHA-256')
  },
)

test('a wrong password is refused in the same words', async () => {
  const wrong = { password: 'wrong' }
  const refused = await enter('session', wrong)
  expect(refused).toMatch(/^28P01 /)
  expect(await enter('session', { ...wrong, enableChannelBinding: true })).toBe(refused)
})

test('somebody between is found out, although the client trusts what they show', async () => {
  const port = await between('session')
  const fooled = { port, ssl: { ca: others.ca } }
  expect(await enter('session', fooled)).toBe('SCRAM-SHA-256')
  expect(await enter('session', { ...fooled, enableChannelBinding: true })).toMatch(
    /^28000 .*channel binding check failed/,
  )
})

/** The answer to a first message of a login, which names a mechanism and has a header. */
async function answerTo(mechanism: string, header: string): Promise<string> {
  const first = `${header}n=,r=abcdefghijklmnop`
  const length = Buffer.alloc(4)
  length.writeInt32BE(first.length)
  const body = Buffer.concat([Buffer.from(`${mechanism}\0`), length, Buffer.from(first)])
  const head = Buffer.alloc(5)
  head.write('p')
  head.writeInt32BE(body.length + 4, 1)
  const client = await rawTls(pooler.portOf('session'), { ca: tls.ca, host: 'localhost' })
  const startup = startupPacket([['user', `postgres.${poolerRef}`]])
  client.write(Buffer.concat([startup, head, body]))
  // It ends where it is refused, or because nothing follows.
  client.write(Buffer.from('X\0\0\0\x04'))
  return client.ended
}

test.each([
  ['SCRAM-SHA-256', 'y,,', /C28000.*was not told/],
  ['SCRAM-SHA-256', 'p=tls-server-end-point,,', /C08P01/],
  ['SCRAM-SHA-256-PLUS', 'n,,', /C08P01/],
  ['SCRAM-SHA-256-PLUS', 'y,,', /C08P01/],
  ['SCRAM-SHA-256-PLUS', 'p=tls-unique,,', /C08P01/],
  ['SCRAM-SHA-512-PLUS', 'p=tls-server-end-point,,', /C08P01/],
])('%s with %s is refused', async (mechanism, header, refusal) => {
  expect(await answerTo(mechanism, header)).toMatch(
    new RegExp(`SCRAM-SHA-256-PLUS.*${refusal.source}`, 's'),
  )
})

test('without encryption nothing can be tied to it, and a client that wants that does not come in', async () => {
  expect(await enter('session', { ssl: false })).toBe('SCRAM-SHA-256')
})
